/// A way to request the data of a task from a server.
package enum Style: String, Sendable, Hashable, CaseIterable {
    /// REST with one request for each resource, without field selection.
    case restResources = "rest"
    /// REST with related resources in the same response (`details`).
    case restComposite = "rest-details"
    /// REST with related resources, limited to the required fields of each resource (`fields`).
    case restSparse = "rest-fields"
    /// REST with the whole list in one response, which is streamed (NDJSON). GraphQL has no equivalent style.
    case restExport = "rest-export"
    /// GraphQL by POST, with the document as written by hand.
    case graphQL = "graphql"
    /// GraphQL by POST, with the document minified: without white space, commas and comments that the server does not
    /// need.
    case graphQLMinified = "graphql-minified"
    /// GraphQL by GET with the document's hash, for reads. The document is already registered.
    case graphQLPersisted = "graphql-hash"
    /// ``restSparse`` through an empty cache.
    case restCold = "rest-fields-cold"
    /// ``restSparse`` through a cache that contains all cacheable responses.
    case restWarm = "rest-fields-warm"
    /// ``graphQLPersisted`` through an empty cache.
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
        case .restResources, .restComposite, .restSparse, .restExport, .restCold, .restWarm: false
        case .graphQL, .graphQLMinified, .graphQLPersisted, .graphQLCold, .graphQLWarm: true
        }
    }

    /// The name of the style in a report.
    package var title: String {
        switch self {
        case .restResources: "REST, a request for each resource"
        case .restComposite: "REST with details"
        case .restSparse: "REST with details and fields"
        case .restExport: "REST, a whole list as NDJSON"
        case .graphQL: "GraphQL by POST"
        case .graphQLMinified: "GraphQL by POST, minified"
        case .graphQLPersisted: "GraphQL by hash"
        case .restCold: "REST with fields, cold cache"
        case .restWarm: "REST with fields, warm cache"
        case .graphQLCold: "GraphQL by hash, cold cache"
        case .graphQLWarm: "GraphQL by hash, warm cache"
        }
    }
}
