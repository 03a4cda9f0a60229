import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Result sets")
struct ResultSetTests {
    @Test("A statement can run again while the rows of its first execution are read", arguments: TestBackend.available)
    func nested(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            let pairs = try await database.read { connection in
                var pairs: [[Int64]] = []
                let outer = try connection.query(backend.numbers, ["last": 3])
                while try outer.next() {
                    let inner = try connection.query(backend.numbers, ["last": 2])
                    while try inner.next() { pairs.append([outer.integer(at: 0), inner.integer(at: 0)]) }
                }
                return pairs
            }
            #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]])
        }
    }

    @Test("Open result sets can be read alternately and end at different times", arguments: TestBackend.available)
    func interleaved(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            for lengths in [[3, 5, 4], [5, 3, 4], [1, 1, 900], [900, 1, 2], [0, 2, 0]] {
                let seen = try await database.read { connection in
                    let sets = try lengths.map { try connection.query(backend.numbers, ["last": .integer($0)]) }
                    var seen = sets.map { _ in [Int64]() }
                    var isOpen = true
                    while isOpen {
                        isOpen = false
                        for (index, set) in sets.enumerated() where try set.next() {
                            seen[index].append(set.integer(at: 0))
                            isOpen = true
                        }
                    }
                    return seen
                }
                #expect(seen == lengths.map { length in (0..<length).map { Int64($0 + 1) } })
            }
        }
    }

    @Test("INSERT … RETURNING returns rows in each execution, read or unread", arguments: TestBackend.available)
    func returning(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            let number = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER PRIMARY KEY AUTO_INCREMENT"
            try await database.write {
                try $0.executeScript("CREATE TABLE notes (id \(number), text VARCHAR(20) NOT NULL)")
            }
            let seen = try await database.write { connection in
                var seen: [[SQLValue]] = []
                for text in ["a", "b", "c"] {
                    let row = try connection.query(
                        "INSERT INTO notes (text) VALUES (:text) RETURNING id, text", ["text": .text(text)])
                    if try row.next(), text != "b" { seen.append([row.value(at: 0), row.value(at: 1)]) }
                    row.close()
                }
                return seen
            }
            #expect(seen == [[1, "a"], [3, "c"]])
            let count = try await database.read { try $0.query("SELECT id FROM notes").rows().count }
            #expect(count == 3)
        }
    }

    @Test("Closing one result set does not affect the others", arguments: TestBackend.available)
    func closeBeside(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            let counts = try await database.read { connection in
                let first = try connection.query(backend.numbers, ["last": 20_000])
                _ = try first.next()
                let second = try connection.query(backend.numbers, ["last": 10_000])
                _ = try second.next()
                first.close()
                var count = 1
                while try second.next() { count += 1 }
                let third = try connection.query(backend.numbers, ["last": 10])
                return [count, try third.rows().count]
            }
            #expect(counts == [10_000, 10])
        }
    }

    @Test(
        "A large result set that is not read to its end does not affect the next statement",
        arguments: TestBackend.available)
    func leftEarly(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            for _ in 0..<3 {
                let first = try await database.read { connection in
                    let rows = try connection.query(backend.numbers, ["last": 50_000])
                    _ = try rows.next()
                    return rows.integer(at: 0)
                }
                #expect(first == 1)
                let count = try await database.read { connection in
                    let early = try connection.query(backend.numbers, ["last": 50_000])
                    _ = try early.next()
                    early.close()
                    #expect(try early.next() == false)
                    return try connection.query(backend.numbers, ["last": 7]).rows().count
                }
                #expect(count == 7)
            }
            #expect(recorder.opened == 1)
        }
    }

    @Test("A statement is prepared once for each connection", arguments: TestBackend.available)
    func preparedOnce(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            for last in 1...5 {
                let count = try await database.read {
                    try $0.query(backend.numbers, ["last": .integer(last)]).rows().count
                }
                #expect(count == last)
            }
            #expect(recorder.prepared.count == 1)
            #expect(recorder.hits == 4)
            #expect(recorder.statements.count == 5)
        }
    }

    @Test(
        "A statement with a list is prepared once for each padded length of the list",
        arguments: TestBackend.available)
    func listWidths(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            for count in [1, 2, 3, 4, 5, 6, 7, 8, 3, 1, 2] {
                let list = (0..<count).map { SQLValue.integer(Int64($0 * 10)) }
                _ = try await database.read {
                    try $0.query("SELECT 1 AS one WHERE 5 IN (:list)", ["list": .list(list)]).rows()
                }
            }
            #expect(
                recorder.prepared == [
                    "SELECT 1 AS one WHERE 5 = ?", "SELECT 1 AS one WHERE 5 IN (?, ?)",
                    "SELECT 1 AS one WHERE 5 IN (?, ?, ?, ?)",
                    "SELECT 1 AS one WHERE 5 IN (?, ?, ?, ?, ?, ?, ?, ?)",
                ])
        }
    }

    @Test(
        "The size of the statement cache is limited, and statements used once are evicted first",
        arguments: TestBackend.available)
    func bounded(_ backend: TestBackend) async throws {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.statementCacheCapacity = 2
        try await withRecorder(backend, configuration) { database, recorder in
            func run(_ number: Int) async throws {
                _ = try await database.read { try $0.query("SELECT \(number) AS n").rows() }
            }
            for number in [1, 2, 1, 3, 1, 2] { try await run(number) }
            #expect(recorder.prepared == [1, 2, 3, 2].map { "SELECT \($0) AS n" })
            // A statement that was used again remains cached, regardless of the number of other statements.
            for number in [3, 4, 5, 1] { try await run(number) }
            #expect(recorder.prepared.last == "SELECT 5 AS n")
        }
    }

    @Test(
        "Evicting a statement from the cache does not affect the rows of another statement",
        arguments: TestBackend.available)
    func droppedWhileReading(_ backend: TestBackend) async throws {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.statementCacheCapacity = 2
        try await withRecorder(backend, configuration) { database, _ in
            let counts = try await database.read { connection in
                _ = try connection.query("SELECT 1 AS a").rows()
                let same = try connection.query(backend.numbers, ["last": 5])
                let long = try connection.query(backend.numbers, ["last": 20_000])
                let other = try connection.query("SELECT 2 AS a")
                _ = try connection.query("SELECT 3 AS a").rows()
                _ = try long.next()
                same.close()
                _ = try connection.query("SELECT 4 AS a").rows()
                return [try long.rows().count, try other.rows().count]
            }
            #expect(counts == [19_999, 1])
        }
    }

    @Test("Statements that were started together can be read in any order", arguments: TestBackend.available)
    func startedTogether(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
                let counts = try await database.read { connection in
                    let sets = try [30, 20, 10].map { try connection.query(backend.numbers, ["last": .integer($0)]) }
                    try connection.start(sets)
                    var counts = [0, 0, 0]
                    for index in order { counts[index] = try sets[index].rows().count }
                    return counts + [connection.statementCount]
                }
                #expect(counts == [30, 20, 10, 3])
            }
        }
    }

    @Test("Started statements that are not read do not affect later statements", arguments: TestBackend.available)
    func startedAndLeft(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            for round in 0..<4 {
                let count = try await database.read { connection in
                    let sets = try [30_000, 20, 10].map {
                        try connection.query(backend.numbers, ["last": .integer($0)])
                    }
                    try connection.start(sets)
                    if round > 0 { _ = try sets[round - 1].next() }
                    return try connection.query(backend.numbers, ["last": 6]).rows().count
                }
                #expect(count == 6)
            }
            #expect(recorder.opened == 1)
        }
    }

    @Test(
        "If one of several started statements fails, its reader gets the error and the other readers get their rows",
        arguments: TestBackend.available)
    func oneFails(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            try await database.write {
                try $0.executeScript("CREATE TABLE two (n INTEGER); INSERT INTO two VALUES (1), (2)")
            }
            let failing = backend == .sqlite ? "SELECT abs(:n) AS n" : "SELECT (SELECT n FROM two WHERE :n <> 0) AS n"
            for _ in 0..<2 {
                let counts = try await database.read { connection in
                    let first = try connection.query(backend.numbers, ["last": 3])
                    let bad = try connection.query(failing, ["n": .integer(Int64.min)])
                    let last = try connection.query(backend.numbers, ["last": 4])
                    try connection.start([first, bad, last])
                    let lastCount = try last.rows().count
                    #expect(throws: DatabaseError.self) { try bad.next() }
                    #expect(try bad.next() == false)
                    return [
                        try first.rows().count, lastCount,
                        try connection.query(backend.numbers, ["last": 5]).rows().count,
                    ]
                }
                #expect(counts == [3, 4, 5])
            }
            // The error is also thrown if another statement is prepared in between.
            await #expect(throws: DatabaseError.self) {
                try await database.read { connection in
                    let bad = try connection.query(failing, ["n": .integer(Int64.min)])
                    try connection.start([bad])
                    _ = try connection.query("SELECT 'never seen before' AS t").rows()
                    return try bad.rows().count
                }
            }
        }
    }

    @Test(
        "A read transaction of three prepared statements that are started together takes one round trip",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func roundTrips() async throws {
        // A connection that is idle for longer than the interval is checked, which adds a round trip. Under load,
        // seconds can pass between two reads.
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.idleCheckInterval = .seconds(3600)
        try await withRecorder(.mariaDB, configuration) { database, _ in
            var before = 0
            for round in 0..<4 {
                let after = try await database.read { connection in
                    let sets = try [3, 2, 1].map { try connection.query("SELECT \($0) AS n, :n AS m", ["n": 1]) }
                    try connection.start(sets)
                    for set in sets { #expect(try set.rows().count == 1) }
                    return connection.roundTrips
                }
                if round > 1 { #expect(after - before == 1) }
                before = after
            }
        }
    }
}
