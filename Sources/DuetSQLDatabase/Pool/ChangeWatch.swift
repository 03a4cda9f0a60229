/// A moment at which the content of a database may have changed.
public struct DatabaseChange: Sendable, Hashable {
    /// The names of the tables whose rows statements have changed, in lower case; nil if they are unknown. The actions
    /// of foreign keys and triggers can have changed further tables.
    public let tables: Set<String>?

    /// Creates a change.
    /// - Parameter tables: The names of the changed tables, in lower case; nil if they are unknown.
    public init(tables: Set<String>? = nil) { self.tables = tables }

    /// Returns a change that concerns the tables of both changes.
    public func union(_ other: DatabaseChange) -> DatabaseChange {
        guard let tables, let others = other.tables else { return DatabaseChange() }
        return DatabaseChange(tables: tables.union(others))
    }
}

/// The intervals at which a ``ChangeWatch`` looks for the commits of other programs.
public struct ChangeDetection: Sendable, Hashable {
    /// The interval for a SQLite file in WAL mode, in which a look takes a few microseconds.
    public var logInterval: Duration = .milliseconds(25)
    /// The interval for a SQLite file in rollback-journal mode, and for a MariaDB server, on which a look is a
    /// statement. If the account may read the binary log, a look follows a commit after a tenth of the interval.
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
    /// another report follows. The first report follows immediately. MariaDB writes a commit to its binary log before
    /// the commit can be read, so two further reports follow: after one interval, and after five seconds.
    ///
    /// The tables of other programs' commits are known if the account of a MariaDB server may read the binary log
    /// (privilege `REPLICATION SLAVE`). The object then receives the log as a replica does.
    /// - Parameter onChange: A closure that is called for each change, on any thread. It must not block.
    /// - Returns: An object that ends the watch when it is released.
    public func watchChanges(
        _ detection: ChangeDetection = ChangeDetection(), _ onChange: @escaping @Sendable (DatabaseChange) -> Void
    ) -> ChangeWatch {
        switch commitDetection {
        case .none:
            let watch = ChangeWatch(nil, nil, ownCommits, onChange)
            onChange(DatabaseChange())
            return watch
        case .position(let position):
            let look = CommitLook(detection, ownCommits, nil, onChange)
            // The task is detached, because its reads must not belong to the span of the caller.
            return ChangeWatch(Task.detached { await look.run(position) }, nil, ownCommits, onChange)
        case .statement(let sql, _):
            let pause = Pause()
            let reader = startLogReader { pause.end() }
            let look = CommitLook(
                detection, ownCommits, reader?.commits, pause: reader == nil ? nil : pause, onChange)
            let looking = Task.detached { [weak self] in
                await look.run { [weak self] in await self?.commitPosition(sql) }
            }
            return ChangeWatch(looking, reader, ownCommits, onChange)
        }
    }

    /// Returns true if the database reports the commits of other programs, so that ``watchChanges(_:_:)`` need not
    /// assume a change after each ``ChangeDetection/unknownInterval``. The result is false if the database cannot be
    /// reached.
    public func reportsCommits() async -> Bool {
        switch commitDetection {
        case .none, .position: true
        case .statement(let sql, _): await commitPosition(sql) != nil
        }
    }

    private func commitPosition(_ sql: String) async -> CommitPosition? {
        // Without a binary log, both parts of the text are empty.
        guard let text = try? await readOnPrimary({ try $0.text(sql) }), text != " " else { return nil }
        return CommitPosition(.log(text))
    }
}

/// A watch for the commits to a database, which ends when the object is released; see ``Database/watchChanges(_:_:)``.
public final class ChangeWatch: Sendable {
    private let looking: Task<Void, Never>?
    private let reader: (any CommitLogReader)?
    private let ownCommits: OwnCommits
    private let listener: Int

    fileprivate init(
        _ looking: Task<Void, Never>?, _ reader: (any CommitLogReader)?, _ ownCommits: OwnCommits,
        _ onChange: @escaping @Sendable (DatabaseChange) -> Void
    ) {
        self.looking = looking
        self.reader = reader
        self.ownCommits = ownCommits
        listener = ownCommits.add(onChange)
    }

    deinit {
        looking?.cancel()
        reader?.stop()
        ownCommits.remove(listener)
    }
}
