internal import DuetBoundedCache
internal import Synchronization

/// A store of documents in the memory of one process, for a server without a database.
///
/// It is bounded in bytes. It evicts documents that were never looked up before those that were, each in the order of
/// their last use. So clients that register many documents do not evict the documents that other clients use.
public final class InMemoryPersistedQueryStore: PersistedQueryStore {
    private let manifest: PersistedQueryManifest
    private let documents: Mutex<SegmentedLRU<DocumentHash, String>>

    /// An estimate of the bytes that an entry needs besides its text.
    private static let overhead = 192

    /// Creates a store.
    /// - Parameters:
    ///   - manifest: Documents that the store always has. They do not count as registered.
    ///   - maximumBytes: The maximum size of all registered documents, in bytes with the overhead of their entries. A
    ///     larger document is not stored.
    public init(manifest: PersistedQueryManifest = PersistedQueryManifest(), maximumBytes: Int = 32 << 20) {
        self.manifest = manifest
        documents = Mutex(SegmentedLRU(maximumCost: max(0, maximumBytes)))
    }

    /// Returns the text of the document with a hash, from the manifest or registered; nil if there is none.
    public func document(_ hash: DocumentHash) -> String? {
        manifest.document(hash) ?? documents.withLock { $0.use(hash) }
    }

    /// Returns the text of the document with an identifier of the manifest; nil if there is none.
    public func document(named id: String) -> String? { manifest.document(named: id) }

    /// Stores a document.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller has compared them.
    public func register(_ document: String, as hash: DocumentHash) {
        guard manifest.document(hash) == nil else { return }
        documents.withLock { documents in
            // A repeated registration is not a use.
            guard documents.peek(hash) == nil else { return }
            documents.insert(document, for: hash, cost: document.utf8.count + Self.overhead)
        }
    }
}
