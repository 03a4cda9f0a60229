import DequeModule
import DuetSQLDatabase

/// The state of ``LiveQueries``: the questions with their watchers, and the reads that run or wait. It has no locks and
/// no tasks.
struct LiveQueryStateMachine {
    typealias Read = @Sendable () async throws -> LiveAnswer
    typealias Continuation = CheckedContinuation<LiveAnswer, any Error>

    /// A read that must start.
    struct Start {
        let key: String
        let read: Read
    }

    /// An answer or an error for a consumer that waits.
    struct Delivery {
        let continuation: Continuation
        let result: Result<LiveAnswer, any Error>
    }

    private struct Query {
        let read: Read
        var watchers: Set<Int> = []
        var latest: LiveAnswer?
        var isRunning = false
        /// True if a read must begin: it waits for a place, or the running read may be too old.
        var isOutdated = false
    }

    private struct Watcher {
        let key: String
        /// The digest of the last answer that the consumer has received.
        var seen: BodyDigest?
        var pending: Result<LiveAnswer, any Error>?
        var continuation: Continuation?
    }

    private let maximumReads: Int
    private var queries: [String: Query] = [:]
    private var watchers: [Int: Watcher] = [:]
    private var waiting = Deque<String>()
    private var running = 0
    private var lastNumber = 0

    /// - Parameter maximumReads: The maximum number of reads at the same time.
    init(maximumReads: Int) { self.maximumReads = maximumReads }

    var watcherCount: Int { watchers.count }

    /// Adds a watcher.
    /// - Returns: Its number, and the reads that must start.
    mutating func add(_ key: String, _ read: @escaping Read) -> (number: Int, starts: [Start]) {
        lastNumber += 1
        watchers[lastNumber] = Watcher(key: key)
        queries[key, default: Query(read: read)].watchers.insert(lastNumber)
        // A read that is running may have begun before a commit of which the caller already knows.
        return (lastNumber, outdate(key))
    }

    /// Removes a watcher.
    /// - Returns: The delivery to its consumer, if it waits.
    mutating func remove(_ number: Int) -> Delivery? {
        guard let watcher = watchers.removeValue(forKey: number) else { return nil }
        queries[watcher.key]?.watchers.remove(number)
        if let query = queries[watcher.key], query.watchers.isEmpty, !query.isRunning {
            queries[watcher.key] = nil
        }
        return watcher.continuation.map { Delivery(continuation: $0, result: .failure(CancellationError())) }
    }

    /// Outdates all answers.
    /// - Returns: The reads that must start.
    mutating func change() -> [Start] { queries.keys.flatMap { outdate($0) } }

    private mutating func outdate(_ key: String) -> [Start] {
        guard let query = queries[key], !query.isOutdated else { return [] }
        queries[key]?.isOutdated = true
        guard !query.isRunning else { return [] }
        waiting.append(key)
        return starts()
    }

    private mutating func starts() -> [Start] {
        var starts: [Start] = []
        while running < maximumReads, let key = waiting.popFirst() {
            guard let query = queries[key], query.isOutdated, !query.isRunning else { continue }
            running += 1
            queries[key]?.isOutdated = false
            queries[key]?.isRunning = true
            starts.append(Start(key: key, read: query.read))
        }
        return starts
    }

    /// Ends a read.
    /// - Parameter result: The answer; nil if the database could not be reached, so that the question is read again
    ///   later.
    /// - Returns: The deliveries to consumers that wait, and the reads that must start.
    mutating func end(
        _ key: String, _ result: Result<LiveAnswer, any Error>?
    ) -> (deliveries: [Delivery], starts: [Start]) {
        running -= 1
        guard var query = queries[key] else { return ([], starts()) }
        query.isRunning = false
        var deliveries: [Delivery] = []
        if let result {
            if case .success(let answer) = result { query.latest = answer }
            for number in query.watchers {
                if let delivery = deliver(result, to: number) { deliveries.append(delivery) }
            }
        }
        if query.watchers.isEmpty || (try? result?.get()) == nil && result != nil {
            queries[key] = nil
        } else {
            queries[key] = query
            if query.isOutdated { waiting.append(key) }
        }
        return (deliveries, starts())
    }

    private mutating func deliver(_ result: Result<LiveAnswer, any Error>, to number: Int) -> Delivery? {
        guard var watcher = watchers[number] else { return nil }
        defer { watchers[number] = watcher }
        if case .success(let answer) = result, answer.digest == watcher.seen {
            // The answer has changed back since the consumer was last ready.
            watcher.pending = nil
            return nil
        }
        guard let continuation = watcher.continuation else {
            watcher.pending = result
            return nil
        }
        watcher.continuation = nil
        watcher.seen = try? result.get().digest
        return Delivery(continuation: continuation, result: result)
    }

    /// Requests the next answer for a consumer.
    /// - Returns: The delivery, if an answer is ready.
    mutating func next(of number: Int, _ continuation: Continuation) -> Delivery? {
        guard var watcher = watchers[number], watcher.continuation == nil else {
            return Delivery(continuation: continuation, result: .failure(CancellationError()))
        }
        defer { watchers[number] = watcher }
        guard let pending = watcher.pending else {
            watcher.continuation = continuation
            return nil
        }
        watcher.pending = nil
        watcher.seen = try? pending.get().digest
        return Delivery(continuation: continuation, result: pending)
    }
}
