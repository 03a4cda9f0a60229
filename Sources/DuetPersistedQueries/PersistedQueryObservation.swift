public import DuetPersistedDocuments

/// Everything that ``PersistedQueries`` can be seen doing. Logs and metrics are fed from it.
public enum PersistedQueryObservation: Sendable {
    /// Where a document can be.
    public enum Level: String, Sendable, Hashable {
        /// A manifest that was loaded at start.
        case manifest
        /// This process.
        case memory
        /// The database.
        case store
    }

    /// What was wanted of the store when it failed.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// To find a document. It counts as not registered.
        case lookup
        /// To keep a document. It is kept in memory, and the store is tried again.
        case registration
        /// To learn what was used, and to keep what it could not before. It is tried again.
        case flush
        /// To remove what has expired or is too much. It is tried again.
        case sweep
    }

    /// A document was found.
    case hit(Level)
    /// One was not.
    case miss
    /// A document was registered that this process did not know.
    case registered(bytes: Int)
    /// So many documents were dropped to make room for others.
    case evicted(Int, from: Level)
    /// So many had not been used for the time to live.
    case expired(Int, from: Level)
    /// The store did not do what it should: a `DatabaseError`, with the code `timeout` if it took too long, or a
    /// ``DamagedDocumentError``. One request's failure may be followed by many of its kind.
    case storeFailed(Purpose, any Error)
}

/// The store has a document under a hash that is not its own: somebody has changed it. It counts as not registered, and is
/// mended when a client registers it again.
public struct DamagedDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The hash under which it is.
    public let hash: DocumentHash

    /// A sentence for a person.
    public var description: String {
        "the document in duet_persisted_queries under the hash \(hash) has another hash; it is taken for missing"
    }
}
