import DuetJSON
public import Foundation
public import HTTPTypes

/// Writes of resources. If the proxy has ``WebServiceProxy/pendingWrites``, each of them has an ``IdempotencyKey``.
extension WebServiceProxy {
    // MARK: Create

    /// Creates a resource, or several resources if the value is an array (`POST`).
    ///
    /// ```swift
    /// let order: WebServiceResponse<Order> = try await service.create(newOrder, in: "orders")
    /// let address = order.location
    /// ```
    /// - Parameters:
    ///   - value: The new resource. Members that are absent get the default values of the server.
    ///   - path: The path of the list.
    ///   - arguments: The query parameters, which can choose the members of the response.
    ///   - preferences: The preferences. With ``WritePreferences/minimalResponse``, `Row` must be an optional type.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    ///   - headerFields: The header fields of this request.
    /// - Returns: The new resource as it is stored, with its address and its entity tag.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func create<Row: Decodable & Sendable>(
        _ value: some Encodable & Sendable, in path: ResourcePath, arguments: WebServiceArguments = [:],
        preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> WebServiceResponse<Row> {
        try await write(
            .post, path, arguments, .json(value), nil, preferences, idempotencyKey, headerFields, jsonHandler())
    }

    /// Creates a resource, or several resources if the value is an array, and returns the decoded content of the
    /// response. The parameters are those of the function that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func create<Row: Decodable & Sendable>(
        _ value: some Encodable & Sendable, in path: ResourcePath, arguments: WebServiceArguments = [:],
        preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> Row {
        let response: WebServiceResponse<Row> = try await create(
            value, in: path, arguments: arguments, preferences: preferences, idempotencyKey: idempotencyKey,
            headerFields: headerFields)
        return response.content
    }

    /// Creates a resource, or several resources if the value is an array, and asks for a response without content. The
    /// parameters are those of the function that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func create(
        _ value: some Encodable & Sendable, in path: ResourcePath, preferences: WritePreferences = [],
        idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) {
        try await write(
            .post, path, [:], .json(value), nil, preferences.union(.minimalResponse), idempotencyKey, headerFields
        ) { _ in }
    }

    // MARK: Update

    /// Changes members of a resource (`PATCH`).
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - patch: The new values of the members to change, such as a ``MergePatch``. The value `null` removes a value.
    ///     An encoder omits properties that are `nil`.
    ///   - type: The media type of the patch. The default is a JSON Merge Patch (RFC 7396).
    ///   - arguments: The query parameters, which can choose the members of the response.
    ///   - precondition: The condition of the write, such as ``WebServiceResponse/unchanged``.
    ///   - preferences: The preferences. With ``WritePreferences/minimalResponse``, `Row` must be an optional type.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    ///   - headerFields: The header fields of this request.
    /// - Returns: The resource as it is stored after the write, with its entity tag.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func update<Row: Decodable & Sendable>(
        _ path: ResourcePath, with patch: some Encodable & Sendable, type: String = "application/merge-patch+json",
        arguments: WebServiceArguments = [:], precondition: Precondition? = nil, preferences: WritePreferences = [],
        idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> WebServiceResponse<Row> {
        try await write(
            .patch, path, arguments, .json(patch, type: type), precondition, preferences, idempotencyKey, headerFields,
            jsonHandler())
    }

    /// Changes members of a resource, and returns the decoded content of the response. The parameters are those of the
    /// function that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func update<Row: Decodable & Sendable>(
        _ path: ResourcePath, with patch: some Encodable & Sendable, type: String = "application/merge-patch+json",
        arguments: WebServiceArguments = [:], precondition: Precondition? = nil, preferences: WritePreferences = [],
        idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> Row {
        let response: WebServiceResponse<Row> = try await update(
            path, with: patch, type: type, arguments: arguments, precondition: precondition, preferences: preferences,
            idempotencyKey: idempotencyKey, headerFields: headerFields)
        return response.content
    }

    /// Changes members of a resource, and asks for a response without content. The parameters are those of the function
    /// that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func update(
        _ path: ResourcePath, with patch: some Encodable & Sendable, type: String = "application/merge-patch+json",
        precondition: Precondition? = nil, preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil,
        headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) {
        try await write(
            .patch, path, [:], .json(patch, type: type), precondition, preferences.union(.minimalResponse),
            idempotencyKey, headerFields
        ) { _ in }
    }

    /// Changes the members of a resource that differ between two values.
    ///
    /// ```swift
    /// let read: WebServiceResponse<Order> = try await service.invoke(.get, "orders/8")
    /// var order = read.content
    /// order.note = nil
    /// let changed = try await service.update("orders/8", from: read.content, to: order, precondition: read.unchanged)
    /// ```
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - old: The value that was read.
    ///   - new: The changed value.
    ///   - precondition: The condition of the write.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    /// - Returns: The resource as it is stored after the write, with its entity tag.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    @discardableResult
    public func update<Row: Codable & Sendable>(
        _ path: ResourcePath, from old: Row, to new: Row, precondition: Precondition? = nil,
        idempotencyKey: IdempotencyKey? = nil
    ) async throws(WebServiceError) -> WebServiceResponse<Row> {
        try await update(
            path, with: try patch(from: old, to: new), precondition: precondition, idempotencyKey: idempotencyKey)
    }

    /// Returns the members that differ between two values, as ``encoder`` encodes them.
    /// - Throws: ``WebServiceError`` with the code ``WebServiceError/Code-swift.enum/invalidRequest`` if a value cannot
    ///   be encoded.
    public func patch<Value: Encodable>(from old: Value, to new: Value) throws(WebServiceError) -> MergePatch {
        do {
            return MergePatch(
                from: try JSONValue(parsing: encoder.encode(old)), to: try JSONValue(parsing: encoder.encode(new)))
        } catch {
            throw WebServiceError(
                .invalidRequest, "The value of the type \(Value.self) cannot be encoded: \(error)",
                underlyingError: error)
        }
    }

    /// Changes all resources of a list that match a filter, or none of them (`PATCH` of a list).
    /// - Parameters:
    ///   - path: The path of the list.
    ///   - filter: The query parameters with the filter. It must have a condition.
    ///   - patch: The new values.
    ///   - maximumCount: The maximum number of resources. If more of them match, the server changes nothing.
    ///   - preferences: The preferences.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    /// - Returns: The number of changed resources.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    @discardableResult
    public func updateAll(
        _ path: ResourcePath, matching filter: WebServiceArguments, with patch: some Encodable & Sendable,
        maximumCount: Int? = nil, preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil
    ) async throws(WebServiceError) -> Int {
        var arguments = filter
        if let maximumCount { arguments["max"] = maximumCount }
        let result: WebServiceResponse<ChangeCount> = try await update(
            path, with: patch, arguments: arguments, preferences: preferences.subtracting(.minimalResponse),
            idempotencyKey: idempotencyKey)
        return result.content.updated ?? 0
    }

    // MARK: Upsert

    /// Replaces a resource, or creates it if it does not exist (`PUT`).
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - value: The resource. Members that are absent get the default values of the server.
    ///   - arguments: The query parameters, which can choose the members of the response.
    ///   - precondition: With ``Precondition/ifNoneMatchAny``, the resource is only created. With
    ///     ``Precondition/ifMatch(_:)`` or ``Precondition/ifMatchAny``, it is only replaced.
    ///   - preferences: The preferences. With ``WritePreferences/minimalResponse``, `Row` must be an optional type.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    ///   - headerFields: The header fields of this request.
    /// - Returns: The resource as it is stored after the write. The status is 201 if it was created.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func upsert<Row: Decodable & Sendable>(
        _ path: ResourcePath, with value: some Encodable & Sendable, arguments: WebServiceArguments = [:],
        precondition: Precondition? = nil, preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil,
        headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> WebServiceResponse<Row> {
        try await write(
            .put, path, arguments, .json(value), precondition, preferences, idempotencyKey, headerFields, jsonHandler())
    }

    /// Replaces a resource, or creates it if it does not exist, and returns the decoded content of the response. The
    /// parameters are those of the function that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func upsert<Row: Decodable & Sendable>(
        _ path: ResourcePath, with value: some Encodable & Sendable, arguments: WebServiceArguments = [:],
        precondition: Precondition? = nil, preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil,
        headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> Row {
        let response: WebServiceResponse<Row> = try await upsert(
            path, with: value, arguments: arguments, precondition: precondition, preferences: preferences,
            idempotencyKey: idempotencyKey, headerFields: headerFields)
        return response.content
    }

    /// Replaces a resource, or creates it if it does not exist, and asks for a response without content. The parameters
    /// are those of the function that returns the response.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func upsert(
        _ path: ResourcePath, with value: some Encodable & Sendable, precondition: Precondition? = nil,
        preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) {
        try await write(
            .put, path, [:], .json(value), precondition, preferences.union(.minimalResponse), idempotencyKey,
            headerFields
        ) { _ in }
    }

    // MARK: Delete

    /// Removes a resource (`DELETE`).
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - precondition: The condition of the write.
    ///   - preferences: The preferences.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    ///   - headerFields: The header fields of this request.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    public func delete(
        _ path: ResourcePath, precondition: Precondition? = nil, preferences: WritePreferences = [],
        idempotencyKey: IdempotencyKey? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) {
        try await write(.delete, path, [:], nil, precondition, preferences, idempotencyKey, headerFields) { _ in }
    }

    /// Removes all resources of a list that match a filter, or none of them (`DELETE` of a list).
    /// - Parameters:
    ///   - path: The path of the list.
    ///   - filter: The query parameters with the filter. It must have a condition.
    ///   - maximumCount: The maximum number of resources. If more of them match, the server removes nothing.
    ///   - preferences: The preferences.
    ///   - idempotencyKey: The key. If it is `nil`, the proxy makes a new one if it has ``pendingWrites``.
    /// - Returns: The number of removed resources.
    /// - Throws: ``WebServiceError``. If its ``WebServiceError/pendingKey`` is not `nil`, the write remains pending.
    @discardableResult
    public func deleteAll(
        _ path: ResourcePath, matching filter: WebServiceArguments, maximumCount: Int? = nil,
        preferences: WritePreferences = [], idempotencyKey: IdempotencyKey? = nil
    ) async throws(WebServiceError) -> Int {
        var arguments = filter
        if let maximumCount { arguments["max"] = maximumCount }
        let result: WebServiceResponse<ChangeCount> = try await write(
            .delete, path, arguments, nil, nil, preferences.subtracting(.minimalResponse), idempotencyKey, [:],
            jsonHandler())
        return result.content.deleted ?? 0
    }
}

/// The response to a change of all resources that match a filter.
private struct ChangeCount: Decodable, Sendable {
    var updated: Int?
    var deleted: Int?
}

extension WebServiceResponse {
    /// The address of the new resource (`Location`).
    public var location: URL? {
        head.headerFields[.location].flatMap { URL(string: $0, relativeTo: address)?.absoluteURL }
    }
}
