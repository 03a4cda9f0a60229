import DuetAPIDescription
import DuetResourceService
import Synchronization
import Testing

@testable import DuetSQLDatabase

/// A database needs only a backend, a dialect and a reader of its schema. The toy is a third backend beside SQLite and
/// MariaDB.
@Suite("A further backend") struct BackendTests {
    private static let query = "SELECT text FROM notes"
    private static let insert = "INSERT INTO notes VALUES (:text)"

    private static func withToy(_ body: (Database, ToyBackend) async throws -> Void) async throws {
        let toy = ToyBackend()
        let database = Database(
            toy, url: DatabaseURL(location: .sqliteInMemory), configuration: DatabaseConfiguration(poolSize: 1))
        try await body(database, toy)
        await database.close()
    }

    private static func notes(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let rows = try connection.query(query)
            var texts: [String] = []
            while try rows.next() { texts.append(rows.text(at: 0)) }
            return texts
        }
    }

    @Test("A write is committed after the closure returns, and rolled back if the closure throws")
    func transactions() async throws {
        struct Stop: Error {}
        try await Self.withToy { database, _ async throws in
            #expect(database.dialect.name == "toy")
            let changes = try await database.write { try $0.execute(Self.insert, ["text": "one"]) }
            #expect(changes == 1)
            await #expect(throws: Stop.self) {
                try await database.write { connection in
                    try connection.execute(Self.insert, ["text": "two"])
                    throw Stop()
                }
            }
            #expect(try await Self.notes(database) == ["one"])
        }
    }

    @Test("A read transaction refuses a write, and a statement that the backend does not know is an error")
    func errors() async throws {
        try await Self.withToy { database, _ async throws in
            for (sql, code) in [(Self.insert, DatabaseError.Code.readOnly), ("SELECT 1", DatabaseError.Code.syntax)] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.read { try $0.execute(sql, sql == Self.insert ? ["text": "a"] : [:]) }
                }
                #expect(error?.code == code)
            }
            #expect(try await Self.notes(database) == [])
        }
    }

    @Test("A read that loses its connection is repeated on a new connection, and a write is not")
    func lostConnection() async throws {
        try await Self.withToy { database, toy async throws in
            _ = try await database.write { try $0.execute(Self.insert, ["text": "one"]) }
            toy.state.withLock { $0.losesConnection = true }
            #expect(try await Self.notes(database) == ["one"])
            #expect(toy.state.withLock { $0.connections } == 2)
            toy.state.withLock { $0.losesConnection = true }
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { try $0.execute(Self.insert, ["text": "two"]) }
            }
            #expect(error?.code == .connectionLost)
            #expect(try await Self.notes(database) == ["one"])
        }
    }

    @Test("A stream returns the rows of the backend")
    func stream() async throws {
        try await Self.withToy { database, _ async throws in
            for text in ["one", "two"] {
                _ = try await database.write { try $0.execute(Self.insert, ["text": .text(text)]) }
            }
            let stream = try await database.stream(timeout: .seconds(600)) { connection in
                let rows = try connection.query(Self.query)
                return { try rows.next() ? rows.text(at: 0) : nil }
            }
            var texts: [String] = []
            for try await text in stream { texts.append(text) }
            #expect(texts == ["one", "two"])
        }
    }

    @Test("An API is described from the schema of the backend, and returns its rows over REST and GraphQL")
    func api() async throws {
        try await Self.withToy { database, toy async throws in
            for text in ["one", "two", "three"] {
                _ = try await database.write { try $0.execute(Self.insert, ["text": .text(text)]) }
            }
            let schema = try await database.read { connection in
                try DatabaseSchema.read(
                    connection, DatabaseSchema.readers.merging([toy.dialect: ToySchemaReader.self]) { $1 })
            }
            #expect(schema.dialect == toy.dialect)
            #expect(try await DatabaseContents.read(database, schema).failures.isEmpty)
            let api = try APIDescription(
                reading: try IntrospectedDescription(of: schema).yaml, file: "api.yaml")
            #expect(api.validate(against: schema) == [])
            let service = try OddService(schema, api, database)
            let notes = try #require(service.catalogue["notes"])
            let rows = [#"{"text":"one"}"#, #"{"text":"two"}"#, #"{"text":"three"}"#]
            #expect(try await service.get(notes).elements == rows)
            let page = try await service.get(notes, [("first", "2"), ("count", "true")])
            #expect(page.elements == Array(rows.prefix(2)) && page.totalCount == 3)
            let data = try await service.query("{ notes(first: 2) { nodes { text } totalCount } }")
            #expect(data == #"{"notes":{"nodes":[{"text":"one"},{"text":"two"}],"totalCount":3}}"#)
        }
    }

    @Test("The message of a wrong type names the database")
    func messages() async throws {
        try await Self.withToy { database, toy async throws in
            let table = SchemaTable(
                name: "notes",
                columns: [
                    TableColumn(
                        name: "made", declaredType: "integer", type: .integer(bits: 32, isUnsigned: false),
                        isNullable: false)
                ])
            let text = """
                duet: 1
                resources:
                  notes:
                    singular: note
                    type: Note
                    fields: {made: {type: dateTime, stored: iso}}
                """
            let api = try APIDescription(reading: text, file: "api.yaml")
            let findings = api.validate(against: DatabaseSchema(dialect: toy.dialect, tables: [table], collations: [:]))
            #expect(
                findings.map(\.message) == [
                    "notes.made has stored: iso, which is only for SQLite; Toy has its own format"
                ])
        }
    }

    @Test("Without a reader for the dialect, the schema cannot be read, and the message names the database")
    func noReader() async throws {
        try await Self.withToy { database, _ async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.read { try DatabaseSchema.read($0) }
            }
            #expect(error?.message == "the schema of a Toy database cannot be read")
        }
    }
}
