import NIOHTTP1
import TestSupport
import Testing

@Suite("The parameters details and fields") struct DetailsTests {
    private static let obrien = #"{"employeeNumber":20001,"firstName":"Miles","lastName":"O'Brien""#
    private static let titles =
        #""titles":[{"title":"Senior Engineer","fromDate":817794000000,"toDate":null},"#
        + #"{"title":"Engineer","fromDate":641880000000,"toDate":817794000000}]"#
    private static let salaries =
        #""salaries":[{"salary":41000,"fromDate":673416000000,"toDate":253370782800000},"#
        + #"{"salary":40000,"fromDate":641880000000,"toDate":641880000000}]"#
    private static let departments =
        #""departments":[{"departmentNumber":"d005","departmentName":"Development","fromDate":641880000000,"#
        + #""toDate":253370782800000}]"#

    @Test("A response has the relations in details in the requested order, each once", arguments: TestBackend.available)
    func attached(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (query, members) in [
                ("details=titles", [Self.titles]), ("details=salaries", [Self.salaries]),
                ("details=departments", [Self.departments]),
                (
                    "details=titles&details=salaries&details=departments",
                    [Self.titles, Self.salaries, Self.departments]
                ),
                ("details=departments,titles", [Self.departments, Self.titles]),
                ("details=salaries&details=titles,departments", [Self.salaries, Self.titles, Self.departments]),
                ("details=titles&details=titles", [Self.titles]), ("details=titles,titles", [Self.titles]),
                ("details=%74itles", [Self.titles]), ("%64etails=titles", [Self.titles]),
                ("&details=titles&", [Self.titles]),
            ] {
                let expected = ([Self.obrien] + members).joined(separator: ",") + "}"
                let one = try await server.client.get("/employees/20001?\(query)")
                #expect(one.text == expected, "\(query)")
                let list = try await server.client.get("/employees?first=1&\(query)")
                #expect(list.text == "[\(expected)]", "\(query)")
                let lines = try await server.client.get(
                    "/employees?first=1&\(query)", ["Accept": "application/x-ndjson"])
                #expect(lines.text == expected + "\n", "\(query)")
            }
        }
    }

    @Test("Relations without rows are empty lists", arguments: TestBackend.available)
    func empty(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let one = try await server.client.get(
                "/employees/20012?details=titles,salaries,departments&fields=lastName")
            #expect(one.text == #"{"lastName":"zed","titles":[],"salaries":[],"departments":[]}"#)
            let department = try await server.client.get("/departments/x1?details=managers")
            #expect(
                department.text
                    == #"{"departmentNumber":"x1","departmentName":"Forschung & Café","managers":[]}"#)
        }
    }

    @Test("A response has the requested fields in the requested order, each once", arguments: TestBackend.available)
    func fields(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (query, expected) in [
                ("fields=hireDate,firstName", #"{"hireDate":641880000000,"firstName":"Miles"}"#),
                ("fields=firstName&fields=hireDate", #"{"firstName":"Miles","hireDate":641880000000}"#),
                ("fields=gender,gender&fields=gender", #"{"gender":"M"}"#),
                (
                    "fields=employeeNumber,firstName,lastName,birthDate,gender,hireDate",
                    Self.obrien + #","birthDate":-315514800000,"gender":"M","hireDate":641880000000}"#
                ),
                // The server reads the key for the titles, but the response does not contain the key.
                ("fields=lastName&details=titles", #"{"lastName":"O'Brien","# + Self.titles + "}"),
            ] {
                let one = try await server.client.get("/employees/20001?\(query)")
                #expect(one.text == expected, "\(query)")
                // The list has the same rows, sorted by a field that is not part of the response.
                let list = try await server.client.get("/employees?first=1&name=O'Brien&sort=-birthDate&\(query)")
                #expect(list.text == "[\(expected)]", "\(query)")
            }
            let csv = try await server.client.get(
                "/employees/20003/titles?fields=toDate,title", ["Accept": "text/csv"])
            #expect(csv.text == "toDate,title\r\n946702800000,\"Gepäck, \"\"schwer\"\"\"\r\n")
            let departments = try await server.client.get("/departments?fields=departmentName&details=managers")
            #expect(
                departments.text.hasPrefix(
                    #"[{"departmentName":"Development","managers":[{"employeeNumber":20001,"firstName":"Miles","#))
        }
    }

    @Test("An invalid, unknown or repeated parameter is a 400 that names the parameter")
    func refused() async throws {
        let employeeFields = ["employeeNumber", "firstName", "lastName", "birthDate", "gender", "hireDate"]
        try await withServer(.sqlite) { server in
            for (target, code, parameter, allowed) in [
                (
                    "/employees/20001?details=managers", "invalid-parameter", "details",
                    ["titles", "salaries", "departments", "manager"]
                ),
                (
                    "/employees?details=Titles", "invalid-parameter", "details",
                    ["titles", "salaries", "departments", "manager"]
                ),
                (
                    "/employees?details=", "invalid-parameter", "details",
                    ["titles", "salaries", "departments", "manager"]
                ),
                (
                    "/employees?details=titles,", "invalid-parameter", "details",
                    ["titles", "salaries", "departments", "manager"]
                ),
                ("/departments?details=titles", "invalid-parameter", "details", ["managers", "employees"]),
                ("/employees/20001?fields=salary", "invalid-parameter", "fields", employeeFields),
                ("/employees/20001?fields", "invalid-parameter", "fields", employeeFields),
                ("/employees?fields=firstName,,lastName", "invalid-parameter", "fields", employeeFields),
                (
                    "/employees/20001/salaries?fields=title", "invalid-parameter", "fields",
                    ["employeeNumber", "salary", "fromDate", "toDate"]
                ),
                ("/employees/20001?first=1", "unknown-parameter", "first", ["fields", "details"]),
                ("/employees/20001/titles?details=titles", "unknown-parameter", "details", nil),
                ("/employees?frist=1", "unknown-parameter", "frist", nil),
                ("/employees?Details=titles", "unknown-parameter", "Details", nil),
                ("/employees?=", "unknown-parameter", "", nil),
                ("/titles?details=titles", "unknown-parameter", "details", nil),
                ("/departments/d005?sort=departmentName", "unknown-parameter", "sort", ["fields", "details"]),
                ("/health/live?x", "unknown-parameter", "x", []), ("/problems?x=1", "unknown-parameter", "x", []),
                ("/openapi.json?x=1", "unknown-parameter", "x", []),
                ("/employees?first=1&first=1", "repeated-parameter", "first", nil),
                ("/employees?name=a&name=b", "repeated-parameter", "name", nil),
                ("/employees?sort=lastName&sort=lastName", "repeated-parameter", "sort", nil),
            ] as [(String, String, String, [String]?)] {
                let response = try await server.client.get(target)
                #expect(response.status == 400, "\(target)")
                #expect(response.code == code, "\(target)")
                #expect(response.string("parameter") == parameter, "\(target)")
                if let allowed { #expect(response.strings("allowed") == allowed, "\(target)") }
                if code == "unknown-parameter" { #expect(response.strings("allowed") != nil, "\(target)") }
                #expect(response["Cache-Control"] == "no-store")
            }
        }
    }
}
