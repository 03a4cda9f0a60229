import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

@Suite("The deadline of a request")
struct RequestDeadlineTests {
    private static let patch = #"{"lastName":"Mine"}"#
    /// The query reads a list, because SQLite reads a single row by its key without the pool.
    private static let query = "{ employees(first: 1) { nodes { lastName } } }"
    private static let mutation =
        #"mutation { updateEmployee(input: {id: 20001, lastName: "Mine"}) { employee { lastName } } }"#

    @Test("A request that waits too long for a database connection is a 504", arguments: TestBackend.available)
    func waiting(backend: TestBackend) async throws {
        try await serve(backend, within: .milliseconds(20)) { server, administrator in
            try await server.database.holdingConnection { release async throws in
                try await expectTimeouts(of: server.client)
                release()
            }
            try await expectUnchanged(administrator)
        }
    }

    @Test(
        "If another session locks a table, reads and writes are a 504, and their statements are canceled",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func lockedTable() async throws {
        try await serve(.mariaDB, within: .milliseconds(300)) { server, administrator in
            // The lock lasts as long as the connection.
            let locker = Database(administrator.url, configuration: DatabaseConfiguration(poolSize: 1))
            try await locker.holdingConnection(writing: "LOCK TABLES employees WRITE") { _ async throws in
                try await expectTimeouts(of: server.client)
                // The statements have also ended in MariaDB: no statement waits for the lock.
                while try await administrator.read({ connection in
                    let rows = try connection.query(
                        "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting%'"
                    )
                    return try rows.next()
                }) {
                    await Task.yield()
                }
            }
            await locker.close()
            try await expectUnchanged(administrator)
        }
    }

    @Test(
        "A write that waits too long for another session's lock is a 504 and is rolled back",
        arguments: TestBackend.available)
    func lockedRow(backend: TestBackend) async throws {
        try await serve(backend, within: .milliseconds(300)) { server, administrator in
            try await administrator.holdingConnection(
                writing: "UPDATE employees SET gender = gender WHERE emp_no = 20001"
            ) { _ async throws in
                let response = try await server.client.send(.PATCH, "/employees/20001", json: Self.patch)
                #expect(response.status == 504 && response.code == "query-timeout", "\(response.text)")
            }
            try await expectUnchanged(administrator)
        }
    }

    @Test("An export that does not start in time is a 504", arguments: TestBackend.available)
    func export(backend: TestBackend) async throws {
        try await serve(backend, within: .milliseconds(300)) { server, _ in
            try await server.database.holdingConnection { release async throws in
                let export = try await server.client.get("/employees", ["Accept": "application/x-ndjson"])
                #expect(export.status == 504 && export.code == "query-timeout", "\(export.text)")
                release()
            }
        }
    }

    @Test(
        "A request is a 504 if the database does not respond to a statement or to a new connection",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func hangingDatabase() async throws {
        try await withProxy { proxy, url, _ in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.statementTimeout = nil
            configuration.connectTimeout = .seconds(3600)
            let database = Database(url, configuration: configuration)
            try await database.read { _ in }
            proxy.freeze()
            try await runServer(database, requestTimeout: .milliseconds(500)) { server in
                for moment in ["in a statement", "while a connection is opened"] {
                    let response = try await server.client.get("/employees/20001")
                    #expect(response.status == 504 && response.code == "query-timeout", "\(moment): \(response.text)")
                }
            }
            await database.close()
        }
    }

    @Test(
        "A write whose COMMIT has no response is reported with an unknown outcome, never as rolled back",
        .enabled(if: TestBackend.available.contains(.mariaDB)), arguments: ["REST", "GraphQL"],
        ["lost connection", "deadline"])
    func unansweredCommit(style: String, end: String) async throws {
        try await withProxy { proxy, url, administrator in
            let database = Database(url)
            // The deadline must not pass before COMMIT, even on a busy machine.
            let timeout = end == "deadline" ? Duration.seconds(3) : .seconds(600)
            try await runServer(database, requestTimeout: timeout) { server in
                proxy.withholdAnswers(to: "COMMIT")
                async let response =
                    style == "REST"
                    ? server.client.send(.PATCH, "/employees/20001", json: Self.patch)
                    : server.client.graphQL(Self.mutation)
                // The loop ends when the database has committed. The proxy withholds the response of the database.
                while try await name(in: administrator) != "Mine" { await Task.yield() }
                if end == "lost connection" { try await proxy.cut() }
                let answer = try await response
                if style == "REST" {
                    #expect(answer.status == 504 && answer.code == "outcome-unknown", "\(answer.text)")
                    #expect(answer["Retry-After"] == nil)
                } else {
                    #expect(answer.codes == ["OUTCOME_UNKNOWN"], "\(answer.text)")
                }
            }
            await database.close()
        }
    }

    @Test(
        "After an unknown outcome of COMMIT, the same idempotency key tells what happened",
        .enabled(if: TestBackend.available.contains(.mariaDB)), arguments: ["REST", "GraphQL"])
    func repeatedCommit(style: String) async throws {
        try await withProxy { proxy, url, administrator in
            try await IdempotencyTable.create(in: administrator)
            let database = Database(url)
            let operation: JSONValue = ["query": .string(Self.mutation), "extensions": ["idempotencyKey": "k"]]
            try await runServer(database, requestTimeout: .seconds(600)) { server in
                let write: @Sendable () async throws -> TestResponse = { [client = server.client] in
                    try await style == "REST"
                        ? client.send(.PATCH, "/employees/20001", json: Self.patch, ["Idempotency-Key": "\"k\""])
                        : client.send(.POST, "/graphql", json: operation.compactText)
                }
                proxy.withholdAnswers(to: "COMMIT")
                async let response = write()
                while try await name(in: administrator) != "Mine" { await Task.yield() }
                try await proxy.cut()
                let first = try await response
                #expect(first.text.contains("repeat the request with the same idempotency key"), "\(first.text)")
                try await proxy.mend()
                var second = try await write()
                while second.text.contains("cannot be reached") { second = try await write() }
                #expect(second.status == 200 && second.text.contains("Mine"), "\(second.text)")
                #expect(second["Idempotency-Replayed"] == "true")
            }
            await database.close()
        }
    }

    @Test(
        "A write whose connection is lost before COMMIT is a 503 and has no effect",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func lostBeforeCommit() async throws {
        try await serve(.mariaDB, within: .seconds(600)) { server, administrator in
            try await administrator.write {
                try $0.executeScript(
                    "CREATE TRIGGER cut_off BEFORE UPDATE ON employees FOR EACH ROW KILL CONNECTION_ID()")
            }
            let response = try await server.client.send(.PATCH, "/employees/20001", json: Self.patch)
            #expect(response.status == 503 && response.code == "database-unavailable", "\(response.text)")
            try await expectUnchanged(administrator)
        }
    }

    // MARK: Setup

    /// Expects that reads and writes exceed the deadline, over REST and GraphQL.
    private func expectTimeouts(of client: APIClient) async throws {
        for target in ["/employees?first=1", "/employees?first=5&details=titles"] {
            let read = try await client.get(target)
            #expect(read.status == 504 && read.code == "query-timeout", "\(target): \(read.text)")
        }
        let write = try await client.send(.PATCH, "/employees/20001", json: Self.patch)
        #expect(write.status == 504 && write.code == "query-timeout", "\(write.text)")
        let query = try await client.graphQL(Self.query)
        #expect(query.codes == ["QUERY_TIMEOUT"], "\(query.text)")
        // The two writes of one request share one deadline.
        let mutations = try await client.graphQL(
            #"""
            mutation {
              first: updateEmployee(input: {id: 20001, lastName: "Mine"}) { employee { lastName } }
              second: updateEmployee(input: {id: 20001, lastName: "Mine"}) { employee { lastName } }
            }
            """#)
        #expect(mutations.codes == ["QUERY_TIMEOUT", "QUERY_TIMEOUT"], "\(mutations.text)")
    }

    private func expectUnchanged(_ database: Database) async throws {
        #expect(try await name(in: database) == "O'Brien")
    }

    private func name(in database: Database) async throws -> String {
        try await database.read { connection in
            let rows = try connection.query("SELECT last_name FROM employees WHERE emp_no = 20001")
            return try rows.next() ? rows.text(at: 0) : ""
        }
    }

    /// Creates a MariaDB database with the rows of `TestData.crew`, and a TCP proxy in front of it.
    /// - Parameter body: Receives the proxy, the URL of the database through the proxy, and the database without the
    ///   proxy.
    private func withProxy(_ body: (TCPProxy, DatabaseURL, Database) async throws -> Void) async throws {
        try await TestDatabase.with(.mariaDB) { administrator in
            try await TestData.crew.load(into: administrator)
            guard case .mariaDB(var location) = administrator.url.location else { return }
            let port = location.port
            (location.socket, location.host) = (nil, "127.0.0.1")
            try await TCPProxy.with(port) { proxy in
                location.port = proxy.port
                try await body(proxy, DatabaseURL(location: .mariaDB(location)), administrator)
            }
        }
    }

    /// Runs a server with one database connection. The request timeout is its only short time limit.
    /// - Parameter body: Receives the server, and the same database with connections that the server does not use.
    private func serve(
        _ backend: TestBackend, within timeout: Duration,
        _ body: @Sendable @escaping (TestServer, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend) { administrator in
            try await TestData.crew.load(into: administrator)
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.acquireTimeout = .seconds(3600)
            configuration.statementTimeout = nil
            let database = Database(administrator.url, configuration: configuration)
            try await runServer(database, requestTimeout: timeout) { try await body($0, administrator) }
            await database.close()
        }
    }
}
