import Synchronization
import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("A watch for commits")
struct ChangeWatchTests {
    @Test("A write reports the tables that its statements change", arguments: TestBackend.available)
    func tables(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript("CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER);") }
            let (changes, continuation) = AsyncStream.makeStream(of: DatabaseChange.self)
            let watch = database.watchChanges { continuation.yield($0) }
            defer { withExtendedLifetime(watch) {} }
            var known = changes.filter { $0.tables != nil }.makeAsyncIterator()
            try await database.write { connection in
                try connection.execute("INSERT INTO a VALUES (:x)", ["x": .integer(1)])
                try connection.execute("UPDATE b SET x = 2")
                _ = try connection.query("SELECT x FROM a").next()
            }
            #expect(await known.next()?.tables == ["a", "b"])
            // A transaction that is rolled back, and one that changes nothing, have no report.
            await #expect(throws: DatabaseError.self) {
                try await database.write { connection in
                    try connection.execute("DELETE FROM b")
                    throw DatabaseError(.failed, "rolled back")
                }
            }
            _ = try await database.write { try $0.query("SELECT x FROM a").next() }
            try await database.write { try $0.execute("DELETE FROM a") }
            #expect(await known.next()?.tables == ["a"])
        }
    }

    @Test("A commit of another program is reported", arguments: TestBackend.available)
    func others(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.execute("CREATE TABLE a (x INTEGER)") }
            #expect(await database.reportsCommits())
            let (changes, continuation) = AsyncStream.makeStream(of: DatabaseChange.self)
            let watch = database.watchChanges { continuation.yield($0) }
            defer { withExtendedLifetime(watch) {} }
            var all = changes.makeAsyncIterator()
            #expect(await all.next()?.tables == nil)
            let other = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
            try await other.write { try $0.execute("INSERT INTO a VALUES (1)") }
            await other.close()
            func count() async throws -> Int {
                try await database.read { connection in
                    let rows = try connection.query("SELECT COUNT(*) FROM a")
                    defer { rows.close() }
                    return try rows.next() ? Int(rows.integer(at: 0)) : 0
                }
            }
            // Reports follow until a read shows the commit.
            repeat {
                let change = await all.next()
                #expect(change.map { $0.tables?.contains("a") ?? true } == true)
            } while try await count() == 0
        }
    }

    @Test("Without a position, any table may have changed after each interval")
    func unknown() async {
        var detection = ChangeDetection()
        detection.pollInterval = .milliseconds(1)
        detection.unknownInterval = .milliseconds(2)
        let (changes, continuation) = AsyncStream.makeStream(of: DatabaseChange.self)
        let looking = Task { [detection] in
            await CommitLook(detection, OwnCommits(.none), nil) { continuation.yield($0) }.run { nil }
        }
        var all = changes.makeAsyncIterator()
        for _ in 0..<3 { #expect(await all.next() == DatabaseChange()) }
        looking.cancel()
        await looking.value
    }

    // MARK: The records of own commits

    /// Creates the position after a number of commits to a SQLite file.
    private static func position(_ changes: UInt32, opening: Int = 1) -> CommitPosition {
        CommitPosition(.counter(opening: opening, changes))
    }

    @Test("A change of the position is the effect of recorded commits only if all commits are recorded")
    func records() throws {
        let current = Mutex<UInt32>(7)
        let commits = OwnCommits(.position { Self.position(current.withLock { $0 }) })
        var pages = 0
        func commit(foreign: Int = 0) throws {
            try commits.recording(pages) {
                pages += 1
                current.withLock { $0 += UInt32(1 + foreign) }
            }
        }
        try commit()
        try commit()
        #expect(commits.others(from: Self.position(7), to: Self.position(9)) == .identifiers([]))
        // Each record is used once.
        #expect(commits.others(from: Self.position(7), to: Self.position(9)) == .unknown)
        // Another program has committed between the commit and the second look at the position.
        try commit(foreign: 1)
        #expect(commits.others(from: Self.position(9), to: Self.position(11)) == .unknown)
        try commit()
        #expect(commits.others(from: Self.position(10), to: Self.position(12)) == .unknown)
        #expect(commits.others(from: Self.position(11), to: Self.position(12, opening: 2)) == .unknown)
        // A transaction that has written nothing is followed by a commit of another program.
        try commits.recording(pages) { current.withLock { $0 += 1 } }
        #expect(commits.others(from: Self.position(12), to: Self.position(13)) == .unknown)
        struct Failed: Error {}
        #expect(throws: Failed.self) { try commits.recording(pages) { throw Failed() } }
        #expect(commits.others(from: Self.position(13), to: Self.position(14)) == .unknown)
    }

    @Test(
        "Commits in a binary log are compared by their identifiers",
        arguments: [
            ("0-1-5 ", "0-1-7 ", ["0-1-6", "0-1-7"], []), ("0-1-5 ", "0-1-7 ", ["0-1-7"], ["0-1-6"]),
            ("0-1-5 ", "0-1-7 ", ["0-1-6", "0-1-7", "0-1-8"], []), (" ", "0-1-1 ", ["0-1-1"], []),
            ("0-1-5,1-1-9 ", "0-1-6,1-1-9 ", ["0-1-6"], []), ("0-1-5,1-1-9 ", "0-1-6,1-2-10 ", ["0-1-6"], ["1-2-10"]),
            ("0-1-5,1-1-9 ", "0-1-5 ", [], nil), ("0-1-5 0-2-3", "0-1-6 0-2-3", ["0-1-6"], []),
            ("0-1-5 0-2-3", "0-1-6 0-2-4", ["0-1-6"], nil), ("0-1-7 ", "0-1-5 ", [], nil),
            ("0-1-5 ", "0-2-5 ", ["0-1-5"], nil), ("0-1-5 ", "nonsense", ["0-1-6"], nil),
        ] as [(String, String, [String], [String]?)])
    func log(_ start: String, _ end: String, _ identifiers: [String], _ others: [String]?) {
        let commits = OwnCommits(.none)
        for identifier in identifiers { commits.record(identifier) }
        let found = commits.others(from: CommitPosition(.log(start)), to: CommitPosition(.log(end)))
        #expect(found == (others.map { .identifiers(Set($0.compactMap { GlobalTransactionID($0[...]) })) } ?? .unknown))
    }
}
