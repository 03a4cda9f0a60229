/// A schema with resolvers. It executes operations.
///
///     let schema = try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
///     let response = try await schema.execute("query($id: ID!) { book(id: $id) { title } }", variables: ["id": "1"])
///     print(response.text)
///
/// The first execution of a document parses it, validates it and plans its operation. Prepared operations are cached
/// (``ExecutionOptions/operationCache``), so a later execution of the document needs only a lookup.
///
/// `UserContext` is the type of the value that resolvers get as ``FieldContext/userContext``.
public struct ExecutableSchema<UserContext: Sendable>: Sendable {
    let resolvedSchema: ResolvedSchema
    /// The cache of prepared operations.
    public let operations: PreparedOperationCache

    /// Creates an executable schema.
    /// - Throws: Errors for executable fields without a resolver, for resolvers of undefined types and fields, and for
    ///   invalid weights, lengths of lists and cache hints.
    public init(
        _ schema: Schema, resolvers: SchemaResolvers<UserContext>, options: ExecutionOptions = ExecutionOptions()
    ) throws(GraphQLErrors) {
        resolvedSchema = try ResolvedSchema(schema, resolvers: resolvers, options: options)
        operations = PreparedOperationCache(schema: resolvedSchema)
    }

    /// Creates an executable schema from a schema whose fields were created with their resolvers; see ``SchemaField``.
    /// - Parameter userContext: The type of the user context.
    /// - Throws: Errors for executable fields without a resolver, for resolvers that require another user context, and
    ///   for invalid weights, lengths of lists and cache hints.
    public init(
        _ schema: Schema, userContext: UserContext.Type, options: ExecutionOptions = ExecutionOptions()
    ) throws(GraphQLErrors) {
        try self.init(schema, resolvers: SchemaResolvers(userContext: userContext), options: options)
    }

    /// The schema.
    public var schema: Schema { resolvedSchema.schema }
    /// The options.
    public var options: ExecutionOptions { resolvedSchema.options }
    /// The weights of fields and types, and the lengths of lists, for the cost of operations.
    public var costModel: CostModel { resolvedSchema.costModel }
    /// The cache restrictions of fields.
    public var cacheControl: CacheControl { resolvedSchema.cacheControl }

    /// Returns the operation of a document. Parses, validates and plans the operation if it is not cached.
    /// - Parameters:
    ///   - document: The text of the document.
    ///   - operationName: The operation's name. It is required if the document contains several operations.
    /// - Throws: Request errors: a syntax error, validation errors, or an unknown operation.
    public func prepare(
        _ document: String, operationName: String? = nil
    ) throws(GraphQLErrors) -> PreparedOperation<UserContext> {
        PreparedOperation(try operations.operation(in: document, named: operationName))
    }

    // MARK: - Executing

    /// Parses, validates and executes an operation of a document (ExecuteRequest; specification, section 6.1).
    /// - Parameters:
    ///   - document: The text of a GraphQL document.
    ///   - operationName: The operation's name. It is required if the document contains several operations.
    ///   - variables: The request's variables before coercion.
    ///   - rootValue: The Swift value that the resolvers of the root fields get as their source.
    ///   - userContext: The value that the resolvers get as ``FieldContext/userContext``.
    ///   - extensions: The entries of the response's `extensions`.
    /// - Returns: The response. If the document cannot be executed, the response contains errors and no `data`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    public func execute(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        userContext: UserContext, extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        let operation: OperationContext
        do {
            // `PlannedOperation.execute` would retain the planned operation once more.
            operation = try operations.operation(in: document, named: operationName)
                .executionContext(variables, userContext)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        return try await operation.execute(rootValue, extensions).response
    }

    /// Executes an operation of a document with incremental delivery of the fields with `@defer` and the lists with
    /// `@stream`. The parameters and errors are those of
    /// ``execute(_:operationName:variables:rootValue:userContext:extensions:)``.
    public func executeIncrementally(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        userContext: UserContext, extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        let operation: PlannedOperation
        do {
            operation = try operations.operation(in: document, named: operationName)
        } catch {
            return .single(GraphQLResponse(requestErrors: error))
        }
        return try await operation.executeIncrementally(
            variables: variables, rootValue: rootValue, userContext: userContext, extensions: extensions)
    }

    /// Starts a subscription (Subscribe; specification, section 6.2.3).
    /// - Returns: The responses, or a response with the errors if the subscription cannot be started.
    /// - Throws: `CancellationError` if the task is canceled.
    public func subscribe(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        userContext: UserContext
    ) async throws(CancellationError) -> SubscriptionResponse {
        let operation: PlannedOperation
        do {
            operation = try operations.operation(in: document, named: operationName)
        } catch {
            return .failed(GraphQLResponse(requestErrors: error))
        }
        return try await operation.subscribe(variables: variables, rootValue: rootValue, userContext: userContext)
    }
}

extension ExecutableSchema where UserContext == Void {
    /// Parses, validates and executes an operation of a document; see
    /// ``execute(_:operationName:variables:rootValue:userContext:extensions:)``.
    public func execute(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        try await execute(
            document, operationName: operationName, variables: variables, rootValue: rootValue, userContext: (),
            extensions: extensions)
    }

    /// Executes an operation of a document with incremental delivery; see
    /// ``executeIncrementally(_:operationName:variables:rootValue:userContext:extensions:)``.
    public func executeIncrementally(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        try await executeIncrementally(
            document, operationName: operationName, variables: variables, rootValue: rootValue, userContext: (),
            extensions: extensions)
    }

    /// Starts a subscription; see ``subscribe(_:operationName:variables:rootValue:userContext:)``.
    public func subscribe(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        try await subscribe(
            document, operationName: operationName, variables: variables, rootValue: rootValue, userContext: ())
    }
}
