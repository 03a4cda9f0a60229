/// An operation of a document that is parsed, validated and planned. It can be executed repeatedly and concurrently.
///
/// ``ExecutableSchema/prepare(_:operationName:)`` returns a prepared operation. `UserContext` is the type of the value
/// that resolvers get as ``FieldContext/userContext``.
public struct PreparedOperation<UserContext: Sendable>: Sendable {
    package let planned: PlannedOperation

    package init(_ planned: PlannedOperation) { self.planned = planned }

    /// Prepares an operation of a document without validation, for example if the document was validated when the
    /// program was built.
    ///
    /// The execution of an invalid document does not crash. It ignores fields, fragments and arguments that the schema
    /// does not define.
    /// - Parameters:
    ///   - document: A document that is valid for the schema.
    ///   - operationName: The operation's name. It is required if the document contains several operations.
    ///   - schema: The schema with its resolvers.
    /// - Throws: Request errors if the operation does not exist or exceeds the limits (``OperationLimits``,
    ///   ``PlanLimits``).
    public init(
        unvalidated document: Document, operationName: String? = nil, schema: ExecutableSchema<UserContext>
    ) throws(GraphQLErrors) {
        let definition: OperationDefinition
        do {
            definition = try PlannedOperation.definition(named: operationName, in: document)
        } catch {
            throw GraphQLErrors([error])
        }
        planned = try PlannedOperation(document, definition, resolvedSchema: schema.resolvedSchema)
    }

    /// The schema of the operation.
    public var schema: Schema { planned.schema }
    /// The document of the operation.
    public var document: Document { planned.document }
    /// The operation's definition.
    public var definition: OperationDefinition { planned.definition }

    /// Returns a description of the plan for the variables, with a line for each field. A line contains the field's
    /// type and the kind of its resolver.
    /// - Parameter variables: The request's variables before coercion.
    /// - Throws: Request errors, such as variables of a wrong type.
    public func planDescription(variables: ObjectValue = [:]) throws(GraphQLErrors) -> String {
        try planned.planDescription(variables: variables)
    }

    /// Returns the maximum cost of the operation (see ``CostModel``), from 0 to 10^15.
    /// - Parameter variables: The request's variables before coercion.
    /// - Throws: Request errors, such as variables of a wrong type.
    public func cost(variables: ObjectValue = [:]) throws(GraphQLErrors) -> Int {
        try planned.cost(variables: variables)
    }

    // MARK: - Executing

    /// Executes the operation (ExecuteRequest; specification, section 6.1).
    /// - Parameters:
    ///   - variables: The request's variables before coercion.
    ///   - rootValue: The Swift value that the resolvers of the root fields get as their source.
    ///   - userContext: The value that the resolvers get as ``FieldContext/userContext``.
    ///   - extensions: The entries of the response's `extensions`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    public func execute(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: UserContext,
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        try await planned.execute(
            variables: variables, rootValue: rootValue, userContext: userContext, extensions: extensions)
    }

    /// Executes the operation without suspension. All resolvers of the operation must be synchronous.
    /// - Returns: The response. If a field has an asynchronous resolver, or if the task is canceled, the response
    ///   contains only a request error.
    public func executeSynchronously(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: UserContext,
        extensions: ObjectValue = [:]
    ) -> GraphQLResponse {
        planned.executeSynchronously(
            variables: variables, rootValue: rootValue, userContext: userContext, extensions: extensions)
    }

    /// Executes the operation with incremental delivery of the fields with `@defer` and the lists with `@stream`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    public func executeIncrementally(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: UserContext,
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        try await planned.executeIncrementally(
            variables: variables, rootValue: rootValue, userContext: userContext, extensions: extensions)
    }

    /// Starts a subscription (Subscribe; specification, section 6.2.3).
    /// - Returns: The responses, or a response with the errors if the subscription cannot be started.
    /// - Throws: `CancellationError` if the task is canceled.
    public func subscribe(
        variables: ObjectValue = [:], rootValue: any Sendable = (), userContext: UserContext
    ) async throws(CancellationError) -> SubscriptionResponse {
        try await planned.subscribe(variables: variables, rootValue: rootValue, userContext: userContext)
    }
}

extension PreparedOperation where UserContext == Void {
    /// Executes the operation; see ``execute(variables:rootValue:userContext:extensions:)``.
    public func execute(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        try await execute(variables: variables, rootValue: rootValue, userContext: (), extensions: extensions)
    }

    /// Executes an operation without suspension; see
    /// ``executeSynchronously(variables:rootValue:userContext:extensions:)``.
    public func executeSynchronously(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) -> GraphQLResponse {
        executeSynchronously(variables: variables, rootValue: rootValue, userContext: (), extensions: extensions)
    }

    /// Executes the operation with incremental delivery; see
    /// ``executeIncrementally(variables:rootValue:userContext:extensions:)``.
    public func executeIncrementally(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        try await executeIncrementally(
            variables: variables, rootValue: rootValue, userContext: (), extensions: extensions)
    }

    /// Starts a subscription; see ``subscribe(variables:rootValue:userContext:)``.
    public func subscribe(
        variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        try await subscribe(variables: variables, rootValue: rootValue, userContext: ())
    }
}
