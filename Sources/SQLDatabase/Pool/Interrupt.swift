import Dispatch
import Synchronization

/// Tells a running statement to stop: because its task was cancelled, or because its deadline has passed.
///
/// One belongs to each connection; the C library's callbacks read it, other threads write it.
final class Interrupt: Sendable {
    private let cancelledFlag = Atomic<Bool>(false)
    private let deadline = Atomic<UInt64>(.max)

    /// Nanoseconds of a clock that never goes back.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    var isCancelled: Bool { cancelledFlag.load(ordering: .relaxed) }
    var isOverdue: Bool {
        let deadline = deadline.load(ordering: .relaxed)
        return deadline != .max && Self.now >= deadline
    }
    var mustStop: Bool { isCancelled || isOverdue }

    func cancel() { cancelledFlag.store(true, ordering: .relaxed) }

    /// Forgets a cancellation, for the next job.
    func reset() {
        cancelledFlag.store(false, ordering: .relaxed)
    }

    /// - Parameter moment: on the clock of ``now``; 0 for none.
    func setDeadline(_ moment: UInt64) {
        deadline.store(moment == 0 ? .max : moment, ordering: .relaxed)
    }
}
