import Synchronization

/// One iteration over the results of a live query.
///
/// A task receives the responses, and writes them to the store. It stores only the last responses for the iteration, so
/// a slow reader skips to the last state. The task ends when the iteration ends, or when this object is released.
final class LiveQuery<Query: GraphQLQuery>: Sendable {
    /// The last response to each part of the query.
    private typealias Responses = [ParsedResponse]

    private let client: GraphQLClient
    private let query: Query
    /// The caller for whom the iteration began.
    private let caller: Caller?
    /// Ends the iteration when the caller changes.
    private let observer: CurrentCaller.Observer?
    private let responses: NewestValue<Responses, GraphQLClientError>
    private let task: LiveTask

    init(_ client: GraphQLClient, _ query: Query) {
        self.client = client
        self.query = query
        let responses = NewestValue<Responses, GraphQLClientError>()
        self.responses = responses
        let task = LiveTask()
        self.task = task
        // The observer is created first, so that it reports each change after the caller was read.
        observer = client.store.caller?.observe {
            responses.finish()
            task.end()
        }
        caller = client.store.caller?.current
    }

    deinit { task.end() }

    private func start() {
        task.start { [client, query, caller, responses] in
            do throws(GraphQLClientError) {
                try await Self.receive(client, query, caller, responses)
                responses.finish()
            } catch {
                responses.finish(error)
            }
        }
    }

    /// Returns the next result; `nil` at the end, if the task is canceled, or if the caller has changed.
    func next() async throws(GraphQLClientError) -> GraphQLResult<Query.Data>? {
        start()
        do throws(GraphQLClientError) {
            if let responses = try await responses.next(), client.store.isCurrent(caller) {
                return try result(of: responses)
            }
        } catch {
            task.end()
            guard client.store.isCurrent(caller) else { return nil }
            throw error
        }
        task.end()
        return nil
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
