import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing

@Suite("Writes of tables with several key columns, and with defaults") struct KeyTests {
    private static let script = """
        CREATE TABLE parts (shelf VARCHAR(10) NOT NULL, number INTEGER NOT NULL, label VARCHAR(20) DEFAULT 'it''s new',
            word VARCHAR(20) NOT NULL DEFAULT (lower('NONE')), count INTEGER NOT NULL DEFAULT -1, note VARCHAR(20),
            PRIMARY KEY (shelf, number));
        CREATE TABLE errors (code VARCHAR(10) NOT NULL PRIMARY KEY);
        INSERT INTO parts (shelf, number) VALUES ('a', 1), ('a', 2), ('b', 1);
        """

    private static let description = """
        duet: 1
        description: Parts.
        resources:
          parts:
            singular: part
            type: Part
            key: [shelf, number]
            writes: all
            fields:
              shelf: {type: text, maxLength: 10}
              number: {type: int}
              label: {type: text, maxLength: 20, nullable: true}
              word: {type: text, absent: default}
              count: {type: int, absent: default}
              note: {type: text, nullable: true}
          errors:
            singular: error
            type: Errors
            key: [code]
            writes: all
            fields:
              code: {type: text, maxLength: 10}

        """

    private static func with(
        _ backend: TestBackend, _ body: @Sendable @escaping (ServiceServer) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let api = try APIDescription(reading: description, file: "parts.yaml")
                .fitted(to: try await database.read { try DatabaseSchema.read($0) })
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            try await ServiceServer.with(service) { try await body($0) }
        }
    }

    @Test("Rows with a key of several columns are replaced, changed and removed", arguments: TestBackend.available)
    func severalColumns(_ backend: TestBackend) async throws {
        try await Self.with(backend) { server in
            let created = try await server.send(
                "PUT", "/parts/b,2", body: #"{"label":"x","word":"y","count":5,"note":"z"}"#)
            #expect(created.status == 201)
            #expect(
                created.body == #"{"shelf":"b","number":2,"label":"x","word":"y","count":5,"note":"z"}"#)
            #expect(created.headers.first(name: "Location") == "/parts/b,2")
            // Each field gets its default value, or null.
            let replaced = try await server.send("PUT", "/parts/b,2", body: "{}")
            #expect(
                replaced.body
                    == #"{"shelf":"b","number":2,"label":"it's new","word":"none","count":-1,"note":null}"#)
            let changed = try await server.send("PATCH", "/parts?number=1", body: #"{"note":"first"}"#)
            #expect(changed.body == #"{"updated":2}"#)
            let removed = try await server.send("DELETE", "/parts?number=2&shelf=b")
            #expect(removed.body == #"{"deleted":1}"#)
            // A field that has the name of a parameter of lists needs an operator.
            #expect(try await server.send("DELETE", "/parts?count.gt=0").body == #"{"deleted":0}"#)
            let rest = try await server.get("/parts?fields=shelf,number,note")
            #expect(
                rest.body == """
                    [{"shelf":"a","number":1,"note":"first"},{"shelf":"a","number":2,"note":null},\
                    {"shelf":"b","number":1,"note":"first"}]
                    """)
        }
    }

    @Test("A row that consists only of its key is created once", arguments: TestBackend.available)
    func onlyKey(_ backend: TestBackend) async throws {
        try await Self.with(backend) { server in
            #expect(try await server.send("PUT", "/errors/e1", body: "{}").status == 201)
            #expect(try await server.send("PUT", "/errors/e1", body: "{}").status == 200)
            // The names of the mutations and of the payload's members differ from all other names.
            let payload = try await server.send(
                "POST", "/graphql",
                body: #"{"query":"mutation{createErrorsList(inputs:[{code:\"e2\"}]){rows{code}errors{message}}}"}"#)
            #expect(payload.body == #"{"data":{"createErrorsList":{"rows":[{"code":"e2"}],"errors":[]}}}"#)
            #expect(try await server.send("PATCH", "/errors?code=e1", body: "{}").status == 405)
        }
    }
}
