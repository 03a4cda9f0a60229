import Dispatch

/// The moment at which a transaction must have ended: its wait for a connection, its statements and its retry included.
///
/// A request passes the same deadline to each of its transactions, so that all of them together are bounded.
public struct Deadline: Sendable, Hashable {
    /// Nanoseconds on the clock of ``Interrupt/now``.
    let uptimeNanoseconds: UInt64

    /// No deadline.
    public static let never = Deadline(uptimeNanoseconds: .max)

    /// A deadline after the given time from now; `nil` for none.
    static func after(_ duration: Duration?) -> Deadline { duration.map { .after($0) } ?? .never }

    /// A deadline after the given time from now.
    public static func after(_ duration: Duration) -> Deadline {
        Deadline(uptimeNanoseconds: Interrupt.now + duration.nanoseconds)
    }

    /// Returns true if the deadline has passed.
    var hasPassed: Bool { uptimeNanoseconds != .max && Interrupt.now >= uptimeNanoseconds }

    /// The shorter of `duration` and the time that is left; zero if none is.
    func limiting(_ duration: Duration) -> Duration {
        guard self != .never else { return duration }
        let now = Interrupt.now
        return min(duration, .nanoseconds(Int64(clamping: uptimeNanoseconds > now ? uptimeNanoseconds - now : 0)))
    }
}
