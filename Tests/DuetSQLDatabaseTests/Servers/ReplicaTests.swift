import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

@Suite(
    "Replicas of MariaDB", .replicatedMariaDB,
    .enabled(if: ReplicatedMariaDB.isAvailable, "needs mariadbd and mariadb-install-db"))
struct ReplicaTests {
    @Test("Only reads of a session without a write use the replicas, in turn")
    func routes() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
            let replicas = Set(servers.replicas.map(\.serverID))
            var used: Set<Int> = []
            for _ in 0..<4 {
                let session = DatabaseSession()
                let first = try await replicated.read(in: session).server
                used.insert(first)
                // All reads of a session use the same replica.
                #expect(try await replicated.read(in: session).server == first)
                #expect(try await replicated.stream(in: session) == [Int64(first)])
                #expect(session.position == nil)
                try await replicated.write(in: session)
                #expect(session.position != nil)
                #expect(try await replicated.read(in: session).server == servers.primary.serverID)
                #expect(try await replicated.stream(in: session) == [Int64(servers.primary.serverID)])
            }
            #expect(used == replicas)
            #expect(try await replicated.read(in: nil).server == servers.primary.serverID)
            #expect(try await replicated.stream(in: nil) == [Int64(servers.primary.serverID)])
        }
    }

    @Test("A session has read-only transactions on replicas")
    func readOnly() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
            let error = await failure {
                try await DatabaseSession.$current.withValue(DatabaseSession()) {
                    _ = try await replicated.database.read { try $0.execute("INSERT INTO t () VALUES ()") }
                }
            }
            #expect(error?.code == .readOnly)
            #expect(replicated.replicas.map(\.isWell) == [true, true])
        }
    }

    @Test("A session with the position of a write sees the write on each replica")
    func positions() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
            for count in 1...20 {
                let position = try #require(try await replicated.write())
                for _ in servers.replicas {
                    let read = try await replicated.read(in: DatabaseSession(after: position))
                    #expect(read.rows == count)
                    #expect(read.server != servers.primary.serverID)
                }
            }
        }
    }

    @Test("If a replica is known to have a position, a read does not wait for it")
    func knownPositions() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
            let position = try #require(try await replicated.write())
            for _ in servers.replicas { _ = try await replicated.read(in: DatabaseSession(after: position)) }
            let waits = replicated.waits
            for _ in 0..<4 {
                let read = try await replicated.read(in: DatabaseSession(after: position))
                #expect(read.server != servers.primary.serverID)
            }
            #expect(replicated.waits == waits)
            // The primary does not have the domain.
            let foreign = try #require(DatabasePosition("99-1-1"))
            let read = try await replicated.read(in: DatabaseSession(after: foreign))
            #expect(read.server == servers.primary.serverID)
            #expect(replicated.waits == waits)
        }
    }

    @Test("If a replica does not reach a position in time, the read uses the primary")
    func behind() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica]) {
                $0.replicaWait = .milliseconds(50)
            } _: { replicated in
                try await replica.administer("STOP SLAVE SQL_THREAD")
                let position = try #require(try await replicated.write())
                let late = DatabaseSession(after: position)
                for _ in 0..<2 {
                    let read = try await replicated.read(in: late)
                    #expect(read.server == servers.primary.serverID)
                    #expect(read.rows == 1)
                }
                #expect(replicated.waits == 1)
                let streamed = try await replicated.stream(in: DatabaseSession(after: position))
                #expect(streamed == [Int64(servers.primary.serverID)])
                // The replica is not to blame.
                #expect(replicated.replicas.map(\.isWell) == [true])
                let older = try await replicated.read(in: DatabaseSession())
                #expect(older.server == replica.serverID)
                #expect(older.rows == 0)
                // A position of the future.
                let future = try #require(DatabasePosition("7-1-18446744073709551615"))
                let early = try await replicated.read(in: DatabaseSession(after: future))
                #expect(early.server == servers.primary.serverID)
                // As soon as a check during a wait has shown that the primary does not have it, no read waits.
                _ = try await Polling.observe {
                    let waits = replicated.waits
                    let read = try await replicated.read(in: DatabaseSession(after: future))
                    #expect(read.server == servers.primary.serverID)
                    return replicated.waits == waits
                } until: {
                    $0
                }
                try await replica.administer("START SLAVE SQL_THREAD")
                let read = try await Polling.observe {
                    try await replicated.read(in: DatabaseSession(after: position))
                } until: {
                    $0.server == replica.serverID
                }
                #expect(read.rows == 1)
            }
        }
    }

    @Test("A replica that lags more than the limit is not used until it has caught up")
    func lag() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica]) {
                $0.maximumReplicaLag = .milliseconds(500)
            } _: { replicated in
                try await replica.administer("STOP SLAVE SQL_THREAD")
                try await replicated.write()
                try await replicated.wait { $0[0].reason?.contains("behind the primary") == true }
                let lag = try #require(replicated.replicas[0].lag)
                #expect(lag > .milliseconds(500))
                #expect(try await replicated.read(in: DatabaseSession()).server == servers.primary.serverID)
                try await replica.administer("START SLAVE SQL_THREAD")
                try await replicated.wait { $0[0].isWell }
                #expect(try await replicated.read(in: DatabaseSession()).rows == 1)
            }
        }
    }

    @Test("Reads continue while a replica is killed")
    func killedReplica() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica, servers.replicas[0]]) { replicated in
                let position = try #require(try await replicated.write())
                try await withThrowingTaskGroup(of: Void.self) { readers in
                    let isKilled = Shared(false)
                    for _ in 0..<4 {
                        readers.addTask {
                            // Some reads begin after the end of the server.
                            var after = 0
                            while after < 20 {
                                if isKilled.value { after += 1 }
                                let read = try await replicated.read(in: DatabaseSession(after: position))
                                #expect(read.rows == 1)
                            }
                        }
                    }
                    await replica.kill()
                    isKilled.change { $0 = true }
                    try await readers.waitForAll()
                }
                try await replicated.wait { !$0[0].isWell }
                #expect(replicated.replicas[1].isWell)
                for _ in 0..<4 {
                    let read = try await replicated.read(in: DatabaseSession())
                    #expect(read.server == servers.replicas[0].serverID)
                }
            }
        }
    }

    @Test("Reads that wait for a replica without an answer run on the primary")
    func pausedReplica() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica]) {
                $0.replicaCheckTimeout = .seconds(2)
            } _: { replicated in
                #expect(try await replicated.read(in: DatabaseSession()).server == replica.serverID)
                replica.pause()
                // The signal can arrive after a read. The time limit of the read's statements is five minutes.
                _ = try await Polling.observe {
                    try await replicated.read(in: DatabaseSession())
                } until: {
                    $0.server == servers.primary.serverID
                }
                #expect(replicated.replicas[0].reason?.isEmpty == false)
                #expect(try await replicated.read(in: DatabaseSession()).server == servers.primary.serverID)
                replica.resume()
                try await replicated.wait { $0[0].isWell }
                #expect(try await replicated.read(in: DatabaseSession()).server == replica.serverID)
            }
        }
    }

    @Test("After all servers have hung, they are used again")
    func allPaused() async throws {
        try await ReplicatedMariaDB.shared.withOtherPrimary { primary, replica in
            try await ReplicatedDatabase.with(primary, [replica]) {
                $0.replicaCheckTimeout = .seconds(2)
            } _: { replicated in
                let position = try #require(try await replicated.write())
                for server in [primary, replica] { server.pause() }
                _ = try await Polling.observe {
                    replicated.database.serverStatus
                } until: {
                    $0.allSatisfy { !$0.isWell }
                }
                #expect(await failure { try await replicated.write() }?.code == .unavailable)
                for server in [primary, replica] { server.resume() }
                _ = try await Polling.observe {
                    replicated.database.serverStatus
                } until: {
                    $0.allSatisfy(\.isWell)
                }
                try await replicated.write()
                let read = try await replicated.read(in: DatabaseSession(after: position))
                #expect(read.server == replica.serverID)
            }
        }
    }

    @Test("A replica that accepts writes is not used")
    func promotedReplica() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica]) { replicated in
                #expect(try await replicated.read(in: DatabaseSession()).server == replica.serverID)
                try await replica.administer("SET GLOBAL read_only = 0")
                try await replicated.wait { $0[0].reason?.contains("read_only") == true }
                #expect(try await replicated.read(in: DatabaseSession()).server == servers.primary.serverID)
                try await replica.administer("SET GLOBAL read_only = 1")
                try await replicated.wait { $0[0].isWell }
                #expect(try await replicated.read(in: DatabaseSession()).server == replica.serverID)
            }
        }
    }

    @Test("Reads of sessions continue after the primary is killed, and writes fail")
    func killedPrimary() async throws {
        try await ReplicatedMariaDB.shared.withOtherPrimary { primary, replica in
            try await ReplicatedDatabase.with(primary, [replica]) { replicated in
                let position = try #require(try await replicated.write())
                await primary.kill()
                let error = await failure { try await replicated.write() }
                #expect([.unavailable, .connectionLost].contains(error?.code))
                let read = try await replicated.read(in: DatabaseSession(after: position))
                #expect(read.server == replica.serverID)
                #expect(read.rows == 1)
                #expect(await failure { try await replicated.read(in: nil) }?.code == .unavailable)
                // A program that starts now does not know the lag, but reads.
                let other = Database(
                    replicated.database.url, replicas: [replica.url(of: Self.name(replicated.database.url))],
                    configuration: DatabaseConfiguration(poolSize: 1).patient)
                let watching = Task { await other.watchServers() }
                _ = try await Polling.observe({ other.serverStatus }, until: { $0[1].isWell })
                #expect(other.serverStatus[1].lag == nil)
                watching.cancel()
                await watching.value
                await other.close()
            }
        }
    }

    @Test("A replica of another primary is not used")
    func foreignReplica() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withOtherPrimary { _, foreign in
            try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
                try await replicated.write()
                let other = Database(
                    servers.primary.url, replicas: [foreign.url, servers.replicas[0].url],
                    configuration: DatabaseConfiguration(poolSize: 1).patient)
                let watching = Task { await other.watchServers() }
                _ = try await Polling.observe({ other.serverStatus }, until: { $0[2].isWell })
                #expect(other.serverStatus[1].isWell == false)
                watching.cancel()
                await watching.value
                await other.close()
            }
        }
    }

    @Test("A database without replicas records positions if it is configured to do so", arguments: [false, true])
    func recorded(_ records: Bool) async throws {
        let primary = try ReplicatedMariaDB.shared.primary
        try await ReplicatedDatabase.with(primary, []) {
            $0.recordsPositions = records
        } _: { replicated in
            let session = DatabaseSession()
            let first = try await replicated.write(in: session)
            #expect((first != nil) == records)
            let second = try await replicated.write(in: session)
            if let first, let second {
                #expect(second.reaches(first))
                #expect(first != second)
            }
            // The refusal of a write can follow from commits that a replica does not have yet.
            let failed = DatabaseSession()
            await #expect(throws: DatabaseError.self) {
                try await DatabaseSession.$current.withValue(failed) {
                    _ = try await replicated.database.write { try $0.execute("INSERT INTO t VALUES (1)") }
                }
            }
            #expect((failed.position != nil) == records)
            let statements = replicated.recorder.statements.count { $0.contains("last_gtid") }
            #expect(statements == (records ? 3 : 0))
        }
    }

    @Test("One statement reads the position for a session and for a watch")
    func watched() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await ReplicatedDatabase.with(servers.primary, servers.replicas) { replicated in
            let watch = replicated.database.watchChanges { _ in }
            defer { withExtendedLifetime(watch) {} }
            let position = try await replicated.write()
            #expect(position != nil)
            #expect(replicated.recorder.statements.count { $0.contains("last_gtid") } == 1)
        }
    }

    @Test("A replica that is promoted after the loss of the primary receives the writes")
    func promotion() async throws {
        try await ReplicatedMariaDB.shared.withOtherPrimary { primary, replica in
            try await ReplicatedDatabase.with(primary, [replica]) { replicated in
                let position = try #require(try await replicated.write())
                #expect(try await replicated.read(in: DatabaseSession(after: position)).server == replica.serverID)
                await primary.kill()
                #expect(await failure { try await replicated.write() } != nil)
                try await replica.administer("STOP SLAVE; SET GLOBAL read_only = 0")
                _ = try await Polling.observe({ replicated.database.serverStatus }, until: { $0[1].isPrimary })
                let next = try #require(try await replicated.write())
                #expect(next.reaches(position))
                for session in [nil, DatabaseSession(), DatabaseSession(after: next)] {
                    let read = try await replicated.read(in: session)
                    #expect(read.server == replica.serverID)
                    #expect(read.rows == 2)
                }
                #expect(replicated.recorder.primaries.count == 1)
            }
        }
    }

    @Test("After a promotion, neither writes nor reads use the previous primary until it is a replica")
    func previousPrimary() async throws {
        try await ReplicatedMariaDB.shared.withOtherPrimary { primary, replica in
            try await ReplicatedDatabase.with(primary, [replica]) { replicated in
                let position = try #require(try await replicated.write())
                #expect(try await replicated.read(in: DatabaseSession(after: position)).rows == 1)
                try await primary.administer("SET GLOBAL read_only = 1")
                // No server accepts writes.
                _ = try await Polling.observe({ replicated.database.serverStatus }, until: { !$0[0].isWell })
                #expect(await failure { try await replicated.write() }?.code == .unavailable)
                try await replica.administer("STOP SLAVE; SET GLOBAL read_only = 0")
                _ = try await Polling.observe({ replicated.database.serverStatus }, until: { $0[1].isPrimary })
                try await replicated.write()
                // Someone has forgotten the promotion.
                try await primary.administer("SET GLOBAL read_only = 0")
                for _ in 0..<3 {
                    try await replicated.write()
                    #expect(try await replicated.read(in: DatabaseSession()).server == replica.serverID)
                }
                #expect(try await replicated.rows(on: primary) == 1)
                try await primary.follow(port: replica.port, from: position)
                _ = try await Polling.observe({ replicated.database.serverStatus }, until: { $0[0].isWell })
                let latest = try #require(try await replicated.write())
                let read = try await replicated.read(in: DatabaseSession(after: latest))
                #expect(read.server == primary.serverID)
                #expect(read.rows == 6)
            }
        }
    }

    @Test("If the name of the primary becomes that of a promoted replica, the writes use this server")
    func changedName() async throws {
        try await ReplicatedMariaDB.shared.withOtherPrimary { primary, replica in
            try await ReplicatedDatabase.with(primary, [replica]) { replicated in
                let position = try #require(try await replicated.write())
                #expect(try await replicated.read(in: DatabaseSession(after: position)).rows == 1)
                // A relay whose target changes has the effect of a name whose address changes.
                try await Relay.with(to: [primary.port]) { relays in
                    guard case .mariaDB(var location) = replicated.database.url.location else { return }
                    location.port = relays[0].port
                    let named = DatabaseURL(location: .mariaDB(location))
                    var configuration = DatabaseConfiguration(poolSize: 2).patient
                    configuration.replicaCheckInterval = .milliseconds(20)
                    let single = Database(named, configuration: configuration)
                    let several = Database(
                        named, replicas: [replica.url(of: location.database)], configuration: configuration)
                    let watching = Task { await several.watchServers() }
                    for database in [single, several] {
                        try await database.write { try $0.execute("INSERT INTO t () VALUES ()") }
                    }
                    try await primary.administer("SET GLOBAL read_only = 1")
                    _ = try await Polling.observe({ try await replicated.rows(on: replica) }, until: { $0 == 3 })
                    try await replica.administer("STOP SLAVE; SET GLOBAL read_only = 0")
                    try await relays[0].redirect(to: replica.port)
                    for database in [single, several] {
                        _ = try await Polling.observe {
                            await failure { try await database.write { try $0.execute("INSERT INTO t () VALUES ()") } }
                        } until: {
                            $0 == nil
                        }
                    }
                    // Both names belong to one server, so the writes are not ambiguous.
                    for _ in 0..<3 {
                        await several.checkServers()
                        try await several.write { try $0.execute("INSERT INTO t () VALUES ()") }
                    }
                    #expect(try await replicated.rows(on: replica) == 8)
                    #expect(try await replicated.rows(on: primary) == 3)
                    watching.cancel()
                    await watching.value
                    await single.close()
                    await several.close()
                }
            }
        }
    }

    @Test("A replica with commits that the primary does not have is not used")
    func ahead() async throws {
        let servers = try ReplicatedMariaDB.shared
        try await servers.withReplica { replica in
            try await ReplicatedDatabase.with(servers.primary, [replica]) { replicated in
                try await replicated.write()
                _ = try await Polling.observe(
                    { try await replicated.read(in: DatabaseSession()) }, until: { $0.rows == 1 })
                // As after the loss of the last part of the primary's log.
                try await replica.administer(
                    "STOP SLAVE; SET GLOBAL gtid_slave_pos = '7-\(servers.primary.serverID)-1000000'")
                try await replicated.wait { $0[0].reason?.contains("does not have") == true }
                #expect(try await replicated.read(in: DatabaseSession()).server == servers.primary.serverID)
            }
        }
    }

    private static func name(_ url: DatabaseURL) -> String {
        if case .mariaDB(let location) = url.location { location.database } else { "" }
    }
}
