import DuetClient
import Synchronization

extension GraphQLResults {
    /// A sequence of one result.
    /// - Parameter result: Is called once for each iteration.
    static func once(
        _ result: @escaping @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>
    ) -> GraphQLResults {
        GraphQLResults {
            let isFirst = OneTime()
            return { () async throws(GraphQLClientError) in isFirst.take() ? try await result() : nil }
        }
    }
}

/// Is true for the first caller.
private final class OneTime: Sendable {
    private let isAvailable = Atomic(true)

    func take() -> Bool { isAvailable.exchange(false, ordering: .relaxed) }
}
