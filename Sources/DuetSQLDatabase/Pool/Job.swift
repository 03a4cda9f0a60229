/// A piece of work that waits for a worker and runs on it.
///
/// Its methods are called one after the other by whoever holds it: the queue, then one worker.
class Job: @unchecked Sendable {
    let kind: JobKind
    let origin: TransactionOrigin
    /// When it must have ended, its wait and a retry included.
    let deadline: Deadline
    /// Records the statements; a job of an unspecified origin belongs to no request, so it has no trace.
    let trace: StatementTrace?
    /// Set while it waits; for the observer.
    let submittedAt = Interrupt.now

    init(kind: JobKind, origin: TransactionOrigin, deadline: Deadline) {
        self.kind = kind
        self.origin = origin
        self.deadline = deadline
        trace = origin == .unspecified ? nil : StatementTrace.current
    }

    /// Runs in a transaction of its own and keeps the result for ``complete()``.
    /// - Throws: what ended the transaction, after a rollback.
    func attempt(on connection: Connection) throws {}

    /// Whether a lost connection may be answered with one more attempt.
    var mayRetry: Bool { false }

    /// Hands over the result, after the worker is free for others.
    func complete() {}

    /// Hands over a failure instead.
    func fail(_ error: any Error) {}
}

/// One closure in one transaction.
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
                // What went wrong first is what the caller hears of; the server rolls back when the connection closes.
                connection.isBroken = true
            }
            throw error
        }
    }

    override var mayRetry: Bool { kind == .read }

    override func complete() {
        // Given away, so that who gets it can go on writing to what only it holds.
        if let value = value.take() { continuation.resume(returning: consume value) }
    }

    override func fail(_ error: any Error) {
        continuation.resume(throwing: error)
    }
}
