import DequeModule

/// The kind of a job. The number of running jobs is limited for each kind.
enum JobKind: Int, CaseIterable, Sendable {
    case read, write, stream

    /// The words after "at most N are used" in an error message.
    var purpose: String {
        switch self {
        case .read: "at once"
        case .write: "for writes at once"
        case .stream: "for streams at once"
        }
    }
}

/// The state machine that decides which job runs on which worker and which jobs have run out of time. It uses no locks,
/// threads or clocks: each method handles an event and returns the action to take.
struct PoolStateMachine<Worker: AnyObject, Job: AnyObject> {
    /// The limits of a job's wait and run time, in nanoseconds on the pool's clock; `UInt64.max` is no limit.
    struct Bounds {
        /// The end of the wait for a worker.
        let acquire: UInt64
        /// The end of the whole job.
        let deadline: UInt64

        /// The earlier of the two moments, at which a waiting job fails.
        var waitEnd: UInt64 { min(acquire, deadline) }
    }

    private struct Waiting {
        let job: Job
        let number: UInt64
        let bounds: Bounds
    }

    private enum JobState {
        case waiting(JobKind)
        /// `deadline` is `UInt64.max` after the worker has been interrupted because of the deadline.
        case running(Worker, JobKind, deadline: UInt64)
    }

    let size: Int
    let queueLimit: Int
    /// The maximum number of running jobs of each kind; at most ``size``.
    let limits: [Int]

    private var idle: [Worker] = []
    private(set) var workers = 0
    private var running = [0, 0, 0]
    private var queues: [Deque<Waiting>] = [[], [], []]
    private var states: [ObjectIdentifier: JobState] = [:]
    private var nextNumber: UInt64 = 0
    private(set) var isClosed = false
    /// The moment of the next scheduled check, a call of ``expire(now:scheduledFor:)``; `UInt64.max` if no check is
    /// scheduled.
    private var nextLook = UInt64.max

    /// - Parameters:
    ///   - size: The maximum number of workers, each with one connection.
    ///   - writers: The maximum number of running write jobs.
    ///   - streams: The maximum number of running stream jobs.
    ///   - queueLimit: The maximum number of waiting jobs.
    init(size: Int, writers: Int, streams: Int, queueLimit: Int) {
        self.size = size
        self.queueLimit = queueLimit
        limits = [size, min(size, writers), min(size, streams)]
    }

    var waiting: Int { queues.reduce(0) { $0 + $1.count } }
    var busy: Int { running.reduce(0, +) }

    enum SubmitAction {
        case run(Worker)
        /// A new worker, which the caller starts with this job.
        case start(Worker)
        case wait
        case rejectClosed
        case rejectFull
    }

    struct Submission {
        let action: SubmitAction
        /// The moment for which the caller must schedule a check, a call of ``expire(now:scheduledFor:)``; nil if an
        /// earlier check is already scheduled.
        var look: UInt64?
    }

    mutating func submit(
        _ job: Job, kind: JobKind, bounds: Bounds, makeWorker: () -> Worker
    ) -> Submission {
        guard !isClosed else { return Submission(action: .rejectClosed) }
        if running[kind.rawValue] < limits[kind.rawValue] {
            if let worker = idle.popLast() {
                begin(job, kind: kind, on: worker, deadline: bounds.deadline)
                return Submission(action: .run(worker), look: look(at: bounds.deadline))
            }
            if workers < size {
                workers += 1
                let worker = makeWorker()
                begin(job, kind: kind, on: worker, deadline: bounds.deadline)
                return Submission(action: .start(worker), look: look(at: bounds.deadline))
            }
        }
        guard waiting < queueLimit else { return Submission(action: .rejectFull) }
        queues[kind.rawValue].append(Waiting(job: job, number: nextNumber, bounds: bounds))
        nextNumber += 1
        states[ObjectIdentifier(job)] = .waiting(kind)
        return Submission(action: .wait, look: look(at: bounds.waitEnd))
    }

    /// Moves the next check to a moment, unless an earlier check is already scheduled.
    /// - Returns: The moment, if the caller must schedule a check for it.
    private mutating func look(at moment: UInt64) -> UInt64? {
        guard moment < nextLook else { return nil }
        nextLook = moment
        return moment
    }

    /// Removes a new worker and its job, because its thread could not be created.
    mutating func failedToStart(with job: Job) {
        if case .running(_, let kind, _) = states.removeValue(forKey: ObjectIdentifier(job)) {
            running[kind.rawValue] -= 1
        }
        workers -= 1
    }

    enum FinishAction {
        case run(Job)
        case park
        case stop
    }

    /// Ends a worker's job. The worker gets the oldest waiting job that may run, or becomes idle.
    mutating func finished(_ job: Job, on worker: Worker) -> FinishAction {
        if case .running(_, let kind, _) = states.removeValue(forKey: ObjectIdentifier(job)) {
            running[kind.rawValue] -= 1
        }
        // No check is scheduled here, because `submit` has already scheduled one that is not later than the deadline of
        // the next job.
        if let (next, kind) = takeNext() {
            begin(next.job, kind: kind, on: worker, deadline: next.bounds.deadline)
            return .run(next.job)
        }
        if isClosed {
            workers -= 1
            return .stop
        }
        idle.append(worker)
        return .park
    }

    enum CancelAction {
        /// The job was waiting and has been removed.
        case removed
        /// The job runs on this worker.
        case interrupt(Worker)
        case nothing
    }

    mutating func cancel(_ job: Job) -> CancelAction {
        switch states[ObjectIdentifier(job)] {
        case .waiting(let kind):
            states[ObjectIdentifier(job)] = nil
            queues[kind.rawValue].removeAll { $0.job === job }
            return .removed
        case .running(let worker, _, _): return .interrupt(worker)
        case nil: return .nothing
        }
    }

    /// Sets a new deadline for a running job.
    /// - Returns: The moment for which the caller must schedule a check; nil if an earlier check is already scheduled.
    mutating func setDeadline(_ deadline: UInt64, of job: Job) -> UInt64? {
        guard case .running(let worker, let kind, _)? = states[ObjectIdentifier(job)] else { return nil }
        states[ObjectIdentifier(job)] = .running(worker, kind, deadline: deadline)
        return look(at: deadline)
    }

    /// The jobs that have run out of time.
    struct Expired {
        /// The jobs whose wait has ended. They have been removed from the queue.
        var waiting: [(job: Job, hasReachedDeadline: Bool)] = []
        /// The workers whose jobs have reached their deadlines. Each job is reported only once.
        var running: [Worker] = []
        /// The moment of the next check, if one is needed.
        var next: UInt64?
    }

    /// Finds the jobs that have run out of time.
    /// - Parameter moment: The moment for which this call was scheduled. If the next check has since been moved to
    ///   another moment, this call does nothing.
    mutating func expire(now: UInt64, scheduledFor moment: UInt64) -> Expired {
        var expired = Expired()
        guard moment == nextLook else { return expired }
        var next = UInt64.max
        for kind in queues.indices where !queues[kind].isEmpty {
            queues[kind].removeAll { waiting in
                guard waiting.bounds.waitEnd <= now else {
                    next = min(next, waiting.bounds.waitEnd)
                    return false
                }
                states[ObjectIdentifier(waiting.job)] = nil
                expired.waiting.append((waiting.job, waiting.bounds.deadline <= now))
                return true
            }
        }
        for (job, state) in states {
            guard case .running(let worker, let kind, let deadline) = state, deadline != .max else { continue }
            if deadline <= now {
                states[job] = .running(worker, kind, deadline: .max)
                expired.running.append(worker)
            } else {
                next = min(next, deadline)
            }
        }
        nextLook = next
        if next != .max { expired.next = next }
        return expired
    }

    /// Rejects new jobs and removes the waiting jobs and the idle workers. Running jobs continue.
    /// - Returns: The waiting jobs, which the caller must fail, and the idle workers, which the caller must stop.
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

    private mutating func begin(_ job: Job, kind: JobKind, on worker: Worker, deadline: UInt64) {
        running[kind.rawValue] += 1
        states[ObjectIdentifier(job)] = .running(worker, kind, deadline: deadline)
    }

    /// Removes and returns the oldest waiting job of a kind that is below its limit.
    private mutating func takeNext() -> (Waiting, JobKind)? {
        var best: (kind: JobKind, number: UInt64)?
        for kind in JobKind.allCases where running[kind.rawValue] < limits[kind.rawValue] {
            if let first = queues[kind.rawValue].first, first.number < best?.number ?? .max {
                best = (kind, first.number)
            }
        }
        guard let kind = best?.kind, let waiting = queues[kind.rawValue].popFirst() else { return nil }
        return (waiting, kind)
    }
}
