import DuetJSON
import HTTPTypes

/// A client of a GraphQL service with a normalized cache.
///
///     let client = GraphQLClient(transport: endpoint, store: store)
///     let result = try await client.fetch(EmployeeQuery(id: "10004"))
public final class GraphQLClient: GraphQLService {
    /// The store. Several clients can share it.
    public let store: GraphQLStore
    /// The mutations without an answer. If it is not `nil`, each mutation that a key can cover has a key, and is
    /// recorded until its answer has arrived: a mutation with one root field, or with the directive `@transaction`.
    public let pendingWrites: PendingWrites?
    let pendingLayers = PendingLayers()
    let pendingDocuments = PendingDocuments()
    let pendingRemovals: PendingRemovals?
    let transport: any GraphQLTransport
    /// Sends live queries; `nil` if the client supports none.
    let liveTransport: (any LiveTransport)?
    private let cacheFailed: @Sendable (CacheError) -> Void

    /// Creates a client.
    /// - Parameters:
    ///   - transport: Sends the operations. A ``GraphQLEndpoint`` also receives live queries as server-sent events.
    ///   - socket: Receives live queries by WebSocket. If it is `nil`, the transport receives them.
    ///   - store: The store for the records of all responses.
    ///   - interceptors: The interceptors of each operation except live queries. The first interceptor is the
    ///     outermost.
    ///   - pendingWrites: Records mutations until their answers have arrived.
    ///   - onCacheError: Called if the cache cannot be read or written. The client continues without the cache.
    public init(
        transport: any GraphQLTransport, socket: GraphQLSocket? = nil, store: GraphQLStore = GraphQLStore(),
        interceptors: [any GraphQLInterceptor] = [], pendingWrites: PendingWrites? = nil,
        onCacheError: @escaping @Sendable (CacheError) -> Void = { _ in }
    ) {
        self.store = store
        self.pendingWrites = pendingWrites
        pendingRemovals = pendingWrites.map(PendingRemovals.init)
        liveTransport = socket ?? transport as? any LiveTransport
        self.transport = interceptors.reversed().reduce(transport) {
            InterceptedTransport(interceptor: $1, next: $0)
        }
        cacheFailed = onCacheError
    }

    /// Fetches a query once.
    /// - Throws: ``GraphQLClientError`` if there is no response, unless the policy allows a cached result and the cache
    ///   has one.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await call(query) { (call) throws(GraphQLClientError) in try await fetch(call, policy: policy) }
    }

    /// Fetches only those fields of the query that are missing in the cache or stale. If the cache has none of the
    /// fields, fetches the whole query.
    ///
    /// The client creates a document with these fields for this request only. The document is never registered as a
    /// persisted query. If the server allows only listed documents, the client fetches the whole query. An object that
    /// the policies cannot identify is fetched completely, because the server may return a different object.
    ///
    /// A result with cached and fetched data has the source ``GraphQLResult/Source-swift.enum/cacheAndServer``. The
    /// cached data and the fetched data are from different points in time.
    /// - Throws: ``GraphQLClientError``.
    public func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await call(query) { (call) throws(GraphQLClientError) in try await fetchMissing(call) }
    }

    private func fetchMissing<Query: GraphQLQuery>(
        _ call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        if let cached = try await read(call, allowsStale: false), cached.isComplete, cached.data != nil {
            return GraphQLResult(cached: cached)
        }
        guard let part = try await missingPart(of: call) else { return try await fetchFromServer(call) }
        let moment = store.moment(of: call.caller)
        let reply: GraphQLReply
        do throws(GraphQLClientError) {
            reply = try await transport.send(
                GraphQLRequest(part.document, variables: part.variables, caller: call.caller))
        } catch {
            guard error.code == .notListed else { throw error }
            return try await fetchFromServer(call)
        }
        let response = try ParsedResponse(reply)
        await merge(response, reply, part.document, part.selection, since: moment)
        if let whole = try await read(call, allowsStale: false), whole.isComplete, whole.data != nil {
            var result = GraphQLResult(cached: whole)
            result.source = .cacheAndServer
            result.errors = response.errors
            result.extensions = response.extensions
            return result
        }
        // Another task has changed the cached objects, so the fetched part does not complete the query.
        return try await fetchFromServer(call)
    }

    /// Returns all results of a query according to the policy.
    public func results<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data> {
        GraphQLResults {
            let results = PolicyResults(self, query, policy: policy)
            return { () async throws(GraphQLClientError) in try await results.next() }
        }
    }

    /// Fetches a query, and delivers a new result whenever one of its values changes in the store.
    public func watch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data> {
        GraphQLResults {
            let watch = QueryWatch(self, query, policy: policy)
            return { () async throws(GraphQLClientError) in try await watch.next() }
        }
    }
}

// MARK: The caller

extension GraphQLClient {
    /// Runs an operation for the current caller. If the caller changes before the operation ends, its result or error
    /// is discarded.
    func call<Operation: GraphQLOperation>(
        _ operation: Operation,
        _ body: (OperationCall<Operation>) async throws(GraphQLClientError) -> GraphQLResult<Operation.Data>
    ) async throws(GraphQLClientError) -> GraphQLResult<Operation.Data> {
        let caller = store.caller?.current
        let call = try OperationCall(operation, policies: store.policies, caller: caller)
        return try await discardingResult(ofFormer: caller) { () throws(GraphQLClientError) in try await body(call) }
    }

    /// Runs a closure. If a caller is not the current caller at the end, discards the result or the error of the
    /// closure.
    /// - Throws: ``GraphQLClientError`` with the code ``GraphQLClientError/Code-swift.enum/callerChanged``, or the
    ///   error of the closure.
    func discardingResult<Value>(
        ofFormer caller: Caller?, _ body: () async throws(GraphQLClientError) -> Value
    ) async throws(GraphQLClientError) -> Value {
        let result: Result<Value, GraphQLClientError>
        do throws(GraphQLClientError) { result = .success(try await body()) } catch { result = .failure(error) }
        guard store.isCurrent(caller) else {
            var error = GraphQLClientError.callerChanged
            if case .failure(let failure) = result { error.pendingKey = failure.pendingKey }
            throw error
        }
        return try result.get()
    }
}

// MARK: The cache

extension GraphQLClient {
    /// Reads a query from the store.
    /// - Parameter watcher: A watcher of the query's values. The store registers it.
    /// - Returns: `nil` if the cache could not be read. In this case, this method calls `onCacheError`.
    func readWatched<Query: GraphQLOperation>(
        _ call: OperationCall<Query>, allowsStale: Bool, watcher: StoreWatcher?
    ) async throws(GraphQLClientError) -> CachedRead<Query>? {
        do throws(StoreError) {
            return try await store.read(
                Query.self, call.selection, as: call.caller, allowsStale: allowsStale, watcher: watcher)
        } catch {
            try report(error)
            return nil
        }
    }

    func read<Query: GraphQLOperation>(
        _ call: OperationCall<Query>, allowsStale: Bool
    ) async throws(GraphQLClientError) -> CachedResult<Query.Data>? {
        try await readWatched(call, allowsStale: allowsStale, watcher: nil)?.result
    }

    private func missingPart<Query: GraphQLOperation>(
        of call: OperationCall<Query>
    ) async throws(GraphQLClientError) -> MissingPart? {
        do throws(StoreError) {
            guard let map = try await store.missingMap(call.document.map, call.selection, as: call.caller),
                map != call.document.map
            else { return nil }
            return try MissingPart(map, of: call, policies: store.policies)
        } catch {
            try report(error)
            return nil
        }
    }

    /// Reports an error of the cache. Throws an error of the model, and the error of a former caller.
    private func report(_ error: StoreError) throws(GraphQLClientError) {
        switch error {
        case .cache(let error) where error.code == .closed: throw .callerChanged
        case .cache(let error): cacheFailed(error)
        case .model(let error): throw GraphQLClientError(error)
        }
    }

    /// Reports an error of the cache, unless the caller has changed.
    func reportingCacheErrors(_ body: () async throws(CacheError) -> Void) async {
        do throws(CacheError) { try await body() } catch { if error.code != .closed { cacheFailed(error) } }
    }

    /// Writes the records of a response, unless `Cache-Control` forbids it.
    /// - Parameters:
    ///   - moment: The moment at which the request was sent.
    ///   - layer: The optimistic update that the response replaces.
    /// - Returns: The receipt of the response, and the state of the store after the merge. The state is `nil` if the
    ///   response was not stored, or if an equal response must be merged again. The tuple is `nil` if the cache could
    ///   not be written.
    @discardableResult
    func merge(
        _ response: ParsedResponse, _ reply: GraphQLReply, _ document: OperationDocument,
        _ selection: ResolvedSelection,
        since moment: GraphQLStore.Moment, endingLayer layer: OptimisticLayer.ID? = nil
    ) async -> (receipt: Receipt, state: RepeatedResponse.State?)? {
        // The client ignores `Cache-Control` in the response to a mutation. This field is for HTTP caches, which store
        // the response to a POST only if the server permits it explicitly (RFC 9110, section 9.3.3). The store needs
        // the response, because it contains the new values of objects.
        let fields = reply.head.headerFields
        let control = document.kind == .mutation ? nil : CacheDirectives(fields)
        let receipt =
            control.map { Receipt(received: store.now, maximumAge: $0.timeToLive(fields)) }
            ?? .inheriting(received: store.now)
        var normalizer = Normalizer(
            policies: store.policies, receipt: receipt, errorPaths: response.errors.map(\.path))
        let isStored = control?.contains(.noStore) != true
        if isStored, let data = response.data { normalizer.add(data, selection, key: document.rootKey) }
        do throws(CacheError) {
            let state = try await store.merge(normalizer, since: moment, endingLayer: layer)
            return (receipt, isStored ? state : nil)
        } catch {
            await reportingCacheErrors { () throws(CacheError) in throw error }
            if let layer {
                await reportingCacheErrors { () throws(CacheError) in
                    try await store.endLayer(layer, as: moment.caller)
                }
            }
            return nil
        }
    }
}

// MARK: The server

extension GraphQLClient {
    /// Applies a policy that yields a single result.
    func fetch<Query: GraphQLOperation>(
        _ call: OperationCall<Query>, policy: FetchPolicy
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        switch policy {
        case .cacheElseFetch:
            if let cached = try await read(call, allowsStale: false), cached.isComplete, cached.data != nil {
                return GraphQLResult(cached: cached)
            }
            return try await fetchFromServer(call)
        case .cacheDontFetch:
            guard let cached = try await read(call, allowsStale: true) else {
                throw GraphQLClientError(.cache, "The cache failed, and the policy allows no request to the server.")
            }
            guard cached.isComplete else { throw .cacheMiss(cached.missingPaths) }
            return GraphQLResult(cached: cached)
        case .networkElseCache:
            do throws(GraphQLClientError) {
                return try await fetchFromServer(call)
            } catch {
                guard error.code == .transport || error.code == .invalidResponse,
                    let cached = try await read(call, allowsStale: true), cached.isComplete
                else { throw error }
                var result = GraphQLResult(cached: cached)
                result.refreshError = error
                return result
            }
        case .fetchIgnoringCacheData, .cacheAndFetch:
            return try await fetchFromServer(call)
        case .fetchIgnoringCacheCompletely:
            return try await fetchFromServer(call, isCached: false)
        }
    }

    /// Fetches from the server.
    /// - Parameters:
    ///   - isCached: False to bypass the store.
    ///   - moment: The moment at which the operation began; `nil` if it begins now.
    ///   - endingLayer: The optimistic update that the response replaces.
    ///   - write: The key of a mutation.
    func fetchFromServer<Operation: GraphQLOperation>(
        _ call: OperationCall<Operation>, isCached: Bool = true, since moment: GraphQLStore.Moment? = nil,
        endingLayer layer: OptimisticLayer.ID? = nil, write: KeyedWrite? = nil
    ) async throws(GraphQLClientError) -> GraphQLResult<Operation.Data> {
        let moment = moment ?? store.moment(of: call.caller)
        let reply = try await send(
            GraphQLRequest(call.document, variables: call.variables, caller: call.caller), write)
        if isCached, call.document.kind == .query, let result = await repeatedResult(of: call, reply) { return result }
        let response = try ParsedResponse(reply)
        var result = GraphQLResult<Operation.Data>(
            data: try response.decode(Operation.self, types: store.policies.types), errors: response.errors,
            received: store.now,
            extensions: response.extensions)
        guard isCached else { return result }
        let merged = await merge(response, reply, call.document, call.selection, since: moment, endingLayer: layer)
        if let merged {
            result.received = merged.receipt.received
            if call.document.kind == .query, response.errors.isEmpty, result.data != nil, let state = merged.state {
                await store.retain(
                    RepeatedResponse(
                        request: call.identity, bytes: reply.body, receipt: merged.receipt, state: state, result: result
                    ), as: call.caller)
            }
        }
        return result
    }

    /// Returns the result of the previous response if `reply` is equal to that response; `nil` if `reply` must be
    /// decoded and merged.
    private func repeatedResult<Operation: GraphQLOperation>(
        of call: OperationCall<Operation>, _ reply: GraphQLReply
    ) async -> GraphQLResult<Operation.Data>? {
        let fields = reply.head.headerFields
        let control = CacheDirectives(fields)
        guard !control.contains(.noStore),
            let repeated = await store.repeatedResult(
                of: call.identity, as: call.caller, bytes: reply.body, maximumAge: control.timeToLive(fields)),
            var result = repeated.result as? GraphQLResult<Operation.Data>
        else { return nil }
        result.received = repeated.received
        return result
    }
}

extension ParsedResponse {
    /// Decodes the data of an operation.
    /// - Returns: `nil` if the response has errors, and has no data or lacks a field that the model requires.
    func decode<Operation: GraphQLOperation>(
        _: Operation.Type, types: TypeConditions
    ) throws(GraphQLClientError) -> Operation.Data? {
        guard let data else {
            if errors.isEmpty {
                throw GraphQLClientError(.invalidResponse, "The response has neither data nor errors.")
            }
            return nil
        }
        do throws(ModelError) {
            return try Operation.decode(ResponseValue(storage: .response(data, types: types)))
        } catch {
            if errors.isEmpty { throw GraphQLClientError(error) }
            return nil
        }
    }

    /// Parses the response.
    init(_ reply: GraphQLReply) throws(GraphQLClientError) {
        do throws(GraphQLClientError) {
            try self.init(reply.body)
        } catch {
            var error = error
            error.status = reply.head.status.code
            if !(200..<300).contains(reply.head.status.code) {
                error.message = "The server responded with the status \(reply.head.status.code). \(error.message)"
            }
            throw error
        }
    }
}

extension CacheDirectives {
    /// Returns the remaining time for which a response is fresh, in milliseconds; `nil` if `Cache-Control` does not
    /// specify it. The `Age` of the response is subtracted (RFC 9111, section 4.2.3). The `Date` field is not used,
    /// because the clock of a device can be wrong.
    fileprivate func timeToLive(_ fields: HTTPFields) -> Int64? {
        if contains(.noCache) { return 0 }
        guard let seconds = seconds(.maxAge) else { return nil }
        return Int64(max(0, seconds - ResponseFreshness.age(in: fields)) * 1000)
    }
}
