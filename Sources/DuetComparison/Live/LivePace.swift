/// The moments at which another program changes the watched screen.
package enum LivePace: Sendable {
    /// At moments that are the same in each run, within a period. Clients that poll send a request each second.
    case fixed(Duration)
    /// As soon as all ways have shown the previous change. Tests use this pace, because it depends on no time.
    case afterArrival(changes: Int, pollingInterval: Duration)

    /// The default period.
    package static let minute = LivePace.fixed(.seconds(60))

    /// The moments of ten changes in a minute, in seconds: random numbers between 1 and 54. After the last one, the
    /// changes of a database that reports no commits are still found within the minute.
    private static let moments = [1.58, 4.83, 5.34, 7.24, 15.41, 16.04, 17.49, 18.95, 26.87, 40.4]

    /// The time from the beginning to a change; nil if the change follows the arrival of the previous one.
    func moment(_ change: Int) -> Duration? {
        switch self {
        case .fixed(let period): period * (Self.moments[change] / 60)
        case .afterArrival: nil
        }
    }

    /// The number of changes, if the screen can be changed so often.
    var changes: Int {
        switch self {
        case .fixed: Self.moments.count
        case .afterArrival(let changes, _): changes
        }
    }

    /// The time after which all ways end; nil if they end after the last arrival.
    var period: Duration? { if case .fixed(let period) = self { period } else { nil } }

    var pollingInterval: Duration {
        switch self {
        case .fixed: .seconds(1)
        case .afterArrival(_, let interval): interval
        }
    }
}
