import Synchronization

/// One iteration over the results of a live query. The responses are written to the store.
final class LiveQuery<Query: GraphQLQuery>: Sendable {
    /// The last response to each part of the query.
    private typealias Responses = [ParsedResponse]

    private let client: GraphQLClient
    private let iteration: LiveIteration<Responses, GraphQLClientError>

    init(_ client: GraphQLClient, _ query: Query) {
        self.client = client
        iteration = LiveIteration(client.store.caller) { caller, responses throws(GraphQLClientError) in
            try await Self.receive(client, query, caller, responses)
        }
    }

    /// Returns the next result; `nil` at the end, if the task is canceled, or if the caller has changed.
    func next() async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        try await iteration.next(result)
    }

    private func result(of responses: Responses) throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        let response = try ParsedResponse(combining: responses)
        return GraphQLResult(
            data: try response.decode(Query.self, types: client.store.policies.types), errors: response.errors,
            received: client.store.now, extensions: response.extensions)
    }

    private static func receive(
        _ client: GraphQLClient, _ query: Query, _ caller: Caller?,
        _ responses: NewestValue<Responses, GraphQLClientError>
    ) async throws(GraphQLClientError) {
        guard let transport = client.liveTransport else { throw .noLiveTransport }
        let call = try OperationCall(query, policies: client.store.policies, caller: caller)
        let parts = try LivePart.parts(of: call, policies: client.store.policies)
        let latest = LatestResponses(count: parts.count)
        let outcome = await withTaskGroup(of: Result<Void, GraphQLClientError>.self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask {
                    let request = GraphQLRequest(part.document, variables: part.variables, caller: caller)
                    do throws(GraphQLClientError) {
                        try await transport.run(request) { response, isFirst in
                            await client.merge(response, part, as: caller)
                            latest.replace(index, by: response, isFirst: isFirst) { responses.put($0) }
                        }
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for await outcome in group {
                guard case .failure = outcome else { continue }
                group.cancelAll()
                return outcome
            }
            return .success(())
        }
        try outcome.get()
    }
}

/// The last response to each part of a live query.
private final class LatestResponses: Sendable {
    private let responses: Mutex<[ParsedResponse?]>

    init(count: Int) { responses = Mutex(Array(repeating: nil, count: count)) }

    /// Replaces a response.
    /// - Parameters:
    ///   - isFirst: True for the first response of a connection, which can equal the last one of the previous
    ///     connection.
    ///   - deliver: Receives all responses, unless nothing has changed or a part has no response yet. It is called
    ///     within the lock, so that the last call has the last responses.
    func replace(
        _ index: Int, by response: ParsedResponse, isFirst: Bool, _ deliver: ([ParsedResponse]) -> Void
    ) {
        responses.withLock { responses in
            if isFirst, let old = responses[index], old.isEqual(to: response) { return }
            responses[index] = response
            let all = responses.compactMap(\.self)
            if all.count == responses.count { deliver(all) }
        }
    }
}

extension GraphQLClient {
    /// Returns the results of a query: the first one at once, and a new one whenever it has changed on the server.
    public func live<Query: GraphQLQuery>(_ query: Query) -> GraphQLResults<Query.Data> {
        GraphQLResults {
            let live = LiveQuery(self, query)
            return { () async throws(GraphQLClientError) in try await live.next() }
        }
    }

    /// Writes the records of a response to a live query. They are stale as soon as the live query ends, so they have no
    /// maximum age.
    fileprivate func merge(_ response: ParsedResponse, _ part: LivePart, as caller: Caller?) async {
        guard let data = response.data else { return }
        var normalizer = Normalizer(
            policies: store.policies, receipt: Receipt(received: store.now, maximumAge: 0),
            errorPaths: response.errors.map(\.path))
        normalizer.add(data, part.selection, key: part.document.rootKey)
        let records = normalizer
        await reportingCacheErrors { () throws(CacheError) in
            _ = try await store.merge(records, since: store.moment(of: caller))
        }
    }
}
