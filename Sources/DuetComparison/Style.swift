/// A way in which a client requests the data of a task from a server.
package enum Style: String, Sendable, Hashable, CaseIterable {
    /// REST with one request for each resource. All fields are returned.
    case restResources = "rest"
    /// REST with related resources in one response (parameter `details`).
    case restComposite = "rest-details"
    /// REST with related resources in one response, limited to the required fields of each resource (parameter
    /// `fields`).
    case restSparse = "rest-fields"
    /// REST with the whole list in one streamed response (NDJSON). GraphQL has no equivalent style.
    case restExport = "rest-export"
    /// REST with aggregates and groups instead of rows, one request for each of them.
    case restAggregates = "rest-aggregates"
    /// GraphQL by POST. The document has the format in which a developer writes it.
    case graphQL = "graphql"
    /// GraphQL by POST. The document does not contain white space, commas and comments, unless they are required.
    case graphQLMinified = "graphql-minified"
    /// GraphQL with the hash of the document, which is already registered. Queries use GET.
    case graphQLPersisted = "graphql-hash"
    /// GraphQL by POST, with all aggregates and groups in one operation.
    case graphQLAggregates = "graphql-aggregates"
    /// ``restSparse`` through a cache without responses.
    case restCold = "rest-fields-cold"
    /// ``restSparse`` through a cache that contains all cacheable responses.
    case restWarm = "rest-fields-warm"
    /// ``graphQLPersisted`` through a cache without responses.
    case graphQLCold = "graphql-hash-cold"
    /// ``graphQLPersisted`` through a cache that contains all cacheable responses.
    case graphQLWarm = "graphql-hash-warm"

    /// The state of an intermediate cache.
    package enum CacheState: Sendable {
        case cold, warm
    }

    /// The state of the intermediate cache; nil if there is no cache.
    package var cacheState: CacheState? {
        switch self {
        case .restCold, .graphQLCold: .cold
        case .restWarm, .graphQLWarm: .warm
        default: nil
        }
    }

    var isGraphQL: Bool {
        switch self {
        case .restResources, .restComposite, .restSparse, .restExport, .restAggregates, .restCold, .restWarm: false
        case .graphQL, .graphQLMinified, .graphQLPersisted, .graphQLAggregates, .graphQLCold, .graphQLWarm: true
        }
    }

    /// True if the responses contain aggregates instead of rows.
    var readsAggregates: Bool { self == .restAggregates || self == .graphQLAggregates }

    /// The name of the style in a report.
    package var title: String {
        switch self {
        case .restResources: "REST, a request for each resource"
        case .restComposite: "REST with details"
        case .restSparse: "REST with details and fields"
        case .restExport: "REST, a whole list as NDJSON"
        case .restAggregates: "REST aggregates"
        case .graphQL: "GraphQL by POST"
        case .graphQLMinified: "GraphQL by POST, minified"
        case .graphQLPersisted: "GraphQL by hash"
        case .graphQLAggregates: "GraphQL aggregates by POST"
        case .restCold: "REST with fields, cold cache"
        case .restWarm: "REST with fields, warm cache"
        case .graphQLCold: "GraphQL by hash, cold cache"
        case .graphQLWarm: "GraphQL by hash, warm cache"
        }
    }
}
