public import Foundation
public import HTTPTypes

/// Retries failed idempotent requests with increasing pauses.
///
/// A request is retried if there is no connection, if the connection is lost before the response, or if the response
/// has one of the status codes of the policy. It is not retried after a timeout. The outcome of the last attempt is
/// returned. A request is not retried if the response body is interrupted, because the reader may have used the first
/// part of the body. To retry a request in this case, too, use a ``BufferingTransport`` as the base.
public struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double

    /// Creates a transport that sends requests through another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - policy: The retry policy.
    ///   - clock: Measures the pauses.
    ///   - now: Returns the wall clock time. It is compared with the date in `Retry-After`.
    ///   - jitter: Returns a random number from 0 to 1 for each pause.
    public init(
        _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.base = base
        self.policy = policy
        self.clock = clock
        self.now = now
        self.jitter = jitter
    }

    /// Sends a request, and retries it if necessary.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // A stream of events has its own pauses.
        guard request.isIdempotent, !request.isStream else { return try await base.send(request) }
        var attempt = 1
        while true {
            let pause: Duration
            do throws(TransportError) {
                let response = try await base.send(request)
                guard attempt < policy.maximumAttempts, let time = self.pause(after: attempt, response.head) else {
                    return response
                }
                pause = time
                await response.discard()
            } catch {
                guard attempt < policy.maximumAttempts, error.code.isTransient else { throw error }
                pause = policy.pause(after: attempt, jitter: jitter())
            }
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw TransportError(.cancelled)
            }
            attempt += 1
        }
    }

    /// - Returns: The pause, or `nil` if the request must not be retried.
    private func pause(after attempt: Int, _ head: HTTPResponse) -> Duration? {
        guard policy.statuses.contains(head.status) else { return nil }
        let pause = policy.pause(after: attempt, jitter: jitter())
        guard let wanted = RetryAfter(head.headerFields[.retryAfter])?.pause(from: now()) else { return pause }
        return wanted > policy.maximumRetryAfter ? nil : max(wanted, pause)
    }
}

extension TransportResponse {
    /// Reads a short body to its end, so that the connection can be reused. A long body is not read, so its connection
    /// is closed.
    func discard() async {
        guard let encodedLength, encodedLength <= 16 * 1024 else { return }
        // An error closes the connection and needs no further handling.
        _ = try? await body.collect(upTo: 1024 * 1024)
    }
}

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
