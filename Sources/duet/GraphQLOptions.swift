import ArgumentParser
import DuetServer
import GraphQL

/// The options of `duet serve` that are about GraphQL.
struct GraphQLOptions: ParsableArguments {
    @Option(help: "Deepest nesting of fields in a query, at most 64. (environment: DUET_MAX_QUERY_DEPTH; default: 15)")
    var maxQueryDepth: Int?
    @Option(help: "Most rows a query may ask for, about. (environment: DUET_MAX_QUERY_COST; default: 100000)")
    var maxQueryCost: Int?
    @Option(help: "Most fields of a query, fragments spread. (environment: DUET_MAX_QUERY_FIELDS; default: 5000)")
    var maxQueryFields: Int?
    @Option(help: "Most fields at the root of a query. (environment: DUET_MAX_ROOT_FIELDS; default: 20)")
    var maxRootFields: Int?
    @Option(help: "Most aliases in a query. (environment: DUET_MAX_ALIASES; default: 100)")
    var maxAliases: Int?
    @Option(help: "Most directives in a query. (environment: DUET_MAX_DIRECTIVES; default: 100)")
    var maxDirectives: Int?
    @Option(help: "Longest GraphQL document in bytes. (environment: DUET_MAX_DOCUMENT_SIZE; default: 262144)")
    var maxDocumentSize: Int?
    @Option(help: "Most GraphQL requests in one body; 0: no batches. (environment: DUET_MAX_BATCH_SIZE; default: 0)")
    var maxBatchSize: Int?
    @Flag(
        inversion: .prefixedNo,
        help: "Answer questions about the GraphQL schema. (environment: DUET_INTROSPECTION; default: answer)")
    var introspection: Bool?
    @Flag(
        inversion: .prefixedNo,
        help:
            "Let GraphQL requests ask for their plan, with extensions {\"plan\": true}. (environment: DUET_DEBUG; default: do not)"
    )
    var debug: Bool?

    @OptionGroup(title: "Persisted query options") var persistedQueries: PersistedQueryOptions

    /// - Throws: `ValidationError` for a value out of range, and what reading manifests throws.
    func settings(_ environment: Environment) throws -> GraphQLSettings {
        var settings = GraphQLSettings()
        func number(
            _ option: Int?, _ name: String, _ value: inout Int, from least: Int = 1, to most: Int = 1_000_000_000
        ) throws {
            value = try environment.number(option, name, value, in: least...most)
        }
        try number(maxQueryDepth, "max-query-depth", &settings.limits.depth, to: PlanLimits().depth)
        try number(maxQueryCost, "max-query-cost", &settings.limits.cost)
        try number(maxQueryFields, "max-query-fields", &settings.limits.fields)
        try number(maxRootFields, "max-root-fields", &settings.limits.rootFields)
        try number(maxAliases, "max-aliases", &settings.limits.aliases, from: 0)
        try number(maxDirectives, "max-directives", &settings.limits.directives, from: 0)
        try number(maxDocumentSize, "max-document-size", &settings.parserLimits.sourceBytes)
        try number(maxBatchSize, "max-batch-size", &settings.maximumBatchSize, from: 0)
        settings.isIntrospectionEnabled = try environment.value(introspection, "introspection", default: true)
        settings.isDebugging = try environment.value(debug, "debug", default: false)
        settings.persistedQueries = try persistedQueries.settings(environment)
        return settings
    }
}
