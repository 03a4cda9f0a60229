import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet compare --writes", .serialized, .early)
    struct CompareWriteTests {
        // The tests are serialized, because they list the copies on the MariaDB server.

        /// A shop with automatic keys, unique values, a rule, a time that the database sets, and a trigger.
        private static func shop(_ connection: Connection, _ backend: TestBackend) throws {
            let key = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY"
            let script = """
                CREATE TABLE customers (id \(key), name VARCHAR(40) NOT NULL, email VARCHAR(80) UNIQUE,
                  state VARCHAR(10) NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')));
                CREATE TABLE orders (id \(key), customer_id INTEGER NOT NULL, ordered_on DATE NOT NULL,
                  total DECIMAL(10,2) NOT NULL, note VARCHAR(40), created TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                  FOREIGN KEY (customer_id) REFERENCES customers (id));
                CREATE TABLE order_details (order_id INTEGER NOT NULL, line_no INTEGER NOT NULL,
                  article VARCHAR(40) NOT NULL, PRIMARY KEY (order_id, line_no),
                  FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE);
                CREATE TABLE log (id \(key), order_id INTEGER);
                INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com', 'open'), (2, 'Bob', NULL, 'closed');
                INSERT INTO orders (id, customer_id, ordered_on, total, note) VALUES
                  (7, 1, '2026-03-01', 12.5, 'gift'), (8, 2, '2026-03-02', 20, 'soon');
                INSERT INTO order_details VALUES (7, 1, 'tea'), (7, 2, 'cup'), (8, 1, 'tea');
                """
            try connection.executeScript(script)
            let insert = "INSERT INTO log (order_id) VALUES (NEW.id)"
            try connection.execute(
                "CREATE TRIGGER logged AFTER INSERT ON orders FOR EACH ROW "
                    + (backend == .sqlite ? "BEGIN \(insert); END" : insert))
        }

        private static func withShop(
            _ backend: TestBackend, _ more: [String] = [],
            _ body: (_ folder: URL, _ database: Database) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try shop(connection, backend)
                        for statement in more { try connection.execute(statement) }
                    }
                    try await body(folder, database)
                }
            }
        }

        private static func contents(_ database: Database) async throws -> [String] {
            if case .sqlite(let path) = database.url.location {
                return [try Data(contentsOf: URL(filePath: path)).base64EncodedString()]
            }
            return try await database.read { connection in
                let rows = try connection.query("CHECKSUM TABLE customers, orders, order_details, log EXTENDED")
                defer { rows.close() }
                var found: [String] = []
                while try rows.next() { found.append("\(rows.value(at: 0)) \(rows.value(at: 1))") }
                let names = try connection.query("SHOW DATABASES LIKE 'duet\\_compare\\_%'")
                defer { names.close() }
                while try names.next() { found.append("\(names.value(at: 0))") }
                return found
            }
        }

        private func list(_ value: JSONValue?) throws -> [JSONValue] {
            guard case .array(let elements)? = value else { throw CocoaError(.coderReadCorrupt) }
            return elements
        }

        @Test(
            "Each style writes on a copy, all styles leave the same rows, and the database is unchanged",
            arguments: TestBackend.available)
        func copies(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, database in
                let before = try await Self.contents(database)
                let names = [
                    "create", "create-many", "create-with-related", "update", "read-modify-write", "delete",
                    "transaction",
                ]
                let result = try await Program.run(
                    ["compare", "one"] + names + ["--writes", "--no-timing", "--format", "json"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text, "TMPDIR": folder.path])
                #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
                let report = try JSONValue(parsing: result.output.utf8)
                let scenarios = try list(report["scenarios"])
                let writes = scenarios.filter { $0["writes"] == true }
                #expect(writes.compactMap { $0["name"] } == names.map { .string($0) })
                #expect(scenarios.contains { $0["name"] == "one" } && report["leftOut"] == nil)
                for scenario in writes {
                    #expect(scenario["equal"] == true, "\(scenario)")
                    let styles = try list(scenario["styles"])
                    #expect(
                        styles.map { $0["name"] } == ["rest", "rest-fields", "graphql", "graphql-hash"], "\(scenario)")
                    for style in styles {
                        let statements = style["measures"]?["statements"]?.integerValue ?? 0
                        #expect(statements > 0, "\(style)")
                    }
                    let requests = try list(scenario["styles"]).map { $0["measures"]?["requests"]?.integerValue }
                    switch scenario["name"] {
                    case "create-many": #expect(requests == [10, 1, 1, 1])
                    case "read-modify-write": #expect(requests == [2, 2, 2, 2])
                    case "transaction": #expect(requests == [3, 1, 1, 1])
                    case "create-with-related": #expect(requests.first != 1 && requests.dropFirst() == [1, 1, 1])
                    default: #expect(requests == [1, 1, 1, 1])
                    }
                }
                let after = try await Self.contents(database)
                // Another test can remove its copy at the same time.
                #expect(after.filter { !before.contains($0) }.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        @Test("A trigger whose effect is random leaves different rows: the report names the table, and the status is 1")
        func different() async throws {
            let trigger = """
                CREATE TRIGGER marked AFTER UPDATE OF name ON customers BEGIN
                  UPDATE customers SET email = hex(randomblob(8)) WHERE id = NEW.id; END
                """
            try await Self.withShop(.sqlite, [trigger]) { folder, database in
                let result = try await Program.run(
                    ["compare", "update", "--writes", "--no-timing"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text])
                #expect(result.status == 1 && result.errors.contains("different results: update"), "\(result)")
                #expect(result.output.contains("**The styles leave different rows in customers.**"))
            }
        }

        @Test("A task that is impossible is left out with the reason, and the exit status is 0")
        func leftOut() async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text LIKE 'note%')); INSERT INTO notes VALUES (1, 'note one')"
                        )
                    }
                    let result = try await Program.run(
                        [
                            "compare", "create", "create-with-related", "update", "transaction", "--writes",
                            "--no-timing",
                        ], in: folder, environment: ["DUET_DATABASE": database.url.text])
                    #expect(result.status == 0, "\(result)")
                    let report = result.output
                    #expect(report.contains("Left out: create-with-related: a new row of notes cannot contain related"))
                    #expect(report.contains("Left out: transaction: no new row can refer to a new row of notes"))
                    #expect(report.contains("## Which style is cheaper for writes\n\n- create: "), "\(report)")
                    // The only row has the only value, and another last letter satisfies the rule.
                    #expect(report.contains("## update"), "\(report)")
                }
            }
        }

        @Test("Times are measured for writes, with simulated round trips. A task that cannot be timed keeps its counts")
        func timing() async throws {
            let limits = ["customers", "orders", "order_details"].map { table in
                """
                CREATE TRIGGER limited_\(table) BEFORE DELETE ON \(table) BEGIN
                  SELECT RAISE(ABORT, 'enough') WHERE (SELECT COUNT(*) FROM log WHERE order_id = -1) > 3;
                  INSERT INTO log (order_id) VALUES (-1); END
                """
            }
            try await Self.withShop(.sqlite, limits) { folder, database in
                let result = try await Program.run(
                    ["compare", "delete", "transaction", "--writes", "--turn", "10", "--format", "json"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text, "TMPDIR": folder.path])
                #expect(
                    result.status == 65 && result.errors.hasPrefix("Skipped: the times of delete: "),
                    "\(result.errors)")
                let report = try JSONValue(parsing: result.output.utf8)
                let scenarios = try list(report["scenarios"])
                #expect(scenarios.map { $0["name"] } == ["delete", "transaction"])
                for style in try list(scenarios.first?["styles"]) {
                    let measures = style["measures"]
                    #expect(measures?["requests"] == 1 && measures?["sequential"] == nil, "\(style)")
                }
                for style in try list(scenarios.last?["styles"]) {
                    let timing = style["measures"]?["sequential"]
                    for name in ["latencyP50", "throughput", "serverCPU", "latencyFrom50ms"] {
                        #expect(timing?[name] != nil && timing?[name] != .null, "\(name): \(style)")
                    }
                    #expect((style["measures"]?["parallel"] != nil) == (style["name"] == "rest"))
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        @Test("Without a database to copy, or without permitted writes, --writes is refused with what to do")
        func refusals() async throws {
            try await Self.withShop(.sqlite) { folder, database in
                let read = try await Program.run(
                    ["introspect", "--output", "api.yaml"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text])
                #expect(read.status == 0, "\(read.errors)")
                let url = database.url.text
                for (arguments, status, message) in [
                    (
                        [], Int32(64),
                        "--writes requires a database, of which it makes copies; specify it with --database"
                    ),
                    (
                        ["--url", "http://127.0.0.1:1"], 64,
                        "the database of http://127.0.0.1:1 cannot be copied over HTTP. Specify the database with --database"
                    ),
                    (["--database", url, "--api", "api.yaml"], 66, "the description permits no writes; add writes:"),
                    (["--database", url, "insert"], 64, "there is no scenario insert"),
                ] {
                    let result = try await Program.run(["compare", "--writes", "--no-timing"] + arguments, in: folder)
                    #expect(result.status == status && result.errors.contains(message), "\(arguments): \(result)")
                }
            }
        }

        @Test("On SIGTERM, the servers end, and all copies are removed", arguments: TestBackend.available)
        func termination(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, database in
                let before = try await Self.contents(database)
                try await Program.with(
                    ["compare", "create", "--writes"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text, "TMPDIR": folder.path]
                ) { program in
                    _ = try await RunningProcess.find(naming: folder, "duet\0serve")
                    program.send(SIGTERM)
                    #expect(await program.result().status == 128 + SIGTERM)
                }
                let after = try await Self.contents(database)
                #expect(after == before)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                #expect(try CommandLines.naming(folder) == [])
            }
        }

        @Test(
            "A trigger that names its database is not copied, and nothing is left behind",
            .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
        func named() async throws {
            try await Self.withShop(.mariaDB) { folder, database in
                guard case .mariaDB(let location) = database.url.location else { return }
                try await database.write { connection in
                    try connection.execute(
                        "CREATE TRIGGER written AFTER DELETE ON customers FOR EACH ROW INSERT INTO \(location.database).log (order_id) VALUES (OLD.id)"
                    )
                }
                let before = try await Self.contents(database)
                let result = try await Program.run(
                    ["compare", "create", "--writes", "--no-timing"], in: folder,
                    environment: ["DUET_DATABASE": database.url.text])
                #expect(
                    result.status == 69 && result.errors.contains("the trigger written cannot be copied"), "\(result)")
                let after = try await Self.contents(database)
                #expect(after == before)
            }
        }

        @Test(
            "The command of docs/comparison.md compares writes of the shop of docs/writes.md",
            .enabled(if: Program.find("sqlite3") != nil, "needs sqlite3"))
        func documented() async throws {
            let tour = try DocumentBlock.all(of: "docs/writes.md").filter { $0.language == "sh" }
            let start = try #require(tour.firstIndex { $0.text.hasPrefix("duet serve") })
            let command = try #require(
                try DocumentBlock.all(of: "docs/comparison.md").first { $0.text.contains("--writes") })
            try await TemporaryFolder.with { folder in
                for block in tour[..<start] + [command] {
                    let result = try await Program.shell(block.text, in: folder)
                    #expect(result.status == 0, "\(block.text)\(result.errors)")
                    let isReport = block.text == command.text
                    #expect(!isReport || result.output.contains("## Which style is cheaper for writes"))
                    #expect(!isReport || !result.output.contains("Left out"), "\(result.output)")
                }
            }
        }
    }
}
