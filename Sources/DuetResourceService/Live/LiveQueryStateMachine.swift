import DequeModule
import DuetSQLDatabase

/// The state of ``LiveQueries``: the questions with their watchers, and the reads that run or wait. It has no locks, no
/// tasks and no clock.
///
/// A read answers for the watchers that existed when it began. A watcher that is added later waits for the next read,
/// because its client may already know of a commit that the read does not show.
struct LiveQueryStateMachine<Consumer> {
    typealias Read = @Sendable () async throws -> LiveAnswer
    typealias Instant = ContinuousClock.Instant

    /// A read that must start.
    struct Start {
        let key: String
        let read: Read
    }

    /// The end of a read.
    enum End {
        case answer(LiveAnswer)
        /// The question can no longer be answered.
        case failure(any Error)
        /// The database could not be reached, so the question must be read again later.
        case unavailable(any Error)
    }

    /// An answer or an error for a consumer that waits; nil after the error.
    struct Delivery {
        let consumer: Consumer
        let result: Result<LiveAnswer?, any Error>
        /// The moment at which the change was reported that led to the answer; nil for a first answer.
        let changedAt: Instant?
    }

    private struct Query {
        let read: Read
        /// The tables whose changes can change the answer; nil for any table.
        let tables: Set<String>?
        /// The watchers that receive the result of the running read or, if none runs, of the next one.
        var watchers: Set<Int> = []
        /// The watchers that were added during the running read.
        var joining: Set<Int> = []
        var isRunning = false
        /// True if a read must begin: it waits for a place, or the running read may be too old.
        var isOutdated = false
        /// True if the last read took long.
        var isSlow = false
        /// True if a watcher waits for its first answer.
        var isNew = false
        /// The moment of the first change since the last read began.
        var changedAt: Instant?
        /// The value of ``changedAt`` when the running read began.
        var runningChange: Instant?

        var isAbandoned: Bool { watchers.isEmpty && joining.isEmpty }
    }

    private struct Watcher {
        let key: String
        let owner: String?
        /// The digest of the last answer that the consumer has received.
        var seen: BodyDigest?
        var pending: (result: Result<LiveAnswer, any Error>, changedAt: Instant?)?
        var consumer: Consumer?
        /// True after the consumer has received an error.
        var isEnded = false
    }

    private let maximumReads: Int
    private var queries: [String: Query] = [:]
    /// The questions that depend on a table, and those that depend on any table.
    private var keysOfTables: [String: Set<String>] = [:]
    private var keysOfAnyTable: Set<String> = []
    private var watchers: [Int: Watcher] = [:]
    private var owners: [String: Int] = [:]
    /// The questions whose reads wait for a place. Those with a new watcher come first.
    private var waitingNew = Deque<String>()
    private var waiting = Deque<String>()
    private var waitingSlow = Deque<String>()
    private var running = 0
    private var runningSlow = 0
    private var lastNumber = 0
    /// The questions whose last read could not reach the database.
    private var unavailable: Set<String> = []

    /// - Parameter maximumReads: The maximum number of reads at the same time. Questions whose last read took long use
    ///   at most half of them, so that they do not delay the others.
    init(maximumReads: Int) { self.maximumReads = maximumReads }

    var watcherCount: Int { watchers.count }
    var queryCount: Int { queries.count }
    /// True if the last read of a question could not reach the database.
    var isUnavailable: Bool { !unavailable.isEmpty }

    /// Returns the number of watchers of a caller.
    func watcherCount(of owner: String) -> Int { owners[owner] ?? 0 }

    /// Adds a watcher.
    /// - Parameters:
    ///   - tables: The tables whose changes can change the answer; nil for any table.
    ///   - owner: The caller; nil for a caller without an identity.
    /// - Returns: Its number, and the reads that must start.
    mutating func add(
        _ key: String, tables: Set<String>?, owner: String?, _ read: @escaping Read
    ) -> (number: Int, starts: [Start]) {
        lastNumber += 1
        watchers[lastNumber] = Watcher(key: key, owner: owner)
        if let owner { owners[owner, default: 0] += 1 }
        var query = queries[key] ?? Query(read: read, tables: tables)
        if queries[key] == nil { index(key, query) }
        if query.isRunning { query.joining.insert(lastNumber) } else { query.watchers.insert(lastNumber) }
        // The question may already wait behind others.
        if query.isOutdated, !query.isRunning, !query.isNew, !query.isSlow { waitingNew.append(key) }
        query.isNew = true
        queries[key] = query
        outdate(key, nil)
        return (lastNumber, starts())
    }

    /// Removes a watcher.
    /// - Returns: The delivery to its consumer, if it waits, and the question whose running read no one needs; nil if
    ///   the watcher was removed before.
    mutating func remove(_ number: Int) -> (delivery: Delivery?, abandoned: String?)? {
        guard let watcher = watchers.removeValue(forKey: number) else { return nil }
        if let owner = watcher.owner, let count = owners[owner] { owners[owner] = count > 1 ? count - 1 : nil }
        var abandoned: String?
        if var query = queries[watcher.key] {
            query.watchers.remove(number)
            query.joining.remove(number)
            queries[watcher.key] = query
            if query.isAbandoned {
                unavailable.remove(watcher.key)
                if query.isRunning { abandoned = watcher.key } else { removeQuery(watcher.key) }
            }
        }
        let delivery = watcher.consumer.map {
            Delivery(consumer: $0, result: .failure(CancellationError()), changedAt: nil)
        }
        return (delivery, abandoned)
    }

    private mutating func index(_ key: String, _ query: Query) {
        guard let tables = query.tables else {
            keysOfAnyTable.insert(key)
            return
        }
        for table in tables { keysOfTables[table, default: []].insert(key) }
    }

    private mutating func removeQuery(_ key: String) {
        guard let query = queries.removeValue(forKey: key) else { return }
        keysOfAnyTable.remove(key)
        for table in query.tables ?? [] {
            keysOfTables[table]?.remove(key)
            if keysOfTables[table]?.isEmpty == true { keysOfTables[table] = nil }
        }
    }

    // MARK: Changes

    /// Outdates the answers that a change can concern.
    /// - Parameter now: The moment of the report.
    /// - Returns: The reads that must start.
    mutating func change(_ change: DatabaseChange, at now: Instant) -> [Start] {
        let keys: Set<String> =
            if let tables = change.tables {
                tables.reduce(keysOfAnyTable) { $0.union(keysOfTables[$1] ?? []) }
            } else {
                Set(queries.keys)
            }
        for key in keys { outdate(key, now) }
        return starts()
    }

    /// Outdates the answers to the questions that could not be read.
    /// - Returns: The reads that must start.
    mutating func retry() -> [Start] {
        for key in unavailable { outdate(key, nil) }
        return starts()
    }

    private mutating func outdate(_ key: String, _ changedAt: Instant?) {
        guard var query = queries[key] else { return }
        query.changedAt = query.changedAt ?? changedAt
        let mustWait = !query.isOutdated && !query.isRunning
        query.isOutdated = true
        queries[key] = query
        if mustWait { wait(key, query) }
    }

    private mutating func wait(_ key: String, _ query: Query) {
        if query.isSlow {
            waitingSlow.append(key)
        } else if query.isNew {
            waitingNew.append(key)
        } else {
            waiting.append(key)
        }
    }

    private mutating func starts() -> [Start] {
        var starts: [Start] = []
        while running < maximumReads, let key = nextWaiting() {
            guard var query = queries[key], query.isOutdated, !query.isRunning else { continue }
            running += 1
            if query.isSlow { runningSlow += 1 }
            query.isOutdated = false
            query.isNew = false
            query.isRunning = true
            query.watchers.formUnion(query.joining)
            query.joining = []
            query.runningChange = query.changedAt.take()
            queries[key] = query
            starts.append(Start(key: key, read: query.read))
        }
        return starts
    }

    private mutating func nextWaiting() -> String? {
        if let key = waitingNew.popFirst() ?? waiting.popFirst() { return key }
        return runningSlow < max(1, maximumReads / 2) ? waitingSlow.popFirst() : nil
    }

    // MARK: Reads

    /// Ends a read.
    /// - Parameter isSlow: True if the read took long.
    /// - Returns: The deliveries to consumers that wait, and the reads that must start.
    mutating func end(_ key: String, _ end: End, isSlow: Bool) -> (deliveries: [Delivery], starts: [Start]) {
        running -= 1
        guard var query = queries[key] else { return ([], starts()) }
        if query.isSlow { runningSlow -= 1 }
        query.isRunning = false
        query.isSlow = isSlow
        var deliveries: [Delivery] = []
        unavailable.remove(key)
        switch end {
        case .answer(let answer):
            for number in query.watchers {
                if let delivery = deliver(.success(answer), query.runningChange, to: number) {
                    deliveries.append(delivery)
                }
            }
        case .failure(let error):
            deliveries = deliver(error, to: query.watchers)
            query.watchers = []
        case .unavailable(let error):
            // A client that has not received an answer learns of the error. The others wait.
            let new = query.watchers.filter { watchers[$0]?.seen == nil && watchers[$0]?.pending == nil }
            deliveries = deliver(error, to: new)
            query.watchers.subtract(new)
            query.changedAt = query.runningChange ?? query.changedAt
            if !query.watchers.isEmpty { unavailable.insert(key) }
        }
        query.runningChange = nil
        queries[key] = query
        if query.isAbandoned {
            removeQuery(key)
        } else if query.isOutdated {
            wait(key, query)
        }
        return (deliveries, starts())
    }

    private mutating func deliver(_ error: any Error, to numbers: Set<Int>) -> [Delivery] {
        numbers.compactMap { deliver(.failure(error), nil, to: $0) }
    }

    private mutating func deliver(
        _ result: Result<LiveAnswer, any Error>, _ changedAt: Instant?, to number: Int
    ) -> Delivery? {
        guard var watcher = watchers[number] else { return nil }
        defer { watchers[number] = watcher }
        if case .success(let answer) = result, answer.digest == watcher.seen {
            // The answer has changed back since the consumer was last ready.
            watcher.pending = nil
            return nil
        }
        watcher.pending = (result, changedAt)
        guard let consumer = watcher.consumer.take() else { return nil }
        return take(&watcher, for: consumer)
    }

    /// Requests the next answer for a consumer.
    /// - Returns: The delivery, if an answer is ready.
    mutating func next(of number: Int, _ consumer: Consumer) -> Delivery? {
        guard var watcher = watchers[number], watcher.consumer == nil else {
            return Delivery(consumer: consumer, result: .failure(CancellationError()), changedAt: nil)
        }
        defer { watchers[number] = watcher }
        if watcher.isEnded { return Delivery(consumer: consumer, result: .success(nil), changedAt: nil) }
        if let delivery = take(&watcher, for: consumer) { return delivery }
        watcher.consumer = consumer
        return nil
    }

    private func take(_ watcher: inout Watcher, for consumer: Consumer) -> Delivery? {
        guard let (result, changedAt) = watcher.pending.take() else { return nil }
        let isFirst = watcher.seen == nil
        switch result {
        case .success(let answer): watcher.seen = answer.digest
        case .failure: watcher.isEnded = true
        }
        return Delivery(consumer: consumer, result: result.map { $0 }, changedAt: isFirst ? nil : changedAt)
    }
}
