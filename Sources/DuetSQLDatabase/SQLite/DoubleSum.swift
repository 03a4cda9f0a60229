internal import CDuetSQLite

/// The state of a sum of floating-point numbers, in memory that SQLite initializes with zeros. The errors of the
/// additions are summed separately (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
/// Summen", 1974).
struct DoubleSum {
    private var sum = 0.0
    private var compensation = 0.0
    private var count = 0

    static let add: SQLiteAggregates.Step = { context, _, arguments in
        guard let arguments, let value = arguments[0], let state = SQLiteAggregates.state(context, DoubleSum.self)
        else {
            return sqlite3_result_error_nomem(context)
        }
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER:
            let number = sqlite3_value_double(value)
            guard number.isFinite else { return SQLiteAggregates.fail(context, value, field: arguments[1]) }
            state.pointee.add(number)
        case SQLITE_NULL: break
        default: SQLiteAggregates.fail(context, value, field: arguments[1])
        }
    }

    static let sum: SQLiteAggregates.Final = { context in DoubleSum.setResult(context) { $0.sum + $0.compensation } }

    static let average: SQLiteAggregates.Final = { context in
        DoubleSum.setResult(context) { ($0.sum + $0.compensation) / Double($0.count) }
    }

    @inline(__always)
    private mutating func add(_ value: Double) {
        let next = sum + value
        compensation += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
        sum = next
        count &+= 1
    }

    private static func setResult(_ context: OpaquePointer?, _ result: (DoubleSum) -> Double) {
        guard let state = SQLiteAggregates.finalState(context, DoubleSum.self)?.pointee, state.count > 0 else {
            return sqlite3_result_null(context)
        }
        let value = result(state)
        guard value.isFinite else { return SQLiteAggregates.fail(context, "the sum of the numbers is not finite") }
        sqlite3_result_double(context, value)
    }
}
