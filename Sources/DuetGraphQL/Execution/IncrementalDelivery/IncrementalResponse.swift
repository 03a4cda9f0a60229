/// A response with incremental delivery (`@defer` and `@stream`).
public enum IncrementalResponse: Sendable {
    /// A single response, because nothing is deferred or streamed.
    case single(GraphQLResponse)
    /// The initial result with the `pending` fragments and streams, and the subsequent results.
    case incremental(initial: GraphQLResponse, subsequent: IncrementalResults)
}
