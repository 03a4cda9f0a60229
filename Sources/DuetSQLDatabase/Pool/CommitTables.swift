import DequeModule
import Synchronization

/// The tables that commits have changed, according to the log of a server. A ``CommitLogReader`` records them, and a
/// ``ChangeWatch`` looks them up.
final class CommitTables: Sendable {
    struct Lookup: Hashable {
        /// The names in lower case of the tables that the commits in the log have changed; nil if they are unknown.
        var tables: Set<String>? = []
        /// The commits that have not yet been read.
        var notYetRead: Set<GlobalTransactionID> = []
    }

    private struct State {
        var isReading = false
        var tables: [GlobalTransactionID: Set<String>?] = [:]
        /// The commits with records in the order of the log, and commits whose records have been removed.
        var order: Deque<GlobalTransactionID> = []
        /// The number of the last commit that has been read, for each domain.
        var last: [UInt32: UInt64] = [:]
    }

    private let state = Mutex(State())

    /// The maximum number of recorded commits. If a record is missing, questions are read unnecessarily.
    private static let maximumRecords = 10_000

    /// Begins the records.
    /// - Parameter position: The last commit of each domain before the first commit that is read.
    func begin(after position: Set<GlobalTransactionID>) {
        state.withLock { state in
            state = State()
            state.isReading = true
            for commit in position { state.last[commit.domain] = commit.number }
        }
    }

    /// Records a commit.
    /// - Parameter tables: The names of the changed tables in lower case; nil if they are unknown.
    func record(_ commit: GlobalTransactionID, tables: Set<String>?) {
        state.withLock { state in
            // The records of own commits are not looked up.
            if state.order.count >= Self.maximumRecords { state.tables[state.order.removeFirst()] = nil }
            state.order.append(commit)
            state.tables[commit] = .some(tables)
            state.last[commit.domain] = commit.number
        }
    }

    /// Ends the records, because the log is no longer read.
    func end() { state.withLock { $0 = State() } }

    /// Returns the tables that commits have changed, and removes the records of the commits.
    func lookUp(_ commits: Set<GlobalTransactionID>) -> Lookup {
        state.withLock { state in
            guard state.isReading else { return Lookup(tables: nil) }
            var lookup = Lookup()
            for commit in commits {
                if commit.number > state.last[commit.domain] ?? 0 {
                    lookup.notYetRead.insert(commit)
                } else if let changed = state.tables.removeValue(forKey: commit) ?? nil {
                    lookup.tables?.formUnion(changed)
                } else {
                    lookup.tables = nil
                }
            }
            return lookup
        }
    }
}

/// Reads the log of a server on a thread of its own.
protocol CommitLogReader: Sendable {
    /// The commits that have been read.
    var commits: CommitTables { get }
    /// Reads the log until ``stop()`` is called, or until the server refuses it.
    func run()
    /// Ends ``run()``, also if it has not begun. The function does not wait for the end.
    func stop()
}
