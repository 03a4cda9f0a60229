import Synchronization

/// The replicas of a ``Database``. It selects the replica of a session, and checks which replicas are well.
final class ReplicaSet: Sendable {
    private let replicas: [Replica]
    private let primary: ReplicationMonitor
    private let configuration: DatabaseConfiguration
    private let observer: DatabaseObserver?
    private let turn = Atomic<UInt>(0)
    private let history = Mutex(PositionHistory())

    /// - Parameters:
    ///   - urls: The replicas, at least one.
    ///   - primary: The primary.
    ///   - configuration: The configuration of the primary.
    init(
        _ urls: [DatabaseURL], of primary: DatabaseURL, _ configuration: DatabaseConfiguration,
        observer: DatabaseObserver?
    ) {
        self.configuration = configuration
        self.observer = observer
        self.primary = ReplicationMonitor(primary, configuration, isReplica: false)
        var ofReplicas = configuration
        ofReplicas.access = .readOnly
        ofReplicas.isSingleWriter = false
        ofReplicas.connectTimeout = min(configuration.connectTimeout, configuration.replicaCheckTimeout)
        replicas = urls.map { Replica($0, ofReplicas, observer: observer) }
    }

    // MARK: Reads

    /// Runs a read on the replica of the current session. The read runs on the primary if it has no session, if the
    /// session must or does use the primary, and if the replica fails before the first result.
    /// - Parameters:
    ///   - primary: The connections to the primary.
    ///   - body: The read. It runs once for each server.
    func read<Value>(
        orOn primary: Pool, _ body: (_ pool: Pool, _ use: ReplicaUse?) async throws -> Value
    ) async throws -> Value {
        guard let session = DatabaseSession.current, let replica = session.replica(of: self) else {
            return try await body(primary, nil)
        }
        do {
            let use = ReplicaUse(replica: replica, position: session.after, limit: configuration.replicaWait)
            return try await body(replica.pool, use)
        } catch is ReplicaUse.NotReached {
            // The replica can still be used for other reads.
            observer?(.movedToPrimary(.positionNotReached))
        } catch let error as DatabaseError where Self.codesOfLostServers.contains(error.code) {
            replica.note(error)
            observer?(.movedToPrimary(.connection(error)))
        }
        session.usePrimary()
        return try await body(primary, nil)
    }

    /// The codes of errors after which a read may succeed on another server.
    private static let codesOfLostServers: Set<DatabaseError.Code> = [.connectionLost, .unavailable, .closed]

    /// Returns the next replica that is well, in turn; nil if there is none.
    /// - Parameter position: The position that the reads must have reached.
    func next(after position: DatabasePosition?) -> Replica? {
        // A position with a domain that the primary does not have belongs to other servers, so a wait would be in vain.
        if let position, let last = history.withLock({ $0.last }), !last.hasDomains(of: position) { return nil }
        let first = Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(replicas.count))
        let inTurn = replicas[first...] + replicas[..<first]
        return inTurn.first { $0.isWell }
    }

    func contains(_ replica: Replica) -> Bool { replicas.contains { $0 === replica } }

    // MARK: Health

    var status: [ReplicaStatus] { replicas.map(\.status) }

    /// Checks the primary and each replica once.
    func check() async {
        async let primaryAnswer = primary.state()
        let answers = await withTaskGroup(of: (Int, Result<ReplicationState, DatabaseError>).self) { group in
            for (index, replica) in replicas.enumerated() {
                group.addTask { (index, await replica.monitor.state()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let primaryState = try? await primaryAnswer.get()
        let now = ContinuousClock.now
        let history = history.withLock { history in
            if let position = primaryState?.position { history.add(position, at: now) }
            return history
        }
        guard !Task.isCancelled else { return }
        for (index, answer) in answers {
            replicas[index].set(
                .evaluate(
                    answer, hasPrimary: primaryState != nil, history, limit: configuration.maximumReplicaLag, at: now))
            // The server may never answer the reads that wait for it.
            if case .failure = answer { replicas[index].pool.watchdog.breakOffWaiting() }
        }
    }

    // MARK: The end

    func shutDown() {
        primary.shutDown()
        for replica in replicas {
            replica.pool.shutDown()
            replica.monitor.shutDown()
        }
    }

    func close() async {
        shutDown()
        await primary.close()
        for replica in replicas {
            await replica.pool.close()
            await replica.monitor.close()
        }
    }
}
