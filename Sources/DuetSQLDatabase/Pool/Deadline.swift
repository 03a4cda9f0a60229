import Dispatch

/// The moment at which a transaction must have ended. The deadline applies to the wait for a connection, the statements
/// and a retry.
///
/// To limit the total time of several transactions, pass one deadline to all of them.
public struct Deadline: Sendable, Hashable {
    /// The nanoseconds on the clock of ``Interrupt/now``.
    let uptimeNanoseconds: UInt64

    /// No deadline.
    public static let never = Deadline(uptimeNanoseconds: .max)

    /// Returns a deadline after the given time from now, or no deadline for `nil`.
    static func after(_ duration: Duration?) -> Deadline { duration.map { .after($0) } ?? .never }

    /// Returns a deadline after the given time from now.
    public static func after(_ duration: Duration) -> Deadline {
        Deadline(uptimeNanoseconds: Interrupt.now + duration.nanoseconds)
    }

    /// True if the deadline has passed.
    package var hasPassed: Bool { uptimeNanoseconds != .max && Interrupt.now >= uptimeNanoseconds }

    /// Returns the shorter of `duration` and the remaining time, which is at least zero.
    func limiting(_ duration: Duration) -> Duration {
        guard self != .never else { return duration }
        let now = Interrupt.now
        return min(duration, .nanoseconds(Int64(clamping: uptimeNanoseconds > now ? uptimeNanoseconds - now : 0)))
    }
}
