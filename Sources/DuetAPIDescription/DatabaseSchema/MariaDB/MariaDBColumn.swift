import DuetSQLDatabase

/// A row of `information_schema.COLUMNS` (mariadb.com/kb/en/information-schema-columns-table).
struct MariaDBColumn {
    let name: String
    /// The complete type, such as `int(10) unsigned`.
    private let columnType: String
    /// The first word of the type in lower case.
    private let dataType: String
    private let isNullable: Bool
    private let defaultValue: String?
    private let extra: String
    private let comment: String
    private let collation: String?
    private let characters: Int
    private let precision: Int
    private let scale: Int
    private let timePrecision: Int
    private let generation: String

    init(_ row: ResultSet) {
        name = row.text(at: 1)
        // The type of a view's column may end with a comment: `datetime /* mariadb-5.3 */`.
        columnType = row.text(at: 2).replacing(" /* mariadb-5.3 */", with: "")
        dataType = row.text(at: 3).lowercased()
        isNullable = row.text(at: 4) == "YES"
        defaultValue = row.isNull(at: 5) ? nil : row.text(at: 5)
        extra = row.text(at: 6).lowercased()
        comment = row.text(at: 7)
        collation = row.isNull(at: 8) ? nil : row.text(at: 8)
        characters = Int(row.integer(at: 9))
        precision = Int(row.integer(at: 10))
        scale = Int(row.integer(at: 11))
        timePrecision = Int(row.integer(at: 12))
        generation = row.text(at: 13)
    }

    /// True if the column contains the start or the end of the period in which a row of a system-versioned table is
    /// valid.
    var isRowTime: Bool { generation == "ROW START" || generation == "ROW END" }

    /// True if the server generates a number for the column: an automatic key, or the next number of a sequence.
    var isAutomatic: Bool {
        extra.contains("auto_increment") || defaultValue?.lowercased().hasPrefix("nextval(") == true
    }

    /// Returns true if a CHECK constraint shows that this column is a `JSON` column. MariaDB implements a `JSON` column
    /// as a text column with a constraint (mariadb.com/kb/en/json). For a nullable column, the constraint also permits
    /// NULL.
    func isJSON(_ check: String) -> Bool {
        // In the text of the constraint, names are quoted.
        let name = "`\(name.replacing("`", with: "``"))`"
        return check == "json_valid(\(name))" || check == "\(name) is null or json_valid(\(name))"
    }

    /// Converts the row to a column of the schema.
    /// - Parameters:
    ///   - isInView: True if the column belongs to a view. For a view, MariaDB reports the default of the underlying
    ///     table's column. This default does not count as a default of the view's column.
    ///   - isJSON: True if a CHECK constraint shows that the column is a `JSON` column.
    func tableColumn(isInView: Bool, isJSON: Bool) -> TableColumn {
        let isGenerated = extra.contains("generated")
        let hasDefault = extra.contains("auto_increment") || defaultValue.map { $0 != "NULL" } ?? false
        return TableColumn(
            name: name, declaredType: columnType, type: isJSON ? .json : type, isNullable: isNullable,
            comment: comment.isEmpty ? nil : comment, collation: collation, isGenerated: isGenerated,
            hasDefault: hasDefault && !isInView && !isGenerated,
            hasZeroDate: ["date", "datetime", "timestamp"].contains(dataType)
                && defaultValue?.contains("0000-00-00") == true)
    }

    private var isUnsigned: Bool { columnType.contains("unsigned") }

    private var type: ColumnType {
        switch dataType {
        case "tinyint": .integer(bits: 8, isUnsigned: isUnsigned)
        case "smallint": .integer(bits: 16, isUnsigned: isUnsigned)
        case "mediumint": .integer(bits: 24, isUnsigned: isUnsigned)
        case "int": .integer(bits: 32, isUnsigned: isUnsigned)
        case "bigint": .integer(bits: 64, isUnsigned: isUnsigned)
        case "decimal": .decimal(precision: precision, scale: scale)
        case "float": .float
        case "double": .double
        case "varchar": .text(maximumLength: characters)
        case "tinytext", "text", "mediumtext", "longtext": .text(maximumLength: nil)
        case "char": .character(length: characters)
        case "enum": .enumeration(ValueList.values(of: columnType))
        case "set": .set(ValueList.values(of: columnType))
        case "date": .date
        case "datetime": .dateTime(precision: timePrecision)
        case "timestamp": .timestamp(precision: timePrecision)
        case "time": .time(precision: timePrecision)
        case "year": .year
        case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob": .binary(maximumLength: characters)
        case "json": .json
        case "uuid": .uuid
        case "inet4": .inet4
        case "inet6": .inet6
        case "bit": .bits(precision)
        default: .other(columnType)
        }
    }
}

/// Parses the texts of an `ENUM` or `SET` in a column's type: `enum('a','it''s','x,y')`.
enum ValueList {
    /// Returns the texts in the order of the declaration. In every SQL mode, MariaDB doubles a quote, and escapes a
    /// backslash, NUL, line feed or carriage return with a backslash.
    static func values(of columnType: String) -> [String] {
        var values: [String] = []
        var bytes = Array(columnType.utf8)[...]
        while let start = bytes.firstIndex(of: quote) {
            bytes = bytes[(start + 1)...]
            var value: [UInt8] = []
            while let byte = bytes.popFirst() {
                if byte == quote {
                    guard bytes.first == quote else { break }
                    bytes.removeFirst()
                    value.append(quote)
                } else if byte == UInt8(ascii: "\\"), let escaped = bytes.first, let meaning = escapes[escaped] {
                    bytes.removeFirst()
                    value.append(meaning)
                } else {
                    value.append(byte)
                }
            }
            values.append(String(decoding: value, as: UTF8.self))
        }
        return values
    }

    private static let quote = UInt8(ascii: "'")
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "0"): 0, UInt8(ascii: "n"): UInt8(ascii: "\n"),
        UInt8(ascii: "r"): UInt8(ascii: "\r"),
    ]
}
