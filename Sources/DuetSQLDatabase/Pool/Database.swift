import Synchronization

/// A bounded pool of connections to one database, SQLite or MariaDB.
///
/// Every access is a closure that owns a connection inside one transaction. The closure runs on a thread of the pool;
/// the task that calls waits without holding a thread. Cancelling that task stops the statement.
public final class Database: Sendable {
    private let pool: Pool

    /// Where the database is.
    public var url: DatabaseURL { pool.url }

    /// Opens nothing yet: connections are made when they are needed.
    /// - Parameter observer: A closure that is called for each statement and connection; see ``DatabaseObservation``.
    public init(
        _ url: DatabaseURL, configuration: DatabaseConfiguration = DatabaseConfiguration(),
        observer: DatabaseObserver? = nil
    ) {
        pool = Pool(url: url, configuration: configuration, observer: observer)
    }

    /// Without ``close()``, the connections end when the work that uses them does.
    deinit {
        pool.shutDown()
    }

    /// Runs a closure in a read transaction: everything it reads is one snapshot.
    ///
    /// The closure may run twice: after the connection is lost, the read is retried once on a new one.
    /// - Parameters:
    ///   - timeout: How long each statement may run.
    ///   - deadline: When the transaction must have ended: the wait for a connection, its statements and a retry together.
    ///   - origin: Reported with each statement.
    /// - Throws: ``DatabaseError`` (`timeout` after the deadline), `CancellationError`, or the closure's error.
    public func read<Value: Sendable>(
        timeout: StatementTimeout = .standard, deadline: Deadline = .never, origin: TransactionOrigin = .unspecified,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await run(.read, timeout, deadline, origin, body)
    }

    /// Runs a closure in a read transaction on the calling thread, if that can be done at once and within a budget. This is for reads that
    /// are known to be short, such as one row by its key.
    ///
    /// If the result is no value, ``read(timeout:deadline:origin:_:)`` can run the closure again from the beginning.
    /// - Parameters:
    ///   - budget: The work after which SQLite stops the transaction.
    ///   - origin: Reported with each statement.
    /// - Throws: The closure's error, unless it is a ``DatabaseError``.
    public func readDirectly<Value>(
        within budget: ReadBudget, origin: TransactionOrigin = .unspecified, _ body: (Connection) throws -> Value
    ) throws -> DirectRead<Value> {
        guard let readers = pool.directReaders else { return .unavailable }
        return try readers.read(within: budget, origin: origin, pool, body)
    }

    /// Runs a closure. The direct reads that it makes on the calling thread share one snapshot, so that they begin and end one transaction
    /// and not one each. The snapshot begins with the first of them, so this is for reads that have all been asked for before.
    ///
    /// A read that finds no snapshot any more, because the one before it has failed, begins the next one.
    public func withSharedSnapshot(_ body: () -> Void) {
        guard let readers = pool.directReaders else { return body() }
        SharedSnapshot.run(pool, readers, body)
    }

    /// Runs a closure in a write transaction: committed after it returns, rolled back if it throws. It never runs twice.
    /// - Parameters:
    ///   - timeout: How long each statement may run.
    ///   - deadline: When the transaction must have ended: the wait for a connection and its statements together.
    ///   - origin: Reported with each statement.
    /// - Throws: ``DatabaseError``, `CancellationError`, or the closure's error. Nothing has been written then, except
    ///   after `commit-outcome-unknown`: the connection was lost during COMMIT, and the write may have taken effect. On
    ///   a database that is only read (``DatabaseConfiguration/isReadOnly``) it fails at once with `read-only`.
    @discardableResult
    public func write<Value: Sendable>(
        timeout: StatementTimeout = .standard, deadline: Deadline = .never, origin: TransactionOrigin = .unspecified,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        guard !isReadOnly else {
            throw DatabaseError(.readOnly, "the database \(url) is opened to be read, and takes no writes")
        }
        return try await run(.write, timeout, deadline, origin, body)
    }

    /// Produces elements from one read transaction, a few ahead of who consumes them and no further.
    ///
    /// - Parameters:
    ///   - timeout: How long each element may take, the first one with the wait for a connection; the time that the consumer
    ///     takes does not count. `nil` for no bound.
    ///   - origin: The origin of the transaction, which the observer gets with each statement.
    ///   - makeNext: is given the connection once, on the pool's thread, and returns the closure that makes the
    ///     elements there, one a call, `nil` at the end.
    /// - Returns: the elements. Leaving the loop early, or cancelling, ends the transaction.
    /// - Throws: what `makeNext` and the first call of its closure throw; later failures come from the sequence.
    public func stream<Element: Sendable>(
        timeout: Duration? = nil, origin: TransactionOrigin = .unspecified,
        _ makeNext: @escaping @Sendable (Connection) throws -> () throws -> Element?
    ) async throws -> ReadStream<Element> {
        let channel = StreamChannel<Element>(pool: pool)
        try await withJob { continuation in
            StreamJob(
                channel: channel, pool: pool, timeout: timeout, origin: origin, continuation: continuation,
                makeNext: makeNext)
        } as Void
        return ReadStream(channel: channel)
    }

    /// What the database holds now, as far as that can be told without asking it: takes no connection, and about a microsecond.
    ///
    /// Of use to whoever asks before reading: what is read after it is still current when the version is still the same.
    /// - Returns: `nil` where it cannot be told: on MariaDB, unless this is its only writer
    ///   (``DatabaseConfiguration/isSingleWriter``), of a file in rollback-journal mode, one that is opened as
    ///   ``DatabaseAccess/immutable`` or whose log's index cannot be written by this user, before the first connection
    ///   is made, and while a program commits. Inside ``withSharedSnapshot(_:)`` it is the version before the snapshot.
    public var version: DatabaseVersion? {
        if let snapshot = SharedSnapshot.current(of: pool) { snapshot.version } else { pool.version }
    }

    /// Returns true if the database takes no writes from this process; see ``DatabaseConfiguration/access``.
    public var isReadOnly: Bool { pool.configuration.isReadOnly }

    /// Refuses new work, waits for what runs, closes the connections.
    public func close() async {
        await pool.close()
    }

    /// Most connections at once.
    public var poolSize: Int { pool.configuration.poolSize }

    /// How many connections there are, how many are in use, and how many requests wait for one.
    public var statistics: (connections: Int, busy: Int, waiting: Int) { pool.statistics }

    private func run<Value: Sendable>(
        _ kind: JobKind, _ timeout: StatementTimeout, _ deadline: Deadline, _ origin: TransactionOrigin,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await withJob { continuation in
            TransactionJob(
                kind: kind, timeout: timeout, deadline: deadline, origin: origin, continuation: continuation,
                body: body)
        }
    }

    private func withJob<Value: Sendable>(
        _ make: (UnsafeContinuation<Value, any Error>) -> Job
    ) async throws -> Value {
        defer { withExtendedLifetime(self) {} }
        let submitted = SubmittedJob()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let job = make(continuation)
                if submitted.set(job) {
                    pool.submit(job)
                    // Cancelled between the two: the handler found nothing to cancel in the pool.
                    if submitted.isCancelled { pool.cancel(job) }
                } else {
                    job.fail(CancellationError())
                }
            }
        } onCancel: {
            if let job = submitted.cancel() { pool.cancel(job) }
        }
    }
}

/// Lets a cancellation find the job, whichever of the two comes first.
private final class SubmittedJob: Sendable {
    private struct State {
        var job: Job?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// - Returns: `false` when the task has been cancelled already.
    func set(_ job: Job) -> Bool {
        state.withLock { state in
            state.job = job
            return !state.isCancelled
        }
    }

    func cancel() -> Job? {
        state.withLock { state in
            state.isCancelled = true
            return state.job
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
