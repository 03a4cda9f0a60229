internal import CDuetSQLite

/// The SQL function `duet_date_part(value, form, part, zone, field)`. It returns a part of a stored date.
///
/// - `form` is the ``StoredDateForm/code`` of the form of the value.
/// - `part` is the name of a ``DatePart``.
/// - `zone` is the ``UTCOffsets/bytes`` of the time zone in which the result is; NULL if the value has no time zone,
///   and for UTC.
/// - `field` is the name of the field in errors. It is NULL if a value that does not have the form counts as NULL.
///
/// The part of NULL is NULL. For any value that does not have the form, the statement fails with
/// ``DatabaseError/Code/invalidValue``.
enum SQLiteDatePart {
    static let function: SQLiteFunctions.Function = { context, _, arguments in
        guard let arguments, let value = arguments[0], let zone = arguments[3] else {
            return sqlite3_result_null(context)
        }
        guard sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        guard let form = StoredDateForm(code: sqlite3_value_int64(arguments[1])),
            let part = SQLiteDatePart.part(arguments[2])
        else { return sqlite3_result_error(context, "duet_date_part has an invalid argument", -1) }
        let stored = SQLiteStoredValue.columnValue(value)
        let offsets = SQLiteDatePart.bytes(zone)
        let time = form.time(stored) { time in offsets.count == 0 ? 0 : UTCOffsets.offset(at: time, in: offsets) }
        guard let time else { return SQLiteStoredValue.fail(context, stored, field: arguments[4]) }
        SQLiteDatePart.set(context, time, part)
    }

    private static func set(_ context: OpaquePointer?, _ time: CivilTime, _ part: DatePart) {
        guard !part.isNumber else {
            guard case .integer(let number) = time.value(of: part) else { return sqlite3_result_null(context) }
            return sqlite3_result_int64(context, number)
        }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: CivilTime.maximumSize) { buffer in
            guard let target = buffer.baseAddress else { return }
            let count = time.write(part, to: UnsafeMutableRawPointer(target))
            // SQLite copies a result with this destructor, which is SQLITE_TRANSIENT.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            sqlite3_result_text(context, target, Int32(count), transient)
        }
    }

    /// Reads the name of a part. The names differ in their first letters, or in their lengths.
    private static func part(_ value: OpaquePointer?) -> DatePart? {
        guard let value, let name = sqlite3_value_text(value) else { return nil }
        return switch (name[0], sqlite3_value_bytes(value)) {
        case (UInt8(ascii: "y"), _): .year
        case (UInt8(ascii: "q"), _): .quarter
        case (UInt8(ascii: "m"), _): .month
        case (UInt8(ascii: "d"), _): .day
        case (UInt8(ascii: "h"), _): .hour
        case (UInt8(ascii: "w"), 4): .week
        case (UInt8(ascii: "w"), 7): .weekday
        default: nil
        }
    }

    private static func bytes(_ value: OpaquePointer) -> UnsafeRawBufferPointer {
        guard sqlite3_value_type(value) == SQLITE_BLOB, let start = sqlite3_value_blob(value) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
