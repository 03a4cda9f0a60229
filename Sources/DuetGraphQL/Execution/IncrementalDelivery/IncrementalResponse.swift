public import NIOCore

/// A response with incremental delivery (`@defer` and `@stream`).
public enum IncrementalResponse: Sendable {
    /// A single response, because nothing is deferred or streamed.
    case single(GraphQLResponse)
    /// The initial result, with the `pending` fragments and streams, and the subsequent results as JSON. The last one has
    /// `"hasNext":false`.
    case incremental(initial: GraphQLResponse, subsequent: AsyncThrowingStream<ByteBuffer, any Error>)
}
