import DuetClient
import Synchronization

extension GraphQLResults {
    /// Returns a sequence with one result.
    /// - Parameter result: Returns the result. It is called at the first `next()` of each iterator.
    static func once(
        _ result: @escaping @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>
    ) -> GraphQLResults {
        GraphQLResults {
            let isFirst = OneTime()
            return { () async throws(GraphQLClientError) in isFirst.take() ? try await result() : nil }
        }
    }
}

/// A flag whose `take()` returns true only at the first call.
private final class OneTime: Sendable {
    private let isAvailable = Atomic(true)

    func take() -> Bool { isAvailable.exchange(false, ordering: .relaxed) }
}
