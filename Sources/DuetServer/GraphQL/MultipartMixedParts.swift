import DuetGraphQL
import DuetGraphQLHTTP
import NIOCore

/// A response in parts as the pieces of a body: the first part at once, then each as it comes.
struct MultipartMixedParts: AsyncSequence, Sendable {
    /// What the first part says.
    let first: ByteBuffer
    /// What the following parts say; the last one that there is no next.
    let next: IncrementalResults

    func makeAsyncIterator() -> Iterator {
        Iterator(first: first, next: next.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        private var first: ByteBuffer?
        private var next: IncrementalResults.AsyncIterator
        private var writer = MultipartMixedWriter()

        fileprivate init(first: ByteBuffer, next: IncrementalResults.AsyncIterator) {
            self.first = first
            self.next = next
        }

        @concurrent mutating func next() async throws -> ByteBuffer? {
            if let part = first {
                first = nil
                return writer.part(part, isLast: MultipartMixedWriter.isLast(part))
            }
            guard let part = try await next.next()?.body else { return nil }
            return writer.part(part, isLast: MultipartMixedWriter.isLast(part))
        }
    }
}
