import Synchronization

/// A record of the SQL statements of a task, for debugging. The record contains the text of each statement, but never
/// the bound values.
///
/// To record statements, bind a trace to ``current``, and then run a transaction with an origin other than
/// ``TransactionOrigin/unspecified``. The total size of the recorded texts is limited. The first statement with which
/// the total size exceeds the limit, and all later statements, are counted but not recorded.
public final class StatementTrace: Sendable {
    /// The trace for the transactions of the current task. Child tasks inherit it.
    @TaskLocal public static var current: StatementTrace?

    /// A statement that has ended.
    public struct Statement: Sendable {
        /// The text, with `?` placeholders for the bound values.
        public let sql: String
        /// The number of bound values.
        public let parameters: Int
        /// The number of rows that were read.
        public let rows: Int
        /// The time in nanoseconds from the start of the statement to its last row. It includes the time in which the
        /// caller processes the rows.
        public let nanoseconds: UInt64
        /// True if the statement ended with an error.
        public let hasFailed: Bool
        fileprivate let startedAt: UInt64
    }

    private struct State {
        var kept: [Statement] = []
        var size = 0
        var count = 0
    }

    private let maximumSize: Int
    private let state = Mutex(State())

    /// - Parameter maximumSize: The maximum total size of the recorded texts in bytes.
    public init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// The number of statements that have ended, including those that are not recorded.
    public var count: Int { state.withLock { $0.count } }

    /// The recorded statements, in the order of their start.
    public var statements: [Statement] {
        state.withLock(\.kept).sorted { $0.startedAt < $1.startedAt }
    }

    /// Returns an empty trace with the same maximum size.
    func emptyCopy() -> StatementTrace { StatementTrace(maximumSize: maximumSize) }

    /// Adds the statements of another trace.
    func add(_ other: StatementTrace) {
        let added = other.state.withLock { $0 }
        state.withLock { state in
            state.count += added.count
            let hasRoom = state.size + added.size <= maximumSize
            state.size += added.size
            if hasRoom { state.kept += added.kept }
        }
    }

    func note(_ statement: any PreparedStatement, rows: Int, startedAt: UInt64, nanoseconds: UInt64, failed: Bool) {
        let sql = statement.sql
        state.withLock { state in
            state.count += 1
            state.size += sql.utf8.count
            // After the first statement that exceeds the maximum size, no statement is recorded, so that the recorded
            // statements have no gaps.
            guard state.size <= maximumSize else { return }
            state.kept.append(
                Statement(
                    sql: sql, parameters: statement.parameterCount, rows: rows, nanoseconds: nanoseconds,
                    hasFailed: failed, startedAt: startedAt))
        }
    }
}
