import Dispatch
import Synchronization

/// The workers of a ``Database`` and the jobs that wait for them. Decisions are ``PoolStateMachine``'s; this carries
/// them out.
final class Pool: Sendable {
    typealias StateMachine = PoolStateMachine<Worker, Job>

    let url: DatabaseURL
    let configuration: DatabaseConfiguration
    private let observer: DatabaseObserver?
    private let state: Mutex<StateMachine>
    private let stopped = DispatchGroup()

    init(url: DatabaseURL, configuration: DatabaseConfiguration, observer: DatabaseObserver?) {
        self.url = url
        self.configuration = configuration
        self.observer = observer
        let writers: Int =
            // SQLite has one writer: the others wait here, in order, instead of polling for its lock.
            if case .sqlite = url.location { 1 } else { configuration.poolSize }
        state = Mutex(
            StateMachine(
                size: configuration.poolSize, writers: writers, streams: configuration.streamLimit,
                queueLimit: configuration.queueLimit))
    }

    func observe(_ observation: @autoclosure () -> DatabaseObservation) {
        observer?(observation())
    }

    func open(_ interrupt: Interrupt) throws -> Connection {
        let backend: Connection.Backend =
            switch url.location {
            case .sqlite(let path):
                .sqlite(try SQLiteConnection(path: path, configuration: configuration, interrupt: interrupt))
            case .mariaDB(let location):
                .mariaDB(try MariaDBConnection(location, configuration: configuration))
            }
        return Connection(backend, configuration: configuration, observer: observer)
    }

    func submit(_ job: Job) {
        let deadline = job.submittedAt &+ configuration.acquireTimeout.nanoseconds
        let action = state.withLock { state in
            state.submit(job, kind: job.kind, deadline: deadline) {
                stopped.enter()
                return Worker(pool: self)
            }
        }
        switch action {
        case .run(let worker): worker.run(job)
        case .start(let worker): worker.start(with: job)
        case .wait(let isFirst): if isFirst { watch(until: deadline) }
        case .rejectClosed: job.fail(DatabaseError(.closed, "the database is shutting down"))
        case .rejectFull:
            job.fail(
                DatabaseError(.poolExhausted, "\(configuration.queueLimit) requests wait for a connection already"))
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
                worker.interruptJob()
                return false
            case .nothing: return false
            }
        }
        if wasWaiting { job.fail(CancellationError()) }
    }

    /// Looks again when the first of those who wait has waited too long.
    private func watch(until deadline: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: deadline)) { [self] in
            let (expired, next) = state.withLock { $0.expire(now: Interrupt.now) }
            for job in expired {
                job.fail(
                    DatabaseError(
                        .poolExhausted,
                        "no connection became free within \(configuration.acquireTimeout); all \(configuration.poolSize) are in use"
                    ))
            }
            if let next { watch(until: next) }
        }
    }

    /// Ends the statement that runs on a connection of the server, over another connection.
    func killQuery(of thread: UInt) {
        guard case .mariaDB(let location) = url.location else { return }
        DispatchQueue.global().async { [self] in
            do {
                let connection = try MariaDBConnection(location, configuration: configuration)
                try connection.run("KILL QUERY \(thread)")
            } catch {
                // The statement may have ended by itself, or the server is gone: its own deadline ends it then.
                observe(.connectionClosed(reason: "kill query failed: \(error)"))
            }
        }
    }

    func workerStopped() {
        stopped.leave()
    }

    /// Refuses new jobs and waits until those that run have ended and their connections are closed.
    func close() async {
        let (waiting, idle) = state.withLock { $0.close() }
        for job in waiting { job.fail(DatabaseError(.closed, "the database is shutting down")) }
        for worker in idle { worker.stop() }
        await withCheckedContinuation { continuation in
            stopped.notify(queue: .global()) { continuation.resume() }
        }
    }

    var statistics: (connections: Int, busy: Int, waiting: Int) {
        state.withLock { ($0.workers, $0.busy, $0.waiting) }
    }
}
