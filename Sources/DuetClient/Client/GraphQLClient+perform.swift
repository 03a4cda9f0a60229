extension GraphQLClient {
    /// Performs a mutation. The optimistic changes are visible until the server responds.
    ///
    /// If the client has ``pendingWrites`` and there is no response, the mutation can remain pending
    /// (``GraphQLClientError/pendingKey``). Its optimistic changes then remain visible.
    /// - Throws: ``GraphQLClientError`` if there is no response. Even then, the server may have performed the mutation.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await perform(mutation, idempotencyKey: nil, optimistic: optimistic)
    }

    /// Performs a mutation with a key. The optimistic changes are visible until the server responds.
    ///
    /// If the client has no ``pendingWrites``, the mutation is not recorded, but a transport may send it several times.
    /// - Parameters:
    ///   - mutation: The mutation with its variables. It has one root field, or the directive `@transaction`.
    ///   - idempotencyKey: The key. If it is `nil`, the client makes a new one if it has ``pendingWrites``.
    ///   - optimistic: Makes changes that are visible until the server responds.
    /// - Throws: ``GraphQLClientError`` if there is no response. Even then, the server may have performed the mutation.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey?,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await call(mutation) { (call) throws(GraphQLClientError) in
            let moment = store.moment(of: call.caller)
            let write = keyedWrite(of: call, idempotencyKey)
            // The app can perform a pending mutation again.
            if let write { await endPendingLayer(of: write.key, as: call.caller) }
            let layer = optimistic.map(OptimisticLayer.init)
            if let layer {
                await reportingCacheErrors { () throws(CacheError) in try await store.addLayer(layer, since: moment) }
                // The layer is registered before the request, because another task can resume the mutation as soon as
                // this request has failed.
                if let write, write.recorder != nil {
                    await pendingRemovals?.observe(for: self)
                    pendingLayers.add(layer.id, of: write.key, as: call.caller)
                }
            }
            do throws(GraphQLClientError) {
                let result = try await fetchFromServer(call, since: moment, endingLayer: layer?.id, write: write)
                if let write { await endPendingLayer(of: write.key, as: call.caller, except: layer?.id) }
                return result
            } catch {
                if error.pendingKey == nil {
                    if let write { await endPendingLayer(of: write.key, as: call.caller, except: layer?.id) }
                    if let layer { await end(layer.id, as: call.caller) }
                }
                throw error
            }
        }
    }
}
