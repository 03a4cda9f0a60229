// Without these declarations, a call that forgets the user context has an error about the type `Void` only.

extension ExecutableSchema {
    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func execute(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        throw CancellationError()
    }

    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func executeIncrementally(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        throw CancellationError()
    }

    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func subscribe(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        throw CancellationError()
    }
}

extension PreparedOperation {
    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func execute(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        throw CancellationError()
    }

    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func executeIncrementally(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        throw CancellationError()
    }

    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func subscribe(
        variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        throw CancellationError()
    }
}

extension FieldContext {
    /// Is unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<UserContext>,
        variables: ObjectValue = [:]
    ) throws(GraphQLErrors) {
        throw GraphQLErrors([])
    }
}
