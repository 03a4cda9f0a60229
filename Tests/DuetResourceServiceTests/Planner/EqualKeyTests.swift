import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Parent rows whose keys are equal only in a collation") struct EqualKeyTests {
    private static func catalogue() throws -> Catalogue {
        func resource(_ name: String, _ relations: [Relation]) -> Resource {
            Resource(
                name, singular: "\(name)Row", type: "Code\(name)", table: name, description: "Rows.",
                fields: [
                    Field("number", .integer(), column: "number", description: "The number."),
                    Field("code", .text(), column: "code", description: "A code in any case."),
                ],
                key: ["number"], relations: relations)
        }
        func relation(_ name: String, _ size: Relation.Size) -> Relation {
            Relation(
                name, to: "parts", size, on: [.init("code", "code")], order: [.field("number")],
                description: "Rows with an equal code.")
        }
        return try Catalogue(
            [
                resource("wholes", [relation("many", .many(pageSize: 100)), relation("few", .few(typical: 2))]),
                resource("parts", []),
            ], description: "Codes.")
    }

    @Test(
        "A single row has the same related rows as in a list, each once", arguments: TestBackend.available,
        ["many", "few", "many&many.first=2&many.count=true", "few&few.first=1", "many&many.count=true"])
    func item(_ backend: TestBackend, _ details: String) async throws {
        let collation = backend == .sqlite ? "NOCASE" : "utf8mb4_general_ci"
        let column = "code VARCHAR(10) COLLATE \(collation) NOT NULL"
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                for table in ["wholes", "parts"] {
                    try connection.execute("CREATE TABLE \(table) (number INTEGER NOT NULL PRIMARY KEY, \(column))")
                    try connection.execute("INSERT INTO \(table) VALUES (1, 'a'), (2, 'A'), (3, 'b'), (4, 'a')")
                }
            }
            let service = ResourceService(
                try Self.catalogue(), database: database, encoding: ValueEncoding(dates: .iso))
            let list = try await service.restBody("wholes?fields=number&details=\(details)")
            var items: [String] = []
            for number in 1...4 {
                items.append(try await service.restBody("wholes/\(number)?fields=number&details=\(details)"))
            }
            #expect("[\(items.joined(separator: ","))]" == list)
            #expect(list.contains(#""number":4"#))
        }
    }
}
