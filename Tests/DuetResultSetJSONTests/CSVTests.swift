import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOCore
import ProcessTesting
import TestSupport
import Testing

@Suite("CSV")
struct CSVTests {
    /// Texts that readers of CSV could misread or omit; nil is NULL.
    private static let texts: [String?] = [
        nil, "", "plain", "a,b", ",", "\"", "\"\"", "\",\"", "say \"no\"", "a\"b", "\"\u{301}", "\"\r\n", "\r", "\n",
        "\r\n",
        "a\rb", "a\nb", "a\r\nb", "end\r", "end\n", "\rbegin", "\n\n", " ", "\t", "  \t ", " before", "after ",
        "\tbefore", "after\t", "two  blanks", "Ω 🦆", "e\u{301}", "\u{A0}", "\u{2028}", "\u{85}", "\u{B}", "\u{C}",
        "\u{1}", "\u{FEFF}", "\u{FEFF}marked", "\u{FEFF}\"", "in\u{FEFF}side", "=1+2", "+1", "-1", "@SUM(A1)",
        "=cmd|' /C calc'!A0", "'", "''", ";", "a;b", "#", "# comment", "\\", "\\\"", "\\N", "NULL", "null", "0", "007",
    ]

    /// Calls the body with a database whose table `texts` has the columns `id` and `value`.
    private static func withTexts(
        _ backend: TestBackend, _ texts: [String?] = texts, _ body: (Database) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.execute("CREATE TABLE texts (id INTEGER NOT NULL PRIMARY KEY, value VARCHAR(60))")
                let inserter = try connection.bulkInserter(into: "texts", columns: ["id", "value"])
                for (index, text) in texts.enumerated() {
                    try inserter.append([.integer(Int64(index)), text.map { .text($0) } ?? .null])
                }
                try inserter.finish()
            }
            try await body(database)
        }
    }

    private static func csv(
        _ database: Database, _ sql: String, _ arguments: Arguments = [:], shape: ObjectShape? = nil
    ) async throws -> String {
        try await database.read { connection in
            try ResultSetAdapter(try connection.query(sql, arguments), on: connection, shape: shape).text(.csv)
        }
    }

    /// Reads a file with Python's module csv and with the command `.import` of sqlite3, and prints the records of each
    /// reader as JSON.
    private static let readers = """
        import csv, json, sqlite3, subprocess

        def python(**options):
            with open("rows.csv", newline="", encoding="utf-8-sig") as file:
                return list(csv.reader(file, **options))

        def dictionaries():
            with open("rows.csv", newline="", encoding="utf-8-sig") as file:
                reader = csv.DictReader(file)
                return [reader.fieldnames] + [[row[name] for name in reader.fieldnames] for row in reader]

        def shell():
            width = len(python()[0])
            columns = ", ".join(f"c{index} TEXT" for index in range(width))
            subprocess.run(
                ["sqlite3", "rows.db", f"CREATE TABLE rows({columns})", ".import --csv rows.csv rows"], check=True)
            return [list(row) for row in sqlite3.connect("rows.db").execute("SELECT * FROM rows ORDER BY rowid")]

        print(json.dumps({
            "csv": python(), "csv, strict": python(strict=True), "csv, trimming": python(skipinitialspace=True),
            "csv.DictReader": dictionaries(), ".import": shell(),
        }))
        """

    private struct Reader: Sendable, Equatable {
        let name: String
        let records: [[String]]
    }

    private static func read(_ csv: String) async throws -> [Reader] {
        try await TemporaryFolder.with { folder in
            try Data(csv.utf8).write(to: folder.appending(path: "rows.csv"))
            let python = try #require(Program.find("python3"))
            let result = try await Program.run(["-c", readers], of: python, in: folder)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let read = try JSONDecoder().decode([String: [[String]]].self, from: Data(result.output.utf8))
            return read.map { Reader(name: $0.key, records: $0.value) }
        }
    }

    private static func expectRecords(_ expected: [[String]], in csv: String) async throws {
        let readers = try await read(csv)
        #expect(readers.count == 5)
        for reader in readers {
            #expect(reader.records.count == expected.count, "\(reader.name)")
            for (found, expected) in zip(reader.records, expected) {
                #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(reader.name): \(expected)")
            }
        }
    }

    @Test(
        "Python's csv and sqlite3's .import read a list of one field with a record for each row, and each text unchanged",
        arguments: TestBackend.available)
    func oneField(_ backend: TestBackend) async throws {
        try await Self.withTexts(backend) { database in
            let csv = try await Self.csv(database, "SELECT value FROM texts ORDER BY id")
            try await Self.expectRecords([["value"]] + Self.texts.map { [$0 ?? ""] }, in: csv)
        }
    }

    @Test(
        "Python's csv and sqlite3's .import read each text unchanged in the first, a middle and the last field",
        arguments: TestBackend.available)
    func severalFields(_ backend: TestBackend) async throws {
        try await Self.withTexts(backend) { database in
            let csv = try await Self.csv(
                database, "SELECT value, id, value AS middle, id AS again, value AS last FROM texts ORDER BY id")
            let rows = Self.texts.enumerated().map { index, text in
                [text ?? "", "\(index)", text ?? "", "\(index)", text ?? ""]
            }
            try await Self.expectRecords([["value", "id", "middle", "again", "last"]] + rows, in: csv)
        }
    }

    @Test("Readers do not remove the byte order mark of a name at the beginning of the file")
    func markedName() async throws {
        try await Self.withTexts(.sqlite, ["\u{FEFF}"]) { database in
            let csv = try await Self.csv(database, "SELECT value AS \"\u{FEFF}value\" FROM texts")
            try await Self.expectRecords([["\u{FEFF}value"], ["\u{FEFF}"]], in: csv)
        }
    }

    @Test(
        "NULL is an unquoted empty field, and the empty text is a quoted empty field", arguments: TestBackend.available)
    func nullAmongFields(_ backend: TestBackend) async throws {
        try await Self.withTexts(backend, [nil, ""]) { database in
            let csv = try await Self.csv(database, "SELECT value, id, value AS last FROM texts ORDER BY id")
            #expect(csv == "value,id,last\r\n,0,\r\n\"\",1,\"\"\r\n")
            let nulls = try await Self.csv(
                database, "SELECT value, value AS last FROM texts WHERE value IS NULL")
            #expect(nulls == "value,last\r\n,\r\n")
        }
    }

    @Test("As the only field, NULL and the empty text are quoted empty fields", arguments: TestBackend.available)
    func onlyNull(_ backend: TestBackend) async throws {
        try await Self.withTexts(backend, [nil, "", "x", nil]) { database in
            let sql = "SELECT value FROM texts ORDER BY id"
            #expect(try await Self.csv(database, sql) == "value\r\n\"\"\r\n\"\"\r\nx\r\n\"\"\r\n")
            for size in [1, 1 << 16] {
                let pieces = try await database.read { connection in
                    let next = try ResultSetAdapter(try connection.query(sql), on: connection)
                        .pieces(.csv, chunkSize: size)
                    var text = ""
                    while let piece = try next() { text += String(buffer: piece) }
                    return text
                }
                #expect(pieces == "value\r\n\"\"\r\n\"\"\r\nx\r\n\"\"\r\n")
            }
            let typed = ObjectShape([.column(name: "only", 0, ValueFormat(.text))])
            #expect(try await Self.csv(database, sql, shape: typed) == "only\r\n\"\"\r\n\"\"\r\nx\r\n\"\"\r\n")
        }
    }

    @Test("A JSON null and an infinite number are empty fields, because they are null in JSON")
    func otherNulls() async throws {
        try await Self.withTexts(.sqlite, ["null"]) { database in
            let sql = "SELECT value FROM texts"
            let two = ObjectShape([.column(name: "a", 0, ValueFormat(.json)), .column(name: "b", 0)])
            let json = try await Self.csv(database, sql, shape: two)
            #expect(json == "a,b\r\n,null\r\n")
            let only = ObjectShape([.column(name: "a", 0, ValueFormat(.json))])
            #expect(try await Self.csv(database, sql, shape: only) == "a\r\n\"\"\r\n")
            #expect(try await Self.csv(database, "SELECT 9e999 AS a, -9e999 AS b, 1 AS c") == "a,b,c\r\n,,1\r\n")
            #expect(try await Self.csv(database, "SELECT 9e999 AS a") == "a\r\n\"\"\r\n")
        }
    }

    @Test("A value of an enumeration has no JSON escapes", arguments: TestBackend.available)
    func choices(_ backend: TestBackend) async throws {
        let texts = ["a\"b", "back\\slash", "two\nlines", "", "é"]
        try await Self.withTexts(backend, texts) { database in
            let shape = ObjectShape([.column(name: "value", 0, ValueFormat(.choice), choices: texts)])
            let csv = try await Self.csv(database, "SELECT value FROM texts ORDER BY id", shape: shape)
            #expect(csv == "value\r\n\"a\"\"b\"\r\nback\\slash\r\n\"two\nlines\"\r\n\"\"\r\né\r\n")
        }
    }
}
