internal import CDuetSQLite

/// The aggregate functions that this module adds to each connection to SQLite. SQLite's own `sum` fails if the sum of
/// integers exceeds 64 bits, and rounds all other sums and averages. It counts a text that is not a number as 0.
///
/// - `duet_sum(value)` and `duet_average(value)` accept integers. With the scale as a second argument, they accept
///   decimal numbers in the forms in which columns contain them: integers, texts of digits, and doubles, which have the
///   value of their shortest decimal text.
/// - `duet_sum_of_doubles(value)` and `duet_average_of_doubles(value)` accept numbers.
/// - `duet_count_of_true(value)` accepts 0 and 1.
/// - `duet_least(value)` returns the least text or blob, by the bytes of its UTF-8. The order of `BINARY` would be that
///   of UTF-16 in a file with this encoding.
/// - `duet_order(value)` is not an aggregate. It returns a blob with the order of an integer, a double or a text of
///   digits; see ``NumberOrder``.
///
/// The aggregates ignore NULL. If a value has another type, the statement fails with
/// ``DatabaseError/Code/invalidNumber``.
///
/// The functions that add a value use the memory that SQLite has for the group, and allocate none. So a sum of integers
/// takes about as many instructions as SQLite's own.
enum SQLiteAggregates {
    static let spellings = AggregateSpellings(
        sum: { call("sum", $0, $1) }, average: { call("average", $0, $1) },
        comparable: { $1 == .double ? $0 : "duet_order(\($0))" },
        countOfTrue: { "duet_count_of_true(\($0))" }, leastText: { "duet_least(\($0))" })

    private static func call(_ name: String, _ expression: String, _ number: AggregateNumber) -> String {
        switch number {
        case .integer: "duet_\(name)(\(expression))"
        case .decimal(let scale, _): "duet_\(name)(\(expression), \(scale))"
        case .double: "duet_\(name)_of_doubles(\(expression))"
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
        try add("duet_sum", 1, ExactSum.addInteger, ExactSum.sum)
        try add("duet_sum", 2, ExactSum.addDecimal, ExactSum.sum)
        try add("duet_average", 1, ExactSum.addInteger, ExactSum.average)
        try add("duet_average", 2, ExactSum.addDecimal, ExactSum.average)
        try add("duet_sum_of_doubles", 1, DoubleSum.add, DoubleSum.sum)
        try add("duet_average_of_doubles", 1, DoubleSum.add, DoubleSum.average)
        try add("duet_count_of_true", 1, CountOfTrue.add, CountOfTrue.count)
        try add("duet_least", 1, LeastText.add, LeastText.least)
        let result = sqlite3_create_function_v2(handle, "duet_order", 1, flags, nil, NumberOrder.order, nil, nil, nil)
        guard result == SQLITE_OK else { throw DatabaseError.sqlite(result, handle) }
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
