public import HTTPTypes

/// The conditions under which a request is retried, and the pauses between the attempts.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts.
    public var maximumAttempts: Int
    /// The pause after the first attempt. It doubles after each attempt.
    public var firstPause: Duration
    /// The maximum pause.
    public var maximumPause: Duration
    /// The maximum pause that a server may request with `Retry-After`. If the server requests a longer pause, its
    /// response is returned.
    public var maximumRetryAfter: Duration
    /// The status codes after which a retry may succeed (RFC 9110, section 15; RFC 6585, section 4).
    public var statuses: Set<HTTPResponse.Status>

    /// Creates a policy.
    public init(
        maximumAttempts: Int = 3, firstPause: Duration = .milliseconds(200), maximumPause: Duration = .seconds(5),
        maximumRetryAfter: Duration = .seconds(30),
        statuses: Set<HTTPResponse.Status> = [.tooManyRequests, .badGateway, .serviceUnavailable, .gatewayTimeout]
    ) {
        self.maximumAttempts = maximumAttempts
        self.firstPause = firstPause
        self.maximumPause = maximumPause
        self.maximumRetryAfter = maximumRetryAfter
        self.statuses = statuses
    }

    /// Returns the pause after an attempt.
    /// - Parameters:
    ///   - attempt: The number of the attempt, starting at 1.
    ///   - jitter: A number from 0 to 1. It distributes the requests of many clients over half of the pause.
    func pause(after attempt: Int, jitter: Double) -> Duration {
        // The exponent is limited to 30: a first pause of 1 second would already be 34 years.
        let doubled = firstPause * (1 << min(max(attempt - 1, 0), 30))
        return min(doubled, maximumPause) * (0.5 + 0.5 * jitter)
    }
}

extension TransportError.Code {
    /// True for failures that a quick retry may resolve. A timeout is excluded, because the caller has already waited,
    /// and another attempt could take as long.
    var isTransient: Bool {
        switch self {
        case .cannotConnect, .connectionLost: true
        default: false
        }
    }
}
