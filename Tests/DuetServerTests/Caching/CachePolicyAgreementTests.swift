import DuetEmployees
import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("Agreement of the cache policies of REST and GraphQL") struct CachePolicyAgreementTests {
    /// A read over REST and a GraphQL query for the same data.
    struct Twins: Sendable, CustomTestStringConvertible {
        let path: String
        let query: String
        let maxAge: Int

        var testDescription: String { path }

        init(_ path: String, _ query: String, _ maxAge: Int) {
            self.path = path
            self.query = query
            self.maxAge = maxAge
        }
    }

    static let twins = [
        Twins("/employees/20001", "{ employee(id: 20001) { employeeNumber firstName lastName } }", 60),
        Twins(
            "/employees/20001?details=titles,salaries,departments&fields=birthDate",
            "{ employee(id: 20001) { birthDate titles { title } salaries { salary } departments { departmentName } } }",
            60),
        Twins("/employees/20001/titles", "{ employee(id: 20001) { titles { title fromDate toDate } } }", 60),
        Twins("/employees/20001/salaries", "{ employee(id: 20001) { salaries { salary fromDate toDate } } }", 60),
        Twins("/employees/20001/departments", "{ employee(id: 20001) { departments { departmentName } } }", 60),
        Twins(
            "/employees/20001/departments/d005", "{ employee(id: 20001) { departments { departmentNumber } } }", 60),
        Twins("/employees?first=3", "{ employees(first: 3) { nodes { firstName } pageInfo { endCursor } } }", 60),
        Twins(
            "/employees?details=titles&name=A*&sort=-lastName",
            """
            { employees(filter: {name: "A*"}, sort: {field: LAST_NAME, direction: DESCENDING}) {
                edges { cursor node { firstName titles { title } } } } }
            """, 60),
        Twins("/titles", "{ titles { nodes { title } } }", 60),
        Twins("/salaries", "{ salaries { nodes { salary } } }", 60),
        Twins("/departments", "{ departments { departmentNumber departmentName } }", 300),
        Twins("/departments?details=managers", "{ departments { departmentName managers { lastName } } }", 60),
        Twins("/departments/d005", #"{ department(id: "d005") { departmentName } }"#, 300),
        Twins("/departments/d005?details=managers", #"{ department(id: "d005") { managers { firstName } } }"#, 60),
        Twins("/departments/d005/employees", #"{ department(id: "d005") { employees { nodes { firstName } } } }"#, 60),
        Twins("/employees?aggregate=count", "{ employeesAggregate { count } }", 60),
        Twins(
            "/employees?group=gender&aggregate=count",
            "{ employeesGroups(groupBy: [{gender: VALUE}]) { nodes { count } } }", 60),
        Twins(
            "/departments?details=managers&managers.aggregate=count&managers.first=0",
            "{ departments { departmentName managersAggregate { count } } }", 60),
        Twins("/departments?aggregate=count", "{ departmentsAggregate { count } }", 300),
        Twins(
            "/departments?details=employees.titles",
            "{ departments { employees { nodes { titles { title } } } } }", 60),
    ]

    @Test("A read over REST has the same max-age as a GraphQL query for the same data")
    func agreement() async throws {
        try await withServer(.sqlite) { server in
            for twins in Self.twins {
                let expected = "max-age=\(twins.maxAge), public"
                // The second request may use a cached plan.
                for _ in 1...2 {
                    let response = try await server.client.get(twins.path)
                    #expect(response.status == 200, "\(twins.path): \(response.text)")
                    #expect(response["Cache-Control"] == expected, "\(twins.path)")
                }
                let query = try #require(
                    twins.query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let response = try await server.client.get("/graphql?query=\(query)")
                #expect(response["Cache-Control"] == expected, "\(twins.query): \(response.text)")
            }
        }
    }

    static func withStyle(_ body: (GraphQLStyle) async throws -> Void) async throws {
        try await TestDatabase.with(.sqlite) { database in
            try await TestData.crew.load(into: database)
            let service = try ResourceService.employees(database: database, encoding: try .published)
            try await body(try GraphQLStyle(service))
        }
    }

    static func response(_ query: String, of style: GraphQLStyle) async throws -> GraphQLResponse {
        let document = try Parser.parse(query)
        #expect(Validation.validate(document, against: style.schema.schema).map(\.message) == [])
        return try await PreparedOperation(unvalidated: document, schema: style.schema).execute(userContext: ())
    }

    @Test(
        "The selected fields of an operation determine its max-age",
        arguments: [
            ("{ employees(first: 3) { nodes { firstName } pageInfo { hasNextPage } totalCount } }", 60),
            ("{ employees(first: 3) { totalCount } }", 60), ("{ employees(first: 3) { pageInfo { endCursor } } }", 60),
            ("{ departments { departmentName } }", 300), ("{ departments { employees { totalCount } } }", 60),
            (#"{ department(id: "d005") { departmentName } employee(id: 20001) { firstName } }"#, 60),
            ("{ employee(id: 1) { firstName } }", 60),
            ("{ employee(id: 20001) { manager { firstName departments { department { departmentName } } } } }", 60),
            ("{ __typename departments { id } }", 300), ("{ __schema { description } }", 0),
        ])
    func operations(query: String, maxAge: Int) async throws {
        try await Self.withStyle { style in
            let response = try await Self.response(query, of: style)
            #expect(response.errors.isEmpty)
            #expect(response.cachePolicy == CachePolicy(maxAge: maxAge))
        }
    }

    @Test("A response to a mutation and a response with errors have no cache policy")
    func notKept() async throws {
        try await Self.withStyle { style in
            let written = try await Self.response(
                #"mutation { updateEmployee(input: {id: 20001, firstName: "M"}) { employee { firstName } } }"#,
                of: style
            )
            #expect(written.errors.isEmpty)
            #expect(written.cachePolicy == nil)
            let wrong = try await Self.response("{ employees(first: 0) { totalCount } departments { id } }", of: style)
            #expect(!wrong.errors.isEmpty)
            #expect(wrong.cachePolicy == nil)
        }
    }

    @Test("No field that a query can reach uses the default max-age, except introspection fields")
    func everyField() throws {
        let schema = try DuetGraphQL.Schema(sdl: GraphQLStyle.employeesSDL)
        // The two policies differ only in the fields that use the default.
        let some = try CacheControl(schema, defaultMaxAge: 1)
        let other = try CacheControl(schema, defaultMaxAge: 2)
        var open = ["Query"]
        var seen: Set<String> = []
        while let name = open.popLast() {
            guard seen.insert(name).inserted else { continue }
            for field in schema.type(named: name)?.fields ?? [] {
                let restriction = some.restriction(ofField: field.name, on: name, isRoot: name == "Query")
                #expect(
                    restriction == other.restriction(ofField: field.name, on: name, isRoot: name == "Query"),
                    "\(name).\(field.name)")
                #expect(restriction.scope == .public, "\(name).\(field.name)")
                open.append(field.type.typeName.name)
            }
        }
        #expect(seen.isSuperset(of: ["Employee", "Department", "PageInfo", "EmployeeEdge", "DepartmentManager"]))
    }

    @Test("The table in the documentation lists exactly the cache hints of the schema")
    func documentation() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/caching.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { line in
            line.hasPrefix("| `") && line.hasSuffix("| public |")
        }
        let schema = try DuetGraphQL.Schema(sdl: GraphQLStyle.employeesSDL)
        let documented = rows.map { $0.replacing("|", with: "").split(separator: " ").map(String.init) }
        let hinted = schema.types.compactMap { type -> [String]? in
            let directives = type.definitions.flatMap { Array($0.node.directives) }
            guard let hint = directives.first(where: { $0.name.value == "cacheControl" }) else { return nil }
            let ages = hint.arguments.map { argument in
                if case .int(let digits) = argument.value.kind { digits } else { "inherits" }
            }
            return ["`\(type.name)`"] + ages + ["public"]
        }
        #expect(Set(documented) == Set(hinted))
        #expect(documented.count == hinted.count)
    }
}
