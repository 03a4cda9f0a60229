import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet validate and duet diff")
    struct ValidateTests {
        private static let tables = """
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, total DECIMAL(10,2) NOT NULL, note VARCHAR(40));
            """
        private static let description = """
            duet: 1
            resources:
              orders:
                singular: order
                type: Order
                key: [id]
                fields:
                  id: {type: int}
                  total: {type: decimal, scale: 2}
                  note: {type: text, maxLength: 40, nullable: true}

            """

        /// Calls a closure with a folder that has these files, and with the URL of a database.
        private func withFiles(
            _ files: [String: String], _ backend: TestBackend = .sqlite, _ body: (URL, String) async throws -> Void
        ) async throws {
            try await TestDatabase.withURL(backend) { url in
                var configuration = DatabaseConfiguration(poolSize: 1)
                configuration.createsMissingFile = true
                let database = Database(url, configuration: configuration)
                try await database.write { try $0.executeScript(Self.tables) }
                await database.close()
                let folder = FileManager.default.temporaryDirectory.appending(path: "duet-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
                try await body(folder, url.text)
            }
        }

        @Test("A description that matches the database has exit status 0", arguments: TestBackend.available)
        func valid(backend: TestBackend) async throws {
            try await withFiles(["api.yaml": Self.description], backend) { folder, url in
                let result = try await Program.run(
                    ["validate", "api.yaml", "--data"], in: folder, environment: ["DUET_DATABASE": url])
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output == "api.yaml: 1 resource, no errors\n")
                let sorted = Self.description + "    sort: [id, total]\n"
                try Data(sorted.utf8).write(to: folder.appending(path: "sorted.yaml"))
                let noted = try await Program.run(
                    ["validate", "sorted.yaml"], in: folder, environment: ["DUET_DATABASE": url])
                #expect(noted.status == 0, "\(noted.errors)")
                #expect(
                    noted.output == """
                        sorted.yaml:11:11: note: no index serves orders sorted by total, so a request can read all rows; to add one: CREATE INDEX orders_total_id ON orders (total, id)
                        sorted.yaml: 1 resource, no errors, 1 note

                        """)
                let same = try await Program.run(["diff", "api.yaml"], in: folder, environment: ["DUET_DATABASE": url])
                #expect(same.status == 0 && same.output == "no differences\n")
            }
        }

        @Test("--data finds invalid values in all rows, and reports their number and the key of the first row")
        func data() async throws {
            try await withFiles(["api.yaml": Self.description]) { folder, url in
                let rows = try await Program.shell(
                    """
                    sqlite3 \(url.dropFirst("sqlite:".count)) "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
                    INSERT INTO orders SELECT i, CASE WHEN i > 19990 THEN 'much' ELSE i END, CASE i WHEN 20000 THEN x'00' END FROM n"
                    """, in: folder)
                #expect(rows.status == 0, "\(rows.errors)")
                let result = try await Program.run(["validate", "api.yaml", "--database", url, "--data"], in: folder)
                #expect(result.status == 1)
                #expect(
                    result.output == """
                        api.yaml:9:7: error: orders.total is declared as a decimal number, but a row has the text "much"; correct the row, or describe the field with type: any (10 rows, the first with the key 19991)
                        api.yaml:10:7: error: orders.note is declared as a text, but a row has 1 bytes of binary data; correct the row, or describe the field with type: any (the row with the key 20000)
                        api.yaml: 1 resource, 2 errors

                        """)
            }
        }

        @Test("Errors are printed with their locations, and the exit status is 1", arguments: TestBackend.available)
        func errors(backend: TestBackend) async throws {
            let text = Self.description.replacing("total: {", with: "total: {column: totl, ").replacing(
                "note: {", with: "note_: {")
            try await withFiles(
                ["api.yaml": Self.description.replacing("total: {", with: "total: {column: totl, "), "bad.yaml": text],
                backend
            ) {
                folder, url in
                let result = try await Program.run(["validate", "api.yaml", "--database", url], in: folder)
                #expect(result.status == 1)
                #expect(
                    result.output == """
                        api.yaml:9:7: error: orders.total: orders has no column totl; did you mean total?
                        api.yaml:3:3: note: orders: no field exposes total of orders; add fields, or add the columns to hidden
                        api.yaml: 1 resource, 1 error, 1 note

                        """)
                let json = try await Program.run(["validate", "api.yaml", "--database", url, "--json"], in: folder)
                #expect(json.status == 1)
                let report = try JSONValue(parsing: Data(json.output.trimmingCharacters(in: .newlines).utf8))
                #expect(report["errors"] == 1 && report["notes"] == 1)
                guard case .array(let findings) = report["findings"] else {
                    Issue.record("\(json.output)")
                    return
                }
                #expect(findings.count == 2)
                #expect(findings.last?["kind"] == "missing-column" && findings.last?["line"] == 9)
                #expect(findings.last?["resource"] == "orders" && findings.last?["member"] == "total")
                let alone = try await Program.run(["validate", "bad.yaml"], in: folder)
                #expect(alone.status == 1)
                #expect(alone.output.hasPrefix("bad.yaml:10:7: error: orders.fields: \"note_\" is not a valid name;"))
                #expect(alone.output.hasSuffix("bad.yaml: 1 error\n"))
            }
        }

        @Test("A missing file, a folder, a binary file and a usage error have specific exit statuses")
        func unusable() async throws {
            try await withFiles(["api.yaml": Self.description, "empty.yaml": ""]) { folder, _ in
                try Data([0xFF, 0x00, 0x80]).write(to: folder.appending(path: "bytes.yaml"))
                for (arguments, status, message) in [
                    (["validate", "nowhere.yaml"], 66, "there is no file nowhere.yaml"),
                    (["validate", "."], 66, ". is a folder, not a description"),
                    (["validate", "bytes.yaml"], 66, "bytes.yaml is not UTF-8 text"),
                    (
                        ["validate", "/dev/zero"], 66,
                        "/dev/zero is larger than 64 MiB, the maximum size of a description"
                    ),
                    (
                        ["serve", "--tasks", "/dev/zero"], 66,
                        "/dev/zero is larger than 64 MiB, the maximum size of a tasks file"
                    ),
                    (["diff", "api.yaml", "nowhere.yaml"], 66, "there is no file nowhere.yaml"),
                    (["diff", "api.yaml", "empty.yaml"], 66, "the description has errors"),
                    (["diff", "-", "-"], 64, "Only one of the descriptions"),
                    (["diff", "api.yaml"], 64, "Pass a second description"),
                    (["diff", "api.yaml", "api.yaml", "--database", "sqlite:a"], 64, "not both"),
                    (["validate"], 64, "Pass a description"),
                    (["validate", "api.yaml", "--data"], 64, "--data requires --database"),
                    (["validate", "api.yaml", "--database", "oracle:a"], 64, "--database: "),
                    (
                        ["validate", "api.yaml", "--database", "sqlite:nowhere.sqlite"], 69,
                        "the SQLite file nowhere.sqlite does not exist"
                    ),
                ] as [([String], Int32, String)] {
                    let result = try await Program.run(arguments, in: folder)
                    #expect(result.status == status, "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "nowhere.sqlite").path))
            }
        }

        @Test("duet introspect quotes names in comments, and suggests sqlite: for the name of a file")
        func introspection() async throws {
            try await withFiles(["shop.db": ""]) { folder, _ in
                let configuration = {
                    var configuration = DatabaseConfiguration(poolSize: 1)
                    configuration.createsMissingFile = true
                    return configuration
                }()
                let url = DatabaseURL(location: .sqlite(path: folder.appending(path: "shop.db").path))
                let database = Database(url, configuration: configuration)
                try await database.write {
                    try $0.executeScript(#"CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, "or" INTEGER)"#)
                }
                await database.close()
                let described = try await Program.run(["introspect", "sqlite:shop.db"], in: folder)
                #expect(
                    described.output.contains(
                        #"# Renamed from "or": "or" is already used or reserved."#),
                    "\(described)")
                for (arguments, hint) in [
                    (["introspect", "shop.db"], "; did you mean sqlite:shop.db?"),
                    (["validate", "api.yaml", "--database", "./shop.db"], "; did you mean sqlite:./shop.db?"),
                    (["introspect", "shop.sqlite"], nil), (["introspect", "."], nil),
                ] as [([String], String?)] {
                    let result = try await Program.run(arguments, in: folder)
                    #expect(result.status == 64)
                    let form = "a database URL is sqlite:PATH or mariadb://user:password@host:port/database"
                    #expect(result.errors.contains(form + (hint ?? "\n")), "\(arguments): \(result.errors)")
                }
            }
        }

        @Test("Each difference is printed on one line, and breaking differences have exit status 1")
        func differences() async throws {
            let changed =
                Self.description.replacing("      note: {type: text, maxLength: 40, nullable: true}\n", with: "")
                + "    maxAge: 60\n"
            try await withFiles(["old.yaml": Self.description, "new.yaml": changed]) { folder, url in
                let result = try await Program.run(["diff", "old.yaml", "new.yaml"], in: folder)
                #expect(result.status == 1)
                #expect(
                    result.output == """
                        orders: breaking: the field note was removed
                        orders: responses can be cached for 60 s, not 0 s
                        2 differences, 1 breaking

                        """)
                let back = try await Program.shell("cat new.yaml | duet diff - old.yaml --json", in: folder)
                #expect(back.status == 0, "\(back.errors)")
                let report = try JSONValue(parsing: Data(back.output.trimmingCharacters(in: .newlines).utf8))
                #expect(report["breaking"] == 0 && report["other"] == 2)
                let database = try await Program.run(["diff", "new.yaml", "--database", url], in: folder)
                #expect(database.status == 0)
                #expect(
                    database.output
                        == "orders: the column note is not described (text, nullable)\n1 difference, none breaking\n")
            }
        }

        @Test("Changed roles are printed with their effect, and --fail-on selects the exit status")
        func roles() async throws {
            let old =
                Self.description
                    + """
                    roles:
                      clerk: {resources: {"*": {read: {}}}}
                      visitor: {resources: {orders: {read: {except: [total]}}}}
                      nobody: {}

                    """
            let more = old.replacing("{except: [total]}", with: "{}")
            try await withFiles(["old.yaml": old, "more.yaml": more]) { folder, url in
                let result = try await Program.run(["diff", "old.yaml", "more.yaml"], in: folder)
                #expect(result.status == 0)
                #expect(
                    result.output == """
                        orders: more access: the role visitor also sees the field total
                        1 difference, none breaking; 1 with more access, 0 with less access

                        """)
                for (arguments, status) in [
                    (["old.yaml", "more.yaml", "--fail-on", "more-access"], 1),
                    (["old.yaml", "more.yaml", "--fail-on", "less-access"], 0),
                    (["old.yaml", "more.yaml", "--fail-on", "less-access", "--fail-on", "any"], 1),
                    (["more.yaml", "old.yaml"], 1), (["more.yaml", "old.yaml", "--fail-on", "more-access"], 0),
                    (["old.yaml", "more.yaml", "--fail-on", "more"], 64),
                ] as [([String], Int32)] {
                    let result = try await Program.run(["diff"] + arguments, in: folder)
                    #expect(result.status == status, "\(arguments): \(result)")
                }
                let json = try await Program.run(["diff", "more.yaml", "old.yaml", "--json"], in: folder)
                let report = try JSONValue(parsing: Data(json.output.trimmingCharacters(in: .newlines).utf8))
                #expect(report["breaking"] == 1 && report["moreAccess"] == 0 && report["lessAccess"] == 1)
                let warned = """
                    old.yaml:14:3: warning: roles.nobody sees no resource; give it one, or remove it
                    old.yaml: 1 resource, no errors, 1 warning

                    """
                for options in [[], ["--database", url], ["--database", url, "--data"]] {
                    let validated = try await Program.run(["validate", "old.yaml"] + options, in: folder)
                    #expect(validated.status == 0 && validated.output == warned, "\(validated)")
                }
            }
        }

        @Test(
            "duet validate --print-schema prints openapi/api.schema.json, which duet introspect --output also writes"
        )
        func schema() async throws {
            try await withFiles([:]) { folder, url in
                let file = try Checkout.text("openapi/api.schema.json")
                let printed = try await Program.run(["validate", "--print-schema"], in: folder)
                #expect(printed.status == 0 && printed.output == file)
                let arguments = ["introspect", url, "--output", "api.yaml"]
                let written = try await Program.run(arguments, in: folder)
                #expect(written.status == 0 && written.output == "api.yaml: 1 resource\n", "\(written.errors)")
                #expect(try String(contentsOf: folder.appending(path: "api.schema.json"), encoding: .utf8) == file)
                let text = try String(contentsOf: folder.appending(path: "api.yaml"), encoding: .utf8)
                #expect(text.hasPrefix("# yaml-language-server: $schema=api.schema.json\n"))
                let valid = try await Program.run(["validate", "api.yaml", "--database", url], in: folder)
                #expect(valid.status == 0 && valid.output.contains("api.yaml: 1 resource, no errors"))
                let again = try await Program.run(arguments, in: folder)
                #expect(again.status == 73 && again.errors.contains("api.yaml exists"))
            }
        }
    }
}
