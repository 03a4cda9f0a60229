internal import CDuetSQLite

/// The state of a count of the values that are true.
struct CountOfTrue {
    private var count: Int64 = 0

    static let add: SQLiteAggregates.Step = { context, _, arguments in
        guard let arguments, let value = arguments[0], let state = SQLiteAggregates.state(context, CountOfTrue.self)
        else {
            return sqlite3_result_error_nomem(context)
        }
        let type = sqlite3_value_type(value)
        if type == SQLITE_NULL { return }
        let isTrue = sqlite3_value_int64(value)
        guard type == SQLITE_INTEGER, 0...1 ~= isTrue else {
            return SQLiteAggregates.fail(context, value, field: arguments[1])
        }
        state.pointee.count &+= isTrue
    }

    static let count: SQLiteAggregates.Final = { context in
        sqlite3_result_int64(context, SQLiteAggregates.finalState(context, CountOfTrue.self)?.pointee.count ?? 0)
    }
}

/// The state of the least text or blob of a group.
struct LeastText {
    /// A copy of the least value; nil before the first one.
    private var value: OpaquePointer?

    static let add: SQLiteAggregates.Step = { context, _, arguments in
        guard let value = arguments?[0], let state = SQLiteAggregates.state(context, LeastText.self) else {
            return sqlite3_result_error_nomem(context)
        }
        guard sqlite3_value_type(value) != SQLITE_NULL else { return }
        if let least = state.pointee.value {
            guard LeastText.isLess(value, least) else { return }
            sqlite3_value_free(least)
        }
        state.pointee.value = sqlite3_value_dup(value)
        if state.pointee.value == nil { sqlite3_result_error_nomem(context) }
    }

    static let least: SQLiteAggregates.Final = { context in
        guard let state = SQLiteAggregates.finalState(context, LeastText.self), let value = state.pointee.value else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_value(context, value)
        sqlite3_value_free(value)
        state.pointee.value = nil
    }

    /// Compares two texts or two blobs. Numbers precede texts, and texts precede blobs.
    private static func isLess(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
        switch (sqlite3_value_type(left), sqlite3_value_type(right)) {
        case (SQLITE_TEXT, SQLITE_TEXT), (SQLITE_BLOB, SQLITE_BLOB): bytes(left).lexicographicallyPrecedes(bytes(right))
        case (SQLITE_INTEGER, SQLITE_INTEGER), (SQLITE_INTEGER, SQLITE_FLOAT), (SQLITE_FLOAT, SQLITE_INTEGER),
            (SQLITE_FLOAT, SQLITE_FLOAT):
            sqlite3_value_double(left) < sqlite3_value_double(right)
        // SQLITE_INTEGER is 1, SQLITE_FLOAT 2, SQLITE_TEXT 3 and SQLITE_BLOB 4.
        case (let left, let right): left < right
        }
    }

    private static func bytes(_ value: OpaquePointer) -> UnsafeRawBufferPointer {
        let bytes =
            sqlite3_value_type(value) == SQLITE_TEXT
            ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        // The length is in the encoding of the last conversion, so it is read after the bytes.
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }
}

/// The state of the least or the greatest number of a group. SQLite compares texts of digits as texts.
struct ExtremeNumber {
    /// A copy of the number; nil before the first one.
    private var value: OpaquePointer?

    static let addForLeast: SQLiteAggregates.Step = { context, _, arguments in
        ExtremeNumber.add(context, arguments?[0]) { $0.lexicographicallyPrecedes($1) }
    }

    static let addForGreatest: SQLiteAggregates.Step = { context, _, arguments in
        ExtremeNumber.add(context, arguments?[0]) { $1.lexicographicallyPrecedes($0) }
    }

    private static func add(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ replaces: (_ new: [UInt8], _ old: [UInt8]) -> Bool
    ) {
        guard let value, let state = SQLiteAggregates.state(context, ExtremeNumber.self) else {
            return sqlite3_result_error_nomem(context)
        }
        guard sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard let new = NumberOrder.bytes(of: value) else {
            return SQLiteAggregates.fail(context, "a value that is compared is not a number")
        }
        if let old = state.pointee.value {
            guard let bytes = NumberOrder.bytes(of: old), replaces(new, bytes) else { return }
            sqlite3_value_free(old)
        }
        state.pointee.value = sqlite3_value_dup(value)
        if state.pointee.value == nil { sqlite3_result_error_nomem(context) }
    }

    static let result: SQLiteAggregates.Final = { context in
        guard let state = SQLiteAggregates.finalState(context, ExtremeNumber.self), let value = state.pointee.value
        else { return sqlite3_result_null(context) }
        sqlite3_result_value(context, value)
        sqlite3_value_free(value)
        state.pointee.value = nil
    }
}
