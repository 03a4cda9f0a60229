package import DuetGraphQL
public import NIOCore

/// The parts of a response with incremental delivery, as pieces of the body: the initial result at once, then each
/// subsequent result when it is complete.
///
/// It can be iterated once. The execution is cancelled if the iteration ends early. A server sends each piece at once,
/// without a buffer.
public struct MultipartMixedParts: AsyncSequence, Sendable {
    private let initial: ByteBuffer
    private let subsequent: IncrementalResults
    /// Is called with the errors of each subsequent result that has any.
    private let report: @Sendable ([GraphQLError]) -> Void

    /// Creates the parts of results.
    /// - Parameters:
    ///   - initial: The initial result as JSON.
    ///   - subsequent: The subsequent results.
    ///   - report: Is called with the errors of each subsequent result that has any.
    package init(
        initial: ByteBuffer, subsequent: IncrementalResults, report: @escaping @Sendable ([GraphQLError]) -> Void
    ) {
        self.initial = initial
        self.subsequent = subsequent
        self.report = report
    }

    /// The parts as bytes, for a server that does not use SwiftNIO.
    public var bytes: some AsyncSequence<[UInt8], any Error> & Sendable {
        map { Array($0.readableBytesView) }
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(initial: initial, subsequent: subsequent.makeAsyncIterator(), report: report)
    }

    /// The iterator of the parts.
    public struct Iterator: AsyncIteratorProtocol {
        private var initial: ByteBuffer?
        private var subsequent: IncrementalResults.AsyncIterator
        private let report: @Sendable ([GraphQLError]) -> Void
        private var writer = MultipartMixedWriter()

        fileprivate init(
            initial: ByteBuffer, subsequent: IncrementalResults.AsyncIterator,
            report: @escaping @Sendable ([GraphQLError]) -> Void
        ) {
            self.initial = initial
            self.subsequent = subsequent
            self.report = report
        }

        /// Returns the next part; nil after the last one.
        @concurrent
        public mutating func next() async throws -> ByteBuffer? {
            if let part = initial {
                initial = nil
                return writer.part(part, isLast: MultipartMixedWriter.isLast(part))
            }
            guard let part = try await subsequent.next() else { return nil }
            if !part.errors.isEmpty { report(part.errors) }
            return writer.part(part.body, isLast: MultipartMixedWriter.isLast(part.body))
        }
    }
}
