/// The answer of a primary or a replica to a check.
struct ReplicationState: Sendable {
    /// True if the server rejects the writes of usual accounts.
    let isReadOnly: Bool
    /// The position of a primary in its binary log, or the position of a replica; nil if the server has none.
    let position: DatabasePosition?
}

/// A connection that reads the ``ReplicationState`` of a server. It is separate from the connections for transactions,
/// so that a check does not wait for them.
final class ReplicationMonitor: Sendable {
    private let pool: Pool
    private let sql: String
    private let timeLimit: Duration

    /// - Parameter isReplica: True for a replica, and false for a primary.
    init(_ url: DatabaseURL, _ configuration: DatabaseConfiguration, isReplica: Bool) {
        var configuration = configuration
        configuration.poolSize = 1
        configuration.access = .readOnly
        configuration.isSingleWriter = false
        configuration.connectTimeout = min(configuration.connectTimeout, configuration.replicaCheckTimeout)
        timeLimit = configuration.replicaCheckTimeout
        pool = Pool(url.backend(configuration), url: url, configuration: configuration, observer: nil)
        // Any account may read the variables. In later versions, `read_only` has names as values.
        sql = """
            SELECT CAST(@@GLOBAL.read_only AS CHAR), \
            @@GLOBAL.\(isReplica ? "gtid_slave_pos" : "gtid_binlog_pos")
            """
    }

    /// Asks the server. The result is an error if the server does not answer in time. The connection may then still
    /// wait for the answer.
    func state() async -> Result<ReplicationState, DatabaseError> {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<ReplicationState, DatabaseError>.self)
        let asking = Task { continuation.yield(await ask()) }
        let waiting = Task { [timeLimit] in
            try await Task.sleep(for: timeLimit)
            continuation.yield(.failure(DatabaseError(.timeout, "it does not answer within \(timeLimit)")))
        }
        // A canceled task does not wait for the answer.
        let answer = await answers.first { _ in true }
        asking.cancel()
        waiting.cancel()
        return answer ?? .failure(DatabaseError(.cancelled, "the check was canceled"))
    }

    private func ask() async -> Result<ReplicationState, DatabaseError> {
        do {
            let state = try await pool.perform { [sql, timeLimit] continuation in
                TransactionJob(
                    kind: .read, timeout: .limit(timeLimit), deadline: .after(timeLimit),
                    origin: .unspecified, continuation: continuation
                ) { connection in
                    let row = try connection.query(sql)
                    defer { row.close() }
                    guard try row.next() else { throw DatabaseError(.failed, "it does not return its variables") }
                    return ReplicationState(
                        isReadOnly: !["0", "OFF"].contains(row.text(at: 0)),
                        position: DatabasePosition(row.text(at: 1)))
                }
            }
            return .success(state)
        } catch let error as DatabaseError {
            return .failure(error)
        } catch {
            return .failure(DatabaseError(.cancelled, "the check was canceled"))
        }
    }

    func shutDown() { pool.shutDown() }
    func close() async { await pool.close() }
}
