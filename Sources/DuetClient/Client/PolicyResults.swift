import Synchronization

/// One iteration over the results of a query with a fetch policy.
final class PolicyResults<Query: GraphQLQuery>: Sendable {
    private enum Step {
        case first, second, end
    }

    private let client: GraphQLClient
    private let query: Query
    private let policy: FetchPolicy
    /// The caller for whom the iteration began.
    private let caller: Caller?
    private let step = Mutex(Step.first)

    init(_ client: GraphQLClient, _ query: Query, policy: FetchPolicy) {
        self.client = client
        self.query = query
        self.policy = policy
        caller = client.store.caller?.current
    }

    func next() async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        let step = self.step.withLock { step in
            defer { step = step == .first && policy == .cacheAndFetch ? .second : .end }
            return step
        }
        if step == .end { return nil }
        let call = try OperationCall(query, policies: client.store.policies, caller: caller)
        return try await client.discardingResult(ofFormer: caller) { () throws(GraphQLClientError) in
            if step == .first, policy == .cacheAndFetch {
                if let cached = try await client.read(call, allowsStale: true), cached.isComplete, cached.data != nil {
                    return GraphQLResult(cached: cached)
                }
                self.step.withLock { $0 = .end }
            }
            return try await client.fetch(call, policy: policy)
        }
    }
}
