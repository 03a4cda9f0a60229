import ArgumentParser
import DuetGraphQL
import DuetServer

/// The options of `duet serve` for GraphQL.
struct GraphQLOptions: ParsableArguments {
    private static let standard = GraphQLSettings()
    private static let highest = 1_000_000_000

    static let maxQueryDepth = Setting(
        "max-query-depth", "Maximum nesting depth of a query's fields",
        default: standard.limits.depth, in: 1...PlanLimits().depth)
    static let maxQueryCost = Setting<Int, Int?>(
        "max-query-cost", "Maximum cost of a query, which is about the number of its rows", default: nil,
        defaultText: "\(standard.limits.cost) if the description specifies none", in: 1...highest
    ) { .some($0) }
    static let maxQueryFields = Setting(
        "max-query-fields", "Maximum number of fields in a query after its fragments are expanded",
        default: standard.limits.fields, in: 1...highest)
    static let maxRootFields = Setting(
        "max-root-fields", "Maximum number of root fields in a query",
        default: standard.limits.rootFields, in: 1...highest)
    static let maxAliases = Setting(
        "max-aliases", "Maximum number of aliases in a query", default: standard.limits.aliases, in: 0...highest)
    static let maxDirectives = Setting(
        "max-directives", "Maximum number of directives in a query",
        default: standard.limits.directives, in: 0...highest)
    static let maxDocumentSize = Setting(
        "max-document-size", "Maximum size of a GraphQL document",
        default: standard.parserLimits.sourceBytes, in: 1...highest, unit: "bytes")
    static let maxBatchSize = Setting(
        "max-batch-size", "Maximum number of GraphQL requests in a request body; 0 disables batches",
        default: standard.maximumBatchSize, in: 0...highest)
    static let introspection = Setting(
        "introspection", "Enable GraphQL introspection", default: standard.isIntrospectionEnabled)
    static let debug = Setting(
        "debug", #"Return the plan of GraphQL requests with extensions {"plan": true}"#,
        default: standard.isDebugging)

    @Option(Self.maxQueryDepth) var maxQueryDepth: Int?
    @Option(Self.maxQueryCost) var maxQueryCost: Int?
    @Option(Self.maxQueryFields) var maxQueryFields: Int?
    @Option(Self.maxRootFields) var maxRootFields: Int?
    @Option(Self.maxAliases) var maxAliases: Int?
    @Option(Self.maxDirectives) var maxDirectives: Int?
    @Option(Self.maxDocumentSize) var maxDocumentSize: Int?
    @Option(Self.maxBatchSize) var maxBatchSize: Int?
    @Flag(Self.introspection) var introspection: Bool?
    @Flag(Self.debug) var debug: Bool?

    /// - Throws: `ValidationError` for an invalid value, and the errors of reading manifests.
    func settings(_ persistedQueries: PersistedQueryOptions) throws -> GraphQLSettings {
        var settings = GraphQLSettings()
        settings.limits.depth = try Self.maxQueryDepth.value(maxQueryDepth)
        settings.maximumCost = try Self.maxQueryCost.value(maxQueryCost)
        settings.limits.fields = try Self.maxQueryFields.value(maxQueryFields)
        settings.limits.rootFields = try Self.maxRootFields.value(maxRootFields)
        settings.limits.aliases = try Self.maxAliases.value(maxAliases)
        settings.limits.directives = try Self.maxDirectives.value(maxDirectives)
        settings.parserLimits.sourceBytes = try Self.maxDocumentSize.value(maxDocumentSize)
        settings.maximumBatchSize = try Self.maxBatchSize.value(maxBatchSize)
        settings.isIntrospectionEnabled = try Self.introspection.value(introspection)
        settings.isDebugging = try Self.debug.value(debug)
        settings.persistedQueries = try persistedQueries.settings()
        return settings
    }
}
