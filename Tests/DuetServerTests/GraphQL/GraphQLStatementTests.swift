import DuetGraphQL
import DuetJSON
import DuetServer
import TestSupport
import Testing

/// The number of statements depends on the operation and never on the rows. Statements read only requested columns.
@Suite("Statements of GraphQL queries") struct GraphQLStatementTests {
    @Test(
        "A query runs the same number of statements for 1, 100 and 1,000 employees",
        arguments: TestBackend.available)
    func count(backend: TestBackend) async throws {
        var settings = ServerSettings()
        settings.graphQL.limits = .unlimited
        try await withServer(backend, data: .sample(2_500), settings: settings) { server in
            for (query, count) in [
                ("employees(first: $n) { nodes { id } }", 1),
                ("employees(first: $n) { nodes { id titles { title } } }", 2),
                ("employees(first: $n) { edges { cursor node { id titles { title } salaries { salary } } } }", 3),
                ("employees(first: $n) { nodes { titles { title } newest: titles(first: 1) { title } } }", 3),
                ("employees(first: $n) { nodes { manager { lastName salaries(current: true) { salary } } } }", 3),
                ("employees(first: $n) { nodes { id } edges { cursor node { lastName } } pageInfo { endCursor } }", 1),
                ("employees(first: $n) { totalCount nodes { id } }", 2),
                ("employees(first: $n) { totalCount }", 1),
                (#"department(id: "d005") { employees(first: $n) { nodes { salaries { salary } } } }"#, 3),
                (#"department(id: "d005") { employees(first: $n) { totalCount } }"#, 2),
                (#"department(id: "d005") { employees(first: $n) { __typename } }"#, 1),
                ("departments { employees(first: $n) { nodes { salaries(current: true) { salary } } } }", 3),
                ("departments { employees(first: $n) { totalCount nodes { id } pageInfo { hasNextPage } } }", 3),
                (
                    "departments { employees(first: $n) { nodes { departments { department { managers { lastName } } } } } }",
                    5
                ),
            ] {
                for first in [1, 100, 1_000] {
                    _ = server.statements.take()
                    let response = try await server.client.graphQL(
                        "query Q($n: Int!) { \(query) }", .object(JSONObject(["n": .integer(Int64(first))])))
                    let data = try response.data()
                    if case .array(let nodes)? = data["employees"]?["nodes"] { #expect(nodes.count == first) }
                    let statements = server.statements.take()
                    #expect(statements.count == count, "\(query) of \(first): \(statements)")
                    #expect(response["Server-Timing"]?.contains(";desc=\"\(count)\"") == true)
                    #expect(statements.allSatisfy { $0.utf8.count < 12_000 })
                }
            }
        }
    }

    @Test(
        "Statements read only the selected columns. The text of a statement does not depend on argument values",
        arguments: TestBackend.available)
    func text(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(30)) { server in
            @Sendable func statements(_ query: String) async throws -> [String] {
                _ = server.statements.take()
                _ = try await server.client.graphQL(query).data()
                return server.statements.take().map(StatementTests.withoutPlaceholders)
            }
            let query = "{ employee(id: 10001) { lastName titles { fromDate } salaries(current: true) { salary } } }"
            let texts = try await statements(query)
            #expect(
                texts == [
                    "SELECT t.last_name AS lastName FROM employees AS t WHERE t.emp_no = ?",
                    "SELECT t.emp_no, t.from_date AS fromDate FROM titles AS t WHERE t.emp_no = ?"
                        + " ORDER BY t.emp_no, t.from_date DESC, t.title",
                    "SELECT t.emp_no, t.salary AS salary FROM salaries AS t WHERE t.emp_no = ?"
                        + " AND t.to_date = ? ORDER BY t.emp_no, t.from_date DESC",
                ])
            #expect(try await statements(query.replacing("10001", with: "10009")) == texts)
            let page = #"{ employees(first: 5, filter: {name: "A*"}) { nodes { gender } } }"#
            #expect(
                try await statements(page).map {
                    $0.replacing("LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE '|'", with: "GLOB ?")
                } == [
                    "SELECT t.gender AS gender, t.emp_no AS employeeNumber FROM employees AS t WHERE (t.first_name GLOB ? OR t.last_name GLOB ?)"
                        + " ORDER BY t.emp_no LIMIT ?"
                ])
            #expect(try await statements(page.replacing("A*", with: "B*\\\"'")) == statements(page))
            let none = try await statements("{ __typename employees(first: 1) { __typename nodes { __typename } } }")
            #expect(none == ["SELECT t.emp_no AS employeeNumber FROM employees AS t ORDER BY t.emp_no LIMIT ?"])
            #expect(
                try await statements("{ employee(id: 10001) { newest: titles(first: 1) { title } } }") == [
                    "SELECT 1 FROM employees AS t WHERE t.emp_no = ?",
                    "SELECT __parent0, title FROM (SELECT t.emp_no AS __parent0, t.title AS title, ROW_NUMBER() OVER"
                        + " (PARTITION BY t.emp_no ORDER BY t.from_date DESC, t.title) AS __place FROM titles AS t"
                        + " WHERE t.emp_no = ?) AS numbered WHERE __place <= ? ORDER BY __parent0, __place",
                ])
            // Each root field runs one statement. The shared snapshot and introspection run no statement.
            #expect(try await statements("{ a: employee(id: 10001) { id } b: employee(id: 10002) { id } }").count == 2)
            #expect(try await statements("{ __schema { queryType { name } } }") == [])
        }
    }
}
