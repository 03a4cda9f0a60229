import DuetAPIDescription
import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import NIOCore
import TestSupport
import Testing

@Suite("Schema of 300 tables") struct LargeSchemaTests {
    @Test("The size of the OpenAPI document is proportional to the number of tables, in both formats")
    func openAPISize() async throws {
        /// Returns the sizes of the documents of a schema in which each table refers to one of ten tables.
        func sizes(_ count: Int) async throws -> [Int] {
            var script = ""
            for number in 0..<count {
                script += "CREATE TABLE t\(1000 + number) (id INTEGER PRIMARY KEY, a TEXT, b REAL, "
                script += "up INTEGER REFERENCES t\(1000 + number / 10 * 10) (id));\n"
            }
            return try await TestDatabase.with(.sqlite, schema: false) { [script] database in
                try await database.write { try $0.executeScript(script) }
                let schema = try await database.read { try DatabaseSchema.read($0) }
                let catalogue = try IntrospectedDescription(of: schema).api.catalogue
                let openAPI = OpenAPIDocument(RouteTable(catalogue, settings: ServerSettings()), dates: .iso)
                return try [openAPI.text(.json).readableBytes, openAPI.text(.yaml).readableBytes]
            }
        }
        let (none, small, large) = try await (sizes(10), sizes(30), sizes(50))
        for (none, (small, large)) in zip(none, zip(small, large)) {
            #expect(abs((large - small) - (small - none)) < (small - none) / 50)
        }
    }

    @Test("A schema of 300 tables is introspected and served over REST and GraphQL", arguments: TestBackend.available)
    func large(_ backend: TestBackend) async throws {
        var script = ""
        for number in 0..<300 {
            let values = (0..<8).map { "value_\($0) VARCHAR(20)" }.joined(separator: ", ")
            let reference = number == 0 ? "" : ", FOREIGN KEY (above) REFERENCES thing_\(number / 2) (id)"
            script +=
                "CREATE TABLE thing_\(number) (id INTEGER NOT NULL PRIMARY KEY, above INTEGER, \(values)\(reference));\n"
            script += "INSERT INTO thing_\(number) (id, above) VALUES (1, \(number == 0 ? "NULL" : "1"));\n"
        }
        try await TestDatabase.with(backend, schema: false) { [script] database in
            try await database.write { try $0.executeScript(script) }
            let clock = ContinuousClock()
            var times: [(String, Duration)] = []
            func measure<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
                let start = clock.now
                let value = try await body()
                times.append((name, clock.now - start))
                return value
            }
            let schema = try await measure("schema") { try await database.read { try DatabaseSchema.read($0) } }
            let described = try await measure("description") { try IntrospectedDescription(of: schema) }
            let text = try await measure("YAML") { described.yaml }
            let api = try await measure("reading") { try APIDescription(reading: text, file: "api.yaml") }
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            let operations = try await measure("operations of REST") { service.catalogue.operations }
            let graphQL = try await measure("schema of GraphQL") { try GraphQLStyle(service) }
            let introspection =
                "{ __schema { types { name kind fields { name args { name type { name } } type { name kind ofType { name } } } inputFields { name } enumValues { name } } } }"
            let response = try await measure("introspection of GraphQL") {
                try await PreparedOperation(unvalidated: try Parser.parse(introspection), schema: graphQL.schema)
                    .execute(userContext: ())
            }
            print("\(backend), 300 tables: \(times.map { "\($0.0) \($0.1)" }.joined(separator: ", "))")
            #expect(api.catalogue.resources.count == 300)
            #expect(operations.count > 600)
            #expect(response.errors.isEmpty)
            #expect(response.body.readableBytes > 300_000)
        }
    }
}
