import DuetEmployees
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite("Failures and shutdown") struct BadStateTests {
    @Test(
        "An unavailable database is a 503 until it is available again",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func outage() async throws {
        try await withSlowDatabase(.mariaDB) { url, _ in
            guard case .mariaDB(var location) = url.location else { return }
            let port = location.port
            location.socket = nil
            location.host = "127.0.0.1"
            try await TCPProxy.with(port) { proxy in
                location.port = proxy.port
                let database = Database(
                    DatabaseURL(location: .mariaDB(location)), configuration: DatabaseConfiguration().patient)
                try await runServer(database) { server in
                    let client = server.client
                    #expect(try await client.get("/employees/20001").status == 200)
                    #expect(try await client.get("/health/ready").status == 200)
                    try await proxy.cut()
                    for target in ["/employees/20001", "/employees?first=5&details=titles", "/health/ready"] {
                        let response = try await client.get(target)
                        #expect(response.status == 503, "\(target)")
                        #expect(response.code == "database-unavailable", "\(target)")
                        #expect(response["Retry-After"] == "5")
                        #expect(response["Cache-Control"] == "no-store")
                        // The problem contains no connection details.
                        #expect(!response.text.contains(String(proxy.port)) && !response.text.contains("duet_"))
                    }
                    let stream = try await client.get("/salaries", ["Accept": "text/csv"])
                    #expect(stream.status == 503 && stream.code == "database-unavailable")
                    let write = try await client.send(.PATCH, "/employees/20001", json: #"{"lastName":"X"}"#)
                    #expect(write.status == 503)
                    #expect(try await client.get("/health/live").status == 200)
                    try await proxy.mend()
                    let mended = try await client.get("/employees/20001")
                    #expect(mended.string("lastName") == "O'Brien", "\(mended.text)")
                    #expect(try await client.get("/health/ready").status == 200)
                    let again = try await client.send(.PATCH, "/employees/20001", json: #"{"lastName":"X"}"#)
                    #expect(again.status == 200)
                }
                await database.close()
            }
        }
    }

    @Test(
        "A statement without a response fails after the statement timeout, or soon after its task is canceled",
        .enabled(if: TestBackend.available.contains(.mariaDB)), .timeLimit(.minutes(15)))
    func hanging() async throws {
        try await withSlowDatabase(.mariaDB) { url, _ in
            guard case .mariaDB(var location) = url.location else { return }
            let port = location.port
            location.socket = nil
            location.host = "127.0.0.1"
            try await TCPProxy.with(port) { proxy in
                location.port = proxy.port
                var configuration = DatabaseConfiguration(poolSize: 2)
                configuration.statementTimeout = .seconds(1)
                configuration.connectTimeout = .seconds(1)
                configuration.acquireTimeout = .seconds(120)
                let database = Database(DatabaseURL(location: .mariaDB(location)), configuration: configuration)
                // Open both connections before the database stops responding. On a busy machine, opening them can
                // exceed the timeouts, so the test tries again.
                while database.statistics.connections < 2 {
                    try? await database.holdingConnection { _ async throws in try await database.read { _ in } }
                }
                proxy.freeze()
                let cancelled = Task {
                    try await database.read(timeout: .limit(.seconds(600))) { try $0.execute("SELECT 1") }
                }
                while database.statistics.busy < 1 { await Task.yield() }
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.read { try $0.execute("SELECT 1") }
                }
                #expect(error?.code == .timeout)
                cancelled.cancel()
                await #expect(throws: CancellationError.self) { try await cancelled.value }
                await database.close()
            }
        }
    }

    @Test(
        "A connection that the database closes is replaced without an error",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func killed() async throws {
        try await withSlowDatabase(.mariaDB) { url, administrator in
            try await serve(url) { server in
                for target in [
                    "/employees/20001?details=titles", "/employees", "/health/ready", "/employees/20001/titles",
                ] {
                    #expect(try await server.client.get(target).status == 200)
                    try await Self.killOthers(administrator)
                    #expect(try await server.client.get(target).status == 200, "\(target)")
                }
                try await Self.killOthers(administrator)
                #expect(try await server.client.get("/titles", ["Accept": "text/csv"]).status == 200)
            }
        }
    }

    @Test(
        "An export that the database interrupts has no valid end, and the server logs an error",
        .enabled(if: TestBackend.available.contains(.mariaDB)), arguments: ["1.1", "1.0"], ["identity", "gzip"])
    func cutExport(version: String, coding: String) async throws {
        try await withSlowDatabase(.mariaDB, salaries: 100_000) { url, administrator in
            let log = LogRecorder()
            try await serve(url, logger: log.logger()) { server in
                let channel = try await server.client.connect()
                var isReset = false
                try await channel.executeThenClose { inbound, outbound in
                    try await outbound.write(
                        ByteBuffer(
                            string:
                                "GET /salaries HTTP/\(version)\r\nHost: a\r\nX-Request-ID: cut\r\nAccept: text/csv\r\n"
                                + "Accept-Encoding: \(coding)\r\n\r\n"))
                    var pieces = inbound.makeAsyncIterator()
                    var answer = try #require(try await pieces.next())
                    #expect(String(buffer: answer).hasPrefix("HTTP/\(version) 200 "))
                    try await Self.killOthers(administrator)
                    do {
                        while let piece = try await pieces.next() { answer.writeImmutableBuffer(piece) }
                    } catch is IOError {
                        isReset = true
                    }
                    #expect(!String(buffer: answer).hasSuffix("\r\n0\r\n\r\n"))
                }
                // In HTTP/1.0, a normal close marks the end of the response, so the server must reset the connection.
                #expect(isReset || version == "1.1")
                #expect(try await server.client.get("/employees/20001").status == 200)
            }
            #expect(log.lines.contains { $0.hasPrefix("error Request failed") && $0.contains("cut") }, "\(log.lines)")
        }
    }

    @Test(
        "The disconnection of a client before its response cancels the work for the request",
        arguments: TestBackend.available)
    func leavingEarly(backend: TestBackend) async throws {
        try await withSlowDatabase(backend) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .seconds(300)
            var settings = ServerSettings()
            settings.limits.abandonTimeout = .zero
            try await serve(url, configuration, settings: settings) { server in
                try await server.database.holdingConnection { _ async throws in
                    let channel = try await server.client.connect()
                    try await channel.executeThenClose { _, outbound in
                        try await outbound.write(
                            ByteBuffer(string: "GET /employees?first=1 HTTP/1.1\r\nHost: a\r\n\r\n"))
                        while server.database.statistics.waiting == 0 { await Task.yield() }
                    }
                    while server.database.statistics.waiting > 0 { await Task.yield() }
                }
                #expect(try await server.client.get("/employees/20001").status == 200)
            }
        }
    }

    @Test(
        "The server reads and writes a SQLite file that replaces another. A missing or empty file is a 503"
    )
    func replacedFile() async throws {
        try await withSlowDatabase(.sqlite) { url, administrator in
            guard case .sqlite(let path) = url.location else { return }
            // Closing the last connection moves all data from the write-ahead log into the main file.
            await administrator.close()
            let files = FileManager.default
            try files.copyItem(atPath: path, toPath: path + ".copy")
            try await serve(url) { server in
                let client = server.client
                func expectUnavailable(_ comment: Comment) async throws {
                    for target in ["/employees/20001", "/health/ready"] {
                        let response = try await client.get(target)
                        #expect(response.status == 503 && response.code == "database-unavailable", comment)
                        #expect(response["Retry-After"] == "5", comment)
                    }
                }
                let before = try await client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Before"}"#)
                #expect(before.status == 200)
                for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
                try await expectUnavailable("gone")
                try files.copyItem(atPath: path + ".copy", toPath: path)
                #expect(try await client.get("/employees/20001").string("lastName") == "O'Brien")
                let after = try await client.send(.PATCH, "/employees/20001", json: #"{"lastName":"After"}"#)
                #expect(after.status == 200)
                #expect(try await client.get("/health/ready").status == 200)
                let other = Database(url, configuration: DatabaseConfiguration().patient)
                let name = try await other.read { connection in
                    let rows = try connection.query("SELECT last_name FROM employees WHERE emp_no = 20001")
                    return try rows.next() ? rows.text(at: 0) : ""
                }
                #expect(name == "After")
                await other.close()
                for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
                #expect(files.createFile(atPath: path, contents: Data()))
                try await expectUnavailable("empty")
            }
        }
    }

    @Test(
        "The disconnection of a client during an export releases the database connection",
        arguments: TestBackend.available)
    func leaving(backend: TestBackend) async throws {
        try await withSlowDatabase(backend, salaries: 100_000) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .seconds(60)
            try await serve(url, configuration) { server in
                for target in ["/salaries", "/employees?details=salaries"] {
                    let channel = try await server.client.connect()
                    try await channel.executeThenClose { inbound, outbound in
                        try await outbound.write(
                            ByteBuffer(
                                string: "GET \(target) HTTP/1.1\r\nHost: a\r\nAccept: application/x-ndjson\r\n\r\n"))
                        for try await _ in inbound { break }
                    }
                    // The pool has no other connection.
                    #expect(try await server.client.get("/employees/20001").status == 200)
                }
            }
        }
    }

    @Test(
        "If the connection pool is exhausted, requests are a 503 and the liveness check is a 200",
        arguments: TestBackend.available)
    func exhausted(backend: TestBackend) async throws {
        try await withSlowDatabase(backend) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .milliseconds(50)
            try await serve(url, configuration) { server in
                /// Waits until the connection is returned to the pool, which may happen after the response.
                @Sendable func idle() async { while server.database.statistics.busy > 0 { await Task.yield() } }
                try await server.database.holdingConnection { _ async throws in
                    for target in ["/employees?first=1", "/health/ready", "/employees"] {
                        let response = try await server.client.get(target)
                        #expect(response.status == 503, "\(target)")
                        #expect(response.code == "overloaded", "\(target)")
                        #expect(response["Retry-After"] == "1")
                    }
                    #expect(try await server.client.get("/salaries", ["Accept": "text/csv"]).code == "overloaded")
                    #expect(try await server.client.get("/health/live").status == 200)
                    // On SQLite, a row is read by its key without the pool.
                    let row = try await server.client.get("/employees/20001")
                    #expect(row.status == (backend == .sqlite ? 200 : 503))
                    #expect(try await server.client.get("/openapi.yaml").status == 200)
                }
                for target in ["/employees/20001", "/health/ready"] {
                    await idle()
                    #expect(try await server.client.get(target).status == 200)
                }
            }
        }
    }

    @Test("A statement that exceeds its timeout is a 504")
    func slowRead() async throws {
        try await withSlowDatabase(.sqlite, salaries: 20_000) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 2)
            configuration.statementTimeout = .nanoseconds(1)
            try await serve(url, configuration) { server in
                for type in ["application/json", "application/x-ndjson"] {
                    // The statement reads every row before it returns the first.
                    let response = try await server.client.get("/salaries?first=1000", ["Accept": type])
                    #expect(response.status == 504)
                    #expect(response.code == "query-timeout")
                }
                #expect(try await server.client.get("/health/live").status == 200)
            }
        }
    }

    @Test("A write that waits too long for another write is rolled back", arguments: TestBackend.available)
    func blockedWrite(backend: TestBackend) async throws {
        try await withSlowDatabase(backend) { url, administrator in
            var configuration = DatabaseConfiguration(poolSize: 2)
            configuration.statementTimeout = .milliseconds(500)
            try await serve(url, configuration) { impatient in
                // Requests that have to succeed go to a server that waits as long as necessary.
                try await serve(url) { server in
                    try await administrator.holdingConnection(
                        writing: "UPDATE employees SET last_name = 'Other' WHERE emp_no = 20001"
                    ) { _ async throws in
                        let response = try await impatient.client.send(
                            .PATCH, "/employees/20001", json: #"{"lastName":"Mine"}"#)
                        // Reads succeed during the write.
                        let read = try await server.client.get("/employees/20001")
                        #expect(response.status == 503 || response.status == 504, "\(response.text)")
                        #expect(read.string("lastName") == "O'Brien")
                    }
                    #expect(try await server.client.get("/employees/20001").string("lastName") == "Other")
                    let again = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Mine"}"#)
                    #expect(again.status == 200)
                }
            }
        }
    }

    @Test(
        "A read of one row with many nested rows uses the pool, and does not delay other requests")
    func longRead() async throws {
        try await withSlowDatabase(.sqlite, salaries: 100_000) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .seconds(300)
            try await serve(url, configuration) { server in
                let target = "/employees/20012?details=salaries&salaries.first=100&salaries.sort=salary"
                try await server.database.holdingConnection { release async throws in
                    async let long = server.client.get(target)
                    while server.database.statistics.waiting == 0 { await Task.yield() }
                    for _ in 0..<8 { #expect(try await server.client.get("/employees/20001").status == 200) }
                    #expect(server.database.statistics.waiting == 1)
                    release()
                    let answer = try await long
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(answer.text.contains(#""salary":40099"#))
                }
            }
        }
    }

    @Test("A request in progress during a graceful shutdown is answered", arguments: TestBackend.available)
    func gracefulShutdown(backend: TestBackend) async throws {
        try await withSlowDatabase(backend) { url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .seconds(60)
            try await serve(url, configuration) { server in
                try await server.database.holdingConnection { release async throws in
                    async let response = server.client.get("/employees?first=1")
                    while server.database.statistics.waiting == 0 { await Task.yield() }
                    await server.shutDown()
                    release()
                    #expect(try await response.status == 200)
                }
            }
        }
    }

    @Test("An export in progress during a graceful shutdown continues to its last row")
    func gracefulExport() async throws {
        try await withSlowDatabase(.sqlite, salaries: 100_000) { url, _ in
            try await serve(url) { server in
                let channel = try await server.client.connect()
                try await channel.executeThenClose { inbound, outbound in
                    try await outbound.write(
                        ByteBuffer(string: "GET /salaries HTTP/1.1\r\nHost: a\r\nAccept: text/csv\r\n\r\n"))
                    var pieces = inbound.makeAsyncIterator()
                    var answer = try #require(try await pieces.next())
                    await server.shutDown()
                    while let piece = try await pieces.next() { answer.writeImmutableBuffer(piece) }
                    let text = String(buffer: answer)
                    #expect(text.hasPrefix("HTTP/1.1 200 "))
                    #expect(text.hasSuffix("\r\n0\r\n\r\n"))
                }
            }
        }
    }

    // MARK: Setup

    /// Runs a server over the database with its own settings and its own connections.
    private func serve(
        _ url: DatabaseURL, _ configuration: DatabaseConfiguration = DatabaseConfiguration(),
        settings: ServerSettings = ServerSettings(), logger: Logger? = nil,
        _ body: @Sendable @escaping (TestServer) async throws -> Void
    ) async throws {
        let database = Database(url, configuration: configuration.patient)
        do {
            try await runServer(database, settings: settings, logger: logger ?? .silent, body)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    /// Creates a database with the rows of ``TestData/crew`` and the given number of salaries of employee 20012, and
    /// calls a closure with its URL and with a pool of connections to it.
    private func withSlowDatabase(
        _ backend: TestBackend, salaries: Int = 0, _ body: (DatabaseURL, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend) { database in
            try await TestData.crew.load(into: database)
            if salaries > 0 { try await Self.addSalaries(salaries, to: database) }
            try await body(database.url, database)
        }
    }

    private static func addSalaries(_ count: Int, to database: Database) async throws {
        let day =
            switch database.url.location {
            case .sqlite, .sqliteInMemory: "date('1800-01-01', n || ' days')"
            case .mariaDB: "'1800-01-01' + INTERVAL n DAY"
            }
        try await database.write(timeout: .none) { connection in
            try connection.executeScript(
                """
                INSERT INTO salaries (emp_no, salary, from_date, to_date)
                WITH digits AS (
                    SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
                    UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
                ), numbers AS (
                    SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
                    FROM digits AS a, digits AS b, digits AS c, digits AS e, digits AS f
                )
                SELECT 20012, 40000 + n, \(day), \(day) FROM numbers WHERE n < \(count)
                """)
        }
    }

    /// Closes all other connections to the same database.
    private static func killOthers(_ administrator: Database) async throws {
        try await administrator.write { connection in
            let rows = try connection.query(
                "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")
            var threads: [Int64] = []
            while try rows.next() { threads.append(rows.integer(at: 0)) }
            for thread in threads {
                do {
                    try connection.executeScript("KILL \(thread)")
                } catch let error as DatabaseError where error.backendCode?.hasSuffix("/1094") == true {
                    // Unknown thread: the connection closed after it was listed.
                }
            }
        }
    }
}
