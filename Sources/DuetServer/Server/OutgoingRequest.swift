import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// The rules of all requests that the server itself sends: for token keys, and to a collector of traces.
enum OutgoingRequest {
    /// No complete response arrived in time.
    struct TimeLimitExceeded: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns a client that neither follows redirections nor repeats requests, because the schedule of its caller
    /// decides when to try again. It creates no spans of its own: they would contain the query of the address, which
    /// can be a secret.
    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        configuration.tracing.tracer = nil
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Runs a request with its redirections and the body of its response. The deadline of the client would end with the
    /// head of the response.
    /// - Throws: ``TimeLimitExceeded``, or the error of the request.
    static func withTimeLimit<Answer: Sendable>(
        _ limit: Duration, _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer?.self) { tasks in
            tasks.addTask { try await request() }
            tasks.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { tasks.cancelAll() }
            guard let answer = try await tasks.next() ?? nil else {
                throw TimeLimitExceeded(description: "no complete response within \(limit.components.seconds) seconds")
            }
            return answer
        }
    }

    /// Returns the reason for which a request has failed, as a phrase for the operator.
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            let cause = error.connectionErrors.first?.error ?? error.dnsAError ?? error.dnsAAAAError
            return cause.map { reason(of: $0) } ?? "no connection to \(error.host)"
        case let error as IOError: return "no connection: \(String(cString: strerror(error.errnoCode)))"
        case let error as HTTPClientError where error == .connectTimeout: return "no connection within the time limit"
        default: return "\(error)"
        }
    }
}
