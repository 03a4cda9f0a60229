/// The settings of live queries: the pauses before a client connects again, and the time after which it regards a
/// connection as lost.
public struct LiveSettings: Sendable {
    /// The maximum pause before the first new connection. It is doubled for each further attempt. A pause is a random
    /// time from zero to its maximum, so that the clients of a restarted server do not connect at the same time. If a
    /// server closes WebSocket connections because it restarts, the maximum is six times this duration.
    public var firstPause: Duration
    /// The maximum pause before any attempt. A server can request a longer pause, of at most one hour.
    public var maximumPause: Duration
    /// The time between two signs of life of a connection. If nothing has arrived for three times this duration, the
    /// client regards the connection as lost. A Duet server sends a comment every 12 seconds. On a WebSocket
    /// connection, the client sends a ping after this time.
    public var heartbeatInterval: Duration

    /// Measures the pauses.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Returns a random number from 0 to 1 for each pause.
    var jitter: @Sendable () -> Double = { .random(in: 0...1) }

    /// Creates settings.
    public init(
        firstPause: Duration = .seconds(1), maximumPause: Duration = .seconds(30),
        heartbeatInterval: Duration = .seconds(12)
    ) {
        self.firstPause = firstPause
        self.maximumPause = maximumPause
        self.heartbeatInterval = heartbeatInterval
    }

    /// The number of intervals without a sign of life after which a connection is lost.
    static let silentIntervals = 3

    /// Returns a further pause before the connection to a server that restarts. The server has closed the connections
    /// of all its clients, whose return must take longer than after the loss of a single connection.
    func pauseAfterRestart() -> Duration { firstPause * 5 * jitter() }

    /// The time without a sign of life after which a connection is lost.
    var maximumSilence: Duration { heartbeatInterval * Self.silentIntervals }
}

/// Computes the pauses between the attempts of one live query or one connection: exponential back-off with full jitter.
struct Retries: Sendable {
    private static let longestRequestedPause = Duration.seconds(3600)

    private let settings: LiveSettings
    private var failures = 0

    init(_ settings: LiveSettings) { self.settings = settings }

    /// Handles a sign that the server works. The next pause is short again.
    mutating func succeeded() { failures = 0 }

    /// Waits before the next attempt.
    /// - Parameter minimum: The pause that the server has requested.
    /// - Returns: False if the task is canceled.
    mutating func wait(atLeast minimum: Duration = .zero) async -> Bool {
        let pause = self.pause(atLeast: minimum)
        return (try? await settings.clock.sleep(for: pause)) != nil
    }

    mutating func pause(atLeast minimum: Duration = .zero) -> Duration {
        // The limit of 30 doublings prevents an overflow.
        let doubled = settings.firstPause * (1 << min(failures, 30))
        failures += 1
        return min(minimum, Self.longestRequestedPause) + min(doubled, settings.maximumPause) * settings.jitter()
    }
}
