import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Size of cache tags") struct EntityTagSizeTests {
    private static func catalogue() throws -> Catalogue {
        try Catalogue(
            [
                Resource(
                    "notes", singular: "note", type: "Note", table: "notes", description: "A note.",
                    fields: [
                        Field("path", .identifier(maximumLength: 700), column: "path", description: "The path."),
                        Field("text", .text(), column: "text", description: "The text."),
                    ],
                    key: ["path"])
            ], description: "Notes with long keys.")
    }

    @Test(
        "If the cache tags of a response exceed 16 KiB, the cache tag of the type replaces them",
        arguments: TestBackend.available)
    func longKeys(backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript(
                    "CREATE TABLE notes (path VARCHAR(700) NOT NULL PRIMARY KEY, text VARCHAR(20) NOT NULL)")
                for number in 0..<50 {
                    let path = "\(number + 100)" + String(repeating: "x", count: 397)
                    try connection.execute("INSERT INTO notes VALUES (:path, 'a')", ["path": path])
                }
            }
            let service = ResourceService(
                try Self.catalogue(), database: database, encoding: ValueEncoding(dates: .iso))
            func names(first: Int) async throws -> [String] {
                let selection = Selection([.field(name: "text", "text")])
                let question = Question(.list(resource: "notes", Window(first: first)), .list(.array(selection)))
                return try await service.answer(question, namesEntities: true).tags.names
            }
            // A cache tag has 405 bytes: "Note:" and 400 bytes of the key. A separator follows each cache tag.
            #expect(try await names(first: 30).count == 31)
            #expect(try await names(first: 50) == ["Note"])
        }
    }
}
