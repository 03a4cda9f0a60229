public import HTTPTypes

/// The conditions under which a request is retried, and the lengths of the pauses between the attempts.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts.
    public var maximumAttempts: Int
    /// The pause after the first attempt. Each later pause is twice as long. A random number shortens each pause by at
    /// most half.
    public var firstPause: Duration
    /// The maximum pause.
    public var maximumPause: Duration
    /// The maximum pause that a server may request with `Retry-After`. If the server requests a longer pause, the
    /// request is not retried and the response is returned.
    public var maximumRetryAfter: Duration
    /// The status codes after which a request is retried (RFC 9110, section 15; RFC 6585, section 4).
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
    ///   - jitter: A number from 0 to 1. 0 results in half of the pause, and 1 in the whole pause. With random numbers,
    ///     the requests of many clients are distributed over this time.
    func pause(after attempt: Int, jitter: Double) -> Duration {
        // The limit of 30 doublings prevents an overflow. A pause of 1 second that is doubled 30 times is 34 years.
        let doubled = firstPause * (1 << min(max(attempt - 1, 0), 30))
        return min(doubled, maximumPause) * (0.5 + 0.5 * jitter)
    }
}

extension TransportError.Code {
    /// True for failures after which an immediate retry may succeed. A timeout is excluded, because the caller has
    /// already waited and a second attempt may take as long.
    var isTransient: Bool {
        switch self {
        case .cannotConnect, .connectionLost: true
        default: false
        }
    }
}
