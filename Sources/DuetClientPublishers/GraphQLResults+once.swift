import DuetClient
import Synchronization

extension GraphQLResults {
    /// Returns a sequence of a single result.
    /// - Parameter result: Called once for each iteration.
    static func once(
        _ result: @escaping @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>
    ) -> GraphQLResults {
        GraphQLResults {
            let isFirst = OneTime()
            return { () async throws(GraphQLClientError) in isFirst.take() ? try await result() : nil }
        }
    }
}

/// Returns true to the first caller only.
private final class OneTime: Sendable {
    private let isAvailable = Atomic(true)

    func take() -> Bool { isAvailable.exchange(false, ordering: .relaxed) }
}
