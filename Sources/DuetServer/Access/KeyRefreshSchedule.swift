/// Decides when a key set is fetched. It has no clock and no network: the caller passes the time as a duration since
/// any fixed instant.
struct KeyRefreshSchedule: Sendable, Hashable {
    /// The minimum time between two requests for an unknown key, and the minimum lifetime of a set.
    static let minimumInterval = Duration.seconds(10)
    /// The lifetime of a set without `max-age`.
    static let defaultLifetime = Duration.seconds(300)
    /// The maximum lifetime of a set. A key that the issuer has withdrawn must stop verifying.
    static let maximumLifetime = Duration.seconds(86_400)

    /// True while a request is in progress.
    private(set) var isFetching = false
    /// The time at which the last request began.
    private var lastBeginning: Duration?
    /// The time at which the next request is due.
    private var due = Duration.zero
    /// The number of requests that have failed in succession.
    private var failures = 0

    /// Begins a request, if one is due.
    /// - Returns: True if the caller must fetch the set now.
    mutating func beginIfDue(at time: Duration) -> Bool {
        guard !isFetching, time >= due else { return false }
        begin(at: time)
        return true
    }

    /// Begins a request for a key that the set lacks, if the last request did not begin within the minimum interval.
    /// - Returns: True if the caller must fetch the set now.
    mutating func beginForUnknownKey(at time: Duration) -> Bool {
        guard !isFetching, lastBeginning.map({ time - $0 >= Self.minimumInterval }) ?? true else { return false }
        begin(at: time)
        return true
    }

    private mutating func begin(at time: Duration) {
        isFetching = true
        lastBeginning = time
    }

    /// Ends a request that has returned a usable set.
    /// - Parameter lifetime: The lifetime that the response permits (`max-age`).
    mutating func succeed(lifetime: Duration?, at time: Duration) {
        isFetching = false
        failures = 0
        due = time + min(max(lifetime ?? Self.defaultLifetime, Self.minimumInterval), Self.maximumLifetime)
    }

    /// Ends a request that has failed. The time to the next request doubles with each failure: from one second without
    /// keys, and from ten seconds with keys.
    mutating func fail(hasKeys: Bool, at time: Duration) {
        isFetching = false
        let first = hasKeys ? Self.minimumInterval : .seconds(1)
        let longest = hasKeys ? Self.defaultLifetime : .seconds(60)
        due = time + min(first * (1 << min(failures, 10)), longest)
        failures += 1
    }

    /// Returns the time until the next request is due; zero if it is due.
    func delay(at time: Duration) -> Duration { max(due - time, .zero) }
}
