import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

/// The number of statements depends on the operation and never on the rows. Statements read only needed columns.
@Suite("Statements") struct StatementTests {
    @Test(
        "A read runs one statement for the root and one for each relation, regardless of the number of rows",
        arguments: TestBackend.available)
    func count(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(1_000)) { server in
            for (query, count) in [
                ("", 1), ("&details=titles", 2), ("&details=titles,salaries", 3),
                ("&details=titles,salaries,departments", 4), ("&details=titles,salaries,departments&sort=-hireDate", 4),
            ] {
                for first in [1, 100, 1_000] {
                    _ = server.statements.take()
                    let response = try await server.client.get("/employees?first=\(first)\(query)")
                    #expect(try response.array().count == first)
                    let statements = server.statements.take()
                    #expect(statements.count == count, "first=\(first)\(query): \(statements)")
                    #expect(response["Server-Timing"]?.contains(";desc=\"\(count)\"") == true)
                    // Lists of 1,000 keys do not make a statement longer than 12,000 bytes.
                    #expect(statements.allSatisfy { $0.utf8.count < 12_000 })
                }
            }
            for (target, count) in [
                ("/employees/10004", 1), ("/employees/10004?details=titles,salaries,departments", 4),
                ("/employees/10004/salaries", 2), ("/departments/d005?details=managers", 2),
                ("/departments?details=managers", 2),
                ("/departments/d005/employees?details=titles", 3),
            ] {
                _ = server.statements.take()
                #expect(try await server.client.get(target).status == 200)
                #expect(server.statements.take().count == count, "\(target)")
            }
        }
    }

    @Test("The text of a statement does not depend on parameter values", arguments: TestBackend.available)
    func text(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(20)) { server in
            func statements(_ target: String) async throws -> [String] {
                _ = server.statements.take()
                #expect(try await server.client.get(target).status == 200)
                return server.statements.take()
            }
            let employee = try await statements("/employees/10001?details=titles")
            #expect(try await statements("/employees/10009?details=titles") == employee)
            #expect(
                employee.map(Self.withoutPlaceholders) == [
                    "SELECT t.emp_no AS employeeNumber, t.first_name AS firstName, t.last_name AS lastName"
                        + " FROM employees AS t WHERE t.emp_no = ?",
                    "SELECT t.emp_no, t.title AS title, t.from_date AS fromDate, t.to_date AS toDate"
                        + " FROM titles AS t WHERE t.emp_no = ? ORDER BY t.emp_no, t.from_date DESC, t.title",
                ])
            let filtered = try await statements("/employees?name=A*&hiredAfter=1990-01-01&department=d005")
            #expect(try await statements("/employees?name='*%25&hiredAfter=1985-01-01&department=d001") == filtered)
            #expect(filtered.count == 1 && !filtered[0].contains("1990") && !filtered[0].contains("'A"))
        }
    }

    @Test(
        "Statements read only the columns that the response, its order, its relations or its cache tags need",
        arguments: TestBackend.available)
    func columns(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, columns) in [
                ("/employees/20001?fields=lastName", ["t.last_name AS lastName"]),
                ("/employees?first=5&fields=gender", ["t.gender AS gender", "t.emp_no AS employeeNumber"]),
                (
                    "/employees?first=5&fields=gender&sort=hireDate",
                    ["t.gender AS gender", "t.emp_no AS employeeNumber", "t.hire_date AS hireDate"]
                ),
                (
                    "/employees/20001?fields=gender&details=titles",
                    ["t.gender AS gender"]
                ),
                ("/employees/20001/salaries?fields=salary", ["t.salary AS salary"]),
                (
                    "/employees/20001/departments?fields=toDate",
                    ["t.to_date AS toDate", "t.dept_no AS departmentNumber"]
                ),
            ] {
                _ = server.statements.take()
                #expect(try await server.client.get(target).status == 200)
                let selected = server.statements.take().first { !$0.hasPrefix("SELECT 1 ") && !$0.contains(" IN (") }
                let list = try #require(selected?.wholeMatch(of: /SELECT (.*?) FROM .*/)?.1)
                #expect(list.split(separator: ", ").map(String.init) == columns, "\(target)")
            }
        }
    }

    @Test("Malformed requests, liveness checks, metrics and the documents of the API run no statement")
    func none() async throws {
        try await withServer(.sqlite) { server in
            for target in [
                "/", "/health/live", "/metrics", "/openapi.yaml", "/problems", "/employees?api", "/employees/x",
                "/employees?first=0",
                "/employees?after=x", "/nothing", "/departments/d0055/employees",
            ] {
                _ = try await server.client.get(target)
            }
            for body in ["", "{", "[]", "{}", #"{"salary":-1,"fromDate":"2000-01-01"}"#] {
                _ = try await server.client.send(.POST, "/employees/20001/salaries", json: body)
            }
            #expect(server.statements.take().isEmpty)
        }
    }

    /// Replaces each list of placeholders by one `?`, for lists of any length and for the syntax of each backend.
    static func withoutPlaceholders(_ sql: String) -> String {
        sql.replacing(/:[A-Za-z0-9_]+|\?\d*/, with: "?").replacing(/\?(, ?\?)+/, with: "?")
    }
}
