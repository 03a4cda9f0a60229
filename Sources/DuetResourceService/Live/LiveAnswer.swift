import DuetGraphQL
public import NIOCore

/// An answer to a question that a caller watches.
public struct LiveAnswer: Sendable {
    /// The body of the answer.
    public let body: ByteBuffer
    /// The digest of the body and the errors. Answers with equal digests are equal.
    public let digest: BodyDigest
    /// The errors that concern parts of the answer.
    let errors: [GraphQLError]
    /// The answer with its metadata; nil for a part of a GraphQL response.
    package let answer: Answer?

    /// Creates the answer to a request of REST.
    init(_ answer: Answer) {
        var answer = answer
        // Streams can keep the body, so it does not keep the unused space of its buffer.
        answer.body = ByteBuffer(bytes: answer.body.readableBytesView)
        body = answer.body
        errors = []
        self.answer = answer
        digest = BodyDigest(of: answer.body)
    }

    /// Creates a part of a GraphQL response.
    init(body: ByteBuffer, errors: [GraphQLError]) {
        self.body = body
        answer = nil
        self.errors = errors
        guard !errors.isEmpty else {
            digest = BodyDigest(of: body)
            return
        }
        var content = body
        for error in errors { content.writeString(error.message) }
        digest = BodyDigest(of: content)
    }
}

/// The answers to a question: the current one, and another one each time the answer has changed. A slow consumer misses
/// answers, but always receives the last one.
///
/// The sequence has one consumer. It ends with an error if the question can no longer be answered, or if the database
/// cannot be reached for the first answer. If the database cannot be reached later, the sequence waits.
public struct LiveAnswers: AsyncSequence, Sendable {
    /// An answer.
    public typealias Element = LiveAnswer

    private let watcher: LiveWatcher

    init(_ watcher: LiveWatcher) { self.watcher = watcher }

    /// Returns an iterator over the answers.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watcher: watcher) }

    /// An iterator over the answers.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watcher: LiveWatcher

        /// Returns the next answer.
        /// - Throws: The error of the question; `CancellationError` if the task is canceled.
        public mutating func next() async throws -> LiveAnswer? { try await watcher.next() }
    }
}

/// A consumer of the answers to a question. The watch ends when the object is released.
final class LiveWatcher: Sendable {
    private let queries: LiveQueries
    private let number: Int

    init(_ queries: LiveQueries, number: Int) {
        self.queries = queries
        self.number = number
    }

    deinit { queries.remove(number) }

    func next() async throws -> LiveAnswer? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { queries.next(of: number, $0) }
        } onCancel: {
            queries.remove(number)
        }
    }
}
