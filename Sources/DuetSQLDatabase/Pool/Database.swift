/// A bounded pool of connections to one database of SQLite or MariaDB.
///
/// Every access is a closure that owns a connection inside one transaction. The closure runs on a thread of the pool,
/// except in ``readDirectly(within:deadline:origin:_:)``. The calling task waits without blocking a thread. Canceling
/// the task stops the running statement.
public final class Database: Sendable {
    /// The connections to the only server, or to the first one.
    let firstPool: Pool
    /// The servers; nil with one server.
    let servers: DatabaseServers?

    /// The location of the database. If it has several servers, it is the location of the first one.
    public var url: DatabaseURL { firstPool.url }

    /// The SQL dialect of the database.
    public var dialect: Dialect { firstPool.backend.dialect }

    /// Creates a pool without connections. Connections are opened when they are needed.
    ///
    /// With replicas, the reads of a ``DatabaseSession`` run on a replica that is well. All other reads, and all
    /// writes, run on the primary. ``watchServers()`` checks which replicas are well.
    ///
    /// If the trait `Tracing` of the package is enabled and the `InstrumentationSystem` has a tracer at the time of the
    /// call, each statement that runs inside a span has a span, too. The span contains the text of the statement
    /// without values.
    /// - Parameters:
    ///   - url: The location of the database. If it has replicas, the location of the primary.
    ///   - replicas: The locations of the replicas. Each of them has a pool with the same configuration, in which
    ///     ``DatabaseConfiguration/access`` is ``DatabaseAccess/readOnly``. Locations that
    ///     ``DatabaseURL/checkReplicas(_:)`` refuses are not used by reads; ``serverStatus`` has the reasons. With
    ///     replicas, ``DatabaseConfiguration/isSingleWriter`` is ignored, because a replica can show an older state
    ///     than the version identifies.
    ///   - configuration: The number of connections and the time limits.
    ///   - observer: A closure that is called for each event of a statement or connection; see ``DatabaseObservation``.
    public convenience init(
        _ url: DatabaseURL, replicas: [DatabaseURL] = [],
        configuration: DatabaseConfiguration = DatabaseConfiguration(), observer: DatabaseObserver? = nil
    ) {
        self.init(servers: [url] + replicas, .asynchronous, configuration: configuration, observer: observer)
    }

    /// Creates pools without connections for the nodes of a Galera cluster.
    ///
    /// The first node that is well is the primary: it runs all writes, and the reads outside of sessions. The reads of
    /// a ``DatabaseSession`` run on any node that is well. ``watchServers()`` checks which nodes are well. See
    /// ``init(_:replicas:configuration:observer:)`` for everything else.
    /// - Parameters:
    ///   - nodes: The locations of the database on the nodes, at least one. Locations that
    ///     ``DatabaseURL/checkCluster(_:)`` refuses are not used by reads; ``serverStatus`` has the reasons.
    ///   - configuration: The number of connections and the time limits. There is a pool for the writes on each node,
    ///     and one for the reads.
    public convenience init(
        cluster nodes: [DatabaseURL], configuration: DatabaseConfiguration = DatabaseConfiguration(),
        observer: DatabaseObserver? = nil
    ) {
        self.init(servers: nodes, .galera, configuration: configuration, observer: observer)
    }

    private init(
        servers urls: [DatabaseURL], _ kind: ReplicationKind, configuration: DatabaseConfiguration,
        observer: DatabaseObserver?
    ) {
        precondition(!urls.isEmpty, "a database has at least one server")
        guard urls.count > 1 else {
            servers = nil
            firstPool = Pool(
                urls[0].backend(configuration), url: urls[0], configuration: configuration, observer: observer)
            return
        }
        var configuration = configuration
        configuration.recordsPositions = true
        configuration.isSingleWriter = false
        let servers = DatabaseServers(urls, kind, configuration, observer: observer)
        self.servers = servers
        firstPool = servers.firstPool
    }

    /// Creates a pool without connections, for a database of any backend.
    /// - Parameter url: The location, for messages.
    init(
        _ backend: any Backend, url: DatabaseURL, configuration: DatabaseConfiguration = DatabaseConfiguration(),
        observer: DatabaseObserver? = nil
    ) {
        servers = nil
        firstPool = Pool(backend, url: url, configuration: configuration, observer: observer)
    }

    /// Closes the connections. A connection that is in use is closed when its current work ends. The deinitializer does
    /// not wait for this; ``close()`` does.
    deinit {
        if let servers { servers.shutDown() } else { firstPool.shutDown() }
    }

    /// The connections to the primary.
    var pool: Pool { servers?.primaryPool ?? firstPool }

    var configuration: DatabaseConfiguration { firstPool.configuration }

    /// Runs a closure in a read transaction: all its reads use one snapshot.
    ///
    /// The closure may run again: after the connection is lost, the read is retried once on a new connection. A read
    /// of a session that fails on its server runs on the primary.
    /// - Parameters:
    ///   - timeout: The maximum time of each statement.
    ///   - deadline: The moment at which the transaction must have ended. The deadline applies to the wait for a
    ///     connection, the statements and a retry.
    ///   - origin: A number that the observer receives with each statement; see ``TransactionOrigin``.
    ///   - body: The closure. The connection is valid until it returns.
    /// - Throws: ``DatabaseError`` (`timeout` after the deadline), `CancellationError`, or the closure's error.
    public func read<Value: Sendable>(
        timeout: StatementTimeout = .standard, deadline: Deadline = .never, origin: TransactionOrigin = .unspecified,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        guard let servers else { return try await run(.read, timeout, deadline, origin, on: firstPool, body) }
        return try await servers.read { pool, use in
            try await run(.read, timeout, deadline, origin, on: pool, use: use, body)
        }
    }

    /// Runs a closure in a read transaction on the calling thread. The function never waits for a lock or a connection,
    /// and the work of the closure is limited by a budget. Use this function for short reads, such as one row by its
    /// key.
    ///
    /// If the result is ``DirectRead/overBudget`` or ``DirectRead/unavailable``, pass the closure to
    /// ``read(timeout:deadline:origin:_:)``, which runs it from the beginning.
    /// - Parameters:
    ///   - budget: The maximum work. SQLite stops a transaction that exceeds the budget.
    ///   - deadline: The moment at which the transaction must have ended. A read that exceeds it is over budget, too.
    ///   - origin: A number that the observer receives with each statement; see ``TransactionOrigin``.
    ///   - body: The closure. The connection is valid until it returns.
    /// - Throws: The closure's error, unless it is a ``DatabaseError``.
    public func readDirectly<Value>(
        within budget: ReadBudget, deadline: Deadline = .never, origin: TransactionOrigin = .unspecified,
        _ body: (Connection) throws -> Value
    ) throws -> DirectRead<Value> {
        guard let readers = firstPool.directReaders else { return .unavailable }
        return try readers.read(within: budget, deadline, origin: origin, firstPool, body)
    }

    /// Runs a closure that calls ``readDirectly(within:deadline:origin:_:)``. All its direct reads on the calling
    /// thread use one snapshot, because they run in one transaction. The snapshot begins with the first read. Therefore
    /// use this function only for reads that were all requested before the call; a read that is requested later could
    /// get outdated data.
    ///
    /// If a read fails, the next read begins a new snapshot.
    public func withSharedSnapshot(_ body: () -> Void) {
        guard let readers = firstPool.directReaders else { return body() }
        SharedSnapshot.run(firstPool, readers, body)
    }

    /// Runs a closure in a write transaction. The transaction is committed after the closure returns, and rolled back
    /// if the closure throws an error. The closure never runs twice.
    /// - Parameters:
    ///   - timeout: The maximum time of each statement.
    ///   - deadline: The moment at which the transaction must have ended. The deadline applies to the wait for a
    ///     connection and to the statements.
    ///   - origin: A number that the observer receives with each statement; see ``TransactionOrigin``.
    ///   - body: The closure. The connection is valid until it returns.
    /// - Throws: ``DatabaseError``, `CancellationError`, or the closure's error. If the code is
    ///   `commit-outcome-unknown`, COMMIT was not confirmed, and the write may have taken effect. After any other
    ///   error, nothing has been written. If ``DatabaseConfiguration/isReadOnly`` is true, the code is `read-only`.
    @discardableResult
    public func write<Value: Sendable>(
        timeout: StatementTimeout = .standard, deadline: Deadline = .never, origin: TransactionOrigin = .unspecified,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        guard !isReadOnly else {
            throw DatabaseError(.readOnly, "the database \(url) is opened read-only and accepts no writes")
        }
        let session = configuration.recordsPositions ? DatabaseSession.current : nil
        session?.usePrimary()
        let pool = try servers?.poolForWrites() ?? firstPool
        do {
            return try await run(.write, timeout, deadline, origin, on: pool, in: session, body)
        } catch let error as DatabaseError where servers != nil && error.code == .readOnly {
            // Another program has made the primary a replica.
            throw DatabaseError(
                .unavailable, "no server accepts writes at the moment: \(error.message)",
                backendCode: error.backendCode, statement: error.statement)
        }
    }

    /// Returns the elements that a closure produces in one read transaction. The closure is at most a few elements
    /// ahead of the consumer. A stream of a session that fails on its server before its first element begins again on
    /// the primary.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to produce each element; `nil` is no limit. For the first element, the time
    ///     includes the wait for a connection. The time that the consumer takes does not count.
    ///   - origin: A number that the observer receives with each statement; see ``TransactionOrigin``.
    ///   - makeNext: Called on the pool's thread with the connection. It returns a closure that returns the next
    ///     element at each call, and `nil` at the end.
    /// - Returns: The elements. The transaction ends early if the task of the consumer is canceled, or if the stream
    ///   and its iterator are released, for example after the consumer leaves the loop.
    /// - Throws: An error of `makeNext` or of the first call of its closure. Later errors are thrown by the sequence.
    public func stream<Element: Sendable>(
        timeout: Duration? = nil, origin: TransactionOrigin = .unspecified,
        _ makeNext: @escaping @Sendable (Connection) throws -> () throws -> Element?
    ) async throws -> ReadStream<Element> {
        let deadline = Deadline.after(timeout)
        guard let servers else { return try await stream(timeout, deadline, origin, on: firstPool, makeNext) }
        return try await servers.read { pool, use in
            try await stream(timeout, deadline, origin, on: pool, use: use, makeNext)
        }
    }

    /// The version of the database's content, read without a connection in about a microsecond.
    ///
    /// Get the version before a read. The result of the read is current as long as the version is unchanged. Inside
    /// ``withSharedSnapshot(_:)``, the version is that of the moment before the snapshot began.
    /// - Returns: `nil` if the version is unknown. On MariaDB, the version is known only if this ``Database`` is the
    ///   only writer (``DatabaseConfiguration/isSingleWriter``) and no write is running. After a write whose connection
    ///   was lost, it is unknown for a minute. The version of a SQLite database in memory is always unknown. The
    ///   version of a SQLite file is unknown before the first connection is opened, and while a program commits. It is
    ///   also unknown for a file in rollback-journal mode, for a file that is opened as ``DatabaseAccess/immutable``,
    ///   and for a file whose write-ahead log has an index that the user of this process cannot write.
    public var version: DatabaseVersion? {
        if let snapshot = SharedSnapshot.current(of: firstPool) { snapshot.version } else { firstPool.version }
    }

    var commitDetection: CommitDetection { firstPool.backend.commitDetection }
    var ownCommits: OwnCommits { firstPool.ownCommits }

    /// See ``Pool/startLogReader(_:)``.
    func startLogReader(_ onCommit: @escaping @Sendable () -> Void) -> (any CommitLogReader)? {
        pool.startLogReader(onCommit)
    }

    /// True if this object rejects writes; see ``DatabaseConfiguration/access``.
    public var isReadOnly: Bool { configuration.isReadOnly }

    /// Rejects new work, waits for running work, and closes the connections.
    public func close() async {
        if let servers { await servers.close() } else { await firstPool.close() }
    }

    /// The maximum number of connections, to all servers together.
    public var poolSize: Int { servers?.connectionLimit ?? configuration.poolSize }

    /// The number of open connections, the number of connections in use, and the number of requests that wait for a
    /// connection.
    public var statistics: (connections: Int, busy: Int, waiting: Int) {
        servers?.statistics ?? firstPool.statistics
    }

    /// Runs a closure in a read transaction on the primary, also in a session that reads on other servers.
    func readOnPrimary<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value
    {
        try await run(.read, .standard, .never, .unspecified, on: pool, body)
    }

    private func run<Value: Sendable>(
        _ kind: JobKind, _ timeout: StatementTimeout, _ deadline: Deadline, _ origin: TransactionOrigin, on pool: Pool,
        use: ServerUse? = nil, in session: DatabaseSession? = nil,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        defer { withExtendedLifetime(self) {} }
        return try await pool.perform { continuation in
            let job = TransactionJob(
                kind: kind, timeout: timeout, deadline: deadline, origin: origin, continuation: continuation,
                body: body)
            job.serverUse = use
            job.session = session
            return job
        }
    }

    private func stream<Element: Sendable>(
        _ timeout: Duration?, _ deadline: Deadline, _ origin: TransactionOrigin, on pool: Pool,
        use: ServerUse? = nil, _ makeNext: @escaping @Sendable (Connection) throws -> () throws -> Element?
    ) async throws -> ReadStream<Element> {
        defer { withExtendedLifetime(self) {} }
        let channel = StreamChannel<Element>(pool: pool)
        try await pool.perform { continuation in
            let job = StreamJob(
                channel: channel, pool: pool, timeout: timeout, deadline: deadline, origin: origin,
                continuation: continuation, makeNext: makeNext)
            job.serverUse = use
            return job
        } as Void
        return ReadStream(channel: channel)
    }
}
