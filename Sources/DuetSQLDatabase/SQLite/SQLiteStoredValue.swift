internal import CDuetSQLite

/// The SQL functions for stored values that may not have the type of their field. Their arguments are a value, the
/// ``StoredValueType/code`` of the type, and the name of the field.
///
/// - `duet_stored(value, type, field)` returns the value.
/// - `duet_canonical(value, type, field)` returns the text that all spellings of the value have in common, such as a
///   UUID in lower case, and any other value unchanged.
///
/// If the value does not have the type, the statement fails with ``DatabaseError/Code/invalidValue``. If the name of
/// the field is NULL, the result is NULL instead.
enum SQLiteStoredValue {
    static let stored: SQLiteFunctions.Function = { context, _, arguments in
        guard let arguments, let value = arguments[0], let type = arguments[1] else {
            return sqlite3_result_null(context)
        }
        guard sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        let stored = SQLiteStoredValue.columnValue(value)
        guard StoredValueType(code: sqlite3_value_int64(type)).contains(stored) else {
            return SQLiteStoredValue.fail(context, stored, field: arguments[2])
        }
        sqlite3_result_value(context, value)
    }

    static let canonical: SQLiteFunctions.Function = { context, _, arguments in
        guard let arguments, let value = arguments[0], let code = arguments[1] else {
            return sqlite3_result_null(context)
        }
        guard sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        let stored = SQLiteStoredValue.columnValue(value)
        let type = StoredValueType(code: sqlite3_value_int64(code))
        guard type.contains(stored) else { return SQLiteStoredValue.fail(context, stored, field: arguments[2]) }
        guard let text = type.canonicalText(of: stored) else { return sqlite3_result_value(context, value) }
        sqlite3_result_text(context, text, Int32(text.utf8.count), SQLiteAggregates.transient)
    }

    // MARK: Values

    /// Returns a value. Its bytes are valid until the function returns.
    static func columnValue(_ value: OpaquePointer) -> ColumnValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
        case SQLITE_NULL: return .null
        case SQLITE_TEXT:
            let text = UnsafeRawPointer(sqlite3_value_text(value))
            // The length is in the encoding of the last conversion, so it is read after the bytes.
            return .text(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
        default:
            let bytes = sqlite3_value_blob(value)
            return .blob(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        }
    }

    // MARK: Errors

    /// Ends the statement with ``DatabaseError/Code/invalidValue``. If the name of the field is NULL, the function sets
    /// NULL as the result instead.
    @inline(never)
    static func fail(_ context: OpaquePointer?, _ value: ColumnValue, field: OpaquePointer?) {
        guard let field, let name = sqlite3_value_text(field) else { return sqlite3_result_null(context) }
        let message = "\(DatabaseError.invalidValueMark)\(String(cString: name))): \(description(of: value))"
        sqlite3_result_error(context, message, -1)
        sqlite3_result_error_code(context, DatabaseError.invalidValueCode)
    }

    /// The maximum number of characters of a text in an error.
    private static let longestText = 40

    private static func description(of value: ColumnValue) -> String {
        switch value {
        case .integer(let number): return "the integer \(number)"
        case .double(let number): return "the floating-point number \(number)"
        case .text(let bytes):
            let text = String(decoding: bytes.prefix(4 * longestText), as: UTF8.self)
            let isCut = text.count > longestText || bytes.count > 4 * longestText
            return "the text \"\(text.prefix(longestText))\(isCut ? "…" : "")\""
        default: return "binary data"
        }
    }
}
