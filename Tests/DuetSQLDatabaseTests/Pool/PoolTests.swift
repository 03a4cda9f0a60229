import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("The connection pool", .serialized)
struct PoolTests {
    private func configuration(
        poolSize: Int, _ change: (inout DatabaseConfiguration) -> Void = { _ in }
    ) -> DatabaseConfiguration {
        var configuration = DatabaseConfiguration(poolSize: poolSize)
        change(&configuration)
        return configuration
    }

    /// Waits until the pool's queue has at least `count` transactions. Tasks add their transactions asynchronously.
    private func until(_ database: Database, isWaiting count: Int) async {
        while database.statistics.waiting < count { await Task.yield() }
    }

    @Test("The number of connections never exceeds the pool size", arguments: TestBackend.available)
    func bound(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 3)) { database, recorder in
            let running = Shared((now: 0, most: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await database.read { connection in
                            running.change {
                                $0.now += 1
                                $0.most = max($0.most, $0.now)
                            }
                            _ = try connection.query(backend.numbers, ["last": 100]).rows()
                            running.change { $0.now -= 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(running.value.most <= 3)
            #expect(recorder.opened <= 3)
            #expect(database.statistics.busy == 0)
            #expect(database.statistics.waiting == 0)
        }
    }

    @Test("A caller that waits too long gets an error that reports an exhausted pool", arguments: TestBackend.available)
    func acquireTimeout(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1) { $0.acquireTimeout = .milliseconds(20) }) {
            database, _ in
            try await database.holdingConnection { release async throws in
                for _ in 0..<3 {
                    let error = await failure { try await database.read { _ in } }
                    #expect(error?.code == .poolExhausted)
                    #expect(error?.message.contains("0.02") == true)
                    #expect(error?.message.contains("at most 1 are used at once") == true)
                    let streamError = await failure { _ = try await database.stream { _ in { nil as Int? } } }
                    #expect(streamError?.message.contains("at most 1 are used for streams at once") == true)
                }
                #expect(database.statistics.waiting == 0)
                release()
            }
            try await database.read { _ in }
        }
    }

    @Test("The length of the queue is limited", arguments: TestBackend.available)
    func queueLimit(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1) { $0.queueLimit = 1 }) { database, _ in
            try await database.holdingConnection { release async throws in
                async let waiting: Void = database.read { _ in }
                await until(database, isWaiting: 1)
                let error = await failure { try await database.read { _ in } }
                #expect(error?.code == .poolExhausted)
                release()
                try await waiting
            }
        }
    }

    @Test("Waiting callers get a connection in the order of their calls", arguments: TestBackend.available)
    func order(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, _ in
            let order = Shared<[Int]>([])
            try await database.holdingConnection { release async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            if number % 2 == 0 {
                                try await database.read { _ in order.change { $0.append(number) } }
                            } else {
                                try await database.write { _ in order.change { $0.append(number) } }
                            }
                        }
                        await until(database, isWaiting: number + 1)
                    }
                    release()
                    try await group.waitForAll()
                }
            }
            #expect(order.value == Array(0..<8))
        }
    }

    @Test("A waiting transaction that is canceled leaves the queue", arguments: TestBackend.available)
    func cancelWaiting(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, _ in
            try await database.holdingConnection { release async throws in
                let waiting = Task { try await database.read { _ in } }
                await until(database, isWaiting: 1)
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                #expect(database.statistics.waiting == 0)
                release()
            }
        }
    }

    @Test("A transaction of a canceled task does not begin", arguments: TestBackend.available)
    func cancelledBefore(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, _ in
            let mayBegin = Event()
            let task = Task {
                await mayBegin.wait()
                try await database.read { _ in _ = Issue.record("it has run") }
            }
            task.cancel()
            mayBegin.happen()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(
        "A running statement ends when its task is canceled, and the pool remains usable",
        arguments: TestBackend.available)
    func cancelRunning(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 2) { $0.statementTimeout = nil }) {
            database, recorder in
            for _ in 0..<5 {
                let isRunning = Event()
                let task = Task {
                    try await database.read { connection in
                        let rows = try connection.query(backend.endless)
                        isRunning.happen()
                        return try rows.rows().count
                    }
                }
                await isRunning.wait()
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                try await expectAnswer(from: database)
            }
            #expect(database.statistics.busy == 0)
            #expect(database.statistics.connections <= 2)
            // Each opened connection is either open or was closed with a reason.
            #expect(recorder.opened - recorder.closeReasons.count <= 2)
        }
    }

    @Test("A canceled closure runs no further statement", arguments: TestBackend.available)
    func cancelBetweenStatements(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, _ in
            let isRunning = Event()
            let isCancelled = Event()
            let task = Task {
                try await database.write { connection in
                    _ = try connection.query("SELECT 1 AS n").rows()
                    isRunning.happen()
                    isCancelled.block()
                    while true { _ = try connection.query("SELECT 1 AS n").rows() }
                }
            }
            await isRunning.wait()
            task.cancel()
            isCancelled.happen()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await expectAnswer(from: database)
        }
    }

    @Test("A statement that exceeds its time limit ends with a timeout", arguments: TestBackend.available)
    func statementTimeout(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1) { $0.statementTimeout = .milliseconds(100) }) {
            database, recorder in
            for _ in 0..<2 {
                let error = await failure { try await database.read { try $0.query(backend.endless).rows().count } }
                #expect(error?.code == .timeout)
                #expect(error?.statement == backend.endless)
            }
            let own = await failure {
                try await database.read(timeout: .limit(.milliseconds(50))) {
                    try $0.query(backend.endless).rows().count
                }
            }
            #expect(own?.code == .timeout)
            #expect(recorder.opened == 1)
            try await expectAnswer(from: database)
        }
    }

    /// Reads a result whose first rows arrive immediately and whose next row does not arrive before the timeout.
    /// - Parameter buffered: True if another statement causes the rows to be buffered in memory.
    /// - Returns: The number of received rows, and the error.
    private func readStalling(
        _ backend: TestBackend, _ database: Database, _ timeout: Duration, buffered: Bool
    ) async -> (seen: Int, error: DatabaseError?) {
        let seen = Shared(0)
        let error = await failure {
            try await database.read(timeout: .limit(timeout)) { connection in
                let rows = try connection.query(backend.stalling)
                while try rows.next() {
                    seen.change { $0 += 1 }
                    guard buffered, seen.value == 1 else { continue }
                    #expect(try connection.query("SELECT 1 AS n").rows() == [[1]])
                }
            }
        }
        return (seen.value, error)
    }

    @Test(
        "After a timeout, reading further rows throws an error instead of ending the rows",
        arguments: TestBackend.available)
    func timeoutAmongRows(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, _ in
            // Under load, the first row alone can take longer than this timeout.
            var timeout = Duration.milliseconds(300)
            for buffered in [false, true] {
                var (seen, error) = await readStalling(backend, database, timeout, buffered: buffered)
                while seen == 0, timeout < .seconds(300) {
                    timeout *= 4
                    (seen, error) = await readStalling(backend, database, timeout, buffered: buffered)
                }
                #expect(error?.code == .timeout)
                #expect(seen > 0)
            }
            try await expectAnswer(from: database)
        }
    }

    @Test("A statement retains its deadline while other statements run", arguments: TestBackend.available)
    func deadlineBesides(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1) { $0.statementTimeout = .milliseconds(300) }) {
            database, _ in
            let error = await failure {
                try await database.read { connection in
                    let rows = try connection.query(backend.stalling)
                    while try rows.next() {
                        if rows.rowsRead % 10_000 == 1 { _ = try connection.query("SELECT 1 AS n").rows() }
                    }
                }
            }
            #expect(error?.code == .timeout)
        }
    }

    @Test("Closing waits for running transactions and rejects new ones", arguments: TestBackend.available)
    func close(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1)) { database, recorder in
            let isRunning = Event()
            let mayEnd = Event()
            let hasEnded = Event()
            async let running: Void = database.read { _ in
                isRunning.happen()
                mayEnd.block()
                hasEnded.happen()
            }
            await isRunning.wait()
            async let waiting = failure { try await database.read { _ in } }
            await until(database, isWaiting: 1)
            let closing = Task {
                await database.close()
                #expect(hasEnded.hasHappened)
            }
            #expect(await waiting?.code == .closed)
            #expect(await failure { try await database.read { _ in } }?.code == .closed)
            mayEnd.happen()
            try await running
            await closing.value
            #expect(recorder.opened == recorder.closeReasons.count)
            #expect(database.statistics.connections == 0)
            await database.close()
        }
    }

    @Test("A connection that reaches its maximum lifetime is replaced", arguments: TestBackend.available)
    func lifetime(_ backend: TestBackend) async throws {
        try await withRecorder(backend, configuration(poolSize: 1) { $0.maximumLifetime = .nanoseconds(1) }) {
            database, recorder in
            for _ in 0..<3 { _ = try await database.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(recorder.opened == 3)
            #expect(recorder.closeReasons == ["lifetime", "lifetime"])
        }
    }

    // MARK: Lost connections

    private func kill(_ database: Database) async throws {
        let thread = try await database.read { connection in
            let rows = try connection.query("SELECT connection_id() AS id")
            _ = try rows.next()
            return rows.integer(at: 0)
        }
        guard case .mariaDB = database.url.location else { return }
        let other = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
        try await other.write { try $0.executeScript("KILL CONNECTION \(thread)") }
        // The server ends the connection asynchronously, and then removes it from the list of processes.
        var isThere = true
        while isThere {
            isThere = try await other.read {
                try $0.query(
                    "SELECT 1 AS n FROM information_schema.processlist WHERE id = :id", ["id": .integer(thread)]
                ).rows().count > 0
            }
        }
        await other.close()
    }

    @Test(
        "A read on a lost connection is retried once, and a write is not retried",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func lostConnection() async throws {
        try await withRecorder(.mariaDB, configuration(poolSize: 1)) { database, recorder in
            try await kill(database)
            try await expectAnswer(from: database)
            #expect(recorder.retries == 1)
            try await kill(database)
            let runs = Shared(0)
            let error = await failure {
                try await database.write { connection in
                    runs.change { $0 += 1 }
                    return try connection.query("SELECT 1 AS n").rows()
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(runs.value == 1)
            #expect(recorder.retries == 1)
            try await expectAnswer(from: database, writing: true)
        }
    }

    @Test(
        "A connection that was idle for a long time is checked before its next use",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func idleCheck() async throws {
        try await withRecorder(.mariaDB, configuration(poolSize: 1) { $0.idleCheckInterval = .nanoseconds(1) }) {
            database, recorder in
            try await kill(database)
            try await expectAnswer(from: database, writing: true)
            #expect(recorder.retries == 0)
            #expect(recorder.closeReasons == ["idle connection gone"])
        }
    }

    @Test("The error for an unreachable server contains the reason and does not contain the password")
    func unreachable() async throws {
        for text in [
            "mariadb://nobody:secret@127.0.0.1:1/none", "mariadb://nobody:secret@localhost/none?socket=/nowhere/socket",
        ] {
            let database = Database(try DatabaseURL(text))
            let error = await failure { try await database.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(error?.code == .unavailable)
            #expect(error?.description.contains("secret") == false)
            #expect(error?.message.hasPrefix("the MariaDB server cannot be used: ") == true)
            await database.close()
        }
    }

    @Test(
        "A wrong password and a missing database are reported as unavailable",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func refused() async throws {
        try await TestDatabase.withURL(.mariaDB) { url in
            guard case .mariaDB(let location) = url.location else { return }
            var wrongPassword = location
            wrongPassword.password = "wrong"
            var wrongDatabase = location
            wrongDatabase.database = "duet_missing"
            var byPort = location
            byPort.socket = nil
            byPort.host = "localhost"
            for (location, expected) in [
                (wrongPassword, DatabaseError.Code.unavailable), (wrongDatabase, .unavailable), (byPort, nil),
            ] {
                let database = Database(DatabaseURL(location: .mariaDB(location)))
                let error = await failure { try await database.read { try $0.query("SELECT 1 AS n").rows() } }
                #expect(error?.code == expected)
                await database.close()
            }
        }
    }

    /// Thread-local data whose destructor starts when the thread ends and runs as long as the test requires.
    private final class ThreadState: Sendable {
        let begins = Event()
        let mayEnd = Event()
        let hasEnded = Event()
    }

    @Test("Closing waits until the threads and the destructors of their thread-local data have ended")
    func threads() async throws {
        let state = ThreadState()
        try await TestDatabase.withURL(.sqlite) { url in
            let database = Database(url, configuration: configuration(poolSize: 1) { $0.createsMissingFile = true })
            try await database.read { _ in
                var key = pthread_key_t()
                pthread_key_create(&key) { kept in
                    // The parameter is an optional on some systems.
                    let kept: UnsafeMutableRawPointer? = kept
                    guard let kept else { return }
                    let state = Unmanaged<ThreadState>.fromOpaque(kept).takeRetainedValue()
                    state.begins.happen()
                    state.mayEnd.block()
                    state.hasEnded.happen()
                }
                pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
            }
            let closing = Task {
                await database.close()
                return state.hasEnded.hasHappened
            }
            await state.begins.wait()
            // Another pool is closed in the meantime with the same steps. A close that did not wait for threads would
            // have ended by then.
            let other = Database(url, configuration: configuration(poolSize: 1))
            _ = try await other.read { _ in }
            await other.close()
            state.mayEnd.happen()
            #expect(await closing.value)
        }
    }

    @Test("A database that is released without a close closes its connections", arguments: TestBackend.available)
    func dropped(_ backend: TestBackend) async throws {
        try await TestDatabase.withURL(backend) { url in
            let isClosed = Event()
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.createsMissingFile = true
            var database: Database? = Database(url, configuration: configuration) { observation in
                if case .connectionClosed = observation { isClosed.happen() }
            }
            _ = try await database?.read { try $0.query("SELECT 1 AS n").rows() }
            database = nil
            await isClosed.wait()
        }
    }
}
