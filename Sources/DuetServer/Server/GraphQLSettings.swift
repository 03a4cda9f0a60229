package import DuetGraphQL
import DuetResourceService

/// What the server can be told about GraphQL; each has a flag and an environment variable.
package struct GraphQLSettings: Sendable {
    /// How much one operation may ask for.
    package var limits = OperationLimits()
    /// The maximum cost of an operation; nil for that of the description, or that of ``limits`` if it has none.
    package var maximumCost: Int?
    /// How large a document may be.
    package var parserLimits = ParserLimits(sourceBytes: 256 << 10, tokens: 20_000, depth: 100)
    /// Whether `__schema` and `__type` are answered, and errors suggest names of the schema.
    package var isIntrospectionEnabled = true
    /// Most requests in one body; 0: a body is one request.
    package var maximumBatchSize = 0
    /// Whether a request may ask for its plan, in `extensions.plan`.
    package var isDebugging = false

    /// Which documents may be asked for by their hash.
    package var persistedQueries = PersistedQuerySettings()

    package init() {}

    /// The limits of operations on a catalogue.
    func limits(of catalogue: Catalogue) -> OperationLimits {
        var limits = limits
        limits.cost = maximumCost ?? catalogue.maximumQueryCost ?? limits.cost
        return limits
    }
}
