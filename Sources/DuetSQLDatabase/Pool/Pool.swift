import Dispatch
import Synchronization

/// The workers of a ``Database`` and the jobs that wait for them. ``PoolStateMachine`` makes the decisions; the pool
/// performs them.
final class Pool: Sendable {
    typealias StateMachine = PoolStateMachine<Worker, Job>

    let url: DatabaseURL
    let backend: any Backend
    let configuration: DatabaseConfiguration
    private let observer: DatabaseObserver?
    private let state: Mutex<StateMachine>
    private let stopped = DispatchGroup()
    /// The threads of the workers, until they are joined.
    private let threads = Mutex<[JoinableThread]>([])
    /// The changes of definitions in the logs of the servers.
    let definitionChanges: DefinitionChanges
    /// The reader of the server's log that was started last, and its thread; nil after the pool is closed.
    private let logReader = Mutex<(reader: any CommitLogReader, thread: JoinableThread)?>(nil)
    let watchdog = Watchdog()
    /// The moment of the last ``replaceConnections()``.
    private let replacedAt = Atomic<UInt64>(0)
    /// The connections for direct reads; nil for a database on a server.
    let directReaders: DirectReaders?
    /// The source of the version of a database on a server, if this pool is the only writer.
    let writes: WriteCounter?
    /// The commits of the database, by this pool and by those of its other servers.
    let ownCommits: OwnCommits
    /// Creates the spans of the statements; nil if the program has no tracer.
    let tracer: StatementTracer?

    /// - Parameter first: The first pool of the database, if this is a pool for another of its servers.
    init(
        _ backend: any Backend, url: DatabaseURL, configuration: DatabaseConfiguration, first: Pool? = nil,
        observer: DatabaseObserver?
    ) {
        self.backend = backend
        ownCommits = first?.ownCommits ?? OwnCommits(backend.commitDetection)
        definitionChanges = first?.definitionChanges ?? DefinitionChanges()
        self.url = url
        self.configuration = configuration
        self.observer = observer
        tracer = StatementTracer(url, backend.dialect)
        let writers: Int =
            // SQLite allows one writer at a time. Other write jobs wait in the pool's queue, in order, because SQLite's
            // own wait polls for the lock.
            backend.dialect.isEmbedded ? 1 : configuration.poolSize
        directReaders = backend.dialect.isEmbedded ? DirectReaders(configuration) : nil
        writes = !backend.dialect.isEmbedded && configuration.isSingleWriter ? WriteCounter() : nil
        state = Mutex(
            StateMachine(
                size: configuration.poolSize, writers: writers, streams: configuration.streamLimit,
                queueLimit: configuration.queueLimit))
    }

    deinit {
        // The threads cannot be joined here, because this may run on one of them.
        for thread in threads.withLock({ $0 }) { thread.detach() }
        logReader.withLock { $0 }?.thread.detach()
    }

    /// See ``Database/version``.
    var version: DatabaseVersion? { backend.version ?? writes?.version() }

    /// Makes each worker replace its connection before the next job. A connection that is younger than a second is not
    /// replaced, so that a server that accepts no writes is not asked for new connections all the time.
    func replaceConnections() { replacedAt.store(Interrupt.now, ordering: .relaxed) }

    /// Returns true if a connection must be replaced.
    /// - Parameter openedAt: The moment at which it was opened.
    func mustReplaceConnection(openedAt: UInt64) -> Bool {
        openedAt < replacedAt.load(ordering: .relaxed) && Interrupt.now &- openedAt > 1_000_000_000
    }

    func observe(_ observation: @autoclosure () -> DatabaseObservation) {
        observer?(observation())
    }

    /// Opens a connection within the connect timeout of the configuration and before `deadline`.
    /// - Parameter waitsForLocks: False for a connection that never waits for a lock; see
    ///   ``Backend/connect(_:_:waitsForLocks:)``.
    func open(_ interrupt: Interrupt, before deadline: Deadline, waitsForLocks: Bool = true) throws -> Connection {
        var configuration = configuration
        configuration.connectTimeout = deadline.limiting(configuration.connectTimeout)
        return Connection(
            try backend.connect(configuration, interrupt, waitsForLocks: waitsForLocks), backend.dialect,
            configuration: configuration, interrupt: interrupt, observer: observer)
    }

    func submit(_ job: Job) {
        let bounds = StateMachine.Bounds(
            acquire: job.submittedAt + configuration.acquireTimeout.nanoseconds,
            deadline: job.deadline.uptimeNanoseconds)
        let submission = state.withLock { state in
            state.submit(job, kind: job.kind, bounds: bounds) {
                stopped.enter()
                return Worker(pool: self)
            }
        }
        if let look = submission.look { scheduleLook(at: look) }
        switch submission.action {
        case .run(let worker): worker.run(job)
        case .start(let worker): start(worker, with: job)
        case .wait: break
        case .rejectClosed: job.fail(DatabaseError(.closed, "the database is shutting down"))
        case .rejectFull:
            job.fail(
                DatabaseError(.poolExhausted, "\(configuration.queueLimit) requests already wait for a connection"))
        }
    }

    private func start(_ worker: Worker, with job: Job) {
        do {
            let thread = try worker.start(with: job)
            threads.withLock { $0.append(thread) }
        } catch {
            state.withLock { $0.failedToStart(with: job) }
            stopped.leave()
            job.fail(error)
        }
    }

    func finished(_ job: Job, on worker: Worker) -> StateMachine.FinishAction {
        state.withLock { state in
            worker.resetInterrupt()
            return state.finished(job, on: worker)
        }
    }

    func cancel(_ job: Job) {
        let wasWaiting = state.withLock { state in
            switch state.cancel(job) {
            case .removed: return true
            case .interrupt(let worker):
                worker.stopJob(.cancelled)
                return false
            case .nothing: return false
            }
        }
        if wasWaiting { job.fail(CancellationError()) }
    }

    /// Sets a new deadline for a running job.
    func setDeadline(_ deadline: Deadline, of job: Job) {
        if let look = state.withLock({ $0.setDeadline(deadline.uptimeNanoseconds, of: job) }) {
            scheduleLook(at: look)
        }
    }

    /// Schedules a check at a moment. The check ends all jobs whose time has run out by then.
    private func scheduleLook(at moment: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: moment)) { [weak self] in
            self?.expire(scheduledFor: moment)
        }
    }

    private func expire(scheduledFor moment: UInt64) {
        let expired = state.withLock { state in
            let expired = state.expire(now: Interrupt.now, scheduledFor: moment)
            // The lock ensures that the worker still runs this job.
            for worker in expired.running { worker.stopJob(.deadline) }
            return expired
        }
        for (job, hasReachedDeadline) in expired.waiting {
            job.fail(hasReachedDeadline ? DatabaseError.deadlinePassed : poolExhausted(for: job.kind))
        }
        if let next = expired.next { scheduleLook(at: next) }
    }

    private func poolExhausted(for kind: JobKind) -> DatabaseError {
        DatabaseError(
            .poolExhausted,
            "no connection became free within \(configuration.acquireTimeout); "
                + "at most \(state.withLock { $0.limits[kind.rawValue] }) are used \(kind.purpose)")
    }

    /// Ends a connection and its statement on the server.
    func kill(_ thread: UInt) {
        DispatchQueue.global().async { [self] in
            let start = Interrupt.now
            do {
                try backend.kill(thread, configuration)
            } catch {
                // The server cannot be reached. In this case the watchdog ends the statement.
                observe(
                    .statement(
                        sql: "KILL", rows: 0, nanoseconds: Interrupt.now &- start, failed: true, origin: .unspecified))
            }
        }
    }

    /// Starts a reader of the server's log. The reader that was started before ends.
    /// - Parameter onCommit: Called on the reader's thread when a commit has been read. It must not block.
    /// - Returns: nil if there is no such log, or if the pool is closed.
    func startLogReader(_ onCommit: @escaping @Sendable () -> Void) -> (any CommitLogReader)? {
        guard let reader = backend.commitLogReader(configuration, definitionChanges, onCommit) else { return nil }
        return logReader.withLock { current in
            guard !state.withLock({ $0.isClosed }) else { return nil }
            let previous = current
            previous?.reader.stop()
            do {
                let thread = try JoinableThread(name: "duet-log", stackSize: 1 << 20) {
                    previous?.thread.join()
                    reader.run()
                }
                current = (reader, thread)
                return reader
            } catch {
                // Without the log, any table counts as changed by the commits of other programs.
                return nil
            }
        }
    }

    func workerStopped() {
        stopped.leave()
    }

    /// Rejects new jobs, lets running jobs finish, and closes their connections afterward.
    func shutDown() {
        let (waiting, idle) = state.withLock { $0.close() }
        for job in waiting { job.fail(DatabaseError(.closed, "the database is shutting down")) }
        for worker in idle { worker.stop() }
        logReader.withLock { $0 }?.reader.stop()
        directReaders?.close()
    }

    /// Rejects new jobs and waits until the running jobs have finished, the connections are closed and the threads have
    /// ended.
    func close() async {
        shutDown()
        await withCheckedContinuation { continuation in
            stopped.notify(queue: .global()) { [self] in
                let ending = threads.withLock { threads in
                    defer { threads = [] }
                    return threads
                }
                for thread in ending { thread.join() }
                logReader.withLock { $0.take() }?.thread.join()
                backend.close()
                continuation.resume()
            }
        }
    }

    var statistics: (connections: Int, busy: Int, waiting: Int) {
        state.withLock { ($0.workers, $0.busy, $0.waiting) }
    }
}
