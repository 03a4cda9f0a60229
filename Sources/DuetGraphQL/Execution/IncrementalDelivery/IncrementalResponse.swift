public import DuetJSON
public import NIOCore
internal import Synchronization

/// A response with incremental delivery (`@defer` and `@stream`).
public enum IncrementalResponse: Sendable {
    /// A single response, because nothing is deferred or streamed.
    case single(GraphQLResponse)
    /// The initial result with the `pending` fragments and streams, and the subsequent results.
    case incremental(initial: GraphQLResponse, subsequent: IncrementalResults)
}

/// A subsequent result of an ``IncrementalResponse``.
public struct IncrementalResult: Sendable {
    /// The result as JSON. The last result contains `"hasNext":false`.
    public let body: ByteBuffer
    /// The execution errors, with their underlying errors, for a log.
    public let errors: [GraphQLError]

    /// The body as text.
    public var text: String { String(buffer: body) }

    /// The body as JSON in UTF-8.
    public var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The body as a JSON value.
    /// - Throws: `JSONError` if a ``ResolvedValue/raw(_:)`` or a subtree resolver wrote invalid JSON.
    public func json() throws -> JSONValue { try JSONValue(parsing: body.readableBytesView, maximumDepth: 512) }
}

/// The subsequent results of an ``IncrementalResponse``, in the order of their completion. They can be iterated only
/// once.
///
/// The reader determines the speed of the execution. The execution is ahead of the reader by at most one result for
/// each deferred fragment and each stream. The execution is canceled when the reader's task is canceled, or when the
/// results and their iterator are released.
public struct IncrementalResults: AsyncSequence, Sendable {
    private let results: AsyncThrowingStream<IncrementalResult, any Error>
    /// True after an iterator was created.
    private let isIterated = Flag()
    /// A stream with one element for each result that the reader requests.
    private let requests: AsyncStream<Void>.Continuation

    init(_ delivery: IncrementalDelivery, _ operation: OperationContext) {
        let (requests, requestsContinuation) = AsyncStream<Void>.makeStream()
        let (results, continuation) = AsyncThrowingStream<IncrementalResult, any Error>.makeStream()
        let task = Task {
            do {
                try await Self.deliver(delivery, operation, requests) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        self.results = results
        self.requests = requestsContinuation
    }

    /// Executes the records, and sends the result of each execution when the reader requests it.
    private static func deliver(
        _ delivery: IncrementalDelivery, _ operation: OperationContext, _ requests: AsyncStream<Void>,
        _ send: (IncrementalResult) -> Void
    ) async throws {
        var delivery = delivery
        var requests = requests.makeAsyncIterator()
        try await withThrowingTaskGroup(of: IncrementalExecution.Outcome.self) { group in
            while true {
                for execution in delivery.takeExecutions() {
                    group.addTask { try await execution.execute(operation) }
                }
                if await requests.next() == nil { throw CancellationError() }
                guard let outcome = try await group.next() else { return }
                let errors = outcome.completedRecords.flatMap(\.errors).map(\.graphQLError)
                send(IncrementalResult(body: delivery.subsequentResult(for: outcome), errors: errors))
            }
        }
    }

    /// Returns the iterator. A second iterator throws an error.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            results: results.makeAsyncIterator(), requests: requests,
            isFirst: !isIterated.value.exchange(true, ordering: .relaxed))
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// Iterates over the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var results: AsyncThrowingStream<IncrementalResult, any Error>.AsyncIterator
        let requests: AsyncStream<Void>.Continuation
        let isFirst: Bool

        /// Returns the next result; nil at the end.
        /// - Throws: `CancellationError` if the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> IncrementalResult? {
            guard isFirst else { throw GraphQLError("The results can be iterated only once.") }
            requests.yield()
            if let result = try await results.next(isolation: actor) { return result }
            // The stream ends without an error if the task is canceled.
            try Task.checkCancellation()
            return nil
        }
    }
}
