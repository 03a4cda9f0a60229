import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("Identifiers in statements")
struct SQLIdentifierTests {
    @Test(
        "A word that no database reserves remains unquoted, and every other name is quoted with backticks",
        arguments: [
            ("emp_no", "emp_no"), ("employeeNumber", "employeeNumber"), ("_a1", "_a1"), ("A", "A"), ("id", "id"),
            ("order", "`order`"), ("Order", "`Order`"), ("ROW_NUMBER", "`ROW_NUMBER`"), ("_utf8", "`_utf8`"),
            ("1a", "`1a`"), ("1e5", "`1e5`"), ("", "``"), ("a b", "`a b`"), ("a`b", "`a``b`"), ("``", "``````"),
            ("a\"b", "`a\"b`"), ("a$", "`a$`"), ("é", "`é`"), ("a-b", "`a-b`"), ("a.b", "`a.b`"),
            ("Kelvin\u{212A}", "`Kelvin\u{212A}`"),
        ])
    func quoted(_ name: String, _ expected: String) {
        #expect(SQLIdentifier.quoted(name) == expected)
    }

    /// Writes and reads a table and its column by name, in all positions in which the planner uses names.
    private func use(_ name: String, on database: Database) async throws -> [String] {
        let quoted = SQLIdentifier.quoted(name)
        return try await database.write { connection in
            var columns: [String] = []
            func expect(_ sql: String, _ arguments: Arguments = [:]) throws {
                let rows = try connection.query(sql, arguments)
                columns.append(rows.columns[0].name)
                let found = try rows.rows()
                #expect(found == [[7]], "\(sql)")
            }
            try connection.execute("INSERT INTO \(quoted) (\(quoted), other) VALUES (:v, :w)", ["v": 7, "w": 1])
            try expect("SELECT \(quoted) FROM \(quoted)")
            try expect(
                "SELECT \(quoted).\(quoted) FROM \(quoted) WHERE \(quoted).\(quoted) IN (:v) ORDER BY \(quoted)",
                ["v": [7, 9]])
            try expect(
                "SELECT t.\(quoted) AS \(quoted) FROM \(quoted) AS t WHERE (t.\(quoted), t.other) IN (:k)",
                ["k": .rows([[7, 1]])])
            // SQLite gives the name `column1` to a column of a subquery that is named true or false.
            if !["true", "false"].contains(name) {
                try expect(
                    "SELECT \(quoted) FROM (SELECT other + 6 AS \(quoted) FROM \(quoted)) AS t GROUP BY \(quoted)")
                try expect(
                    "WITH \(quoted) AS (SELECT 7 AS \(quoted)) SELECT \(quoted) FROM \(quoted) WHERE \(quoted) = :v",
                    ["v": 7])
            }
            return columns
        }
    }

    private func create(_ name: String, on database: Database) async throws {
        let quoted = SQLIdentifier.quoted(name)
        try await database.write { try $0.executeScript("CREATE TABLE \(quoted) (\(quoted) INTEGER, other INTEGER)") }
    }

    @Test("Every reserved word can be the name of a table and of its column", arguments: TestBackend.available)
    func reservedWords(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            for word in SQLIdentifier.reserved.sorted() {
                #expect(SQLIdentifier.quoted(word) == "`\(word)`")
                #expect(SQLIdentifier.quoted(word.uppercased()) == "`\(word.uppercased())`")
                try await create(word, on: database)
                let columns = try await use(word, on: database)
                #expect(Set(columns) == [word])
            }
        }
    }

    @Test(
        "MariaDB keywords that SQLIdentifier does not quote are valid names on both backends",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func unreservedWords() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let known = try await database.read { connection in
                try connection.query(
                    """
                    SELECT LOWER(word) AS word FROM information_schema.keywords WHERE word REGEXP '^[A-Za-z_][A-Za-z0-9_]*$'
                    UNION SELECT LOWER(function) FROM information_schema.sql_functions
                    """
                ).rows().compactMap { if case .text(let word) = $0[0] { word } else { nil } }
            }
            #expect(known.count > 500)
            let words = known.filter { SQLIdentifier.quoted($0) == $0 }
            for start in stride(from: 0, to: words.count, by: 200) {
                let chunk = words[start..<min(start + 200, words.count)]
                for backend in [TestBackend.mariaDB, .sqlite] {
                    try await TestDatabase.with(backend, schema: false) { database in
                        let columns = chunk.joined(separator: ", ")
                        try await database.write {
                            try $0.executeScript(
                                "CREATE TABLE t (\(chunk.map { "\($0) INTEGER" }.joined(separator: ", ")))")
                            try $0.executeScript(
                                "INSERT INTO t (\(columns)) VALUES (\(chunk.map { _ in "7" }.joined(separator: ", ")))")
                        }
                        for sql in [
                            "SELECT \(columns) FROM t",
                            "SELECT \(chunk.map { "t.\($0) AS \($0)" }.joined(separator: ", ")) FROM t",
                            "SELECT \(chunk.map { "(\($0))" }.joined(separator: ", ")) FROM t ORDER BY \(columns)",
                        ] {
                            let rows = try await database.read { try $0.query(sql).rows() }
                            #expect(rows == [chunk.map { _ in 7 }])
                        }
                    }
                }
            }
        }
    }

    private static let names = [
        "two words", "it's", "say \"x\"", "tick`", "`", "``", "[brackets]", "a]b", "a[b", ":name", "a:b::c",
        "what?", "?", "back\\slash", "back\\`", "line\nbreak", "tab\tstop", "a -- b", "/* a", "a; DROP TABLE t",
        "comma,", "(a)", "a.b", "1", "1e5", "100%", "$a", "@a", "#a", "é", "日本語", "x IN (:list)", "SELECT", "NULL", "'",
        "\"", "a\u{7F}", String(repeating: "a", count: 64), String(repeating: "é", count: 64),
        String(repeating: "`", count: 40),
    ]

    @Test("A name with any characters can be the name of a table and of its column", arguments: TestBackend.available)
    func anyName(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            // MariaDB does not permit characters beyond U+FFFF and trailing spaces in names, and removes leading spaces
            // of a label.
            for name in Self.names + (backend == .sqlite ? ["👩🏽‍🚀", "end ", " start", "😀`😀"] : []) {
                try await create(name, on: database)
                let columns = try await use(name, on: database)
                #expect(Set(columns) == [name])
            }
        }
    }

    @Test("A quoted name that does not exist is an error, and not a text literal", arguments: TestBackend.available)
    func unknown(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await create("t", on: database)
            for name in ["not there", "order"] {
                let error = await failure {
                    try await database.read { try $0.query("SELECT \(SQLIdentifier.quoted(name)) FROM t").rows() }
                }
                #expect(error?.code == .missingColumn)
            }
        }
    }
}
