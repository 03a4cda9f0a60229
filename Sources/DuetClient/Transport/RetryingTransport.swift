public import Foundation
import HTTPTypes

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
    fileprivate func discard() async {
        guard let encodedLength, encodedLength <= 16 * 1024 else { return }
        // An error closes the connection and needs no further handling.
        _ = try? await body.collect(upTo: 1024 * 1024)
    }
}
