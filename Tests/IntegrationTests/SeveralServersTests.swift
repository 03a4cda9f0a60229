import DuetPersistedDocuments
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Several processes that serve one database", .timeLimit(.minutes(15)))
    struct SeveralServersTests {
        private static let description = """
            duet: 1
            description: Notes.
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  text: {type: text, maxLength: 20}
                sort: [id]

            """

        /// Runs two servers with one database, and with one file for persisted queries.
        private static func with(
            _ backend: TestBackend, _ body: (_ first: Server, _ second: Server) async throws -> Void
        ) async throws {
            let automatic = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY"
            try await TemporaryFolder.with { folder in
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write {
                        try $0.executeScript("CREATE TABLE notes (id \(automatic), text VARCHAR(20) NOT NULL)")
                    }
                    let environment = ["DUET_DATABASE": database.url.text]
                    let prepared = try await Program.run(["prepare"], in: folder, environment: environment)
                    #expect(prepared.status == 0, "\(prepared.errors)")
                    let arguments = ["--api", "api.yaml", "--persisted-query-file", "queries.sqlite"]
                    try await Server.with(arguments, in: folder, environment: environment) { first in
                        try await Server.with(arguments, in: folder, environment: environment) { second in
                            try await body(first, second)
                        }
                    }
                }
            }
        }

        private static func create(_ text: String, _ server: Server, key: String) async throws -> HTTPAnswer {
            try await server.send("POST", "/notes", ["Idempotency-Key": "\"\(key)\""], body: #"{"text": "\#(text)"}"#)
        }

        @Test(
            "Idempotency keys, entity tags, cursors, live queries and registered queries of one process are valid in another",
            arguments: TestBackend.available)
        func agreement(backend: TestBackend) async throws {
            try await Self.with(backend) { first, second in
                // An idempotency key.
                for number in 1...3 {
                    let stored = try await Self.create("note \(number)", first, key: "key-\(number)")
                    #expect(stored.status == 201, "\(stored)")
                    let repeated = try await Self.create("note \(number)", second, key: "key-\(number)")
                    #expect(repeated.status == 201)
                    #expect(repeated.headers.first(name: "Idempotency-Replayed") == "true")
                    #expect(repeated.body == stored.body)
                    let other = try await Self.create("other", second, key: "key-\(number)")
                    #expect(other.status == 422)
                }
                // An entity tag.
                let note = try await first.get("/notes/1")
                let tag = try #require(note.headers.first(name: "ETag"))
                #expect(try await second.get("/notes/1", ["If-None-Match": tag]).status == 304)
                let changed = try await second.send(
                    "PATCH", "/notes/1", ["If-Match": tag, "Content-Type": "application/merge-patch+json"],
                    body: #"{"text": "changed"}"#)
                #expect(changed.status == 200, "\(changed)")
                let late = try await first.send(
                    "PATCH", "/notes/1", ["If-Match": tag, "Content-Type": "application/merge-patch+json"],
                    body: #"{"text": "lost"}"#)
                #expect(late.status == 412)
                // A cursor.
                let page = try await first.get("/notes?first=2")
                let link = try #require(page.headers.first(name: "Link"))
                let next = try #require(link.firstMatch(of: /<([^>]+)>; *rel="?next/)?.1)
                let rest = try await second.get(String(next))
                #expect(rest.body.contains("note 3") && !rest.body.contains("note 2"), "\(rest)")
                // A live query.
                let response = try await second.stream("GET", "/notes/2", ["Accept": "text/event-stream"])
                var events = EventReader(response)
                #expect(try await events.next()?.data.contains("note 2") == true)
                _ = try await first.send(
                    "PATCH", "/notes/2", ["Content-Type": "application/merge-patch+json"], body: #"{"text": "live"}"#)
                while let event = try await events.next(), !event.data.contains("live") {}
                // A registered query.
                let query = "{ note(id: 3) { text } }"
                let hash = DocumentHash(of: query)
                let extensions = #""extensions": {"persistedQuery": {"version": 1, "sha256Hash": "\#(hash)"}}"#
                let registered = try await first.send(
                    "POST", "/graphql", body: #"{"query": "\#(query)", \#(extensions)}"#)
                #expect(registered.status == 200)
                _ = try await Polling.observe {
                    try await second.send("POST", "/graphql", body: "{\(extensions)}")
                } until: {
                    $0.body.contains("note 3")
                }
                // The end of one process.
                first.program.send(SIGKILL)
                _ = await first.program.result()
                #expect(try await second.get("/notes/1").body.contains("changed"))
                #expect(try await Self.create("note 4", second, key: "key-4").status == 201)
                #expect(try await Self.create("note 3", second, key: "key-3").status == 201)
            }
        }
    }
}
