import Synchronization

/// The changes of definitions in the database (tables, foreign keys, views, triggers) that a ``CommitLogReader`` has
/// found. They remain across connections and readers until the definitions have been read again.
final class DefinitionChanges: Sendable {
    private let state = Mutex((count: 0, known: 0))

    /// The number of changes that have been found.
    var count: Int { state.withLock { $0.count } }

    /// True if there are changes after which the definitions have not been read.
    var areUnknown: Bool { state.withLock { $0.count > $0.known } }

    func add() { state.withLock { $0.count += 1 } }

    /// Records that the definitions have been read.
    /// - Parameter count: The number of changes before they were read.
    func setKnown(upTo count: Int) { state.withLock { $0.known = max($0.known, count) } }
}

extension Database {
    /// The number of changes of definitions that the server's log has shown. After such a change, the tables of other
    /// programs' commits are unknown, because foreign keys, triggers and views may have changed.
    public var definitionChanges: Int { firstPool.definitionChanges.count }

    /// Makes the tables of other programs' commits known again.
    /// - Parameter changes: The value of ``definitionChanges`` before the caller began to read the schema.
    public func acceptDefinitions(after changes: Int) { firstPool.definitionChanges.setKnown(upTo: changes) }
}
