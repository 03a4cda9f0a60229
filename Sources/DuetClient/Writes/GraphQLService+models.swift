public import DuetJSON

/// Writes of rows by models. The client creates the document of each mutation from the model.
extension GraphQLService {
    /// Creates a row.
    /// - Parameters:
    ///   - model: The model of the row. The response contains its fields.
    ///   - input: The values of the new row: a generated input type, or JSON.
    ///   - idempotencyKey: The key. If it is `nil`, the service decides if the mutation has a key.
    ///   - optimistic: Makes changes that are visible until the server responds.
    /// - Throws: ``GraphQLClientError`` if there is no response. If its ``GraphQLClientError/pendingKey`` is not `nil`,
    ///   the mutation remains pending.
    public func create<Row: WritableModel>(
        _ model: Row.Type, input: some InputValue, idempotencyKey: IdempotencyKey? = nil,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        WriteResult(
            try await perform(
                CreateMutation<Row>(input: input), idempotencyKey: idempotencyKey, optimistic: optimistic))
    }

    /// Changes a row.
    /// - Parameters:
    ///   - model: The model of the row. The response contains its fields.
    ///   - key: The key of the row.
    ///   - patch: The new values of the fields to change: a generated input type, or JSON.
    ///   - entityTag: The entity tag of the row. If the row has another one, nothing is changed.
    ///   - idempotencyKey: The key of the mutation. If it is `nil`, the service decides if the mutation has a key.
    ///   - optimistic: Makes changes that are visible until the server responds.
    /// - Throws: ``GraphQLClientError`` if there is no response. If its ``GraphQLClientError/pendingKey`` is not `nil`,
    ///   the mutation remains pending.
    public func update<Row: WritableModel>(
        _ model: Row.Type, key: RowKey, patch: some InputValue, ifMatch entityTag: String? = nil,
        idempotencyKey: IdempotencyKey? = nil, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        WriteResult(
            try await perform(
                UpdateMutation<Row>(key: key, patch: patch, ifMatch: entityTag), idempotencyKey: idempotencyKey,
                optimistic: optimistic))
    }

    /// Creates or replaces a row.
    /// - Parameters:
    ///   - model: The model of the row. The response contains its fields.
    ///   - input: The values of the row, with its key: a generated input type, or JSON.
    ///   - entityTag: The entity tag of the row, or `*`. If the row has another one, or does not exist, nothing is
    ///     changed.
    ///   - ifNoneMatch: With `*`, the row is only created.
    ///   - idempotencyKey: The key of the mutation. If it is `nil`, the service decides if the mutation has a key.
    ///   - optimistic: Makes changes that are visible until the server responds.
    /// - Throws: ``GraphQLClientError`` if there is no response. If its ``GraphQLClientError/pendingKey`` is not `nil`,
    ///   the mutation remains pending.
    public func upsert<Row: WritableModel>(
        _ model: Row.Type, input: some InputValue, ifMatch entityTag: String? = nil, ifNoneMatch: String? = nil,
        idempotencyKey: IdempotencyKey? = nil, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        WriteResult(
            try await perform(
                UpsertMutation<Row>(input: input, ifMatch: entityTag, ifNoneMatch: ifNoneMatch),
                idempotencyKey: idempotencyKey, optimistic: optimistic))
    }

    /// Removes a row.
    ///
    /// The store still has the row in lists that contain it. Remove it there with an optimistic update, or in a
    /// transaction after the call.
    /// - Parameters:
    ///   - model: The model of the row.
    ///   - key: The key of the row.
    ///   - entityTag: The entity tag of the row. If the row has another one, nothing is removed.
    ///   - idempotencyKey: The key of the mutation. If it is `nil`, the service decides if the mutation has a key.
    ///   - optimistic: Makes changes that are visible until the server responds.
    /// - Returns: The key of the removed row.
    /// - Throws: ``GraphQLClientError`` if there is no response. If its ``GraphQLClientError/pendingKey`` is not `nil`,
    ///   the mutation remains pending.
    public func delete<Row: WritableModel>(
        _ model: Row.Type, key: RowKey, ifMatch entityTag: String? = nil, idempotencyKey: IdempotencyKey? = nil,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<String> {
        let result = try await perform(
            DeleteMutation<Row>(key: key, ifMatch: entityTag), idempotencyKey: idempotencyKey, optimistic: optimistic)
        return WriteResult(
            row: result.data?.payload?.deletedKey, errors: result.data?.payload?.errors ?? [],
            responseErrors: result.errors)
    }
}

/// Writes of rows with values in JSON, so that a literal needs no type.
extension GraphQLService {
    /// Creates a row. The parameters are those of the function for any type of `input`.
    /// - Throws: ``GraphQLClientError``.
    public func create<Row: WritableModel>(
        _ model: Row.Type, input: JSONObject, idempotencyKey: IdempotencyKey? = nil,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        try await create(
            model, input: JSONValue.object(input), idempotencyKey: idempotencyKey, optimistic: optimistic)
    }

    /// Changes a row. The parameters are those of the function for any type of `patch`.
    /// - Throws: ``GraphQLClientError``.
    public func update<Row: WritableModel>(
        _ model: Row.Type, key: RowKey, patch: JSONObject, ifMatch entityTag: String? = nil,
        idempotencyKey: IdempotencyKey? = nil, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        try await update(
            model, key: key, patch: JSONValue.object(patch), ifMatch: entityTag, idempotencyKey: idempotencyKey,
            optimistic: optimistic)
    }

    /// Creates or replaces a row. The parameters are those of the function for any type of `input`.
    /// - Throws: ``GraphQLClientError``.
    public func upsert<Row: WritableModel>(
        _ model: Row.Type, input: JSONObject, ifMatch entityTag: String? = nil, ifNoneMatch: String? = nil,
        idempotencyKey: IdempotencyKey? = nil, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<Row> {
        try await upsert(
            model, input: JSONValue.object(input), ifMatch: entityTag, ifNoneMatch: ifNoneMatch,
            idempotencyKey: idempotencyKey, optimistic: optimistic)
    }
}
