public import HTTPTypes

/// When a request is sent again, and after which pause.
public struct RetryPolicy: Sendable {
    /// The maximum number of times that a request is sent.
    public var maximumAttempts: Int
    /// The pause after the first attempt. It doubles with each attempt.
    public var firstPause: Duration
    /// The maximum pause.
    public var maximumPause: Duration
    /// The maximum pause that a server may ask for by `Retry-After`. If it asks for a longer one, its response is the result.
    public var maximumRetryAfter: Duration
    /// The statuses of a server that may answer another time (RFC 9110, section 15; RFC 6585, section 4).
    public var statuses: Set<HTTPResponse.Status>

    /// This policy.
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

    /// The pause after an attempt.
    /// - Parameters:
    ///   - attempt: 1 for the first.
    ///   - jitter: From 0 to 1. It spreads the requests of many clients over half of the pause.
    func pause(after attempt: Int, jitter: Double) -> Duration {
        // No pause is doubled more than 30 times: that would be 34 years of seconds.
        let doubled = firstPause * (1 << min(max(attempt - 1, 0), 30))
        return min(doubled, maximumPause) * (0.5 + 0.5 * jitter)
    }
}

extension TransportError.Code {
    /// True for failures that may pass at once. A time-out is none: the caller has waited already, and another attempt waits as long again.
    var isTransient: Bool {
        switch self {
        case .cannotConnect, .connectionLost: true
        default: false
        }
    }
}
