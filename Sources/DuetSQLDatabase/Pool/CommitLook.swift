import DequeModule

/// Looks for the commits of other programs by comparing positions.
struct CommitLook: Sendable {
    /// The time within which a commit can be read after the position has changed, also on a slow disk.
    private static let doubtTime = Duration.seconds(5)

    private let detection: ChangeDetection
    private let ownCommits: OwnCommits
    private let log: CommitTables?
    private let pause: Pause?
    private let onChange: @Sendable (DatabaseChange) -> Void

    /// - Parameters:
    ///   - log: The tables of commits; nil if there is no log of them.
    ///   - pause: The pause between two looks, which is ended when a commit has been read from the log; nil if nothing
    ///     ends it.
    ///   - onChange: A closure that is called for each change. It must not block.
    init(
        _ detection: ChangeDetection, _ ownCommits: OwnCommits, _ log: CommitTables?, pause: Pause? = nil,
        _ onChange: @escaping @Sendable (DatabaseChange) -> Void
    ) {
        self.detection = detection
        self.ownCommits = ownCommits
        self.log = log
        self.pause = pause
        self.onChange = onChange
    }

    /// Compares positions until the task is canceled.
    /// - Parameter position: Returns the current position; nil if it is unknown.
    func run(_ position: @Sendable () async -> CommitPosition?) async {
        var last: CommitPosition?
        var knownAt: ContinuousClock.Instant?
        var doubts = [Doubts(detection.pollInterval), Doubts(Self.doubtTime)]
        // The commits that are not yet in the log, and when they were found.
        var missing: [GlobalTransactionID: ContinuousClock.Instant] = [:]
        while !Task.isCancelled {
            let now = ContinuousClock.now
            if let current = await position() {
                var changes = doubts.indices.compactMap { doubts[$0].removeDue(at: now) }
                if let change = change(from: last, to: current, at: now, &missing) {
                    changes.append(change)
                    if !current.isReadable { for index in doubts.indices { doubts[index].add(change, at: now) } }
                }
                if let first = changes.first { onChange(changes.dropFirst().reduce(first) { $0.union($1) }) }
                last = current
                knownAt = now
            } else if knownAt.map({ now - $0 >= detection.unknownInterval }) ?? true {
                // The position is unknown during a commit. If it remains unknown, any table may have changed.
                onChange(DatabaseChange())
                knownAt = now
            }
            let interval = last?.isReadable == true ? detection.logInterval : detection.pollInterval
            guard let pause else {
                // A pause would add a task to each look.
                try? await Task.sleep(for: interval)
                continue
            }
            if await pause.wait(for: interval) {
                // Several commits need one look, and a commit can be read a moment after it is in the log.
                try? await Task.sleep(for: detection.pollInterval / 10)
            }
        }
    }

    /// Returns the change by the commits of other programs between two positions, and by the missing commits that are
    /// now in the log.
    private func change(
        from start: CommitPosition?, to end: CommitPosition, at now: ContinuousClock.Instant,
        _ missing: inout [GlobalTransactionID: ContinuousClock.Instant]
    ) -> DatabaseChange? {
        if start != end {
            guard let start, case .identifiers(let others) = ownCommits.others(from: start, to: end) else {
                missing = [:]
                return DatabaseChange()
            }
            for commit in others { missing[commit] = now }
        }
        guard !missing.isEmpty else { return nil }
        let found = log?.lookUp(Set(missing.keys)) ?? CommitTables.Lookup(tables: nil)
        let isAnyRead = found.notYetRead.count < missing.count
        missing = missing.filter { found.notYetRead.contains($0.key) }
        // The log is late, so any table may have changed.
        if missing.values.contains(where: { now - $0 >= detection.pollInterval }) {
            missing = [:]
            return DatabaseChange()
        }
        return isAnyRead ? DatabaseChange(tables: found.tables) : nil
    }
}

/// Changes that a read after their report may not show, and that are reported again after a time.
private struct Doubts {
    private let time: Duration
    private var changes: Deque<(due: ContinuousClock.Instant, change: DatabaseChange)> = []

    init(_ time: Duration) { self.time = time }

    mutating func add(_ change: DatabaseChange, at now: ContinuousClock.Instant) {
        changes.append((now + time, change))
    }

    mutating func removeDue(at now: ContinuousClock.Instant) -> DatabaseChange? {
        var due: DatabaseChange?
        while let first = changes.first, first.due <= now {
            due = due?.union(first.change) ?? first.change
            changes.removeFirst()
        }
        return due
    }
}
