public import NIOCore

/// A response that may come in parts (incremental delivery: `@defer` and `@stream`).
public enum IncrementalResponse: Sendable {
    /// All at once: nothing was put off.
    case single(GraphQLResponse)
    /// The first part, which says what is `pending`, and the parts that follow it, each of them JSON. The last one says that
    /// there is no next.
    case parts(first: GraphQLResponse, next: AsyncThrowingStream<ByteBuffer, any Error>)
}
