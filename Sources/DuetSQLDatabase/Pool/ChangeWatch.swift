import Synchronization

/// A moment at which the content of a database may have changed.
public struct DatabaseChange: Sendable, Hashable {
    /// The names of the tables that may have changed; nil if they are unknown.
    public let tables: Set<String>?

    /// Creates a change.
    /// - Parameter tables: The names of the tables that may have changed; nil if they are unknown.
    public init(tables: Set<String>? = nil) { self.tables = tables }
}

/// The intervals at which a ``ChangeWatch`` looks for the commits of other programs.
public struct ChangeDetection: Sendable, Hashable {
    /// The interval for a SQLite file in WAL mode, in which a look takes a few microseconds.
    public var logInterval: Duration = .milliseconds(25)
    /// The interval for a SQLite file in rollback-journal mode, and for a MariaDB server, on which a look is a
    /// statement.
    public var pollInterval: Duration = .milliseconds(250)
    /// The interval at which any table may have changed, for a database that does not report commits.
    public var unknownInterval: Duration = .seconds(5)

    /// Creates the standard intervals.
    public init() {}
}

extension Database {
    /// Begins to watch the database for commits. The commits of this object are reported at once, and the commits of
    /// other programs after an interval of the detection.
    ///
    /// A report can be superfluous, but none is missing: if a read that begins after a report does not show a commit,
    /// another report follows. The first report follows immediately.
    /// - Parameter onChange: A closure that is called for each change, on any thread. It must not block.
    /// - Returns: An object that ends the watch when it is released.
    public func watchChanges(
        _ detection: ChangeDetection = ChangeDetection(), _ onChange: @escaping @Sendable (DatabaseChange) -> Void
    ) -> ChangeWatch {
        let looking: Task<Void, Never>? =
            switch commitDetection {
            case .none: nil
            case .position(let position): Task { await ChangeWatch.look(detection, onChange) { position() } }
            case .statement(let sql):
                Task { [weak self] in
                    await ChangeWatch.look(detection, onChange) { [weak self] in await self?.commitPosition(sql) }
                }
            }
        if looking == nil { onChange(DatabaseChange()) }
        return ChangeWatch(looking, ownCommits, onChange)
    }

    private func commitPosition(_ sql: String) async -> CommitPosition? {
        let text = try? await read { connection -> String? in
            let row = try connection.query(sql)
            defer { row.close() }
            guard try row.next(), case .text(let text) = row.value(at: 0) else { return nil }
            return text
        }
        guard let text = text ?? nil, !text.isEmpty else { return nil }
        return CommitPosition(.log(text))
    }
}

/// A watch for the commits to a database, which ends when the object is released; see ``Database/watchChanges(_:_:)``.
public final class ChangeWatch: Sendable {
    private let looking: Task<Void, Never>?
    private let ownCommits: OwnCommits
    private let listener: Int

    fileprivate init(
        _ looking: Task<Void, Never>?, _ ownCommits: OwnCommits,
        _ onChange: @escaping @Sendable (DatabaseChange) -> Void
    ) {
        self.looking = looking
        self.ownCommits = ownCommits
        listener = ownCommits.add(onChange)
    }

    deinit {
        looking?.cancel()
        ownCommits.remove(listener)
    }

    /// Compares positions until the task is canceled.
    fileprivate static func look(
        _ detection: ChangeDetection, _ onChange: @Sendable (DatabaseChange) -> Void,
        _ position: @Sendable () async -> CommitPosition?
    ) async {
        var last: CommitPosition?
        // True if a read that has begun after the last report may not show the commit.
        var isInDoubt = false
        var knownAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            let now = ContinuousClock.now
            if let current = await position() {
                if current != last || isInDoubt {
                    isInDoubt = current != last && !current.isReadable
                    last = current
                    onChange(DatabaseChange())
                }
                knownAt = now
            } else if knownAt.map({ now - $0 >= detection.unknownInterval }) ?? true {
                // The position is unknown during a commit. If it remains unknown, any table may have changed.
                onChange(DatabaseChange())
                knownAt = now
            }
            try? await Task.sleep(for: last?.isReadable == true ? detection.logInterval : detection.pollInterval)
        }
    }
}

/// The listeners for the commits of one ``Database``.
final class OwnCommits: Sendable {
    private struct State {
        var listeners: [Int: @Sendable (DatabaseChange) -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    func add(_ listener: @escaping @Sendable (DatabaseChange) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = listener
            return state.next
        }
    }

    func remove(_ listener: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: listener) } }

    /// Reports a commit to all listeners.
    func report(_ change: DatabaseChange) {
        let listeners = state.withLock { $0.listeners }
        for listener in listeners.values { listener(change) }
    }
}
