internal import CDuetSQLite

/// The SQL functions that this module adds to each connection to SQLite.
///
/// - `duet_date_part(value, form, part, zone, field)` returns a part of a date; see ``SQLiteDatePart``.
/// - `duet_stored(value, type, field)` and `duet_canonical(value, type, field)` check a value; see
///   ``SQLiteStoredValue``.
/// - `duet_digest(value)` returns the ``SQLValue/digest`` of a text or blob, and NULL for any other value.
/// - `duet_text(value)` returns the text whose UTF-8 bytes are a blob, and any other value unchanged. By contrast,
///   `CAST` converts the bytes from the encoding of the database, which can be UTF-16.
/// - `duet_unchanged(value, digest)` returns the value. If it has another digest, the statement fails with
///   ``DatabaseError/Code/changedValue``.
/// - `duet_utc(value)` returns the ``UTCInstant/text`` of a date with a time and an offset, and of a Julian day. It
///   returns any other value unchanged. The texts have the order of the times.
enum SQLiteFunctions {
    static func add(to handle: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let results = [
            sqlite3_create_function_v2(handle, "duet_date_part", 5, flags, nil, SQLiteDatePart.function, nil, nil, nil),
            sqlite3_create_function_v2(handle, "duet_stored", 3, flags, nil, SQLiteStoredValue.stored, nil, nil, nil),
            sqlite3_create_function_v2(
                handle, "duet_canonical", 3, flags, nil, SQLiteStoredValue.canonical, nil, nil, nil),
            sqlite3_create_function_v2(handle, "duet_digest", 1, flags, nil, digest, nil, nil, nil),
            sqlite3_create_function_v2(handle, "duet_text", 1, flags, nil, text, nil, nil, nil),
            sqlite3_create_function_v2(handle, "duet_unchanged", 2, flags, nil, unchanged, nil, nil, nil),
            sqlite3_create_function_v2(handle, "duet_utc", 1, flags, nil, utc, nil, nil, nil),
        ]
        for result in results where result != SQLITE_OK { throw DatabaseError.sqlite(result, handle) }
    }

    typealias Function =
        @convention(c) (_ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?)
        -> Void

    private static let digest: Function = { context, _, arguments in
        guard let text = SQLiteFunctions.digest(of: arguments?[0]) else { return sqlite3_result_null(context) }
        SQLiteFunctions.setResult(context, text)
    }

    private static let text: Function = { context, _, arguments in
        guard let value = arguments?[0] else { return sqlite3_result_null(context) }
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return sqlite3_result_value(context, value) }
        let bytes = sqlite3_value_blob(value)?.assumingMemoryBound(to: CChar.self)
        // SQLite represents an empty blob by a null pointer, for which the result would be NULL.
        guard let bytes else { return sqlite3_result_text(context, "", 0, SQLiteFunctions.transient) }
        sqlite3_result_text(context, bytes, sqlite3_value_bytes(value), SQLiteFunctions.transient)
    }

    /// SQLite copies a result with this destructor, which is `SQLITE_TRANSIENT`.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private static let unchanged: Function = { context, _, arguments in
        guard let value = arguments?[0], let expected = arguments?[1],
            let digest = SQLiteFunctions.digest(of: value), let text = sqlite3_value_text(expected),
            digest == String(cString: text)
        else {
            sqlite3_result_error(context, "the value has changed", -1)
            return sqlite3_result_error_code(context, DatabaseError.changedValueCode)
        }
        sqlite3_result_value(context, value)
    }

    private static let utc: Function = { context, _, arguments in
        guard let value = arguments?[0] else { return sqlite3_result_null(context) }
        let instant: UTCInstant?
        switch sqlite3_value_type(value) {
        case SQLITE_TEXT:
            let bytes = UnsafeRawPointer(sqlite3_value_text(value))
            let count = Int(sqlite3_value_bytes(value))
            instant = UTCInstant(text: UnsafeRawBufferPointer(start: bytes, count: count))
        case SQLITE_INTEGER, SQLITE_FLOAT: instant = UTCInstant(julianDay: sqlite3_value_double(value))
        default: instant = nil
        }
        guard let instant else { return sqlite3_result_value(context, value) }
        SQLiteFunctions.setResult(context, instant.text)
    }

    /// Sets a text as the result of a function.
    private static func setResult(_ context: OpaquePointer?, _ text: String) {
        sqlite3_result_text(context, text, Int32(text.utf8.count), transient)
    }

    private static func digest(of value: OpaquePointer?) -> String? {
        guard let value else { return nil }
        let bytes: UnsafeRawPointer?
        switch sqlite3_value_type(value) {
        case SQLITE_TEXT: bytes = UnsafeRawPointer(sqlite3_value_text(value))
        case SQLITE_BLOB: bytes = sqlite3_value_blob(value)
        default: return nil
        }
        // The length is in the encoding of the last conversion, so it is read after the bytes.
        return SQLValue.digest(
            of: UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }
}

extension SQLValue {
    /// The digest of a text or blob, as 16 hexadecimal digits; nil for any other value. `duet_digest` returns the same
    /// text. The digest is not cryptographic.
    package var digest: String? {
        switch self {
        case .text(var text): text.withUTF8 { Self.digest(of: UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): bytes.withUnsafeBytes { Self.digest(of: $0) }
        default: nil
        }
    }

    /// Returns the 64-bit FNV-1a hash.
    fileprivate static func digest(of bytes: UnsafeRawBufferPointer) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
