import DuetGraphQL
public import DuetSQLDatabase
import Synchronization

/// The questions that callers watch. Equal questions of callers with equal rights are read once for all watchers, and a
/// question is read again when the database may have changed. Without watchers, nothing is read.
public final class LiveQueries: Sendable {
    private let database: Database
    private let detection: ChangeDetection
    private let maximumWatchers: Int
    private let state = Mutex(LiveQueryStateMachine(maximumReads: LiveQueries.maximumReads))
    private let watch = Mutex<ChangeWatch?>(nil)

    /// The maximum number of reads at the same time, so that other requests still find connections.
    private static let maximumReads = 4
    /// The time after which a question is read again if the database could not be reached.
    private static let retryInterval = Duration.seconds(1)

    /// Creates an object without watchers.
    /// - Parameters:
    ///   - database: The database of all questions.
    ///   - detection: The intervals at which commits of other programs are found.
    ///   - maximumWatchers: The maximum number of watchers.
    public init(
        _ database: Database, detection: ChangeDetection = ChangeDetection(), maximumWatchers: Int = 10_000
    ) {
        self.database = database
        self.detection = detection
        self.maximumWatchers = maximumWatchers
    }

    /// The number of watchers.
    public var watcherCount: Int { state.withLock { $0.watcherCount } }

    /// Returns the answers to a question.
    /// - Parameters:
    ///   - key: A text that identifies the question, the rights of the caller and the format of the answer.
    ///   - read: A closure that reads the answer. It runs once for all watchers with the same key.
    /// - Throws: ``ServiceError`` if there are too many watchers.
    package func answers(
        _ key: String, read: @escaping @Sendable () async throws -> LiveAnswer
    ) throws(ServiceError) -> LiveAnswers {
        let added = state.withLock { state in
            state.watcherCount < maximumWatchers ? state.add(key, read) : nil
        }
        guard let added else {
            throw ServiceError(
                .overloaded, "the server already watches \(maximumWatchers) questions for clients; try again later")
        }
        let watcher = LiveWatcher(self, number: added.number)
        begin()
        start(added.starts)
        return LiveAnswers(watcher)
    }

    /// Watches the database, unless it is already watched.
    private func begin() {
        watch.withLock { watch in
            guard watch == nil else { return }
            watch = database.watchChanges(detection) { [weak self] _ in
                guard let self else { return }
                self.start(self.state.withLock { $0.change() })
            }
        }
    }

    private func start(_ starts: [LiveQueryStateMachine.Start]) {
        for start in starts {
            Task { [weak self] in
                let result: Result<LiveAnswer, any Error>?
                do {
                    result = .success(try await start.read())
                } catch {
                    result = Self.isTemporary(error) ? nil : .failure(error)
                }
                self?.end(start.key, result)
            }
        }
    }

    private func end(_ key: String, _ result: Result<LiveAnswer, any Error>?) {
        let (deliveries, starts) = state.withLock { $0.end(key, result) }
        for delivery in deliveries { delivery.continuation.resume(with: delivery.result) }
        start(starts)
        guard result == nil else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.retryInterval)
            guard let self else { return }
            self.start(self.state.withLock { $0.change() })
        }
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

    func next(of number: Int, _ continuation: LiveQueryStateMachine.Continuation) {
        if let delivery = state.withLock({ $0.next(of: number, continuation) }) {
            delivery.continuation.resume(with: delivery.result)
        }
    }

    func cancel(_ number: Int) { remove(number) }

    func remove(_ number: Int) {
        let (delivery, isEmpty) = state.withLock { state in (state.remove(number), state.watcherCount == 0) }
        delivery?.continuation.resume(with: delivery?.result ?? .failure(CancellationError()))
        guard isEmpty else { return }
        watch.withLock { watch in
            // Another watcher may have been added in the meantime.
            if state.withLock({ $0.watcherCount }) == 0 { watch = nil }
        }
    }
}
