/// The delays between the attempts to send one batch. It is a value without a clock.
struct ExportSchedule: Sendable {
    /// The maximum number of attempts.
    static let maximumAttempts = 5
    /// The longest delay, also if the collector requests a longer one: the buffer would be full long before.
    static let longestDelay = Duration.seconds(30)

    private var attempts = 0

    /// Records a failed attempt.
    /// - Parameters:
    ///   - retryAfter: The delay that the collector requests; nil for none.
    ///   - jitter: A random number from 0 to 1, so that many servers do not send at the same moment.
    /// - Returns: The delay before the next attempt; nil if there is none.
    mutating func delayAfterFailure(retryAfter: Duration?, jitter: Double) -> Duration? {
        attempts += 1
        guard attempts < Self.maximumAttempts else { return nil }
        let backoff = Duration.seconds(1 << (attempts - 1)) * (0.5 + jitter)
        return min(max(backoff, retryAfter ?? .zero), Self.longestDelay)
    }
}
