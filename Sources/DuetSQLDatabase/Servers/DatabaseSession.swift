import Synchronization

/// The reads and writes of one request of a client to a ``Database`` with several servers.
///
/// To run reads on replicas, or on all nodes of a cluster, bind a session to ``current`` for the time of the request.
/// All reads of a session use the same server, so that no read shows an older state than an earlier one. If the server
/// fails, and after a write of the session, the reads use the primary. A read outside of a session uses the primary.
///
/// A session belongs to one ``Database``.
public final class DatabaseSession: Sendable {
    /// The session for the transactions of the current task. Child tasks inherit it.
    @TaskLocal public static var current: DatabaseSession?

    /// The position that each read of the session must have reached; nil if the reads can have any position.
    public let after: DatabasePosition?

    private enum Choice {
        case primary
        case server(DatabaseServer)
    }

    private struct State {
        /// The server of the reads; nil before the first read.
        var choice: Choice?
        var position: DatabasePosition?
        /// True if the position of a commit is unknown.
        var hasUnknownCommit = false
    }

    private let state: Mutex<State>

    /// Creates the session of a request.
    /// - Parameters:
    ///   - after: The position that each read must have reached, such as the ``position`` of an earlier session of the
    ///     same client; nil for any position. A server that does not reach it within
    ///     ``DatabaseConfiguration/replicaWait`` is not used.
    ///   - usesPrimary: True if all reads use the primary, because the position that they must have reached is unknown.
    public init(after: DatabasePosition? = nil, usesPrimary: Bool = false) {
        self.after = after
        state = Mutex(State(choice: usesPrimary ? .primary : nil))
    }

    /// True if the position of a commit is unknown, because a connection was lost during or directly after the commit.
    /// A later session of the same client sees the commit with certainty only on the primary.
    public var hasUnknownCommit: Bool { state.withLock(\.hasUnknownCommit) }

    /// A position that has the commits of the session, and those of ``after``. It is nil if the session has run no
    /// write transaction, if ``DatabaseConfiguration/recordsPositions`` is false, if the server has no binary log, or
    /// if the position of a commit is unknown (``hasUnknownCommit``).
    ///
    /// A write transaction that has changed nothing has a position, too: that of the commits which it has seen, such as
    /// the first execution of a repeated request.
    public var position: DatabasePosition? {
        state.withLock { $0.hasUnknownCommit ? nil : $0.position }
    }

    /// Returns the server for a read; nil for the primary.
    func server(of servers: DatabaseServers) -> DatabaseServer? {
        state.withLock { state in
            let choice = state.choice ?? servers.next(after: after).map { .server($0) } ?? .primary
            // A session of another database has a server of the other database.
            guard case .server(let server) = choice, server.isWell, servers.contains(server) else {
                state.choice = .primary
                return nil
            }
            state.choice = choice
            return server
        }
    }

    /// Makes all further reads use the primary.
    func usePrimary() {
        state.withLock { $0.choice = .primary }
    }

    /// Records the end of a write transaction.
    /// - Parameter position: The position of the server after the transaction. The text is empty if the server has no
    ///   binary log. It is nil if the position is unknown.
    func noteCommit(_ position: String?) {
        guard position?.isEmpty != true else { return }
        state.withLock { state in
            guard let commit = position.flatMap({ DatabasePosition($0) }) else {
                state.hasUnknownCommit = true
                return
            }
            state.position = (state.position ?? after)?.union(commit) ?? commit
        }
    }
}
