import DequeModule
import Dispatch
import Synchronization

/// The elements of ``Database/stream(timeout:origin:_:)``. The sequence can be iterated once.
public struct ReadStream<Element: Sendable>: AsyncSequence, Sendable {
    let channel: StreamChannel<Element>
    private let ending: Ending

    init(channel: StreamChannel<Element>) {
        self.channel = channel
        ending = Ending(channel: channel)
    }

    /// Closes the channel when all copies of the sequence and of its iterator are released.
    final class Ending: Sendable {
        private let channel: StreamChannel<Element>
        init(channel: StreamChannel<Element>) { self.channel = channel }
        deinit { channel.close() }
    }

    /// The iterator over the elements; see `AsyncIteratorProtocol`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let channel: StreamChannel<Element>
        let ending: Ending

        /// Returns the next element, or `nil` after the last one.
        /// - Throws: The error that ended the transaction early; `CancellationError` if this task is canceled.
        public mutating func next() async throws -> Element? {
            try await channel.next()
        }
    }

    /// Creates the iterator. Call this function only once.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(channel: channel, ending: ending)
    }
}

/// A short queue between the pool's thread that produces elements and the task that consumes them.
final class StreamChannel<Element: Sendable>: Sendable {
    private struct State {
        var elements: Deque<Element> = []
        var waiter: UnsafeContinuation<Element?, any Error>?
        var end: Result<Void, any Error>?
        var isClosed = false
        var job: Job?
        var producerWaits = false
    }

    /// The maximum number of queued elements. The thread can produce an element while the consumer processes the
    /// previous element.
    private static var capacity: Int { 2 }
    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let pool: Pool

    init(pool: Pool) {
        self.pool = pool
    }

    func attach(_ job: Job) {
        state.withLock { $0.job = job }
    }

    // MARK: The consumer

    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let (result, wakes) = state.withLock { state -> (Result<Element?, any Error>?, Bool) in
                    if let element = state.elements.popFirst() {
                        defer { state.producerWaits = false }
                        return (.success(element), state.producerWaits)
                    }
                    if let end = state.end { return (end.map { nil }, false) }
                    if state.isClosed { return (.failure(CancellationError()), false) }
                    state.waiter = continuation
                    defer { state.producerWaits = false }
                    return (nil, state.producerWaits)
                }
                if wakes { room.signal() }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            close()
        }
    }

    /// Ends the stream early. The producer stops immediately, even during a statement.
    func close() {
        let (waiter, job, wakes) = state.withLock { state in
            let taken = (state.waiter, state.end == nil ? state.job : nil, state.producerWaits)
            state.waiter = nil
            state.isClosed = true
            state.producerWaits = false
            return taken
        }
        waiter?.resume(throwing: CancellationError())
        if wakes { room.signal() }
        if let job { pool.cancel(job) }
    }

    // MARK: The producer

    /// Adds an element, and waits while the queue is full.
    /// - Returns: `false` if the consumer has closed the channel.
    func send(_ element: Element) -> Bool {
        typealias Waiter = UnsafeContinuation<Element?, any Error>
        let (waiter, isFull, isClosed) = state.withLock { state -> (Waiter?, Bool, Bool) in
            if state.isClosed { return (nil, false, true) }
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, false, false)
            }
            state.elements.append(element)
            state.producerWaits = state.elements.count >= Self.capacity
            return (nil, state.producerWaits, false)
        }
        waiter?.resume(returning: element)
        if isFull {
            room.wait()
            return state.withLock { !$0.isClosed }
        }
        return !isClosed
    }

    func finish(_ result: Result<Void, any Error>) {
        let waiter = state.withLock { state in
            state.end = result
            state.job = nil
            defer { state.waiter = nil }
            return state.elements.isEmpty ? state.waiter : nil
        }
        waiter?.resume(with: result.map { nil })
    }
}

/// A job that calls the closure of ``Database/stream(timeout:origin:_:)``, and then calls the returned closure until
/// the elements end or the consumer closes the channel.
final class StreamJob<Element: Sendable>: Job, @unchecked Sendable {
    private let channel: StreamChannel<Element>
    private let pool: Pool
    private let timeout: Duration?
    private let makeNext: @Sendable (Connection) throws -> () throws -> Element?
    private var continuation: UnsafeContinuation<Void, any Error>?

    /// - Parameters:
    ///   - timeout: The maximum time to produce each element after the first one; nil for no limit.
    ///   - deadline: The moment at which the first element must be produced.
    init(
        channel: StreamChannel<Element>, pool: Pool, timeout: Duration?, deadline: Deadline, origin: TransactionOrigin,
        continuation: UnsafeContinuation<Void, any Error>,
        makeNext: @escaping @Sendable (Connection) throws -> () throws -> Element?
    ) {
        self.channel = channel
        self.pool = pool
        self.timeout = timeout
        self.continuation = continuation
        self.makeNext = makeNext
        super.init(kind: .stream, origin: origin, deadline: deadline)
        channel.attach(self)
    }

    /// True until the first element is produced. Until then the consumer has received nothing, so the job can run
    /// again.
    override var mayRetry: Bool { continuation != nil }

    override func attempt(on connection: Connection) throws {
        // The consumer determines the duration of a stream. Therefore each element has a time limit, and the statement
        // has none.
        try connection.begin(.reading, timeout: .none)
        do {
            try produce(on: connection)
            try connection.commit()
        } catch {
            // The server may send any number of unread rows, so the connection is closed without reading them.
            if !connection.dialect.isEmbedded {
                connection.isBroken = true
                connection.abandon()
            }
            do {
                try connection.rollback()
            } catch {
                connection.isBroken = true
            }
            throw error
        }
    }

    private func produce(on connection: Connection) throws {
        let next = try makeNext(connection)
        var element = try next()
        stopClock()
        if let continuation {
            self.continuation = nil
            continuation.resume()
        }
        while let current = element {
            guard channel.send(current) else { throw CancellationError() }
            if timeout != nil { pool.setDeadline(.after(timeout), of: self) }
            element = try next()
            stopClock()
        }
    }

    /// Removes the deadline, because a stream has no time limit while it waits for the consumer.
    private func stopClock() {
        if timeout != nil { pool.setDeadline(.never, of: self) }
    }

    override func complete() {
        channel.finish(.success(()))
    }

    override func fail(_ error: any Error) {
        if let continuation {
            self.continuation = nil
            continuation.resume(throwing: error)
        }
        channel.finish(.failure(error))
    }
}
