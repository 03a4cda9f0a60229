package import DuetGraphQL
import DuetResourceService

/// The GraphQL settings. Each setting has a flag and an environment variable.
package struct GraphQLSettings: Sendable {
    /// The limits of one operation.
    package var limits = OperationLimits()
    /// The maximum cost of an operation. If it is `nil`, the maximum in the description of the API applies. If the
    /// description has no maximum, the cost in ``limits`` applies.
    package var maximumCost: Int?
    /// The limits of a document.
    package var parserLimits = ParserLimits(sourceBytes: 256 << 10, tokens: 20_000, depth: 100)
    /// True to allow `__schema` and `__type`, and suggestions of schema names in errors.
    package var isIntrospectionEnabled = true
    /// The maximum number of requests in one body; 0 to disable batches.
    package var maximumBatchSize = 0
    /// True if a client may request the plan of an operation by `extensions.plan`.
    package var isDebugging = false

    /// The settings of persisted queries.
    package var persistedQueries = PersistedDocumentSettings()

    package init() {}

    /// Returns the limits of operations on a catalogue.
    func limits(of catalogue: Catalogue) -> OperationLimits {
        var limits = limits
        limits.cost = maximumCost ?? catalogue.maximumQueryCost ?? limits.cost
        return limits
    }
}
