import Synchronization

/// The statements run on behalf of one task, kept for debugging: their text as the backend runs it, never the values bound to it.
///
/// Transactions that begin while one is ``current``, on whoever's behalf an origin names, tell it their statements. Its memory is
/// bounded; what is beyond that is only counted.
public final class StatementTrace: Sendable {
    /// The one that transactions of this task tell; tasks inherit it.
    @TaskLocal public static var current: StatementTrace?

    /// A statement that has ended.
    public struct Statement: Sendable {
        /// With `?` where values are bound.
        public let sql: String
        /// How many values are bound.
        public let parameters: Int
        /// Rows read.
        public let rows: Int
        /// From its start to its last row; rows are written as they are read.
        public let nanoseconds: UInt64
        /// Whether it ended in an error.
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

    /// - Parameter maximumSize: most bytes of texts that are kept.
    public init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// How many statements have ended, also those that are not kept.
    public var count: Int { state.withLock { $0.count } }

    /// Those that are kept, in the order in which they have begun.
    public var statements: [Statement] {
        state.withLock(\.kept).sorted { $0.startedAt < $1.startedAt }
    }

    /// An empty trace with the same bound.
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

    func note(_ statement: PreparedStatement, rows: Int, startedAt: UInt64, nanoseconds: UInt64, failed: Bool) {
        let sql = statement.sql
        state.withLock { state in
            state.count += 1
            state.size += sql.utf8.count
            // Once one has no room there is none for those after it, so that what is kept has no gaps.
            guard state.size <= maximumSize else { return }
            state.kept.append(
                Statement(
                    sql: sql, parameters: statement.parameterCount, rows: rows, nanoseconds: nanoseconds,
                    hasFailed: failed, startedAt: startedAt))
        }
    }
}
