/// Options of an ``ExecutableSchema``.
public struct ExecutionOptions: Sendable {
    /// True if introspection is allowed. If it is false, the fields `__schema` and `__type` cause a request error.
    public var isIntrospectionEnabled = true
    /// True if the extensions of a response contain the plan (`extensions.plan`), for debugging.
    public var includesPlan = false
    /// Limits of the parser.
    public var parserLimits = ParserLimits.request
    /// The validation rules. An operation is only executed if its document follows them.
    public var validationRules = Validation.specifiedRules + Validation.recommendedRules
    /// Options of validation.
    public var validation = ValidationOptions()
    /// Limits of the cache of prepared operations.
    public var operationCache = OperationCacheLimits()
    /// The maximum number of errors about variables in one response.
    public var maximumVariableErrors = 50
    /// The maximum number of asynchronous resolvers of one request that run at the same time; at least 1.
    public var maximumConcurrentResolvers = 1_024
    /// The executor of asynchronous resolvers.
    public var resolverExecutor = ResolverExecutor.concurrent
    /// Limits of an operation's plan.
    public var planLimits = PlanLimits()
    /// Limits of an operation, such as its depth and its cost, for servers with unknown clients.
    public var operationLimits = OperationLimits.unlimited
    /// The weights of fields and types, and the lengths of lists, for the cost of operations; nil for those of the
    /// schema; see ``CostModel``.
    public var costModel: CostModel?
    /// The maximum age, in seconds, of fields without a cache hint; see ``CacheControl``.
    public var defaultMaxAge = 0
    /// A function that returns the client's message for an error that is not a `GraphQLError`. By default, it returns
    /// the message of a ``CompletionError``, the ``ArgumentError/clientMessage`` of an argument error that the client
    /// caused, and "Internal error" for all other errors. ``GraphQLResponse/errors`` contains the original error for a
    /// log, unless the message is the ``ArgumentError/clientMessage``.
    public var message: @Sendable (any Error) -> String = { error in
        (error as? CompletionError)?.message ?? (error as? ArgumentError)?.clientMessage ?? "Internal error"
    }

    /// Creates the default options.
    public init() {}
}

/// The executor of asynchronous resolvers: `async(_:)`, `batch(_:)` and
/// ``FieldResolver/events(_:)``.
///
/// Parsing, validation and synchronous resolvers run on the executor of the caller of `execute`. Synchronous resolvers
/// are called while the response is written. A single subtree resolver also runs on the executor of the caller. Several
/// subtree resolvers run in child tasks. The sequence of a subscription's events is iterated on the concurrent
/// executor.
public enum ResolverExecutor: Sendable {
    /// The concurrent executor of Swift. It has one thread for each processor, so a resolver must not block it for
    /// long. This is the default. The thread switch costs some microseconds for a single resolver.
    case concurrent
    /// The executor of the caller of `execute` for a single resolver, without a thread switch. Several resolvers run in
    /// child tasks, on the concurrent executor or on the caller's preferred task executor.
    case caller
    /// A custom executor, for example one with threads that may block.
    case taskExecutor(any TaskExecutor)

    /// Runs a function on the executor.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        switch self {
        case .caller: try await body()
        case .concurrent: try await Self.runConcurrently(body)
        case .taskExecutor(let executor):
            try await withTaskExecutorPreference(executor) { try await Self.runConcurrently(body) }
        }
    }

    @concurrent
    private static func runConcurrently<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        // Swift 6.3 omits the executor switch if the function contains only the call of `body`.
        try Task.checkCancellation()
        return try await body()
    }
}
