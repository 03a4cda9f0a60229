public import DuetGraphQL
public import HTTPTypes

// Without these declarations, the compiler's error for a missing user context only mentions the type `Void`.

extension ExecutableSchema {
    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func respondIncrementally(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported,
        report: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) async throws(CancellationError) -> GraphQLHTTPIncrementalResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func subscribe(
        to request: GraphQLRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> SubscriptionResponse {
        throw CancellationError()
    }

    /// Unavailable, because the schema's resolvers need a user context.
    @available(*, unavailable, message: "The resolvers need a user context: pass it as the argument userContext.")
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = ()
    ) async throws -> GraphQLResponse {
        throw CancellationError()
    }
}
