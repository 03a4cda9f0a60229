import Synchronization

/// One iteration over the results of a watched query.
///
/// Between two calls of ``next()``, no code of this class runs. A ``StoreWatcher`` only records that a value has
/// changed. A slow reader therefore skips intermediate values and receives the latest values. The iteration ends when
/// the caller changes.
final class QueryWatch<Query: GraphQLQuery>: Sendable {
    private enum Step {
        /// The iteration has not delivered a result.
        case start
        /// The iteration has delivered the cached result. The next step is a request to the server.
        case refresh
        /// The next step is to wait for changes.
        case wait
    }

    private struct State {
        var step = Step.start
        var digest: Int?
    }

    private let client: GraphQLClient
    private let query: Query
    private let policy: FetchPolicy
    private let watcher: StoreWatcher
    /// The caller for whom the iteration began.
    private let caller: Caller?
    /// Wakes the watcher when the caller changes.
    private let observer: CurrentCaller.Observer?
    private let state = Mutex(State())

    init(_ client: GraphQLClient, _ query: Query, policy: FetchPolicy) {
        self.client = client
        self.query = query
        self.policy = policy
        let watcher = StoreWatcher()
        self.watcher = watcher
        // The observer is created first, so that it reports each change after the caller was read.
        observer = client.store.caller?.observe { watcher.wake() }
        caller = client.store.caller?.current
    }

    /// Returns the next result; `nil` if the task is canceled or the caller has changed.
    func next() async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        do throws(GraphQLClientError) {
            return try await client.discardingResult(ofFormer: caller) { () throws(GraphQLClientError) in
                try await nextOfCaller()
            }
        } catch {
            guard client.store.isCurrent(caller) else { return nil }
            throw error
        }
    }

    private func nextOfCaller() async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        let call = try OperationCall(query, policies: client.store.policies, caller: caller)
        switch state.withLock({ $0.step }) {
        case .start:
            do throws(GraphQLClientError) {
                if let result = try await start(call) { return result }
            } catch {
                // Cancellation of the task ends the watch without an error.
                if error.code == .cancelled, Task.isCancelled { return nil }
                throw error
            }
        case .refresh:
            if let result = try await refresh(call) { return result }
        case .wait: break
        }
        while true {
            await watcher.wait()
            if Task.isCancelled || !client.store.isCurrent(caller) { return nil }
            if let result = try await changed(call) { return result }
        }
    }

    private func start(
        _ call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        switch policy {
        case .cacheElseFetch, .cacheDontFetch, .cacheAndFetch:
            if let read = try await client.readWatched(call, allowsStale: policy != .cacheElseFetch, watcher: watcher),
                read.result.isComplete, read.result.data != nil
            {
                state.withLock { $0 = State(step: policy == .cacheAndFetch ? .refresh : .wait, digest: read.digest) }
                return GraphQLResult(cached: read.result)
            } else if policy == .cacheDontFetch {
                return try await client.fetch(call, policy: policy)
            }
        case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely, .networkElseCache: break
        }
        let result = try await client.fetch(
            call, policy: policy == .networkElseCache ? .networkElseCache : .fetchIgnoringCacheData)
        return try await shown(result, call)
    }

    /// Fetches from the server after a cached result.
    /// - Returns: `nil` if the response has the same values as the last delivered result.
    private func refresh(
        _ call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        state.withLock { $0.step = .wait }
        let result: GraphQLResult<Query.Data>
        do throws(GraphQLClientError) {
            result = try await client.fetch(call, policy: .fetchIgnoringCacheData)
        } catch {
            if error.code == .cancelled { return nil }
            guard let read = try await client.readWatched(call, allowsStale: true, watcher: watcher) else {
                throw error
            }
            state.withLock { $0.digest = read.digest }
            var result = GraphQLResult(cached: read.result)
            result.refreshError = error
            return result
        }
        let before = state.withLock { $0.digest }
        let shown = try await shown(result, call)
        return before == state.withLock({ $0.digest }) && result.errors.isEmpty ? nil : shown
    }

    /// Replaces the data of a result from the server by the current data of the store. Later changes are compared with
    /// this data.
    private func shown(
        _ result: GraphQLResult<Query.Data>, _ call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        let read = try await client.readWatched(call, allowsStale: true, watcher: watcher)
        state.withLock { $0 = State(step: .wait, digest: read?.digest) }
        var result = result
        if let read, read.result.isComplete, let data = read.result.data { result.data = data }
        return result
    }

    private func changed(
        _ call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        guard let read = try await client.readWatched(call, allowsStale: true, watcher: watcher) else { return nil }
        let isNew = state.withLock { state in
            defer { state.digest = read.digest }
            return state.digest != read.digest
        }
        return isNew ? GraphQLResult(cached: read.result) : nil
    }
}
