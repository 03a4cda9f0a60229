import Testing

@testable import DuetSQLDatabase

@Suite("Default values of SQLite") struct SQLiteDefaultTests {
    @Test(
        "A default value is an expression in an UPDATE",
        arguments: [
            ("'open'", "('open')"), ("-1", "(-1)"), ("1.5", "(1.5)"), ("x'00'", "(x'00')"), ("NULL", "(NULL)"),
            ("true", "(true)"), ("CURRENT_TIMESTAMP", "(CURRENT_TIMESTAMP)"), ("lower('A')", "(lower('A'))"),
            ("open", "'open'"), ("\"it's\"", "'it''s'"), ("\"a\"\"b\"", "'a\"b'"), ("`open`", "'open'"),
            ("[open]", "'open'"), ("", "NULL"),
        ])
    func expression(_ definition: String, _ expression: String) {
        #expect(SQLiteDefault.expression(definition) == expression)
    }
}
