import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The types of SQLite columns")
struct SQLiteTypeTests {
    private static let integer = ColumnType.integer(bits: 64, isUnsigned: false)
    private static let text = ColumnType.text(maximumLength: nil)

    static let types: [(String, ColumnType)] = [
        ("", .any), ("ANY", .any), ("INTEGER", integer), ("int", integer), ("BIGINT", integer), ("TINYINT(1)", integer),
        ("SMALLINT", integer), ("MEDIUMINT", integer), ("INT8", integer), ("UNSIGNED BIG INT", integer),
        ("BIGINT UNSIGNED", integer), ("int(11)", integer), ("HUGEINT", integer), ("BOOLEAN", .boolean),
        ("bool", .boolean),
        ("BIT", .boolean), ("BIT(1)", .boolean), ("BIT(8)", .bits(8)),
        ("DECIMAL(10,2)", .decimal(precision: 10, scale: 2)), ("DECIMAL(10, 5)", .decimal(precision: 10, scale: 5)),
        ("NUMERIC(8)", .decimal(precision: 8, scale: nil)), ("NUMERIC", .decimal(precision: nil, scale: nil)),
        ("NUMBER(6,0)", .decimal(precision: 6, scale: 0)), ("MONEY", .decimal(precision: nil, scale: nil)),
        ("REAL", .double), ("DOUBLE", .double), ("DOUBLE PRECISION", .double), ("FLOAT", .double),
        ("FLOAT(24)", .double),
        ("VARCHAR(160)", .text(maximumLength: 160)), ("NVARCHAR(20)", .text(maximumLength: 20)), ("VARCHAR", text),
        ("varying character (255)", .text(maximumLength: 255)), ("CHARACTER VARYING(30)", .text(maximumLength: 30)),
        ("TEXT", text), ("CLOB", text), ("STRING", text), ("LONG VARCHAR", text), ("LONGTEXT", text),
        ("CHAR(3)", .character(length: 3)), ("NCHAR(55)", .character(length: 55)),
        ("CHARACTER(20)", .character(length: 20)),
        ("NATIVE CHARACTER(70)", .character(length: 70)), ("CHAR", text), ("SYSNAMECHAR", text),
        ("DATE", .date), ("DATETIME", .dateTime(precision: 0)), ("DATETIME(6)", .dateTime(precision: 6)),
        ("TIMESTAMP", .timestamp(precision: 0)), ("TIMESTAMP(3)", .timestamp(precision: 3)),
        ("TIMESTAMP WITH TIME ZONE", .timestamp(precision: 0)), ("TIME", .time(precision: 0)), ("YEAR", .year),
        ("YEAR(4)", .year), ("BLOB", .binary(maximumLength: nil)), ("BINARY(16)", .binary(maximumLength: 16)),
        ("VARBINARY(255)", .binary(maximumLength: 255)), ("BLOB SUB_TYPE TEXT", .binary(maximumLength: nil)),
        ("BLOB_STUFF", .binary(maximumLength: nil)), ("JSON", .json), ("JSONB", .json), ("UUID", .uuid),
        ("guid", .uuid),
        ("UNIQUEIDENTIFIER", .uuid), ("INET4", .inet4), ("INET6", .inet6), ("POINT", .other("POINT")),
        ("GEOMETRY", .other("GEOMETRY")), ("INTERVAL", .other("INTERVAL")), ("SOMETHING(3)", .other("SOMETHING(3)")),
    ]

    @Test("The name of a declared type determines the column type")
    func meanings() async throws {
        let columns = Self.types.enumerated().map { "c\($0) \($1.0)" }.joined(separator: ", ")
        let table = try await schema(.sqlite, "CREATE TABLE t (\(columns))")["t"]
        #expect(table.columns.count == Self.types.count)
        for (column, (declared, type)) in zip(table.columns, Self.types) {
            #expect(column.type == type, "\(declared)")
            #expect(column.declaredType.uppercased() == declared.uppercased())
            #expect(column.isNullable)
        }
    }

    @Test("The declared types of a STRICT table are mapped like those of other tables")
    func strict() async throws {
        let table = try await schema(
            .sqlite, "CREATE TABLE t (a INT, b INTEGER, c REAL, d TEXT, e BLOB, f ANY, g INT NOT NULL) STRICT")["t"]
        #expect(
            table.columns.map(\.type) == [
                Self.integer, Self.integer, .double, Self.text, .binary(maximumLength: nil), .any, Self.integer,
            ])
        #expect(table.notNull == ["g"])
    }

    @Test("A view column has the type of its table column, and an expression has no type")
    func views() async throws {
        let view = try await schema(
            .sqlite,
            """
            CREATE TABLE t (a VARCHAR(5), b DATE, c NUMERIC);
            CREATE VIEW v AS SELECT a, b, a || b AS ab, count(*) AS n, c FROM t;
            """)["v"]
        #expect(view["a"].type == .text(maximumLength: 5))
        #expect(view["b"].type == .date)
        #expect(view["n"].type == .any || view["n"].type == Self.integer)
        #expect(view["c"].type == .decimal(precision: nil, scale: nil))
    }
}
