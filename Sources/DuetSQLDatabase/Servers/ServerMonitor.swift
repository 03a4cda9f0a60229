import Synchronization

/// A connection that reads the ``ServerState`` of a server. It is separate from the connections for transactions, so
/// that a check does not wait for them.
final class ServerMonitor: Sendable {
    private let pool: Pool
    private let kind: ReplicationKind
    private let timeLimit: Duration
    private let question = Mutex(Question.none)

    private enum Question {
        case none
        case asked(Task<Void, Never>)
        /// The server has answered, or the time limit has passed.
        case answered(Answer)
    }

    struct Answer: Sendable {
        /// The moment of the question.
        let askedAt: ContinuousClock.Instant
        let result: Result<ServerState, DatabaseError>
    }

    init(_ url: DatabaseURL, _ kind: ReplicationKind, _ configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.poolSize = 1
        configuration.access = .readOnly
        configuration.connectTimeout = min(configuration.connectTimeout, configuration.replicaCheckTimeout)
        self.kind = kind
        timeLimit = configuration.replicaCheckTimeout
        pool = Pool(url.backend(configuration), url: url, configuration: configuration, observer: nil)
    }

    /// Asks the server, unless an earlier question has no answer yet or its answer was not taken.
    /// - Returns: A task that ends with the answer, after the time limit at the latest; nil if there is an answer.
    func ask() -> Task<Void, Never>? {
        question.withLock { question in
            switch question {
            case .asked(let task): return task
            case .answered: return nil
            case .none:
                let task = Task {
                    let answer = await self.answer()
                    let isCanceled = Task.isCancelled
                    self.question.withLock { $0 = isCanceled ? .none : .answered(answer) }
                }
                question = .asked(task)
                return task
            }
        }
    }

    /// Returns the answer once; nil if there is none yet. It is an error if the server did not answer in time. The
    /// connection may then still wait for the answer.
    func takeAnswer() -> Answer? {
        question.withLock { question in
            guard case .answered(let answer) = question else { return nil }
            question = .none
            return answer
        }
    }

    /// Ends the wait for an answer.
    func cancel() {
        question.withLock { question in
            if case .asked(let task) = question { task.cancel() }
        }
    }

    /// Makes the next question use a new connection, because the name of the server may meanwhile be that of another
    /// machine.
    func replaceConnection() { pool.replaceConnections() }

    private func answer() async -> Answer {
        let askedAt = ContinuousClock.now
        let (results, continuation) = AsyncStream.makeStream(of: Result<ServerState, DatabaseError>.self)
        let asking = Task { continuation.yield(await request()) }
        let waiting = Task { [timeLimit] in
            try await Task.sleep(for: timeLimit)
            continuation.yield(.failure(DatabaseError(.timeout, "it does not answer within \(timeLimit)")))
        }
        let result = await results.first { _ in true }
        asking.cancel()
        waiting.cancel()
        return Answer(
            askedAt: askedAt, result: result ?? .failure(DatabaseError(.cancelled, "the check was canceled")))
    }

    private func request() async -> Result<ServerState, DatabaseError> {
        do {
            let state = try await pool.perform { [kind, timeLimit] continuation in
                TransactionJob(
                    kind: .read, timeout: .limit(timeLimit), deadline: .after(timeLimit),
                    origin: .unspecified, continuation: continuation
                ) { try Self.read(kind, $0) }
            }
            return .success(state)
        } catch let error as DatabaseError {
            return .failure(error)
        } catch {
            return .failure(DatabaseError(.cancelled, "the check was canceled"))
        }
    }

    private static func read(_ kind: ReplicationKind, _ connection: Connection) throws -> ServerState {
        // Any account may read the variables and the status. In later versions, `read_only` has names as values.
        let row = try connection.query(
            "SELECT CAST(@@GLOBAL.read_only AS CHAR), @@GLOBAL.gtid_binlog_pos, @@GLOBAL.gtid_slave_pos, "
                + "@@GLOBAL.gtid_binlog_state, "
                + (kind == .galera ? "@@GLOBAL.wsrep_gtid_domain_id" : "@@GLOBAL.server_id"))
        defer { row.close() }
        guard try row.next() else { throw DatabaseError(.failed, "it does not return its variables") }
        var state = ServerState(
            isReadOnly: !["0", "OFF"].contains(row.text(at: 0)), logPosition: DatabasePosition(row.text(at: 1)),
            replicaPosition: DatabasePosition(row.text(at: 2)), log: BinaryLogState(row.text(at: 3)))
        let number = UInt32(exactly: row.integer(at: 4))
        row.close()
        switch kind {
        case .asynchronous:
            state.serverID = number
            // The number of threads that apply commits. They also run while the primary cannot be reached.
            state.isFollowing = try status("Slaves_running", connection).map { $0 != "0" } ?? false
        case .galera:
            state.clusterDomain = number
            // A node that is separated from the cluster refuses the tables of the information schema.
            state.isReady = try status("wsrep_ready", connection).map { $0 == "ON" }
        }
        return state
    }

    private static func status(_ name: String, _ connection: Connection) throws -> String? {
        let status = try connection.query("SHOW GLOBAL STATUS LIKE '\(name)'")
        defer { status.close() }
        return try status.next() ? status.text(at: 1) : nil
    }

    func shutDown() {
        cancel()
        pool.shutDown()
    }

    func close() async { await pool.close() }
}
