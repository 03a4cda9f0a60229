import Synchronization

/// The servers of a ``Database`` with replicas, or with the nodes of a Galera cluster. It selects the primary, and the
/// server for the reads of a session, and checks which servers are well.
final class DatabaseServers: Sendable {
    private struct State {
        var choice: PrimaryChoice
        var history = PositionHistory()
        /// The transactions in the log of the primary at the last check that it has answered.
        var log: BinaryLogState?
        /// The replication domain of a Galera cluster.
        var clusterDomain: UInt32?
        /// The reason for which the primary did not answer the last check; nil if it has.
        var failure: String?
        /// The moment since which the primary has not answered; nil if it has.
        var failedAt: ContinuousClock.Instant?
        /// The servers whose last check has failed.
        var failed: Set<Int> = []
        /// The moment at which the primary was asked for its position.
        var checkedAt: ContinuousClock.Instant?
        /// A position for which reads have waited in vain, because the primary does not have it, either. It can be that
        /// of commits that were lost with a previous primary. It is nil if there is none.
        var lost: DatabasePosition?

        /// Returns the part of a position that all servers can have. A node of a cluster also counts commits of its
        /// own, which no other node receives, in a domain of its own. The result is nil if there is no common part.
        func common(_ position: DatabasePosition) -> DatabasePosition? {
            choice.kind == .galera ? clusterDomain.flatMap { position.part(in: $0) } : position
        }
    }

    private let servers: [DatabaseServer]
    private let kind: ReplicationKind
    private let configuration: DatabaseConfiguration
    private let observer: DatabaseObserver?
    private let turn = Atomic<UInt>(0)
    private let state: Mutex<State>
    /// The check that began last.
    private let lastCheck = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - urls: The servers, at least one. The first one is the primary until a check finds another one.
    ///   - configuration: The configuration of the primary.
    init(
        _ urls: [DatabaseURL], _ kind: ReplicationKind, _ configuration: DatabaseConfiguration,
        observer: DatabaseObserver?
    ) {
        self.kind = kind
        state = Mutex(State(choice: PrimaryChoice(kind)))
        self.configuration = configuration
        self.observer = observer
        var servers: [DatabaseServer] = []
        for url in urls {
            servers.append(DatabaseServer(url, kind, configuration, first: servers.first, observer: observer))
        }
        self.servers = servers
    }

    /// The connections to the primary.
    var primaryPool: Pool { servers[state.withLock(\.choice.primary)].primaryPool }

    /// Returns the connections for a write.
    /// - Throws: ``DatabaseError`` with the code `unavailable` if no server can be the primary, or if the primary did
    ///   not answer the last check. Otherwise each write would wait for its time limit.
    func poolForWrites() throws -> Pool {
        let (choice, failure) = state.withLock { ($0.choice, $0.failure) }
        if choice.isAmbiguous {
            throw DatabaseError(
                .unavailable,
                "several database servers accept writes, and none has the commits of all others; set read_only on all "
                    + "but one of them")
        }
        if let failure { throw DatabaseError(.unavailable, "the primary does not answer: \(failure)") }
        return servers[choice.primary].primaryPool
    }

    /// The connections to the server that is the primary at the start.
    var firstPool: Pool { servers[0].primaryPool }

    // MARK: Reads

    /// Runs a read on the server of the current session. The read runs on the primary if it has no session, if the
    /// session must or does use the primary, and if the server fails before the first result.
    /// - Parameter body: The read. It runs once for each server.
    func read<Value>(_ body: (_ pool: Pool, _ use: ServerUse?) async throws -> Value) async throws -> Value {
        guard let session = DatabaseSession.current else { return try await body(primaryPool, nil) }
        guard let server = session.server(of: self) else { return try await readOnPrimary(in: session, body) }
        let beginning = ContinuousClock.now
        do {
            return try await body(server.readPool, use(of: server, after: session.after))
        } catch is ServerUse.NotReached {
            // The server can still be used for other reads.
            if let position = session.after { noteNotReached(position, since: beginning) }
            observer?(.movedToPrimary(.positionNotReached))
        } catch let error as DatabaseError where Self.codesOfLostServers.contains(error.code) {
            if server.isWell { server.note(error) }
            observer?(.movedToPrimary(.connection(error)))
        } catch let error as DatabaseError where error.code == .poolExhausted {
            observer?(.movedToPrimary(.connection(error)))
        }
        session.usePrimary()
        return try await readOnPrimary(in: session, body)
    }

    /// Runs a read of a session on the primary. A node of a cluster that has just become the primary may not yet have
    /// the commits of the previous one, so the read waits for the position of the session.
    private func readOnPrimary<Value>(
        in session: DatabaseSession, _ body: (_ pool: Pool, _ use: ServerUse?) async throws -> Value
    ) async throws -> Value {
        let state = state.withLock(\.self)
        let server = servers[state.choice.primary]
        guard kind == .galera, let position = session.after.flatMap(state.common),
            state.log?.hasOrigins(of: position) == true
        else { return try await body(server.primaryPool, nil) }
        do {
            return try await body(server.primaryPool, use(of: server, after: position, isPrimary: true))
        } catch is ServerUse.NotReached {
            throw DatabaseError(
                .unavailable, "the cluster has not yet applied the client's last write, \(position); try again")
        }
    }

    private func use(of server: DatabaseServer, after position: DatabasePosition?, isPrimary: Bool = false) -> ServerUse
    {
        let position = position.flatMap { position in state.withLock { $0.common(position) } }
        return ServerUse(
            server: server, kind: kind, isPrimary: isPrimary, position: position, limit: configuration.replicaWait)
    }

    /// Records a position for which a read has waited, if a check during the wait has shown that the primary does not
    /// have it, either. The next reads with this position do not wait.
    private func noteNotReached(_ position: DatabasePosition, since beginning: ContinuousClock.Instant) {
        state.withLock { state in
            guard let checkedAt = state.checkedAt, checkedAt > beginning, let last = state.history.last,
                !last.reaches(position)
            else { return }
            state.lost = state.lost?.union(position) ?? position
        }
    }

    /// The codes of errors after which a read may succeed on another server.
    private static let codesOfLostServers: Set<DatabaseError.Code> = [.connectionLost, .unavailable, .closed]

    /// Returns the next server for the reads of a session, in turn; nil if they use the primary.
    /// - Parameter position: The position that the reads must have reached.
    func next(after position: DatabasePosition?) -> DatabaseServer? {
        let state = state.withLock(\.self)
        if let position {
            guard let position = state.common(position) else { return nil }
            switch kind {
            case .asynchronous:
                // A position with a domain that the primary does not have belongs to other servers, so a wait would be
                // in vain.
                if let last = state.history.last, !last.hasDomains(of: position) { return nil }
            case .galera:
                // A node does not wait for a commit of a server that it does not know.
                guard state.log?.hasOrigins(of: position) == true else { return nil }
            }
            if let last = state.history.last, let lost = state.lost, lost.reaches(position), !last.reaches(position) {
                return nil
            }
        }
        let usable = servers.indices.filter { index in
            (kind == .galera || index != state.choice.primary) && servers[index].isWell
        }
        guard !usable.isEmpty else { return nil }
        return servers[usable[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(usable.count))]]
    }

    func contains(_ server: DatabaseServer) -> Bool { servers.contains { $0 === server } }

    /// Returns true if each server is known to have a position, also those that are not well.
    func haveReached(_ position: DatabasePosition) -> Bool {
        let state = state.withLock(\.self)
        let primary = state.choice.primary
        guard let position = state.common(position) else { return true }
        return servers.indices.allSatisfy { index in
            // The primary has each position that it has given to a client.
            index == primary || servers[index].hasReached(position)
        }
    }

    // MARK: Health

    var status: [ServerStatus] {
        let primary = state.withLock(\.choice.primary)
        return servers.indices.map { servers[$0].status(isPrimary: $0 == primary) }
    }

    /// The numbers of all pools.
    var statistics: (connections: Int, busy: Int, waiting: Int) {
        var sum = (connections: 0, busy: 0, waiting: 0)
        for pool in servers.flatMap({ [$0.primaryPool, $0.readPool] }) {
            let numbers = pool.statistics
            sum.connections += numbers.connections
            sum.busy += numbers.busy
            sum.waiting += numbers.waiting
        }
        return sum
    }

    /// The maximum number of connections: those to the primary, and those for reads.
    var connectionLimit: Int {
        configuration.poolSize * (kind == .galera ? servers.count + 1 : servers.count)
    }

    /// The time until the next check. Without a primary, a promoted replica should be found soon.
    var checkPause: Duration {
        state.withLock(\.choice.isConfirmed)
            ? configuration.replicaCheckInterval : configuration.replicaCheckInterval / 10
    }

    /// Checks each server once. If a check is running, the next one begins after its end.
    /// - Parameter waitsForAll: False if the check does not wait for a server whose last check has failed. The answer
    ///   of such a server, which can take the whole time limit, then counts for the check after it.
    func check(waitsForAll: Bool) async {
        let check = lastCheck.withLock { last in
            let next = Task { [last] in
                await last?.value
                await self.checkNow(waitsForAll: waitsForAll)
            }
            last = next
            return next
        }
        await withTaskCancellationHandler {
            await check.value
        } onCancel: {
            check.cancel()
        }
    }

    private func checkNow(waitsForAll: Bool) async {
        let beginning = ContinuousClock.now
        // A read can note a newer position while the servers are asked.
        let earlier = servers.map(\.position)
        let failed = waitsForAll ? [] : state.withLock(\.failed)
        if waitsForAll {
            for server in servers { _ = server.monitor.takeAnswer() }
        }
        let questions = servers.map { $0.monitor.ask() }
        await withTaskCancellationHandler {
            for (index, question) in questions.enumerated() where !failed.contains(index) { await question?.value }
        } onCancel: {
            for server in servers { server.monitor.cancel() }
        }
        let answers = servers.map { $0.monitor.takeAnswer() }
        guard !Task.isCancelled else { return }
        let states = answers.map { try? $0?.result.get() }
        let now = ContinuousClock.now
        let (primary, changed, known, failedAt) = state.withLock { state in
            let previous = state.choice.primary
            state.choice.update(states, known: state.history.last)
            let primary = state.choice.primary
            // The commits of the new primary begin another history.
            if primary != previous, kind == .asynchronous { state.history = PositionHistory() }
            switch answers[primary]?.result {
            case .failure(let error):
                state.failure = error.message
                if state.failedAt == nil { state.failedAt = now }
            case .success:
                state.failure = nil
                state.failedAt = nil
            case nil: break
            }
            state.failed = Set(servers.indices.filter { states[$0] == nil })
            let answer = states[primary]
            if let answer {
                state.log = answer.transactions
                state.clusterDomain = answer.clusterDomain
            }
            if let position = answer?.logPosition, let askedAt = answers[primary]?.askedAt {
                state.history.add(position, at: askedAt)
                state.checkedAt = askedAt
                if let lost = state.lost, position.reaches(lost) { state.lost = nil }
            }
            // A replica can have commits that the primary did not have yet when it was asked during an earlier check.
            let isCurrent = answers[primary].map { $0.askedAt >= beginning } ?? false
            let known = KnownPrimary(
                hasAnswered: answer != nil, log: isCurrent ? answer?.transactions : nil, history: state.history)
            return (primary, primary != previous, known, state.failedAt)
        }
        if changed { observer?(.primaryChanged(url: servers[primary].url.description)) }
        for (index, server) in servers.enumerated() {
            guard let answer = answers[index]?.result else { continue }
            server.set(
                index == primary && kind == .asynchronous
                    ? .ofPrimary(answer)
                    : .evaluate(
                        answer, earlier: earlier[index], known, kind, limit: configuration.maximumReplicaLag, at: now),
                logPosition: states[index]?.logPosition, kind)
            if index == primary, let state = states[index], !state.acceptsWrites(kind) {
                server.monitor.replaceConnection()
                server.primaryPool.replaceConnections()
            }
            guard case .failure(let error) = answer else { continue }
            // A server that does not answer the check may never answer those who wait for it. Reads can run again on
            // another server. Those who wait for the primary have no other server, so it gets more time.
            if error.code == .timeout {
                server.readPool.watchdog.breakOffWaiting()
            } else {
                server.readPool.watchdog.breakOffLongWaiting()
            }
            if index != primary || failedAt.map({ now - $0 >= configuration.replicaCheckInterval }) == true {
                server.primaryPool.watchdog.breakOffLongWaiting()
            }
        }
    }

    // MARK: The end

    func shutDown() {
        for server in servers { server.shutDown() }
    }

    func close() async {
        shutDown()
        for server in servers { await server.close() }
    }
}
