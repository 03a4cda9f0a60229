internal import CDuetSQLite

/// The work of one execution of a statement, compared with a maximum number of examined rows.
///
/// SQLite counts the steps of full scans exactly. The rows that a statement finds with an index have no such count, so
/// their number is bounded by the number of virtual-machine instructions. Both numbers depend only on the statement,
/// the schema and the data, so a repetition has the same result. Rows that the statement has returned do not count.
struct ScanCounts {
    private let statement: OpaquePointer
    /// The number of instructions that stand for one examined row. It is larger than the cost of a row that is read
    /// through an index, compared, sorted and grouped. Therefore a statement that examines fewer rows than the limit
    /// is not refused.
    private let stepsPerRow: Int
    /// The maximum number of rows that are examined but not returned; nil for no limit.
    private(set) var limit: Int?
    /// The number of returned rows.
    var returned = 0
    private var steps = 0
    /// True if the statement has exceeded the limit.
    private(set) var isExceeded = false

    init(_ statement: OpaquePointer, columns: Int) {
        self.statement = statement
        stepsPerRow = 40 + 4 * columns
    }

    /// Begins to count the work of an execution.
    mutating func begin(limit: Int?) {
        self.limit = limit
        returned = 0
        steps = 0
        isExceeded = false
        guard limit != nil else { return }
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 1)
        // SQLite calls the progress handler when this counter reaches a multiple of the handler's interval. Without
        // this reset, the moments of the calls would depend on earlier executions.
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
    }

    /// Returns the number of rows that can be examined up to now. A statement that examines rows to return one, such as
    /// a count, may examine one more from the start, so that the moment at which it returns the row does not matter.
    private func maximum(_ limit: Int) -> Int { limit + max(returned, 1) }

    /// Compares the number of rows in full scans with the limit.
    /// - Returns: True if the statement must stop.
    mutating func check() -> Bool {
        guard let limit else { return false }
        // Each examined row takes at least one instruction.
        if steps == 0, limit >= ProgressHandler.interval { return false }
        func count(_ counter: Int32) -> Int {
            Int(UInt32(bitPattern: sqlite3_stmt_status(statement, counter, 0)))
        }
        let examined = count(SQLITE_STMTSTATUS_FULLSCAN_STEP) + count(SQLITE_STMTSTATUS_AUTOINDEX)
        if examined > maximum(limit) { isExceeded = true }
        return isExceeded
    }

    /// Adds instructions, and compares the work with the limit.
    /// - Returns: True if the statement must stop.
    mutating func add(steps count: Int) -> Bool {
        guard let limit else { return false }
        steps += count
        let (maximum, isUnbounded) = maximum(limit).multipliedReportingOverflow(by: stepsPerRow)
        if !isUnbounded, steps > maximum { isExceeded = true }
        return check()
    }
}

/// The state of a connection's progress handler, which SQLite calls during statements. It can stop the statement for a
/// reason of the ``Interrupt``, or because the statement examines too many rows.
final class ProgressHandler {
    /// The number of virtual-machine instructions between two calls. They take about 20 µs. This is often enough to
    /// stop in time, and the cost is negligible.
    static let interval = 2_000

    private let interrupt: Interrupt
    /// The counts of the statement that is executed; nil if it has no limit.
    var scan: UnsafeMutablePointer<ScanCounts>?

    init(_ interrupt: Interrupt) {
        self.interrupt = interrupt
    }

    /// Makes SQLite call the handler. The handler must live as long as the connection.
    func install(on connection: OpaquePointer) {
        sqlite3_progress_handler(
            connection, Int32(Self.interval),
            { context in
                guard let context else { return 0 }
                return Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().mustStop ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private var mustStop: Bool {
        if let scan, scan.pointee.add(steps: Self.interval) { return true }
        return interrupt.mustStopAtLook()
    }
}
