/// A way to ask a server for what a task needs.
package enum Style: String, Sendable, Hashable, CaseIterable {
    /// REST as it is often written: one request for each resource, each of them whole.
    case restResources = "rest"
    /// REST with what belongs to a resource in the same answer (`details`).
    case restComposite = "rest-details"
    /// The same, and of each resource only the fields that are wanted (`fields`).
    case restSparse = "rest-fields"
    /// REST with the whole list in one answer, which is sent as it is read (NDJSON). No style of GraphQL has its like.
    case restExport = "rest-export"
    /// GraphQL, with the document as people write it, by POST.
    case graphQL = "graphql"
    /// The same without what the server does not need: white space, commas, comments.
    case graphQLMinified = "graphql-minified"
    /// The document's hash by GET, for reads; the server has it already.
    case graphQLPersisted = "graphql-hash"
    /// ``restSparse`` through a cache that has none of the answers.
    case restCold = "rest-fields-cold"
    /// ``restSparse`` through a cache that has all answers that may be kept.
    case restWarm = "rest-fields-warm"
    /// ``graphQLPersisted`` through a cache that has none of the answers.
    case graphQLCold = "graphql-hash-cold"
    /// ``graphQLPersisted`` through a cache that has all answers that may be kept.
    case graphQLWarm = "graphql-hash-warm"

    /// What a cache in between has.
    package enum CacheState: Sendable {
        case cold, warm
    }

    /// Whether a cache is in between.
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

    /// What it is called in a report.
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
