import DuetJSON
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

/// Compares the statements that the server ran with the statements that it reports if `--debug-statements` is set.
@Suite("Statements of earlier requests") struct StatementHistoryTests {
    private static var keeping: ServerSettings {
        var settings = ServerSettings()
        settings.keepsStatements = true
        return settings
    }

    private static let query = "{ employee(id: 20001) { lastName titles { title fromDate } departments { fromDate } } }"

    @Test(
        "The history of a REST or GraphQL request has exactly the statements that the request ran",
        arguments: TestBackend.available)
    func reads(backend: TestBackend) async throws {
        try await withServer(backend, settings: Self.keeping) { server in
            @Sendable func check(_ response: TestResponse, _ count: Int) async throws {
                let kept = try await server.client.statements(of: response)
                #expect(kept.count == count)
                #expect(kept.texts.sorted() == server.statements.take().sorted())
                if let timing = response["Server-Timing"], timing.contains("sql;") {
                    #expect(timing.contains("desc=\"\(count)\""), "\(timing)")
                }
            }
            _ = server.statements.take()
            try await check(server.client.get("/employees/20001?details=titles,departments"), 3)
            try await check(server.client.get("/employees?first=5&details=salaries"), 2)
            try await check(server.client.get("/employees/20001/titles"), 2)
            try await check(server.client.get("/employees/1"), 1)
            try await check(server.client.get("/employees?colour=red"), 0)
            try await check(server.client.get("/departments?api", ["Accept": "text/html"]), 0)
            try await check(server.client.graphQL(Self.query), 3)
            try await check(server.client.graphQL("{ a: employee(id: 20001) { id } b: departments { id } }"), 2)
            try await check(server.client.graphQL("{ nonsense }"), 0)
            try await check(
                server.client.get(APIClient.graphQLTarget(["query": "{ departments { departmentName } }"])), 1)
        }
    }

    @Test(
        "The history lists the text, duration and row count of each statement in order, without parameter values"
    )
    func document() async throws {
        try await withServer(.sqlite, settings: Self.keeping) { server in
            let response = try await server.client.get("/employees/20001?details=titles", ["X-Request-ID": "r-1"])
            #expect(response.status == 200)
            let history = try await server.client.get("/debug/requests/r-1/statements")
            #expect(history.status == 200 && history["Cache-Control"] == "no-store" && history["ETag"] == nil)
            #expect(history["Content-Type"] == "application/json")
            let document = try history.json()
            #expect(document["requestID"] == "r-1" && document["count"] == 2)
            guard case .array(let statements)? = document["statements"] else {
                Issue.record("\(history.text)")
                return
            }
            #expect(statements.map { $0["rows"] } == [1, 2])
            #expect(statements.map { $0["parameters"] } == [1, 1])
            #expect(statements.map { $0["failed"] } == [false, false])
            for statement in statements {
                guard case .double(let milliseconds)? = statement["milliseconds"] else {
                    Issue.record("\(history.text)")
                    return
                }
                #expect(milliseconds >= 0)
            }
            #expect(
                statements.first?["sql"]
                    == "SELECT t.emp_no AS employeeNumber, t.first_name AS firstName, t.last_name AS lastName FROM employees AS t WHERE t.emp_no = ?"
            )
            #expect(!history.text.contains("20001"))
        }
    }

    @Test(
        "REST and GraphQL run statements with the same text for the same data, on both backends",
        arguments: TestBackend.available)
    func styles(backend: TestBackend) async throws {
        try await withServer(backend, settings: Self.keeping) { server in
            let rest = try await server.client.get("/employees/20001?fields=lastName")
            let graphQL = try await server.client.graphQL("{ employee(id: 20001) { lastName } }")
            let texts = try await server.client.statements(of: rest).texts.map(StatementTests.withoutPlaceholders)
            #expect(texts == ["SELECT t.last_name AS lastName FROM employees AS t WHERE t.emp_no = ?"])
            #expect(
                try await server.client.statements(of: graphQL).texts.map(StatementTests.withoutPlaceholders) == texts)
        }
    }

    @Test(
        "The history includes all statements of exports, incremental responses and batches",
        arguments: TestBackend.available)
    func streams(backend: TestBackend) async throws {
        var settings = Self.keeping
        settings.graphQL.maximumBatchSize = 5
        try await withServer(backend, data: .sample(600), settings: settings) { server in
            @Sendable func check(_ response: TestResponse, atLeast least: Int) async throws {
                #expect(response.status == 200)
                let kept = try await server.client.statements(of: response)
                #expect(kept.count >= least && kept.count == kept.texts.count)
                #expect(kept.texts.sorted() == server.statements.take().sorted())
            }
            _ = server.statements.take()
            try await check(server.client.get("/employees", ["Accept": "application/x-ndjson"]), atLeast: 1)
            // The export reads pages of 250 rows.
            try await check(
                server.client.get("/employees?details=titles", ["Accept": "application/x-ndjson"]), atLeast: 6)
            try await check(
                server.client.graphQL(
                    "{ employee(id: 10004) { lastName } ... @defer { departments { departmentName } } }", nil,
                    ["Accept": "multipart/mixed, application/json"]), atLeast: 2)
            try await check(
                server.client.send(
                    .POST, "/graphql",
                    json: #"[{"query":"{ employee(id: 10004) { id } }"},{"query":"{ departments { id } }"}]"#),
                atLeast: 2)
        }
    }

    @Test("The history has the statements of writes, without the written values", arguments: TestBackend.available)
    func writes(backend: TestBackend) async throws {
        try await withServer(backend, settings: Self.keeping) { server in
            _ = server.statements.take()
            let patched = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Geheim"}"#)
            let mutated = try await server.client.graphQL(
                #"mutation { updateEmployee(input: { id: 20001, lastName: "Geheim" }) { employee { lastName } } }"#)
            #expect(patched.text.contains("Geheim") && mutated.text.contains("Geheim"))
            let (one, other) = (
                try await server.client.statements(of: patched), try await server.client.statements(of: mutated)
            )
            #expect((one.texts + other.texts).sorted() == server.statements.take().sorted())
            for kept in [one, other] {
                #expect(kept.texts.contains { $0.hasPrefix("UPDATE employees ") })
                #expect(!kept.texts.contains { $0.contains("Geheim") })
            }
        }
    }

    @Test("The history is empty for a 304 that runs no statement")
    func notModified() async throws {
        try await withServer(.sqlite, settings: Self.keeping) { server in
            let target = "/employees/20001?details=titles"
            let tag = try #require(try await server.client.get(target)["ETag"])
            _ = try await server.client.get(target, ["If-None-Match": tag])
            let unchanged = try await server.client.get(target, ["If-None-Match": tag])
            #expect(unchanged.status == 304)
            #expect(try await server.client.statements(of: unchanged).count == 0)
        }
    }

    @Test("A request can be found in the history by the X-Request-ID that the client sent")
    func names() async throws {
        try await withServer(.sqlite, settings: Self.keeping) { server in
            _ = try await server.client.get("/departments", ["X-Request-ID": "a/b:c+d=e~f"])
            let history = try await server.client.get("/debug/requests/a%2Fb%3Ac%2Bd%3De~f/statements")
            #expect(history.string("requestID") == "a/b:c+d=e~f")
            #expect(try history.json()["count"] == 1)
            // If several requests have the same identifier, the last one is returned.
            _ = try await server.client.get("/employees?first=1&details=titles", ["X-Request-ID": "a/b:c+d=e~f"])
            #expect(try await server.client.get("/debug/requests/a%2Fb%3Ac%2Bd%3De~f/statements").json()["count"] == 2)
        }
    }

    @Test("The history retains the last 500 requests to REST and GraphQL. Other requests do not count")
    func bound() async throws {
        try await withServer(.sqlite, settings: Self.keeping) { server in
            let first = try await server.client.get("/departments")
            for _ in 0..<20 { _ = try await server.client.get("/health/live") }
            for _ in 0..<499 { _ = try await server.client.get("/employees/x") }
            #expect(try await server.client.statements(of: first).count == 1)
            _ = try await server.client.get("/employees/x")
            let forgotten = try await server.client.get("/debug/requests/\(first["X-Request-ID"] ?? "")/statements")
            #expect(forgotten.status == 404 && forgotten.code == "unknown-request")
            #expect(try await server.client.get("/debug/requests/none/statements").code == "unknown-request")
            let other = try await server.client.get("/health/live")
            #expect(
                try await server.client.get("/debug/requests/\(other["X-Request-ID"] ?? "")/statements").status == 404)
        }
    }

    @Test("If --debug-statements is not set, the history is a 404 that names the option")
    func off() async throws {
        try await withServer(.sqlite) { server in
            let response = try await server.client.get("/departments")
            let identifier = try #require(response["X-Request-ID"])
            let refused = try await server.client.get("/debug/requests/\(identifier)/statements")
            #expect(refused.status == 404 && refused.code == "statements-not-kept")
            #expect(refused["Cache-Control"] == "no-store")
            let detail = refused.string("detail") ?? ""
            #expect(detail.contains("--debug-statements") && detail.contains("DUET_DEBUG_STATEMENTS=true"))
        }
    }
}

/// The statements that the server reports for a request.
private struct KeptStatements {
    let count: Int
    let texts: [String]
}

extension APIClient {
    /// Returns the recorded statements of the request that caused a response.
    fileprivate func statements(of response: TestResponse) async throws -> KeptStatements {
        let identifier = try #require(response["X-Request-ID"])
        let history = try await get("/debug/requests/\(identifier)/statements")
        guard history.status == 200, case .integer(let count)? = try history.json()["count"],
            case .array(let statements)? = try history.json()["statements"]
        else { throw TestResponse.UnexpectedBody(text: history.text) }
        return KeptStatements(
            count: Int(count),
            texts: statements.compactMap { if case .string(let sql)? = $0["sql"] { sql } else { nil } })
    }
}
