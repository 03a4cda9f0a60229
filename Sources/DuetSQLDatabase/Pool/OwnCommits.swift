import Synchronization

/// The commits of one ``Database``, and the listeners for them.
///
/// A commit also changes the position that a ``ChangeWatch`` compares. If all commits between two positions are
/// recorded, the watch need not report the change, because the commits were reported with their tables.
final class OwnCommits: Sendable {
    private struct State {
        var listeners: [Int: @Sendable (DatabaseChange) -> Void] = [:]
        var next = 0
        /// The position after each commit, by the position before it.
        var steps: [CommitPosition: CommitPosition] = [:]
        /// The identifiers of commits in a binary log.
        var identifiers: Set<GlobalTransactionID> = []
    }

    private let state = Mutex(State())
    private let position: (@Sendable () -> CommitPosition?)?

    /// The maximum number of recorded commits. Without them, the effect is a superfluous report.
    private static let maximumRecords = 10_000

    init(_ detection: CommitDetection) {
        position = if case .position(let position) = detection { position } else { nil }
    }

    func add(_ listener: @escaping @Sendable (DatabaseChange) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = listener
            return state.next
        }
    }

    func remove(_ listener: Int) {
        state.withLock { state in
            state.listeners[listener] = nil
            guard state.listeners.isEmpty else { return }
            state.steps = [:]
            state.identifiers = []
        }
    }

    /// True if there are listeners.
    var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Reports a commit to all listeners.
    func report(_ change: DatabaseChange) {
        let listeners = state.withLock { $0.listeners }
        for listener in listeners.values { listener(change) }
    }

    // MARK: The records

    /// Commits a transaction, and records the positions before and after it, if the backend has positions without a
    /// statement.
    /// - Parameter writtenPages: Returns the number of pages that the connection has written.
    func recording(_ writtenPages: @autoclosure () -> Int, _ commit: () throws -> Void) throws {
        let (before, pages) = (position?(), writtenPages())
        try commit()
        // Another program may have committed since then. If this transaction has written nothing, the next position is
        // that of the other program.
        guard let before, writtenPages() != pages, let after = position?(), after.isNext(to: before) else { return }
        state.withLock { state in
            if state.steps.count >= Self.maximumRecords { state.steps = [:] }
            state.steps[before] = after
        }
    }

    /// Records the identifier of a commit in the binary log.
    func record(_ identifier: String?) {
        guard let identifier = identifier.flatMap({ GlobalTransactionID($0[...]) }) else { return }
        state.withLock { state in
            if state.identifiers.count >= Self.maximumRecords { state.identifiers = [] }
            state.identifiers.insert(identifier)
        }
    }

    /// The commits between two positions that are not recorded.
    enum Others: Hashable {
        /// The identifiers in the log of a server. The set is empty if all commits are recorded.
        case identifiers(Set<GlobalTransactionID>)
        /// Some commits may not be recorded.
        case unknown
    }

    /// Returns the commits between two positions that are not recorded. The records up to the second position are
    /// removed.
    func others(from start: CommitPosition, to end: CommitPosition) -> Others {
        state.withLock { state in
            if let commits = end.commits(since: start) {
                guard !commits.isEmpty else { return .unknown }
                let others = commits.subtracting(state.identifiers)
                state.identifiers.subtract(commits)
                return .identifiers(others)
            }
            var position = start
            while position != end {
                guard let next = state.steps.removeValue(forKey: position) else { return .unknown }
                position = next
            }
            return .identifiers([])
        }
    }
}
