internal import DuetBoundedCache
package import DuetJSON
public import DuetPersistedDocuments
public import DuetSQLDatabase
internal import Synchronization

/// The documents that clients can identify by a hash or an identifier: the documents of a manifest, and the documents
/// that clients registered.
///
/// A table of the database stores the registered documents. All processes that share the database read this table. Each
/// process caches documents in memory, up to a limit in bytes. Without a database, the documents are only stored in
/// memory. Except ``createTable(in:)``, the functions do not throw. They report an error of the database to the closure
/// `observe`, which is an argument of the initializer. A document that cannot be read is treated as unknown. A document
/// that cannot be written is only stored in memory, and later flushes try to write it again.
///
/// A lookup that finds a document is a use of the document. ``run()`` writes the times of the last uses to the
/// database, and removes expired documents. A server must run it in a separate task.
public final class PersistedQueries: PersistedQueryStore, PersistedQueryLookup {
    /// The limits and intervals.
    public let configuration: PersistedQueriesConfiguration
    /// The documents that never expire.
    public let manifest: PersistedQueryManifest
    let store: DocumentStore?
    let memory: Mutex<DocumentMemory>
    let growth = Mutex(Growth())
    let stored = Mutex<DocumentStore.Size?>(nil)
    let now: @Sendable () -> Int64
    let observe: @Sendable (PersistedQueryObservation) -> Void

    /// The rows and bytes that this process added to the table since it last checked the bounds.
    struct Growth {
        var rows = 0
        var bytes = 0
    }

    /// Creates a store.
    /// - Parameters:
    ///   - configuration: The limits and intervals.
    ///   - database: The database with the table that ``createTable(in:)`` creates; nil to only use memory.
    ///   - manifest: Documents that the store always contains. They do not expire and are not evicted.
    ///   - now: A function that returns the time in milliseconds since 1970. The default is the clock of the system.
    ///   - observe: A function that is called for each observation, on the current thread. It must return quickly.
    public init(
        _ configuration: PersistedQueriesConfiguration = PersistedQueriesConfiguration(), database: Database?,
        manifest: PersistedQueryManifest = PersistedQueryManifest(),
        now: @escaping @Sendable () -> Int64 = { SystemTime.milliseconds },
        observe: @escaping @Sendable (PersistedQueryObservation) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.manifest = manifest
        store = database.map { DocumentStore(database: $0, timeout: configuration.storeTimeout) }
        memory = Mutex(DocumentMemory(configuration, hasStore: database != nil))
        self.now = now
        self.observe = observe
    }

    // MARK: Looking up

    /// Returns the text of the document with a hash from the manifest, from memory or from the database, in this order.
    /// Returns nil if the hash is unknown or if the database fails. A lookup that finds the document is a use of the
    /// document.
    public func document(_ hash: DocumentHash) async -> String? {
        if let known = knownDocument(hash) { return known.string }
        return await storedDocument(hash)?.string
    }

    /// Returns the text of the document with an identifier of the manifest; nil if the identifier is unknown.
    public func document(named id: String) -> String? { listedDocument(named: id)?.string }

    /// Returns the document with a hash from the manifest or from memory, without the database; nil if neither contains
    /// it. A lookup that finds the document is a use of the document.
    package func knownDocument(_ hash: DocumentHash) -> UTF8Text? {
        if let listed = manifest.text(hash) {
            observe(.hit(.manifest))
            return listed
        }
        let now = now()
        switch memory.withLock({ $0.use(hash, now: now) }) {
        case .found(let document):
            observe(.hit(.memory))
            return document
        case .expired:
            observe(.expired(1, from: .memory))
            return nil
        case .absent: return nil
        }
    }

    /// Returns the document of the manifest with a hash; nil if the hash is unknown.
    package func listedDocument(_ hash: DocumentHash) -> UTF8Text? { found(manifest.text(hash)) }

    /// Returns the document of the manifest with an identifier; nil if the identifier is unknown.
    package func listedDocument(named id: String) -> UTF8Text? { found(manifest.text(named: id)) }

    private func found(_ listed: UTF8Text?) -> UTF8Text? {
        observe(listed == nil ? .miss : .hit(.manifest))
        return listed
    }

    /// Returns true if the manifest contains a document with this hash.
    public func isListed(_ hash: DocumentHash) -> Bool { manifest.text(hash) != nil }

    /// Returns true if the manifest contains a document with exactly this text.
    public func isListed(_ document: String) -> Bool { manifest.contains(document) }

    /// Returns true if the manifest contains a document with exactly this text.
    package func isListed(_ document: UTF8Text) -> Bool { manifest.contains(document) }

    /// Returns the document with a hash from the database; nil if the hash is unknown or if the database fails. Call it
    /// after ``knownDocument(_:)``.
    private func storedDocument(_ hash: DocumentHash) async -> UTF8Text? {
        guard let store else {
            observe(.miss)
            return nil
        }
        let row: DocumentStore.Row?
        do {
            row = try await store.row(hash)
        } catch {
            report(error, .lookup)
            observe(.miss)
            return nil
        }
        let now = now()
        guard let row, row.usedAt > now - configuration.millisecondsToLive else {
            observe(.miss)
            return nil
        }
        let evicted = memory.withLock { $0.keep(row, hash, now: now) }
        observe(.hit(.store))
        reportEvicted(evicted)
        return row.document
    }

    // MARK: Registering

    /// Stores a document with its hash.
    ///
    /// When the function returns, the document is committed to the database, so other processes can find it. If the
    /// database fails, the closure `observe` receives the error, and the document is only stored in memory.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller must verify it.
    public func register(_ document: String, as hash: DocumentHash) async {
        await register(UTF8Text(document), as: hash)
    }

    /// Stores a document with its hash; see the method with a `String`.
    private func register(_ document: UTF8Text, as hash: DocumentHash) async {
        guard !isListed(hash) else { return }
        let now = now()
        let (registration, isNew, evicted) = memory.withLock { $0.register(document, as: hash, now: now) }
        if isNew { observe(.registered(bytes: document.string.utf8.count)) }
        reportEvicted(evicted)
        guard let store, registration != .done else { return }
        do {
            if registration == .confirm, let lastUse = try await store.lastUse(of: hash),
                lastUse > now - configuration.touchGranularity
            {
                memory.withLock { $0.confirm(hash, now: now) }
                return
            }
            let record = DocumentStore.Record(hash: hash, document: document, usedAt: now, isReused: false)
            try await store.save(record)
            memory.withLock { $0.confirm(hash, now: now) }
        } catch {
            memory.withLock { $0.mustSave(hash) }
            report(error, .registration)
            return
        }
        await trim(store, grownBy: document.string.utf8.count)
    }

    /// Removes the rows that exceed the bounds, if enough documents were registered since the last removal. A client
    /// that registers many documents thus waits for the removal, at most for the timeout of the store. The next call or
    /// ``sweep()`` removes the remaining rows.
    private func trim(_ store: DocumentStore, grownBy bytes: Int) async {
        let isDue = growth.withLock { growth in
            growth.rows += 1
            growth.bytes += bytes
            guard growth.rows >= configuration.registrationsPerTrim || growth.bytes >= configuration.bytesPerTrim
            else { return false }
            growth = Growth()
            return true
        }
        guard isDue else { return }
        let deadline = ContinuousClock.now + configuration.storeTimeout
        // The uses are written first, so that a used document is not treated as a new document.
        guard await touch(store, until: deadline), let store = store.limited(to: deadline) else { return }
        do {
            _ = try await sweepOnce(store, until: deadline)
        } catch {
            report(error, .sweep)
        }
    }

    // MARK: Reporting

    func report(_ error: any Error, _ purpose: PersistedQueryObservation.Purpose) {
        // The task was canceled, for example because the client closed the connection. This is not an error of the
        // database.
        if error is CancellationError { return }
        observe(.storeFailed(purpose, error))
    }

    private func reportEvicted(_ count: Int) {
        if count > 0 { observe(.evicted(count, from: .memory)) }
    }

    /// The number and size of documents.
    public struct Statistics: Sendable, Hashable {
        /// The number of registered documents in memory.
        public var documents = 0
        /// The estimated memory of the registered documents in bytes.
        public var bytes = 0
        /// The number of documents of the manifest.
        public var listed = 0
        /// The number of documents that are only in memory, because they are not yet written to the database.
        public var unsaved = 0
        /// The number of documents in the database when this process last counted them; nil before the first count.
        public var storedDocuments: Int?
        /// The size of the documents in the database in bytes when this process last counted them; nil before the first
        /// count.
        public var storedBytes: Int?
    }

    /// The current number and size of documents.
    public var statistics: Statistics {
        let stored = stored.withLock { $0 }
        return memory.withLock { memory in
            Statistics(
                documents: memory.entries.count, bytes: memory.entries.cost, listed: manifest.operations.count,
                unsaved: memory.work.unsaved.count, storedDocuments: stored?.rows, storedBytes: stored?.bytes)
        }
    }
}
