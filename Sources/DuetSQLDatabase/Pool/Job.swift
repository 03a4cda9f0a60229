/// A piece of work, such as a transaction, that waits for a ``Worker`` and runs on the worker's thread.
///
/// One owner at a time calls its methods: first the queue, then one worker.
class Job: @unchecked Sendable {
    let kind: JobKind
    let origin: TransactionOrigin
    /// The moment at which the job must have ended. The deadline applies to the wait for a worker, the transaction and
    /// a retry.
    let deadline: Deadline
    /// The trace that records the statements; nil if no trace is requested. A job of an unspecified origin belongs to
    /// no request, so it has no trace.
    let trace: StatementTrace?
    /// The spans of the statements; nil without a tracer, and outside a span.
    var spans: StatementSpans?
    /// The session that records the position of the commit of a write; nil if no position is recorded.
    var session: DatabaseSession?
    /// The use of a server by a read of a session; nil on the primary.
    var serverUse: ServerUse?
    /// The time of the job's submission, for the observer.
    let submittedAt = Interrupt.now

    init(kind: JobKind, origin: TransactionOrigin, deadline: Deadline) {
        self.kind = kind
        self.origin = origin
        self.deadline = deadline
        trace = origin == .unspecified ? nil : StatementTrace.current
    }

    /// Runs the job in a new transaction and stores the result for ``complete()``.
    /// - Throws: The error that ended the transaction, after a rollback.
    func attempt(on connection: Connection) throws {}

    /// True if the pool may run the job again after the connection is lost.
    var mayRetry: Bool { false }

    /// Returns the result to the caller. The pool calls it after it has released the worker for other jobs.
    func complete() {}

    /// Returns a failure to the caller.
    func fail(_ error: any Error) {}
}

/// A job that runs one closure in one transaction.
final class TransactionJob<Value: Sendable>: Job, @unchecked Sendable {
    private let timeout: StatementTimeout
    private let body: @Sendable (Connection) throws -> Value
    private let continuation: UnsafeContinuation<Value, any Error>
    private var value: Value?

    init(
        kind: JobKind, timeout: StatementTimeout, deadline: Deadline, origin: TransactionOrigin,
        continuation: UnsafeContinuation<Value, any Error>, body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.timeout = timeout
        self.body = body
        self.continuation = continuation
        super.init(kind: kind, origin: origin, deadline: deadline)
    }

    override func attempt(on connection: Connection) throws {
        try connection.begin(kind == .write ? .writing : .reading, timeout: timeout)
        do {
            let value = try body(connection)
            try connection.commit()
            self.value = value
        } catch {
            do {
                try connection.rollback()
            } catch {
                // The caller gets the error of the closure. The backend rolls back when the connection is closed.
                connection.isBroken = true
            }
            throw error
        }
    }

    override var mayRetry: Bool { kind == .read }

    override func complete() {
        // The job releases its reference to the value, so that the caller can modify the value without a copy.
        if let value = value.take() { continuation.resume(returning: consume value) }
    }

    override func fail(_ error: any Error) {
        continuation.resume(throwing: error)
    }
}
