import DuetEmployees
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetServer
import NIOHTTP1
import TestSupport
import Testing

/// GraphQL reads return the same data as REST reads.
@Suite("GraphQL queries") struct GraphQLReadTests {
    @Test(
        "Employee 10004, the published example, is the same object over GraphQL and REST",
        arguments: TestBackend.available)
    func published(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(10)) { server in
            let object = try await server.client.get("/employees/10004?details=titles&details=salaries")
            let response = try await server.client.graphQL(
                """
                { employee(id: 10004) { employeeNumber firstName lastName titles { title fromDate toDate }
                  salaries { salary fromDate toDate } } }
                """)
            #expect(
                object.text.hasPrefix(
                    #"{"employeeNumber":10004,"firstName":"Chirstian","lastName":"Koblick","titles":["#))
            #expect(response.text == #"{"data":{"employee":\#(object.text)}}"#)
        }
    }

    @Test("A query can read every object type of the schema with all its fields", arguments: TestBackend.available)
    func everyField(backend: TestBackend) async throws {
        let schema = try DuetGraphQL.Schema(sdl: GraphQLStyle.employeesSDL)
        /// Returns a selection of all fields of a type, without arguments, to the given depth.
        @Sendable func selection(of type: NamedType, depth: Int) -> String {
            let fields = (type.fields ?? []).compactMap { field -> String? in
                guard let output = schema[field.type] else { return nil }
                guard output.fields != nil else { return field.name }
                guard depth > 0 else { return nil }
                return "\(field.name) { \(selection(of: output, depth: depth - 1)) }"
            }
            return (["__typename"] + fields).joined(separator: " ")
        }
        let employee = try #require(schema.type(named: "Employee"))
        let department = try #require(schema.type(named: "Department"))
        let connection = try #require(schema.type(named: "EmployeeConnection"))
        var settings = ServerSettings()
        settings.graphQL.limits = .unlimited
        try await withServer(backend, settings: settings) { server in
            let response = try await server.client.graphQL(
                """
                { employee(id: 20001) { \(selection(of: employee, depth: 3)) }
                  department(id: "d005") { \(selection(of: department, depth: 3)) }
                  departments { \(selection(of: department, depth: 2)) }
                  employees(first: 3) { \(selection(of: connection, depth: 3)) } }
                """)
            let data = try response.data()
            #expect(data["employee"]?["titles"]?.compactText.contains(#""toDate":null"#) == true)
            #expect(data["employee"]?["__typename"] == "Employee")
            #expect(
                data["department"]?["managers"]?.compactText.contains(#""employee":{"__typename":"Employee""#) == true,
                "\(response.text)")
        }
    }

    @Test(
        "GraphQL lists have the same rows as REST lists with the same filter and sort order, and accept REST cursors",
        arguments: TestBackend.available)
    func lists(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(300)) { server in
            for (rest, arguments) in [
                ("", ""), ("name=Geo*", #"filter: {name: "Geo*"}"#), ("name=O'Brien", #"filter: {name: "O'Brien"}"#),
                (
                    "hiredAfter=1990-01-01&hiredBefore=1995-01-01",
                    #"filter: {hiredAfter: "1990-01-01", hiredBefore: 788936400000}"#
                ),
                (
                    "department=d005&sort=-hireDate",
                    #"filter: {department: "d005"}, sort: {field: HIRE_DATE, direction: DESCENDING}"#
                ),
                ("sort=lastName", "sort: {field: LAST_NAME}"),
                ("sort=-employeeNumber", "sort: {field: EMPLOYEE_NUMBER, direction: DESCENDING}"),
                ("sort=birthDate", "sort: {field: BIRTH_DATE, direction: ASCENDING}"),
            ] {
                let fields = "fields=employeeNumber,lastName,hireDate,birthDate"
                let target = "/employees?first=40&\(rest)&\(fields)".replacing("&&", with: "&")
                let page = try await server.client.get(target)
                let query = { (after: String) in
                    "{ employees(first: 40 \(after) \(arguments)) { nodes { employeeNumber lastName hireDate birthDate } pageInfo { hasNextPage endCursor } } }"
                }
                let response = try await server.client.graphQL(query(""))
                #expect(try response.data()["employees"]?["nodes"] == page.json(), "\(arguments)")
                guard let next = page.next else {
                    #expect(try response.data()["employees"]?["pageInfo"]?["hasNextPage"] == false)
                    continue
                }
                let cursor = try #require(next.wholeMatch(of: /.*after=([^&]*).*/)?.1)
                #expect(try response.data()["employees"]?["pageInfo"]?["endCursor"] == .string(String(cursor)))
                let second = try await server.client.get(next)
                let continued = try await server.client.graphQL(query(#"after: "\#(cursor)""#))
                #expect(try continued.data()["employees"]?["nodes"] == second.json(), "\(arguments)")
            }
        }
    }

    @Test(
        "The pages of a connection contain all rows in order", arguments: TestBackend.available)
    func walk(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(120)) { server in
            let all = try await server.client.get("/employees?first=1000&fields=employeeNumber&sort=-hireDate").array()
            var seen: [JSONValue] = []
            var after: JSONValue = .null
            var pages = 0
            repeat {
                let response = try await server.client.graphQL(
                    """
                    query Page($after: String) {
                      employees(first: 25, after: $after, sort: {field: HIRE_DATE, direction: DESCENDING}) {
                        totalCount
                        info: pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
                        edges { cursor node { employeeNumber } }
                        nodes { employeeNumber }
                      }
                    }
                    """, .object(JSONObject(["after": after])))
                let page = try #require(try response.data()["employees"])
                #expect(page["totalCount"] == .integer(Int64(all.count)))
                #expect(page["info"]?["hasPreviousPage"] == .bool(pages > 0))
                guard case .array(let edges)? = page["edges"], let info = page["info"] else { break }
                #expect(page["nodes"] == .array(edges.compactMap { $0["node"] }))
                #expect(info["startCursor"] == edges.first?["cursor"] && info["endCursor"] == edges.last?["cursor"])
                seen += edges.compactMap { $0["node"] }
                pages += 1
                after = info["hasNextPage"] == true ? info["endCursor"] ?? .null : .null
            } while after != .null && pages < 20
            #expect(seen == all)
            #expect(pages == (all.count + 24) / 25)
        }
    }

    @Test("Each department has its own page of employees", arguments: TestBackend.available)
    func staff(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(200)) { server in
            let departments = try await server.client.graphQL(
                """
                { departments { id employees(first: 3) { totalCount nodes { employeeNumber firstName }
                  pageInfo { hasNextPage endCursor } } } }
                """)
            guard case .array(let items)? = try departments.data()["departments"] else {
                Issue.record("\(departments.text)")
                return
            }
            #expect(items.count == 9)
            for item in items {
                guard case .string(let id)? = item["id"], let page = item["employees"] else { continue }
                let target = "/departments/\(id)/employees?fields=employeeNumber,firstName"
                let all = try await server.client.pages(target).flatMap { $0 }
                #expect(page["totalCount"] == .integer(Int64(all.count)))
                #expect(page["nodes"] == .array(Array(all.prefix(3))))
                #expect(page["pageInfo"]?["hasNextPage"] == .bool(all.count > 3))
                guard case .string(let cursor)? = page["pageInfo"]?["endCursor"] else { continue }
                let rest = try await server.client.graphQL(
                    """
                    query($id: ID!, $after: String) {
                      department(id: $id) { employees(first: 1000, after: $after) { nodes { employeeNumber firstName } } }
                    }
                    """, .object(JSONObject(["id": .string(id), "after": .string(cursor)])))
                #expect(try rest.data()["department"]?["employees"]?["nodes"] == .array(Array(all.dropFirst(3))))
            }
            let nobody = try await server.client.graphQL(
                #"{ departments { employees(first: 1, after: "WzI2MDQ5NDY4MjUsOTk5OTk5OTld") { totalCount nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }"#
            )
            #expect(nobody.messages == [] || nobody.codes == ["INVALID_CURSOR"], "\(nobody.text)")
        }
    }

    @Test(
        "The arguments first and current apply to the salaries and titles of each employee separately",
        arguments: TestBackend.available)
    func histories(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(30)) { server in
            let rest = try await server.client.get(
                "/employees?first=1000&fields=employeeNumber&details=salaries,titles")
            let response = try await server.client.graphQL(
                """
                query($one: Int!, $current: Boolean) { employees(first: 1000) { nodes { employeeNumber
                  salaries { salary toDate } newest: salaries(first: $one) { salary toDate }
                  now: salaries(current: $current) { salary toDate } then: salaries(current: false) { salary toDate }
                  before: salaries(current: false, first: 2) { salary toDate }
                  titles { title toDate } held: titles(current: true) { title toDate } ended: titles(current: false) { title }
                } } }
                """, ["one": 1, "current": true])
            guard case .array(let nodes)? = try response.data()["employees"]?["nodes"] else { return }
            #expect(nodes.count == 42)
            let open: JSONValue = 253_370_782_800_000
            for (node, object) in zip(nodes, try rest.array()) {
                guard case .array(let salaries)? = node["salaries"], case .array(let titles)? = node["titles"],
                    case .array(let whole)? = object["salaries"]
                else {
                    Issue.record("\(node.compactText)")
                    continue
                }
                #expect(salaries.map { $0["salary"] } == whole.map { $0["salary"] })
                #expect(node["newest"] == .array(Array(salaries.prefix(1))))
                #expect(node["now"] == .array(salaries.filter { $0["toDate"] == open }))
                let ended = salaries.filter { $0["toDate"] != open }
                #expect(node["then"] == .array(ended))
                #expect(node["before"] == .array(Array(ended.prefix(2))))
                // A period whose end is NULL is also open.
                #expect(node["held"] == .array(titles.filter { $0["toDate"] == open || $0["toDate"] == .null }))
                guard case .array(let endedTitles)? = node["ended"], case .array(let held)? = node["held"] else {
                    continue
                }
                #expect(endedTitles.count + held.count == titles.count)
            }
        }
    }

    @Test(
        "The manager of an employee is another person who currently manages the employee's department",
        arguments: TestBackend.available)
    func manager(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let response = try await server.client.graphQL(
                """
                { boss: employee(id: 20001) { manager { id } departments(current: true) { department { departmentName
                    managers { employeeNumber fromDate } managing: managers(current: true) { employee { lastName } } } } }
                  other: employee(id: 20002) { manager { id } }
                  nobody: employee(id: 20012) { manager { id } departments { departmentName } titles { title } } }
                """)
            #expect(
                response.text
                    == #"{"data":{"boss":{"manager":null,"departments":[{"department":{"departmentName":"Development","#
                    + #""managers":[{"employeeNumber":20001,"fromDate":662706000000},"#
                    + #"{"employeeNumber":20002,"fromDate":641880000000}],"managing":[{"employee":{"lastName":"O'Brien"}}]}}]},"#
                    + #""other":{"manager":null},"nobody":{"manager":null,"departments":[],"titles":[]}}}"#)
            _ = try await server.client.send(
                .PUT, "/employees/20012/departments/d005", json: #"{"fromDate":"9998-12-31"}"#)
            let managed = try await server.client.graphQL(
                "{ employee(id: 20012) { manager { firstName titles(first: 1) { title } } } }")
            #expect(
                managed.text
                    == #"{"data":{"employee":{"manager":{"firstName":"Miles","titles":[{"title":"Senior Engineer"}]}}}}"#
            )
        }
    }

    @Test("A missing row is null, and an invalid argument value is an error", arguments: TestBackend.available)
    func missing(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let missing = try await server.client.graphQL(
                #"{ employee(id: 99999) { id titles { title } } department(id: "zz") { id } }"#)
            #expect(missing.text == #"{"data":{"employee":null,"department":null}}"#)
            for (query, code, path) in [
                (#"{ employee(id: "abc") { id } }"#, "INVALID_PARAMETER", #"["employee"]"#),
                (#"{ department(id: "d 5") { id } }"#, "INVALID_PARAMETER", #"["department"]"#),
                ("{ employees(first: 0) { totalCount } }", "INVALID_PARAMETER", #"["employees"]"#),
                ("{ employees(first: 1001) { totalCount } }", "INVALID_PARAMETER", #"["employees"]"#),
                (#"{ e: employees(after: "x") { nodes { id } } }"#, "INVALID_CURSOR", #"["e"]"#),
                (#"{ employees(filter: {name: ""}) { nodes { id } } }"#, "INVALID_PARAMETER", #"["employees"]"#),
                (#"{ employees(filter: {department: "*"}) { nodes { id } } }"#, "INVALID_PARAMETER", #"["employees"]"#),
                (
                    "{ employee(id: 20001) { titles(first: -1) { title } } }", "INVALID_PARAMETER",
                    #"["employee","titles"]"#
                ),
                ("{ employees(sort: {}) { totalCount } }", "INVALID_PARAMETER", #"["employees"]"#),
                (
                    #"{ department(id: "d005") { a: employees { b: nodes { titles(first: 0) { title } } } } }"#,
                    "INVALID_PARAMETER", #"["department","a","b","titles"]"#
                ),
            ] {
                let response = try await server.client.graphQL(query)
                #expect(response.codes == [code], "\(query): \(response.text)")
                guard case .array(let errors)? = try response.json()["errors"] else { continue }
                #expect(errors.first?["path"]?.compactText == path)
                #expect(response.status == 200)
            }
            for (query, message) in [
                (#"{ employees(filter: {hiredAfter: "soon"}) { nodes { id } } }"#, "Date cannot represent value"),
                (#"{ employees(filter: {hiredAfter: 1.5}) { nodes { id } } }"#, "Date cannot represent value"),
                ("{ employees(first: 99999999999) { totalCount } }", "Int cannot represent non 32-bit signed"),
                ("{ employee { id } }", "required"),
                ("{ staff { id } }", "Cannot query field"),
            ] {
                let response = try await server.client.graphQL(query)
                #expect(response.messages.contains { $0.contains(message) }, "\(query): \(response.text)")
                #expect(try response.json()["data"] == nil)
            }
        }
    }

    @Test("The response has the fields that directives and fragments select", arguments: TestBackend.available)
    func conditions(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let query = """
                query Q($with: Boolean!) { employee(id: 20002) { ...Name titles @include(if: $with) { ...T }
                  ... @skip(if: $with) { gender } } }
                fragment Name on Employee { firstName ... { lastName } }
                fragment T on Title { title }
                """
            let with = try await server.client.graphQL(query, ["with": true])
            #expect(
                with.text
                    == #"{"data":{"employee":{"firstName":"Zoë","lastName":"Brien","titles":[{"title":"Senior Staff"},{"title":"Staff"}]}}}"#
            )
            let without = try await server.client.graphQL(query, ["with": false])
            #expect(without.text == #"{"data":{"employee":{"firstName":"Zoë","lastName":"Brien","gender":"F"}}}"#)
        }
    }
}

extension JSONObject {
    init(_ members: KeyValuePairs<String, JSONValue>) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
