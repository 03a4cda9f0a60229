import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// Reads the rows of a table with a plain `SELECT`, and converts each value to the JSON text for the declared type of
/// its column.
struct PlainTable {
    let resource: Resource
    /// The columns of the fields, in order.
    private let columns: [TableColumn]
    /// The JSON texts before the values: `"name":`.
    private let starts: [String]
    let dialect: Dialect

    init(_ resource: Resource, _ schema: DatabaseSchema) {
        self.resource = resource
        dialect = schema.dialect
        let table = schema.table(named: resource.table)
        columns = resource.fields.compactMap { field in table?.column(named: field.column) }
        starts = resource.fields.enumerated().map { "\($0 == 0 ? "{" : ",")\"\($1.name)\":" }
    }

    /// Returns the select list for a table alias.
    func list(_ alias: String) -> String {
        columns.map { "\(alias).\(SQLIdentifier.quoted($0.name))" }.joined(separator: ", ")
    }

    /// Returns the SQL expression whose values have the order of a field's values.
    func ordered(_ field: Field, _ alias: String) -> String {
        let column = "\(alias).\(SQLIdentifier.quoted(field.column))"
        // Texts with different offsets from UTC have another order than the points in time.
        return if case .dateTime(_, .offset) = field.type { "julianday(\(column))" } else { column }
    }

    var name: String { SQLIdentifier.quoted(resource.table) }

    /// Returns all rows as JSON objects, in any order.
    func rows(_ connection: Connection) throws -> [String] {
        let rows = try connection.query("SELECT \(list("t")) FROM \(name) AS t")
        var objects: [String] = []
        while try rows.next() { objects.append(object(rows)) }
        return objects
    }

    /// Returns the current row as a JSON object.
    func object(_ rows: ResultSet, from start: Int = 0) -> String {
        var object = ""
        for index in columns.indices {
            object += starts[index]
            object += json(rows.value(at: start + index), columns[index], resource.fields[index])
        }
        return object + "}"
    }

    private func json(_ value: SQLValue, _ column: TableColumn, _ field: Field) -> String {
        if value == .null { return "null" }
        if field.isStoredAsBytes, case .blob(let bytes) = value {
            let text = String(decoding: bytes, as: UTF8.self)
            return field.type == .json ? Self.withoutSpace(text) : RawJSON.string(text)
        }
        if field.nullifiesMismatches, value == .text("") { return "null" }
        let type = field.type
        // The rows of SQLite can determine the type, so that it is not that of the declaration.
        if dialect == .sqlite {
            switch (type, value) {
            case (.integer, _), (.number, _), (.any, .integer), (.any, .double): return value.plain
            case (.bigInteger, _): return "\"\(value.plain)\""
            case (.text, _), (.binary, _), (.date, _), (.any, _): return RawJSON.string(value.plain)
            case (.dateTime(isUTC: true, let form), .integer), (.dateTime(isUTC: true, let form), .double):
                return RawJSON.string(StoredTime.text(of: value.plain, form))
            case (.dateTime(isUTC: true, .offset), .text(let text)):
                return RawJSON.string(StoredTime.text(withOffset: text))
            case (.dateTime, .text(let text)):
                let seconds = text.count == 16 ? ":00" : ""
                return text.hasPrefix("0000-00-00") ? "null" : "\"\(text.prefix(10))T\(text.dropFirst(11))\(seconds)\""
            default: break
            }
        }
        switch column.type {
        case .integer(let bits, _):
            let isBig = dialect == .mariaDB ? bits > 53 : column.declaredType.contains(/BIG|INT8/)
            return isBig ? "\"\(value.plain)\"" : value.plain
        case .boolean, .bits(1): return value == .integer(1) ? "true" : "false"
        case .bits(let count): return count > 53 ? "\"\(value.plain)\"" : value.plain
        case .year, .double, .float: return value.plain
        case .decimal(_, let scale):
            var digits = value.plain.hasSuffix(".0") ? String(value.plain.dropLast(2)) : value.plain
            // A ZEROFILL column has leading zeros.
            while digits.hasPrefix("00") { digits.removeFirst() }
            if digits.hasPrefix("0"), digits.count > 1, !digits.hasPrefix("0.") { digits.removeFirst() }
            let fraction = digits.split(separator: ".").dropFirst().first?.count ?? 0
            let missing = (scale ?? 0) - fraction
            if missing > 0 { digits += (fraction == 0 ? "." : "") + String(repeating: "0", count: missing) }
            return "\"\(digits)\""
        case .dateTime, .timestamp:
            let text = value.plain + (value.plain.count == 16 ? ":00" : "")
            if text.prefix(10).contains("-00") { return "null" }
            let isUTC = if case .timestamp = column.type { dialect == .mariaDB } else { false }
            return "\"\(text.prefix(10))T\(text.dropFirst(11))\(isUTC ? "Z" : "")\""
        // A zero date of MariaDB has a month or a day of zero.
        case .date: return value.plain.contains("-00") ? "null" : "\"\(value.plain)\""
        case .json: return Self.withoutSpace(value.plain)
        case .any, .other:
            switch value {
            case .integer, .double: return value.plain
            default: return RawJSON.string(value.plain)
            }
        default:
            if case .integer = value { return value.plain }
            return RawJSON.string(value.plain)
        }
    }

    private static func withoutSpace(_ json: String) -> String {
        var isInString = false
        var previous: Character = " "
        return json.filter { character in
            defer { previous = character }
            if character == "\"", previous != "\\" { isInString.toggle() }
            return isInString || !character.isWhitespace
        }
    }
}

extension SQLValue {
    /// The value as a text.
    fileprivate var plain: String {
        switch self {
        case .null: ""
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value), .decimal(let value): value
        case .date(let value): "\(value)"
        case .blob(let value): Data(value).base64EncodedString()
        }
    }
}
