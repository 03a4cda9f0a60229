import DequeModule

/// What a job wants of its connection; each kind has a bound of its own on how many run at once.
enum JobKind: Int, CaseIterable, Sendable {
    case read, write, stream

    /// What a connection is lent for, in a message.
    var purpose: String {
        switch self {
        case .read: "at once"
        case .write: "for writing at once"
        case .stream: "to streams at once"
        }
    }
}

/// Decides which job runs on which worker. A value without locks, threads or clocks: it is told what happened and
/// answers what to do, so it is tested as it is.
struct PoolStateMachine<Worker: AnyObject, Job: AnyObject> {
    private struct Waiting {
        let job: Job
        let number: UInt64
        /// Nanoseconds on the pool's clock.
        let deadline: UInt64
    }

    private enum JobState {
        case waiting(JobKind)
        case running(Worker, JobKind)
    }

    let size: Int
    let queueLimit: Int
    /// How many jobs of a kind may run at once; at most ``size``.
    let limits: [Int]

    private var idle: [Worker] = []
    private(set) var workers = 0
    private var running = [0, 0, 0]
    private var queues: [Deque<Waiting>] = [[], [], []]
    private var states: [ObjectIdentifier: JobState] = [:]
    private var nextNumber: UInt64 = 0
    private(set) var isClosed = false
    /// Whether ``expire(now:)`` will be called; one watch at a time is enough.
    private var isWatched = false

    /// - Parameters:
    ///   - size: most workers, each with one connection.
    ///   - writers: most write jobs at once.
    ///   - streams: most stream jobs at once.
    ///   - queueLimit: most jobs that wait.
    init(size: Int, writers: Int, streams: Int, queueLimit: Int) {
        self.size = size
        self.queueLimit = queueLimit
        limits = [size, min(size, writers), min(size, streams)]
    }

    var waiting: Int { queues.reduce(0) { $0 + $1.count } }
    var busy: Int { running.reduce(0, +) }

    enum SubmitAction {
        case run(Worker)
        /// A new worker, to be started with this job.
        case start(Worker)
        /// The job waits; `true` if nobody watches the deadlines yet, so that somebody must begin to.
        case wait(needsWatch: Bool)
        case rejectClosed
        case rejectFull
    }

    mutating func submit(
        _ job: Job, kind: JobKind, deadline: UInt64, makeWorker: () -> Worker
    ) -> SubmitAction {
        guard !isClosed else { return .rejectClosed }
        if running[kind.rawValue] < limits[kind.rawValue] {
            if let worker = idle.popLast() {
                begin(job, kind: kind, on: worker)
                return .run(worker)
            }
            if workers < size {
                workers += 1
                let worker = makeWorker()
                begin(job, kind: kind, on: worker)
                return .start(worker)
            }
        }
        guard waiting < queueLimit else { return .rejectFull }
        let needsWatch = !isWatched
        isWatched = true
        queues[kind.rawValue].append(Waiting(job: job, number: nextNumber, deadline: deadline))
        nextNumber += 1
        states[ObjectIdentifier(job)] = .waiting(kind)
        return .wait(needsWatch: needsWatch)
    }

    /// There was no thread for a new worker: it is gone, and its job with it.
    mutating func failedToStart(with job: Job) {
        if case .running(_, let kind) = states.removeValue(forKey: ObjectIdentifier(job)) {
            running[kind.rawValue] -= 1
        }
        workers -= 1
    }

    enum FinishAction {
        case run(Job)
        case park
        case stop
    }

    /// A worker is done with a job; it gets the oldest one that may run, or parks.
    mutating func finished(_ job: Job, on worker: Worker) -> FinishAction {
        if case .running(_, let kind) = states.removeValue(forKey: ObjectIdentifier(job)) {
            running[kind.rawValue] -= 1
        }
        if let (next, kind) = takeNext() {
            begin(next, kind: kind, on: worker)
            return .run(next)
        }
        if isClosed {
            workers -= 1
            return .stop
        }
        idle.append(worker)
        return .park
    }

    enum CancelAction {
        /// The job was waiting and has been taken out.
        case removed
        /// The job runs there.
        case interrupt(Worker)
        case nothing
    }

    mutating func cancel(_ job: Job) -> CancelAction {
        switch states[ObjectIdentifier(job)] {
        case .waiting(let kind):
            states[ObjectIdentifier(job)] = nil
            queues[kind.rawValue].removeAll { $0.job === job }
            return .removed
        case .running(let worker, _): return .interrupt(worker)
        case nil: return .nothing
        }
    }

    /// Takes out the jobs that have waited too long.
    /// - Returns: those jobs, and when to look again (`nil`: nobody waits).
    mutating func expire(now: UInt64) -> (expired: [Job], next: UInt64?) {
        var expired: [Job] = []
        var next: UInt64?
        for kind in queues.indices {
            while let first = queues[kind].first, first.deadline <= now {
                queues[kind].removeFirst()
                states[ObjectIdentifier(first.job)] = nil
                expired.append(first.job)
            }
            if let deadline = queues[kind].first?.deadline { next = min(next ?? deadline, deadline) }
        }
        isWatched = next != nil
        return (expired, next)
    }

    /// No new jobs; those that wait are handed back, those that run go on.
    /// - Returns: the waiting jobs, and the idle workers to stop.
    mutating func close() -> (waiting: [Job], idle: [Worker]) {
        isClosed = true
        let jobs = queues.flatMap { $0.map(\.job) }
        for job in jobs { states[ObjectIdentifier(job)] = nil }
        for kind in queues.indices { queues[kind].removeAll() }
        let stopped = idle
        idle.removeAll()
        workers -= stopped.count
        return (jobs, stopped)
    }

    private mutating func begin(_ job: Job, kind: JobKind, on worker: Worker) {
        running[kind.rawValue] += 1
        states[ObjectIdentifier(job)] = .running(worker, kind)
    }

    /// The oldest waiting job of a kind that is below its bound.
    private mutating func takeNext() -> (Job, JobKind)? {
        var best: (kind: JobKind, number: UInt64)?
        for kind in JobKind.allCases where running[kind.rawValue] < limits[kind.rawValue] {
            if let first = queues[kind.rawValue].first, first.number < best?.number ?? .max {
                best = (kind, first.number)
            }
        }
        guard let kind = best?.kind, let waiting = queues[kind.rawValue].popFirst() else { return nil }
        return (waiting.job, kind)
    }
}
