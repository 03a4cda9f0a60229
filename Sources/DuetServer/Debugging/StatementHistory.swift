import DuetBoundedCache
import DuetJSON
import DuetSQLDatabase
import Synchronization

/// The statements of the last requests to either style, by the requests' IDs, for debugging. What is kept is bounded in requests and
/// in bytes of each; values, which may be anybody's, are not kept.
final class StatementHistory: Sendable {
    /// Most requests whose statements are known.
    static let maximumRequests = 500
    /// Most bytes of SQL that are kept of one: enough for what it asks, not for all pieces of a long export.
    private static let maximumRequestSize = 64 << 10

    private let requests = Mutex(SegmentedLRU<String, StatementTrace>(maximumCount: maximumRequests))

    /// The same route, the statements of whose requests are kept.
    func keepingStatements(of route: Route) -> Route {
        route.handled { routed, handler in
            // Known before it ends: who has the last byte of a body that is made while it is sent may ask at once.
            let trace = StatementTrace(maximumSize: Self.maximumRequestSize)
            self.requests.withLock { _ = $0.insert(trace, for: routed.context.requestID) }
            return try await StatementTrace.$current.withValue(trace) { try await handler(routed) }
        }
    }

    /// What a request has run so far, `nil` for one that is not known. `count` is more than the list has where that would be too long.
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
