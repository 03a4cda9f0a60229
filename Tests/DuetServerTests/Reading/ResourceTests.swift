import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

@Suite("Resources") struct ResourceTests {
    @Test("The titles, salaries and departments of an employee have their own URLs", arguments: TestBackend.available)
    func histories(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, expected) in [
                (
                    "/employees/20001/titles",
                    #"[{"title":"Senior Engineer","fromDate":817794000000,"toDate":null},"#
                        + #"{"title":"Engineer","fromDate":641880000000,"toDate":817794000000}]"#
                ),
                // Two periods that begin on the same day are ordered by title.
                (
                    "/employees/20002/titles?fields=title", #"[{"title":"Senior Staff"},{"title":"Staff"}]"#
                ),
                ("/employees/20003/salaries?fields=salary", #"[{"salary":2147483647}]"#),
                (
                    "/employees/20002/departments?fields=departmentName,departmentNumber",
                    #"[{"departmentName":"Customer Service","departmentNumber":"d009"},"#
                        + #"{"departmentName":"Development","departmentNumber":"d005"}]"#
                ),
                (
                    "/employees/20003/departments/d009",
                    #"{"departmentNumber":"d009","departmentName":"Customer Service","#
                        + #""fromDate":641880000000,"toDate":641880000000}"#
                ),
                ("/employees/20003/departments/d009?fields=toDate", #"{"toDate":641880000000}"#),
                ("/employees/20012/titles", "[]"), ("/employees/20012/salaries", "[]"),
                ("/employees/20012/departments", "[]"),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == 200, "\(target)")
                #expect(response.text == expected, "\(target)")
            }
        }
    }

    @Test("The departments are listed with their managers and current employees", arguments: TestBackend.available)
    func departments(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let client = server.client
            #expect(
                try await client.get("/departments").text
                    == #"[{"departmentNumber":"d005","departmentName":"Development"},"#
                    + #"{"departmentNumber":"d009","departmentName":"Customer Service"},"#
                    + #"{"departmentNumber":"x1","departmentName":"Forschung & Café"}]"#)
            let development =
                #"{"departmentNumber":"d005","departmentName":"Development","managers":["#
                + #"{"employeeNumber":20001,"firstName":"Miles","lastName":"O'Brien","fromDate":662706000000,"#
                + #""toDate":253370782800000},"#
                + #"{"employeeNumber":20002,"firstName":"Zoë","lastName":"Brien","fromDate":641880000000,"#
                + #""toDate":662706000000}]}"#
            #expect(try await client.get("/departments/d005?details=managers").text == development)
            #expect(try await client.get("/departments?first=1&details=managers").text == "[\(development)]")
            for (target, numbers) in [
                ("/departments/d005/employees", [20001]), ("/departments/d009/employees", [20002]),
                ("/departments/x1/employees", []), ("/employees?department=d009", [20002]),
                ("/departments/d005/employees?name=Brien", []), ("/departments/d005/employees?name=M*", [20001]),
                ("/departments/d009/employees?hiredAfter=1990-05-05", []),
            ] as [(String, [Int])] {
                let response = try await client.get(target)
                #expect(response.status == 200, "\(target)")
                #expect(
                    try response.array().map { $0["employeeNumber"] } == numbers.map { .integer(Int64($0)) },
                    "\(target)")
            }
        }
    }

    @Test("A missing row or an unknown path is a 404 with a specific problem code", arguments: TestBackend.available)
    func missing(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (target, code) in [
                ("/employees/19999", "unknown-employee"), ("/employees/19999?details=titles", "unknown-employee"),
                ("/employees/2147483647", "unknown-employee"), ("/employees/19999/titles", "unknown-employee"),
                ("/employees/19999/salaries", "unknown-employee"), ("/employees/19999/departments", "unknown-employee"),
                ("/employees/19999/departments/d005", "unknown-employee"),
                ("/employees/20001/departments/d009", "unknown-assignment"),
                ("/departments/d999", "unknown-department"), ("/departments/d999/employees", "unknown-department"),
                ("/departments/D005", "unknown-department"),
                ("/departments/d999/employees?details=titles", "unknown-department"),
                ("/problems/none", "unknown-problem"), ("/nothing", "unknown-path"),
                ("/employees/20001/x", "unknown-path"),
                ("/employees.json", "unknown-path"), ("/Employees", "unknown-path"), ("/health", "unknown-path"),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == 404, "\(target)")
                #expect(response.code == code, "\(target)")
                #expect(response["Cache-Control"] == "no-store", "\(target)")
                #expect(response.string("type") == "/problems/\(code)", "\(target)")
                // The status is the same for every media type, even for a streamed response.
                for type in ["text/csv", "application/x-ndjson"] where target.hasPrefix("/departments/d999/") {
                    if type == "text/csv", target.contains("details") { continue }
                    let other = try await server.client.get(target, ["Accept": type])
                    #expect(other.status == 404, "\(target) as \(type)")
                    #expect(other.code == code, "\(target) as \(type)")
                }
            }
        }
    }

    @Test("A malformed key or parameter value is a 400 that names the parameter")
    func malformed() async throws {
        try await withServer(.sqlite) { server in
            for (target, parameter) in [
                ("/employees/abc", "employeeNumber"), ("/employees/-1", "employeeNumber"),
                ("/employees/0", "employeeNumber"), ("/employees/000", "employeeNumber"),
                ("/employees/+1", "employeeNumber"), ("/employees/1.0", "employeeNumber"),
                ("/employees/1e3", "employeeNumber"), ("/employees/2147483648", "employeeNumber"),
                ("/employees/99999999999999999999999999", "employeeNumber"),
                ("/employees/%D9%A1%D9%A2", "employeeNumber"), ("/employees/20001%00", "employeeNumber"),
                ("/employees/20001%20/titles", "employeeNumber"), ("/employees/x/salaries", "employeeNumber"),
                ("/employees/x/departments/d005", "employeeNumber"),
                ("/employees/20001/departments/d0055", "departmentNumber"),
                ("/departments/d0055", "departmentNumber"), ("/departments/d-05", "departmentNumber"),
                ("/departments/%C3%AA", "departmentNumber"), ("/departments/d00'", "departmentNumber"),
                ("/departments/d0%27", "departmentNumber"), ("/employees?department=d0055", "department"),
                ("/employees?hiredAfter=1990", "hiredAfter"), ("/employees?hiredAfter=1990-02-30", "hiredAfter"),
                ("/employees?hiredBefore=817794000000", "hiredBefore"), ("/employees?hiredBefore=", "hiredBefore"),
                ("/employees?name=", "name"), ("/employees?name=*%00Brien", "name"),
                ("/employees?name=" + String(repeating: "a", count: 65), "name"),
                ("/employees?sort=", "sort"), ("/employees?sort=-", "sort"), ("/employees?sort=gender", "sort"),
                ("/employees?sort=--lastName", "sort"), ("/employees?sort=lastName,,hireDate", "sort"),
                ("/employees?first=0", "first"), ("/employees?first=1001", "first"), ("/employees?first=-1", "first"),
                ("/employees?first=ten", "first"), ("/employees?first=", "first"), ("/employees?first=%2B5", "first"),
                ("/employees?first=99999999999999999999", "first"), ("/employees?first=1%20", "first"),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == 400, "\(target)")
                #expect(response.code == "invalid-parameter", "\(target)")
                #expect(response.string("parameter") == parameter, "\(target)")
            }
        }
    }

    @Test("A query string with invalid percent-encoding or too many parameters is a 400")
    func malformedQuery() async throws {
        try await withServer(.sqlite) { server in
            for target in [
                "/employees?name=%", "/employees?name=%4", "/employees?name=%zz", "/employees?name=%FF",
                "/employees?%zz=1", "/employees/20001?fields=%", "/health/live?%", "/departments/d005?x=%C3",
                "/employees?" + Array(repeating: "fields=gender", count: 101).joined(separator: "&"),
            ] {
                let answer = try await server.client.exchange("GET", target)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(target)")
                #expect(answer.contains(#""code":"malformed-request""#), "\(target)")
            }
        }
    }
}
