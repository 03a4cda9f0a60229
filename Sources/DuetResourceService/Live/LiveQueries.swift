import DuetGraphQL
public import DuetSQLDatabase
import Synchronization

/// The questions that callers watch. Equal questions of callers with equal rights are read once for all watchers, and a
/// question is read again when its tables may have changed. Without watchers, nothing is read.
public final class LiveQueries: Sendable {
    /// The limits of the watchers.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of watchers.
        public var watchers = 10_000
        /// The maximum number of watchers of one caller who has an identity.
        public var watchersPerCaller = 1000

        /// Creates the default limits.
        public init() {}
    }

    /// A question that a caller watches.
    struct Question: Sendable {
        /// A text that identifies the question, the rights of the caller and the format of the answer.
        let key: String
        /// The tables whose changes can change the answer; nil for any table.
        let tables: Set<String>?
        /// The identity of the caller; nil without one.
        let owner: String?
        /// A closure that reads the answer. It runs once for all watchers with the same key.
        let read: @Sendable () async throws -> LiveAnswer
    }

    typealias Consumer = CheckedContinuation<LiveAnswer?, any Error>
    private typealias StateMachine = LiveQueryStateMachine<Consumer>

    private struct State {
        var machine = StateMachine(maximumReads: LiveQueries.maximumReads)
        /// The running reads.
        var tasks: [String: Task<Void, Never>] = [:]
        /// The time until the next attempt if the database could not be reached.
        var retryDelay = LiveQueries.firstRetryDelay
        var isRetrying = false
        var watch: ChangeWatch?
        /// The number of times that the last watcher was removed.
        var pauses = 0
    }

    private let database: Database
    private let detection: ChangeDetection
    private let limits: Limits
    /// A closure that receives the time from the report of a change to the delivery of the changed answer.
    private let observeDelay: @Sendable (Duration) -> Void
    private let state = Mutex(State())
    /// The changes that were reported and not yet handled. While a task handles changes, further reports are combined.
    private let reported = Mutex<(change: DatabaseChange?, isHandled: Bool)>((nil, true))

    /// The maximum number of reads at the same time, so that other requests still find connections.
    private static let maximumReads = 4
    /// The duration from which a read is slow.
    private static let slowRead = Duration.milliseconds(500)
    private static let firstRetryDelay = Duration.milliseconds(500)
    private static let maximumRetryDelay = Duration.seconds(8)
    /// The time for which the database is watched after the removal of the last watcher. The next watcher then needs no
    /// new watch, whose first report would read its question twice.
    private static let idleTime = Duration.seconds(5)

    /// Creates an object without watchers.
    /// - Parameters:
    ///   - database: The database of all questions.
    ///   - detection: The intervals at which commits of other programs are found.
    ///   - limits: The limits of the watchers.
    ///   - observeDelay: A closure that receives the time from the report of a change to the delivery of the changed
    ///     answer to a watcher.
    public init(
        _ database: Database, detection: ChangeDetection = ChangeDetection(), limits: Limits = Limits(),
        observeDelay: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.database = database
        self.detection = detection
        self.limits = limits
        self.observeDelay = observeDelay
    }

    /// The number of watchers.
    public var watcherCount: Int { state.withLock { $0.machine.watcherCount } }
    /// The number of different questions of the watchers.
    public var questionCount: Int { state.withLock { $0.machine.queryCount } }
    /// True if the database could not be reached when a question was last read.
    public var isDatabaseUnavailable: Bool { state.withLock { $0.machine.isUnavailable } }

    /// Returns the answers to a question.
    /// - Throws: ``ServiceError`` if there are too many watchers.
    func answers(to question: Question) throws(ServiceError) -> LiveAnswers {
        let added = state.withLock { state -> Result<(number: Int, starts: [StateMachine.Start]), ServiceError> in
            guard state.machine.watcherCount < limits.watchers else {
                return .failure(
                    ServiceError(
                        .overloaded,
                        "the server already watches \(limits.watchers) questions for clients; try again later"))
            }
            if let owner = question.owner, state.machine.watcherCount(of: owner) >= limits.watchersPerCaller {
                return .failure(
                    ServiceError(
                        .overloaded,
                        "the caller already watches \(limits.watchersPerCaller) questions; end some of them"))
            }
            // The watch precedes the first read, so that no commit after the read is missed.
            if state.watch == nil { state.watch = beginWatch() }
            return .success(
                state.machine.add(
                    question.key, tables: question.tables, owner: question.owner, question.read))
        }
        let (number, starts) = try added.get()
        let watcher = LiveWatcher(self, number: number)
        start(starts)
        return LiveAnswers(watcher)
    }

    private func beginWatch() -> ChangeWatch {
        database.watchChanges(detection) { [weak self] change in
            guard let self else { return }
            let mustStart = self.reported.withLock { reported in
                reported.change = reported.change.map { $0.union(change) } ?? change
                defer { reported.isHandled = false }
                return reported.isHandled
            }
            // A report must not block, and the first one comes from this call, which holds the lock of the state.
            if mustStart { Task.detached { [weak self] in self?.handleReports() } }
        }
    }

    private func handleReports() {
        while true {
            let change = reported.withLock { reported -> DatabaseChange? in
                if reported.change == nil { reported.isHandled = true }
                return reported.change.take()
            }
            guard let change else { return }
            start(state.withLock { $0.machine.change(change, at: .now) })
        }
    }

    // MARK: Reads

    private func start(_ starts: [StateMachine.Start]) {
        guard !starts.isEmpty else { return }
        // The tasks begin within the lock, so that none has ended before it is stored.
        state.withLock { state in
            for start in starts {
                // A read belongs to no request, so it does not inherit task-local values.
                state.tasks[start.key] = Task.detached { [weak self] in
                    let beginning = ContinuousClock.now
                    let end: StateMachine.End
                    do {
                        end = .answer(try await start.read())
                    } catch {
                        end = Self.isTemporary(error) ? .unavailable(error) : .failure(error)
                    }
                    self?.end(start.key, end, isSlow: ContinuousClock.now - beginning >= Self.slowRead)
                }
            }
        }
    }

    private func end(_ key: String, _ end: StateMachine.End, isSlow: Bool) {
        let (deliveries, starts, retryDelay) = state.withLock { state in
            state.tasks[key] = nil
            let (deliveries, starts) = state.machine.end(key, end, isSlow: isSlow)
            guard case .unavailable = end else {
                state.retryDelay = Self.firstRetryDelay
                return (deliveries, starts, Duration?.none)
            }
            guard !state.isRetrying, state.machine.isUnavailable else { return (deliveries, starts, nil) }
            state.isRetrying = true
            defer { state.retryDelay = min(state.retryDelay * 2, Self.maximumRetryDelay) }
            return (deliveries, starts, state.retryDelay)
        }
        for delivery in deliveries { deliver(delivery) }
        start(starts)
        guard let retryDelay else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: retryDelay)
            guard let self else { return }
            self.start(
                self.state.withLock { state in
                    state.isRetrying = false
                    return state.machine.retry()
                })
        }
    }

    private func deliver(_ delivery: StateMachine.Delivery) {
        if let changedAt = delivery.changedAt { observeDelay(ContinuousClock.now - changedAt) }
        delivery.consumer.resume(with: delivery.result)
    }

    /// Returns true if a later read may succeed, because the error concerns the database and not the question.
    private static func isTemporary(_ error: any Error) -> Bool {
        let error = (error as? GraphQLError)?.underlyingError ?? error
        guard let error = (error as? UnreadableResource)?.underlying ?? error as? DatabaseError else { return false }
        switch error.code {
        case .unavailable, .connectionLost, .poolExhausted, .busy, .ioError: return true
        case .timeout: return error.waitedForLock
        default: return false
        }
    }

    // MARK: Watchers

    func next(of number: Int, _ consumer: Consumer) {
        if let delivery = state.withLock({ $0.machine.next(of: number, consumer) }) { deliver(delivery) }
    }

    func remove(_ number: Int) {
        let (delivery, task, pause) = state.withLock {
            state -> (StateMachine.Delivery?, Task<Void, Never>?, pause: Int?) in
            guard let (delivery, abandoned) = state.machine.remove(number) else { return (nil, nil, nil) }
            let task = abandoned.flatMap { state.tasks[$0] }
            guard state.machine.watcherCount == 0 else { return (delivery, task, nil) }
            state.pauses += 1
            return (delivery, task, state.pauses)
        }
        task?.cancel()
        if let delivery { deliver(delivery) }
        guard let pause else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: Self.idleTime)
            self?.endWatch(pause)
        }
    }

    /// Ends the watch of the database if there was no watcher since the last one was removed.
    private func endWatch(_ pause: Int) {
        let watch = state.withLock { state -> ChangeWatch? in
            state.machine.watcherCount == 0 && state.pauses == pause ? state.watch.take() : nil
        }
        // The end of a watch needs the lock of its database, not that of the state.
        withExtendedLifetime(watch) {}
    }
}
