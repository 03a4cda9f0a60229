import Synchronization

/// A connection that reads the ``ServerState`` of a server. It is separate from the connections for transactions, so
/// that a check does not wait for them.
final class ServerMonitor: Sendable {
    private let pool: Pool
    private let kind: ReplicationKind
    private let timeLimit: Duration
    /// The question that has no answer yet; nil if there is none.
    private let question = Mutex<Task<Answer, Never>?>(nil)

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

    /// Asks the server, or waits for the answer to the question of an earlier call that was canceled. The result is an
    /// error if the server does not answer in time. The connection may then still wait for the answer.
    /// - Parameter isPrimary: True if the server should accept writes.
    /// - Returns: The answer; nil if the task is canceled before there is one.
    func state(isPrimary: Bool) async -> Answer? {
        let asking = question.withLock { question in
            if let question { return question }
            let new = Task { await self.answer(isPrimary: isPrimary) }
            question = new
            return new
        }
        guard let answer = await first(of: asking) else { return nil }
        question.withLock { $0 = nil }
        return answer
    }

    /// Waits for a task, but not after the cancellation of the current one.
    private func first(of task: Task<Answer, Never>) async -> Answer? {
        let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
        let waiting = Task { continuation.yield(await task.value) }
        defer { waiting.cancel() }
        return await answers.first { _ in true }
    }

    private func answer(isPrimary: Bool) async -> Answer {
        let askedAt = ContinuousClock.now
        let (results, continuation) = AsyncStream.makeStream(of: Result<ServerState, DatabaseError>.self)
        let asking = Task { continuation.yield(await ask(isPrimary: isPrimary)) }
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

    private func ask(isPrimary: Bool) async -> Result<ServerState, DatabaseError> {
        do {
            let state = try await pool.perform { [kind, timeLimit] continuation in
                TransactionJob(
                    kind: .read, timeout: .limit(timeLimit), deadline: .after(timeLimit),
                    origin: .unspecified, continuation: continuation
                ) { connection in
                    let state = try Self.read(kind, connection)
                    // The name of the server may meanwhile be that of another machine, which a new connection reaches.
                    if isPrimary, !state.acceptsWrites(kind) { connection.isBroken = true }
                    return state
                }
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
        question.withLock { $0?.cancel() }
        pool.shutDown()
    }

    func close() async { await pool.close() }
}
