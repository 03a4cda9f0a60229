import DuetSQLDatabase

/// SQL of MariaDB for stored values that may not have the type of their field.
enum MariaDBValue {
    /// Returns the condition that a date is not a zero date. It is not true for NULL.
    static func isNotZeroDate(_ column: String) -> String { "(MONTH(\(column)) AND DAYOFMONTH(\(column)))" }

    /// Returns the condition that a value has the type of a field, and is not NULL; nil if the column has only such
    /// values.
    /// - Parameter class: The class of the column; nil if it is unknown.
    static func isValid(_ column: String, _ field: Field, _ class: ComparisonClass?) throws -> String? {
        switch field.type {
        case .integer: return "\(column) BETWEEN -9007199254740991 AND 9007199254740991"
        case .boolean: return "\(column) IN (0, 1)"
        case .date, .dateTime: return try DateExpression(field, column, nil).isValid
        case .choice(let choice):
            let texts = choice.values.map { "'\($0.name)'" }.joined(separator: ", ")
            let text =
                field.isStoredAsBytes ? column : "CONVERT(\(column) USING utf8mb4) COLLATE utf8mb4_nopad_bin"
            return "\(text) IN (\(texts))"
        case .uuid where `class`?.name.hasPrefix("uuid") != true:
            return "\(column) REGEXP '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'"
        case .time where `class`?.name.hasPrefix("time") != true:
            return "\(column) REGEXP '^-?[0-9]?[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?$'"
        case .bigInteger, .number, .decimal, .text, .identifier, .uuid, .time, .binary, .json, .any: return nil
        }
    }
}
