import Dispatch
import Synchronization

/// A signal that stops the running statement of a connection, because the task was canceled, the transaction's deadline
/// has passed, or the statement's time limit has been reached.
///
/// Each connection has one interrupt. The callbacks of the C library read the interrupt; other threads write it.
final class Interrupt: Sendable {
    /// The reason for which a job is stopped before its end.
    enum Reason: UInt8, Sendable {
        /// The task that waits for the job was canceled.
        case cancelled = 1
        /// The job's ``Deadline`` has passed.
        case deadline = 2

        /// The error that the job's caller gets.
        var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .deadline: DatabaseError.deadlinePassed
            }
        }
    }

    /// The raw value of the ``Reason``; 0 for none.
    private let reasonCode = Atomic<UInt8>(0)
    private let statementDeadline = Atomic<UInt64>(.max)

    /// The time of a monotonic clock in nanoseconds.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The reason for which the job must stop; nil if the job can continue.
    var reason: Reason? { Reason(rawValue: reasonCode.load(ordering: .relaxed)) }

    /// True if the statement has exceeded its time limit.
    var isStatementOverdue: Bool {
        let deadline = statementDeadline.load(ordering: .relaxed)
        return deadline != .max && Self.now >= deadline
    }

    /// The number of further calls of SQLite's progress handler after which the statement must stop; -1 after a call
    /// has stopped the statement. `Int.max` is no limit.
    private let looksLeft = Atomic<Int>(.max)

    /// True if the statements have exceeded their limit of steps.
    var isExhausted: Bool { looksLeft.load(ordering: .relaxed) < 0 }

    /// Sets the number of calls of the progress handler after which a statement stops.
    func setLooks(_ count: Int) { looksLeft.store(count, ordering: .relaxed) }

    /// Counts a call of SQLite's progress handler, and returns true if the statement must stop.
    func mustStopAtLook() -> Bool {
        let left = looksLeft.load(ordering: .relaxed)
        if left != .max { looksLeft.store(max(left - 1, -1), ordering: .relaxed) }
        return left <= 0 || mustStop
    }

    var mustStop: Bool { reasonCode.load(ordering: .relaxed) != 0 || isStatementOverdue }

    /// Stops the job. If the job already has a reason to stop, that reason is retained.
    func stop(_ reason: Reason) {
        _ = reasonCode.compareExchange(expected: 0, desired: reason.rawValue, ordering: .relaxed)
    }

    /// Clears the reason for the next job.
    func reset() {
        reasonCode.store(0, ordering: .relaxed)
    }

    /// Sets the time limit of the statement.
    /// - Parameter moment: The end of the statement's time on the clock of ``now``; 0 for no limit.
    func setStatementDeadline(_ moment: UInt64) {
        statementDeadline.store(moment == 0 ? .max : moment, ordering: .relaxed)
    }
}
