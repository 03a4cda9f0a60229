import DuetEmployees
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import SeededTesting
import TestSupport
import Testing

/// Compares the server's responses to random queries with the responses of field resolvers over the same data in
/// memory.
@Suite("Random GraphQL queries") struct DifferentialTests {
    @Test(
        "The server's response equals that of field resolvers over data in memory, and needs the expected number of statements",
        arguments: TestBackend.available)
    func queries(backend: TestBackend) async throws {
        var settings = ServerSettings()
        settings.graphQL.limits = .unlimited
        try await withServer(backend, data: .sampleAndCrew(60), settings: settings) { server in
            try await server.database.write { try $0.executeScript(Self.knots) }
            let company = try await PlainCompany(server.database)
            let cursors = try await Self.cursors(server.client)
            let schema = try PlainSchema(company: company, cursors: cursors).executable()
            let arguments = RandomArguments(company, cursors)
            var asked: Set<String> = []
            for seed in TestScale.seeds(100) {
                let query = QueryGenerator.query(schema.schema, arguments, seed: seed)
                asked.formUnion(query.fields)
                let operation = try PreparedOperation(unvalidated: Parser.parse(query.text), schema: schema)
                for variables in query.variables {
                    guard case .object(let values) = variables else { continue }
                    let response = try await server.client.graphQL(query.text, variables)
                    let tally = StatementTally()
                    let plain = try await operation.execute(variables: ObjectValue(values), userContext: tally)
                    let report = "seed \(seed): \(query.text)\n\(variables.compactText)"
                    try #require(plain.errors.isEmpty, "\(report)")
                    try #require(response.text == plain.text, "\(report)")
                    try #require(tally.expected.contains(response.statements), "\(report)")
                }
            }
            #expect(asked.isSuperset(of: QueryGenerator.fields(of: schema.schema)))
        }
    }

    /// Reads one cursor of each list that can occur in a query. Returns the numbers of the lists, which the cursors
    /// contain.
    static func cursors(_ client: APIClient) async throws -> PlainCursors {
        var cursors = PlainCursors()
        var lists: [PlainList] = []
        var fields: [String] = []
        for filter in RandomArguments.filters {
            for sort in [[:]] + RandomArguments.sorts {
                let order = sort.isEmpty ? "" : ", sort: \(Value.object(sort))"
                fields.append(
                    "l\(lists.count): employees(first: 1, filter: \(Value.object(filter))\(order)) { pageInfo { endCursor } }"
                )
                lists.append(PlainList(filter: filter, sort: sort))
            }
        }
        let data = try await client.graphQL("{ \(fields.joined(separator: " ")) }").data()
        for (index, list) in lists.enumerated() {
            if case .string(let cursor)? = data["l\(index)"]?["pageInfo"]?["endCursor"] {
                try cursors.learn(cursor, of: list)
            }
        }
        #expect(Set(cursors.lists.values).count == cursors.lists.count, "each list has cursors of its own")
        let staff = try await client.graphQL(
            #"{ department(id: "d005") { employees(first: 1) { pageInfo { endCursor } } } }"#
        ).data()
        if case .string(let cursor)? = staff["department"]?["employees"]?["pageInfo"]?["endCursor"] {
            try cursors.learn(cursor, of: .staff)
        }
        return cursors
    }

    /// Cases that samples lack: an employee in two departments at once, two managers of a department with the same
    /// start date, two titles of an employee with the same start date, and a department without employees.
    static let knots = """
        INSERT INTO departments VALUES ('x1', 'Forschung & Café');
        INSERT INTO dept_emp VALUES (20004, 'd009', '1991-06-06', '9999-01-01');
        INSERT INTO dept_emp VALUES (20004, 'd005', '1991-06-06', '9999-01-01');
        INSERT INTO dept_manager VALUES (20006, 'd009', '1992-07-07', '9999-01-01');
        INSERT INTO dept_manager VALUES (20005, 'd009', '1992-07-07', '9999-01-01');
        INSERT INTO titles VALUES (20004, 'Zwei', '1991-06-06', '9999-01-01');
        INSERT INTO titles VALUES (20004, 'Eins', '1991-06-06', '9999-01-01')
        """
}

extension TestResponse {
    /// The number of statements in the `Server-Timing` of the response.
    fileprivate var statements: Int {
        self["Server-Timing"]?.firstMatch(of: /sql;dur=[0-9.]+;desc="([0-9]+)"/).flatMap { Int($0.1) } ?? 0
    }
}
