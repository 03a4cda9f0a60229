import DuetClient
import Synchronization

extension GraphQLResults {
    /// Returns a sequence with one result.
    /// - Parameter result: Returns the result. It is called once for each iteration.
    static func once(
        _ result: @escaping @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>
    ) -> GraphQLResults {
        GraphQLResults {
            let isFirst = OneTime()
            return { () async throws(GraphQLClientError) in isFirst.take() ? try await result() : nil }
        }
    }
}

/// Returns true only to the first caller.
private final class OneTime: Sendable {
    private let isAvailable = Atomic(true)

    func take() -> Bool { isAvailable.exchange(false, ordering: .relaxed) }
}
