public import Foundation
import HTTPTypes

/// Retries failed idempotent requests with increasing pauses.
///
/// It retries a request without a response, and a request whose response has one of the status codes of the policy. The
/// outcome of the last attempt is returned. A request whose body is interrupted is not retried, because the reader may
/// have used the first part. Use a ``BufferingTransport`` as the base to retry such requests.
public struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double

    /// Creates a transport that sends with another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - policy: The retry policy.
    ///   - clock: Measures the pauses.
    ///   - now: Returns the time of day. It is compared with the date of `Retry-After`.
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
        guard request.isIdempotent else { return try await base.send(request) }
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

    /// - Returns: The pause, or `nil` if the response is the result.
    private func pause(after attempt: Int, _ head: HTTPResponse) -> Duration? {
        guard policy.statuses.contains(head.status) else { return nil }
        let pause = policy.pause(after: attempt, jitter: jitter())
        guard let wanted = RetryAfter(head.headerFields[.retryAfter])?.pause(from: now()) else { return pause }
        return wanted > policy.maximumRetryAfter ? nil : max(wanted, pause)
    }
}

extension TransportResponse {
    /// Reads a short body to its end, so that the connection can be reused. With a long body, the connection is closed.
    fileprivate func discard() async {
        guard let encodedLength, encodedLength <= 16 * 1024 else { return }
        // An error closes the connection and needs no further handling.
        _ = try? await body.collect(upTo: 1024 * 1024)
    }
}
