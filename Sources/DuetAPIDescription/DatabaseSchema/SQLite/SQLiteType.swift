/// A declared type of a SQLite column. Its meaning is derived from the type names that are common in SQL databases.
///
/// For an unknown name, the meaning is derived from the affinity, which is the only property that SQLite derives from a
/// type name (sqlite.org/datatype3.html#determination_of_column_affinity).
struct SQLiteType {
    private let declared: String
    /// The words before the parentheses, in upper case.
    private let words: [String]
    private let numbers: [Int]

    init(_ declared: String) {
        self.declared = declared
        let parts = declared.split(separator: "(", maxSplits: 1)
        words = parts.first?.uppercased().split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        numbers =
            parts.count < 2
            ? [] : parts[1].split { $0 == "," || $0 == ")" }.compactMap { Int($0.filter { !$0.isWhitespace }) }
    }

    var columnType: ColumnType {
        // CHARACTER VARYING has a maximum length, whereas CHARACTER has a fixed length.
        words.contains("VARYING") ? .text(maximumLength: length) : words.lazy.compactMap(byName).first ?? byAffinity
    }

    private var length: Int? { numbers.first.flatMap { $0 > 0 ? $0 : nil } }
    private var precision: Int { max(0, numbers.first ?? 0) }
    private static let integer = ColumnType.integer(bits: 64, isUnsigned: false)

    private func byName(_ name: String) -> ColumnType? {
        switch name {
        case "INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "INT2", "INT4", "INT8", "SERIAL",
            "BIGSERIAL", "SMALLSERIAL", "UNSIGNED":
            Self.integer
        case "BOOLEAN", "BOOL": .boolean
        case "BIT": length.flatMap { $0 > 1 ? .bits($0) : nil } ?? .boolean
        case "DECIMAL", "NUMERIC", "DEC", "NUMBER", "MONEY", "SMALLMONEY", "CURRENCY":
            .decimal(precision: numbers.first, scale: numbers.count > 1 ? numbers[1] : nil)
        case "REAL", "DOUBLE", "FLOAT", "FLOAT4", "FLOAT8": .double
        case "VARCHAR", "NVARCHAR", "VARCHAR2", "NVARCHAR2", "TEXT", "NTEXT", "TINYTEXT", "MEDIUMTEXT", "LONGTEXT",
            "CLOB", "NCLOB", "STRING", "CITEXT":
            .text(maximumLength: length)
        case "CHAR", "NCHAR", "CHARACTER", "BPCHAR": length.map { .character(length: $0) } ?? .text(maximumLength: nil)
        case "DATE": .date
        case "DATETIME", "DATETIME2", "SMALLDATETIME": .dateTime(precision: precision)
        case "TIMESTAMP", "TIMESTAMPTZ", "DATETIMEOFFSET": .timestamp(precision: precision)
        case "TIME", "TIMETZ": .time(precision: precision)
        case "YEAR": .year
        case "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "BYTEA", "IMAGE":
            .binary(maximumLength: length)
        case "JSON", "JSONB": .json
        case "UUID", "GUID", "UNIQUEIDENTIFIER": .uuid
        case "INET4": .inet4
        case "INET6": .inet6
        // A view column that is an expression with numeric affinity has the type NUM.
        case "ANY", "NUM": .any
        // These names contain INT, but their values are not integers.
        case "POINT", "MULTIPOINT", "INTERVAL": .other(declared)
        default: nil
        }
    }

    private var byAffinity: ColumnType {
        let name = declared.uppercased()
        if words.isEmpty { return .any }
        if name.contains("INT") { return Self.integer }
        if name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT") {
            return .text(maximumLength: length)
        }
        if name.contains("BLOB") { return .binary(maximumLength: length) }
        if name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB") { return .double }
        return .other(declared)
    }
}
