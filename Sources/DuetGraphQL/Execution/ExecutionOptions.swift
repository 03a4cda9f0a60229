/// How operations are executed.
public struct ExecutionOptions: Sendable {
    /// Whether `__schema` and `__type` are answered.
    public var isIntrospectionEnabled = true
    /// Whether responses say their plan in `extensions.plan`; for debugging.
    public var includesPlan = false
    /// The most variables' errors one response shows.
    public var maximumVariableErrors = 50
    /// How many asynchronous resolvers of one request run at the same time.
    public var maximumConcurrentResolvers = 1_024
    /// How large an operation's plan may be.
    public var planLimits = PlanLimits()
    /// How much an operation may ask for; for servers that are open to strangers.
    public var operationLimits = OperationLimits.unlimited
    /// What fields cost and how long lists become; nil to read it from the schema's directives `@cost` and `@listSize`.
    public var costModel: CostModel?
    /// For how many seconds a response may be kept that has fields of which `@cacheControl` says nothing; see ``CacheControl``.
    public var defaultMaxAge = 0
    /// What a client is told of an error that is no ``GraphQLError``. The error itself goes to the log, by way of
    /// ``GraphQLResponse/errors``.
    public var message: @Sendable (any Error) -> String = { _ in "Internal error" }

    /// The defaults.
    public init() {}
}
