internal import DuetBoundedCache
package import DuetJSON
internal import Synchronization

/// A store of documents that clients identify by a hash or an identifier.
///
/// `InMemoryPersistedQueryStore` conforms to this protocol. `PersistedQueries` of the module `DuetPersistedQueries`,
/// which stores documents in a table, conforms as well. To use a store with `DuetGraphQLHTTP`, pass the argument
/// `persistedQueries: .automatic(store)`.
///
/// The functions do not throw. After an error, a store returns nil, and the client sends the text.
public protocol PersistedQueryStore: Sendable {
    /// Returns the text of the document with a hash; nil if the store does not contain it.
    func document(_ hash: DocumentHash) async -> String?

    /// Returns the text of the document with an identifier of a manifest; nil if the store does not contain it or has
    /// no manifest.
    func document(named id: String) async -> String?

    /// Stores a document.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller must verify it.
    func register(_ document: String, as hash: DocumentHash) async
}

/// A store that finds documents in memory without a suspension.
package protocol PersistedQueryLookup: PersistedQueryStore {
    /// Returns the document with a hash from a manifest or from memory; nil if neither contains it.
    func knownDocument(_ hash: DocumentHash) -> UTF8Text?

    /// Returns the document of a manifest with a hash; nil if the hash is unknown.
    func listedDocument(_ hash: DocumentHash) -> UTF8Text?

    /// Returns the document of a manifest with an identifier; nil if the identifier is unknown.
    func listedDocument(named id: String) -> UTF8Text?

    /// Returns true if a manifest contains a document with exactly this text.
    func isListed(_ document: UTF8Text) -> Bool
}

/// A store of documents in the memory of one process, for a server without a database.
///
/// Its size in bytes is bounded. It evicts documents without a lookup before documents with lookups. Within each group,
/// it evicts the least recently used document first. Therefore, clients that register many documents do not evict the
/// documents that other clients use.
public final class InMemoryPersistedQueryStore: PersistedQueryStore, PersistedQueryLookup {
    private let manifest: PersistedQueryManifest
    private let documents: Mutex<SegmentedLRU<DocumentHash, UTF8Text>>

    /// The estimated bytes of an entry in addition to its text.
    private static let overhead = 192

    /// Creates a store.
    /// - Parameters:
    ///   - manifest: Documents that the store always contains. They do not count towards `maximumBytes`.
    ///   - maximumBytes: The maximum size of all registered documents with the overhead of their entries, in bytes. A
    ///     larger document is not stored.
    public init(manifest: PersistedQueryManifest = PersistedQueryManifest(), maximumBytes: Int = 32 << 20) {
        self.manifest = manifest
        documents = Mutex(SegmentedLRU(maximumCost: max(0, maximumBytes)))
    }

    /// Returns the text of the document with a hash, from the manifest or from the registered documents; nil if the
    /// hash is unknown.
    public func document(_ hash: DocumentHash) -> String? { knownDocument(hash)?.string }

    /// Returns the text of the manifest's document with an identifier; nil if the identifier is unknown.
    public func document(named id: String) -> String? { manifest.document(named: id) }

    /// Stores a document.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller must verify it.
    public func register(_ document: String, as hash: DocumentHash) {
        guard manifest.text(hash) == nil else { return }
        let text = UTF8Text(document)
        documents.withLock { documents in
            // A repeated registration is not a use.
            guard documents.peek(hash) == nil else { return }
            documents.insert(text, for: hash, cost: document.utf8.count + Self.overhead)
        }
    }

    package func knownDocument(_ hash: DocumentHash) -> UTF8Text? {
        manifest.text(hash) ?? documents.withLock { $0.use(hash) }
    }

    package func listedDocument(_ hash: DocumentHash) -> UTF8Text? { manifest.text(hash) }

    package func listedDocument(named id: String) -> UTF8Text? { manifest.text(named: id) }

    package func isListed(_ document: UTF8Text) -> Bool { manifest.contains(document) }
}
