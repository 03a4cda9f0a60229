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
