public import DuetPersistedDocuments

/// An event of ``PersistedQueries``, for logs and metrics.
public enum PersistedQueryObservation: Sendable {
    /// A storage level of documents.
    public enum Level: String, Sendable, Hashable {
        /// The manifest.
        case manifest
        /// The memory of this process.
        case memory
        /// The database.
        case store
    }

    /// The purpose of a failed statement.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// Finding a document. The document is treated as unknown.
        case lookup
        /// Storing a document. The document remains in memory and is written later.
        case registration
        /// Writing uses, and documents that earlier attempts could not write. The flush is repeated later.
        case flush
        /// Removing expired documents and documents that exceed the bounds. The sweep is repeated later.
        case sweep
    }

    /// A document was found.
    case hit(Level)
    /// A document was not found.
    case miss
    /// A document that was not in memory was registered. The size is in bytes.
    case registered(bytes: Int)
    /// This number of documents was removed to make room for other documents.
    case evicted(Int, from: Level)
    /// This number of documents was removed because they expired.
    case expired(Int, from: Level)
    /// The database failed. The error is a `DatabaseError` or a ``DamagedDocumentError``. After
    /// ``PersistedQueriesConfiguration/storeTimeout``, it is a `DatabaseError` with the code `timeout`.
    case storeFailed(Purpose, any Error)
}

/// The error of a damaged row: the hash of the text differs from the hash in the row, because the row was modified. The
/// document is treated as unknown until a client registers it again. The registration repairs the row.
public struct DamagedDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The hash in the row.
    public let hash: DocumentHash

    /// The message.
    public var description: String {
        "the text in the row of duet_persisted_queries with the hash \(hash) has a different hash; the document is treated as missing"
    }
}
