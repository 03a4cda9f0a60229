package import DuetGraphQL
public import NIOCore

/// The parts of a response with incremental delivery, as byte buffers of the body. The initial result is available at
/// once. Each subsequent result follows when it is complete.
///
/// The sequence can be iterated only once. The execution is canceled if the iteration ends early. A server must send
/// each part at once, without buffering.
public struct MultipartMixedParts: AsyncSequence, Sendable {
    private let initial: ByteBuffer
    private let subsequent: IncrementalResults
    /// A function that is called for each subsequent result with errors.
    private let report: @Sendable ([GraphQLError]) -> Void

    /// Creates a sequence of the parts that contain the results.
    /// - Parameters:
    ///   - initial: The initial result as JSON.
    ///   - subsequent: The subsequent results.
    ///   - report: A function that is called for each subsequent result with errors.
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

        /// Returns the next part; nil after the last part.
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
