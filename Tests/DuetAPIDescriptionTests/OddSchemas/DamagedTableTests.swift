import DuetAPIDescription
import DuetGraphQL
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("SQLite files with a damaged table") struct DamagedTableTests {
    @Test(
        "The other tables are introspected, validated and served, and comments, findings and errors name the damaged table"
    )
    func damaged() async throws {
        let statements = [
            "CREATE TABLE a (v INTEGER)", "CREATE TABLE b (v DATE)", "CREATE TABLE c (v TEXT UNIQUE)",
            "INSERT INTO b VALUES ('soon')", "INSERT INTO c VALUES ('x')", "PRAGMA writable_schema = ON",
            // The table has the pages of an index.
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE type = 'index') WHERE name = 'a'",
        ]
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            try SQLiteProcess.run(path, statements)
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = .readOnly
            let database = Database(url, configuration: configuration)
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let contents = try await DatabaseContents.read(database, schema)
            #expect(contents.failures == ["a": .error("database disk image is malformed")])
            let described = try IntrospectedDescription(of: schema, contents: contents)
            #expect(described.api.catalogue["b"]?.field("v")?.type == .text())
            #expect(
                described.comments.contains {
                    $0.text.hasPrefix("The types fit the 0 rows that were read before an error: database disk image")
                })
            let findings = try await described.api.validateData(of: database, schema)
            #expect(findings.map(\.message) == ["a: the rows of a cannot be read: database disk image is malformed"])
            // The other fields of an operation have data.
            let service = try OddService(schema, described.api, database)
            let operation = try PreparedOperation(
                unvalidated: try Parser.parse("{ a { nodes { v } } b { nodes { v } } }"),
                schema: service.graphQL.schema)
            let response = try await operation.execute(userContext: ())
            let errors = response.errors.compactMap(\.underlyingError).map { ServiceError(describing: $0).detail }
            #expect(
                errors == [
                    "a or one of its relations cannot be read, because the data in the database is damaged; see the server's log"
                ])
            await database.close()
        }
    }
}
