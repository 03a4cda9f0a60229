import Dispatch
import Synchronization

/// Stops the running statement of a connection, because its task was cancelled, its transaction's deadline has passed,
/// or the statement's time limit has been reached.
///
/// Each connection has one. The C library's callbacks read it; other threads write it.
final class Interrupt: Sendable {
    /// The reason why a job is stopped before its end.
    enum Reason: UInt8, Sendable {
        /// The task that waits for the job was cancelled.
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

    /// The raw value of the reason; 0 for none.
    private let reasonCode = Atomic<UInt8>(0)
    private let statementDeadline = Atomic<UInt64>(.max)

    /// The time of a monotonic clock in nanoseconds.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The reason why the job must stop; nil if it need not.
    var reason: Reason? { Reason(rawValue: reasonCode.load(ordering: .relaxed)) }

    /// Returns true if the statement has exceeded its time limit.
    var isStatementOverdue: Bool {
        let deadline = statementDeadline.load(ordering: .relaxed)
        return deadline != .max && Self.now >= deadline
    }

    /// The number of calls of SQLite's progress handler before the statement must stop; below zero after the last one.
    private let looksLeft = Atomic<Int>(.max)

    /// Returns true if the statements have exceeded their limit of steps.
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

    /// Stops the job. The first reason is retained.
    func stop(_ reason: Reason) {
        _ = reasonCode.compareExchange(expected: 0, desired: reason.rawValue, ordering: .relaxed)
    }

    /// Clears the reason for the next job.
    func reset() {
        reasonCode.store(0, ordering: .relaxed)
    }

    /// - Parameter moment: The time on the clock of ``now``; 0 for no deadline.
    func setStatementDeadline(_ moment: UInt64) {
        statementDeadline.store(moment == 0 ? .max : moment, ordering: .relaxed)
    }
}
