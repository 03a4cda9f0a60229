// Without these declarations, the compiler's error for a missing user context only mentions the type `Void`.

extension ExecutableSchema {
    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func execute(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func executeIncrementally(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = (),
        extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func subscribe(
        _ document: String, operationName: String? = nil, variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        throw CancellationError()
    }
}

extension PreparedOperation {
    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func execute(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> GraphQLResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func executeIncrementally(
        variables: ObjectValue = [:], rootValue: any Sendable = (), extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func subscribe(
        variables: ObjectValue = [:], rootValue: any Sendable = ()
    ) async throws(CancellationError) -> SubscriptionResponse {
        throw CancellationError()
    }
}

extension FieldContext {
    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<UserContext>,
        variables: ObjectValue = [:]
    ) throws(GraphQLErrors) {
        throw GraphQLErrors([])
    }
}
