public import Foundation
import HTTPTypes

/// Sends idempotent requests again that fail, after longer and longer pauses.
///
/// It repeats requests that have no response, and those whose response has one of the policy's statuses. After the last attempt its
/// outcome is the result. A body that breaks off is not repeated, because its reader may have used the first part; with a
/// ``BufferingTransport`` below, it is.
public struct RetryingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double

    /// A transport that sends by another.
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - policy: When a request is sent again, and after which pause.
    ///   - clock: Measures the pauses.
    ///   - now: Returns the time of day, to which a `Retry-After` with a date is compared.
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

    /// Sends a request, several times if need be.
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

    /// - Returns: `nil` if the response is the result.
    private func pause(after attempt: Int, _ head: HTTPResponse) -> Duration? {
        guard policy.statuses.contains(head.status) else { return nil }
        let pause = policy.pause(after: attempt, jitter: jitter())
        guard let wanted = RetryAfter(head.headerFields[.retryAfter])?.pause(from: now()) else { return pause }
        return wanted > policy.maximumRetryAfter ? nil : max(wanted, pause)
    }
}

extension TransportResponse {
    /// Reads a short body to its end, so that the connection can be used again. A long one ends with the connection.
    fileprivate func discard() async {
        guard let encodedLength, encodedLength <= 16 * 1024 else { return }
        // A failure ends the connection, and nothing else depends on it.
        _ = try? await body.collect(upTo: 1024 * 1024)
    }
}
