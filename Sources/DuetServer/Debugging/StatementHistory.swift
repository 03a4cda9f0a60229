import DuetBoundedCache
import DuetJSON
import DuetSQLDatabase
import Synchronization

/// The SQL statements of the latest REST and GraphQL requests, by request ID, for debugging. The number of requests and
/// the bytes per request are limited. Bound values are not stored, because they may be personal data.
final class StatementHistory: Sendable {
    /// The maximum number of requests whose statements are stored.
    static let maximumRequests = 500
    /// The maximum number of bytes of SQL per request. It is sufficient for a normal request, but not for all
    /// statements of a long export.
    private static let maximumRequestSize = 64 << 10

    private let requests = Mutex(SegmentedLRU<String, StatementTrace>(maximumCount: maximumRequests))

    /// Returns a handler that records the statements of its requests.
    func keepingStatements(of handler: @escaping RoutedRequest.Handler) -> RoutedRequest.Handler {
        { routed in
            // The trace is stored before the request ends, so that a client can request it immediately after the last
            // byte of a streamed body.
            let trace = StatementTrace(maximumSize: Self.maximumRequestSize)
            self.requests.withLock { _ = $0.insert(trace, for: routed.requestID) }
            return try await StatementTrace.$current.withValue(trace) { try await handler(routed) }
        }
    }

    /// Returns the statements that a request has executed so far; `nil` for an unknown request. `count` is larger than
    /// the length of `statements` if the list was truncated.
    func document(of requestID: String) -> JSONValue? {
        guard let trace = requests.withLock({ $0.peek(requestID) }) else { return nil }
        return [
            "requestID": .string(requestID), "count": .integer(Int64(trace.count)),
            "statements": .array(
                trace.statements.map { statement in
                    [
                        "sql": .string(statement.sql), "parameters": .integer(Int64(statement.parameters)),
                        "rows": .integer(Int64(statement.rows)),
                        "milliseconds": .double(Double(statement.nanoseconds / 1_000) / 1_000),
                        "failed": .bool(statement.hasFailed),
                    ]
                }),
        ]
    }
}
