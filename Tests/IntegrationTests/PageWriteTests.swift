import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Writes that the page offers")
    struct PageWriteTests {
        private static let description = """
            duet: 1
            description: A shop.
            resources:
              orders:
                singular: order
                type: Order
                key: [id]
                writes: all
                fields:
                  id: {type: int}
                  note: {type: text}
            roles:
              reader:
                resources:
                  orders: {read: {}}
              clerk:
                resources:
                  orders: {read: {where: {id: {lt: 100}}}, create: {}, update: {fields: [note]}}

            """

        @Test("The page of a caller offers the writes that the role permits, with values that the role sees, or none")
        func roles() async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT NOT NULL);
                            INSERT INTO orders VALUES (1, 'a'), (2, 'b'), (4711, 'hidden');
                            """)
                    }
                    try Data(Self.description.utf8).write(to: folder.appending(path: "api.yaml"))
                    let options = ["--database", database.url.text, "--api", "api.yaml"]
                    try await Server.with(options, in: folder, environment: TestToken.environment) {
                        server async throws in
                        let reader = try await server.get(
                            "/comparison/tasks.json", TestToken(["role": "reader"]).field)
                        #expect(reader.status == 200 && !reader.body.contains(#""writes""#))
                        let clerk = try await server.get("/comparison/tasks.json", TestToken(["role": "clerk"]).field)
                        guard case .array(let tasks) = try JSONValue(parsing: clerk.body.utf8) else {
                            throw CocoaError(.coderReadCorrupt)
                        }
                        let writes = tasks.filter { $0["writes"] == true }
                        #expect(writes.map { $0["name"] } == ["create", "update"])
                        #expect(!clerk.body.contains("471") && !clerk.body.contains("hidden"), "\(clerk.body)")
                        // The browser loads the page without a token.
                        let page = try await server.get("/", ["Accept": "text/html"])
                        #expect(page.body.contains(#"data-writes="on""#))
                    }
                    let plain = Self.description.components(separatedBy: "roles:")[0]
                    try Data(plain.utf8).write(to: folder.appending(path: "api.yaml"))
                    let tasks =
                        #"[{"name": "all", "sentence": "All orders.", "rest": ["GET /orders"], "graphql": ["{ orders { nodes { note } } }"], "pick": ["note"]}]"#
                    try Data(tasks.utf8).write(to: folder.appending(path: "tasks.json"))
                    try await Server.with(options + ["--tasks", "tasks.json"], in: folder) { server async throws in
                        let page = try await server.get("/", ["Accept": "text/html"])
                        #expect(page.body.contains(#"data-writes="on""#), "with a file without tasks that write")
                    }
                }
            }
        }
    }
}
