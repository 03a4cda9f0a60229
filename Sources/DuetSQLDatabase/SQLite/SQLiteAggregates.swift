internal import CDuetSQLite

/// The aggregate functions that this module adds to each connection to SQLite. SQLite's own `sum` fails if the sum of
/// integers exceeds 64 bits, and rounds all other sums and averages. It counts a text that is not a number as 0.
///
/// - `duet_sum(value, field)` and `duet_average(value, field)` accept integers. With the scale as a third argument,
///   they accept decimal numbers in the forms in which columns contain them: integers, texts of digits, and doubles,
///   which have the value of their shortest decimal text.
/// - `duet_sum_of_doubles(value, field)` and `duet_average_of_doubles(value, field)` accept numbers.
/// - `duet_count_of_true(value, field)` accepts 0 and 1.
/// - `duet_least(value)` returns the least text or blob, by the bytes of its UTF-8. The order of `BINARY` would be that
///   of UTF-16 in a file with this encoding.
/// - `duet_least_number(value)` and `duet_greatest_number(value)` compare numbers, in all forms that `duet_sum`
///   accepts.
/// - `duet_order(value)` is not an aggregate. It returns a blob with the order of an integer, a double or a text of
///   digits; see ``NumberOrder``.
///
/// The aggregates ignore NULL. If a value has another type, the statement fails with
/// ``DatabaseError/Code/invalidValue`` and the name of the field, or with ``DatabaseError/Code/invalidNumber`` if the
/// name is empty.
///
/// The functions that add a value use the memory that SQLite has for the group, and allocate none. So a sum of integers
/// takes about as many instructions as SQLite's own.
enum SQLiteAggregates {
    static let spellings = AggregateSpellings(
        sum: { call("sum", $0, $1, $2) }, average: { call("average", $0, $1, $2) },
        comparable: { $1 == .double ? $0 : "duet_order(\($0))" },
        countOfTrue: { "duet_count_of_true(\($0), '\($1)')" }, leastText: { "duet_least(\($0))" })

    private static func call(
        _ name: String, _ expression: String, _ number: AggregateNumber, _ field: String
    ) -> String {
        switch number {
        case .integer: "duet_\(name)(\(expression), '\(field)')"
        case .decimal(let scale, _): "duet_\(name)(\(expression), '\(field)', \(scale))"
        case .double: "duet_\(name)_of_doubles(\(expression), '\(field)')"
        }
    }

    typealias Step =
        @convention(c) (_ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?)
        -> Void
    typealias Final = @convention(c) (_ context: OpaquePointer?) -> Void

    static func add(to handle: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        func add(_ name: String, _ count: Int32, _ step: Step, _ final: Final) throws {
            let result = sqlite3_create_function_v2(handle, name, count, flags, nil, nil, step, final, nil)
            guard result == SQLITE_OK else { throw DatabaseError.sqlite(result, handle) }
        }
        try add("duet_sum", 2, ExactSum.addInteger, ExactSum.sum)
        try add("duet_sum", 3, ExactSum.addDecimal, ExactSum.sum)
        try add("duet_average", 2, ExactSum.addInteger, ExactSum.average)
        try add("duet_average", 3, ExactSum.addDecimal, ExactSum.average)
        try add("duet_sum_of_doubles", 2, DoubleSum.add, DoubleSum.sum)
        try add("duet_average_of_doubles", 2, DoubleSum.add, DoubleSum.average)
        try add("duet_count_of_true", 2, CountOfTrue.add, CountOfTrue.count)
        try add("duet_least", 1, LeastText.add, LeastText.least)
        try add("duet_least_number", 1, ExtremeNumber.addForLeast, ExtremeNumber.result)
        try add("duet_greatest_number", 1, ExtremeNumber.addForGreatest, ExtremeNumber.result)
        let result = sqlite3_create_function_v2(handle, "duet_order", 1, flags, nil, NumberOrder.order, nil, nil, nil)
        guard result == SQLITE_OK else { throw DatabaseError.sqlite(result, handle) }
    }

    /// Ends the statement because of a value that does not have the type of its field.
    @inline(never)
    static func fail(_ context: OpaquePointer?, _ value: OpaquePointer, field: OpaquePointer?) {
        guard let field, sqlite3_value_bytes(field) > 0 else {
            return fail(context, "an aggregate has found a value of another type")
        }
        SQLiteStoredValue.fail(context, SQLiteStoredValue.columnValue(value), field: field)
    }

    /// Ends the statement with ``DatabaseError/Code/invalidNumber``.
    @inline(never)
    static func fail(_ context: OpaquePointer?, _ message: String) {
        sqlite3_result_error(context, message, -1)
        sqlite3_result_error_code(context, DatabaseError.invalidNumberCode)
    }

    /// SQLite copies a result with this destructor, which is `SQLITE_TRANSIENT`.
    static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Returns the state of the current group, which is zero before the first value; nil without memory.
    @inline(__always)
    static func state<State>(_ context: OpaquePointer?, _ type: State.Type) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size))?.assumingMemoryBound(to: State.self)
    }

    /// Returns the state of a group that has ended; nil if the group has no rows.
    static func finalState<State>(_ context: OpaquePointer?, _ type: State.Type) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: State.self)
    }
}
