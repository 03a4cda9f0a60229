import DuetGraphQL
import DuetJSON
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import SeededTesting
import TestSupport
import Testing

/// Verifies that a cache serves no outdated response if, after each write, it purges all responses that have a cache
/// tag of the response to the write.
@Suite("Purging by cache tag") struct PurgingByNameTests {
    private static let restTargets = [
        "/employees?first=3", "/employees?first=3&fields=lastName", "/employees?department=d009&fields=firstName",
        "/employees/20005?details=titles&details=salaries&details=departments", "/employees/20005?fields=lastName",
        "/employees/20005/titles?fields=title", "/employees/20005/departments?fields=departmentName",
        "/employees/20004/departments/d009?fields=fromDate", "/employees/20006/salaries",
        "/departments?fields=departmentName",
        "/departments?details=managers&fields=departmentNumber", "/departments/d009?details=managers",
        "/departments/d009/employees?fields=lastName", "/titles?first=5&fields=title",
        "/salaries?first=5&fields=salary", "/employees?aggregate=count,lastName.max",
        "/salaries?group=fromDate.year&aggregate=salary.sum", "/employees/20005/salaries?aggregate=salary.sum",
        "/employees?first=9&details=titles&titles.first=0&titles.aggregate=count",
    ]
    private static let documents = [
        "{ employee(id: 20004) { manager { lastName } } }", "{ department(id: \"d009\") { managers { fromDate } } }",
        "{ department(id: \"d009\") { managers { employee { lastName } } } }",
        "{ employee(id: 20004) { departments { department { departmentName managers { toDate } } } } }",
        "{ department(id: \"d009\") { employees(first: 2) { totalCount edges { cursor } } } }",
        "{ employees(first: 3) { nodes { manager { firstName } } } }", "{ titlesAggregate { count title { max } } }",
        "{ department(id: \"d009\") { employeesAggregate { count } } }",
        "{ employeesGroups(groupBy: [{hireDate: YEAR}]) { nodes { key { hireDate { year } } count } } }",
    ]

    /// The writes, in the order of execution. Each write changes some of the responses.
    private static let writes: [(HTTPMethod, String, String?)] = [
        (.PATCH, "/employees/20005", #"{"lastName":"Changed"}"#),
        (.PATCH, "/employees/20006", #"{"firstName":"Changed"}"#),
        (.POST, "/employees/20004/titles", #"{"title":"Chief","fromDate":"2002-01-01"}"#),
        (.POST, "/employees/20005/salaries", #"{"salary":90000,"fromDate":"2002-02-02"}"#),
        (.PUT, "/employees/20006/departments/d001", #"{"fromDate":"2001-09-17"}"#),
        (
            .POST, "/graphql",
            #"{"query":"mutation { updateEmployee(input: {id: 20004, lastName: \"Mutated\"}) { employee { id } } }"}"#
        ),
        (
            .POST, "/employees",
            #"{"birthDate":"1970-01-01","firstName":"New","lastName":"Comer","gender":"F","hireDate":"1999-01-01"}"#
        ),
        (.DELETE, "/employees/20005", nil), (.DELETE, "/employees/20004", nil),
    ]

    @Test(
        "A response has at least one cache tag of each write that changes the response",
        arguments: TestBackend.available)
    func names(backend: TestBackend) async throws {
        var settings = ServerSettings()
        settings.graphQL.limits = .unlimited
        try await withServer(backend, data: .sampleAndCrew(60), settings: settings) { server in
            try await server.database.write { try $0.executeScript(DifferentialTests.knots) }
            let targets = try await Self.restTargets + Self.documents.map(Self.target) + randomTargets(server)
            var kept: [TestResponse] = []
            for target in targets { kept.append(try await server.client.get(target)) }
            for (response, target) in zip(kept, targets) { #expect(response.status == 200, "\(target)") }
            var changes = 0
            for (method, path, body) in Self.writes {
                let written = try await server.client.send(
                    method, path, ["Content-Type": "application/json"], body: body)
                try #require((200..<300).contains(written.status) && written.codes.isEmpty, "\(written.text)")
                let names = Set(try #require(written["Surrogate-Key"], "\(path)").split(separator: " "))
                for (index, target) in targets.enumerated() {
                    let now = try await server.client.get(target)
                    guard kept[index].status == 200, now.text != kept[index].text else { continue }
                    changes += 1
                    let shown = Set((kept[index]["Surrogate-Key"] ?? "").split(separator: " "))
                    #expect(!shown.isDisjoint(with: names), "\(method) \(path) changes \(target), which names \(shown)")
                    kept[index] = now
                }
            }
            #expect(changes > 50)
        }
    }

    private static func target(_ document: String) -> String { APIClient.graphQLTarget(["query": document]) }

    /// Returns the request targets of random GraphQL queries.
    private func randomTargets(_ server: TestServer) async throws -> [String] {
        let company = try await PlainCompany(server.database)
        let cursors = try await DifferentialTests.cursors(server.client)
        let schema = try PlainSchema(company: company, cursors: cursors).executable().schema
        let arguments = RandomArguments(company, cursors)
        return TestScale.seeds(45).compactMap { seed in
            let query = QueryGenerator.query(schema, arguments, seed: seed)
            guard let variables = query.variables.first else { return nil }
            let target = APIClient.graphQLTarget(["query": query.text, "variables": variables.compactText])
            return target.utf8.count < 32_000 ? target : nil
        }
    }

    @Test("A mutation has the cache tags of the changed rows in a complete, a deferred and a batched response")
    func forms() async throws {
        var settings = ServerSettings()
        settings.graphQL.maximumBatchSize = 3
        try await withServer(.sqlite, settings: settings) { server in
            func mutation(_ name: String, _ fields: String = "id") -> String {
                "mutation { updateEmployee(input: {id: 20001, lastName: \"\(name)\"}) { employee { \(fields) } } }"
            }
            let parts: HTTPHeaders = ["Accept": "multipart/mixed, application/json"]
            let whole = try await server.client.graphQL(mutation("A"), nil, parts)
            #expect(whole["Surrogate-Key"] == "Employee Employee:20001")
            let deferred = try await server.client.graphQL(
                mutation("B", "id ... @defer { titles { title } }"), nil, parts)
            #expect(deferred["Surrogate-Key"] == "Employee Employee:20001")
            let queries = ["{ employee(id: 20002) { id } }", mutation("C")]
                .map { "{\"query\":\(JSONValue.string($0).compactText)}" }
            let batch = try await server.client.send(.POST, "/graphql", json: "[\(queries.joined(separator: ","))]")
            #expect(batch.status == 200 && batch["Surrogate-Key"] == "Employee Employee:20001", "\(batch.text)")
            #expect(batch["Vary"] == "Accept, Accept-Encoding")
            let read = try await server.client.get(
                Self.target("{ employee(id: 20002) { id } }"), ["Accept": "multipart/mixed, application/json"])
            #expect(read["Surrogate-Key"] == "Employee:20002")
        }
    }
}
