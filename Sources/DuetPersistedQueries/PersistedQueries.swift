internal import DuetBoundedCache
package import DuetJSON
public import DuetPersistedDocuments
public import DuetSQLDatabase
internal import Synchronization

/// The documents that clients name in place of sending them: those of a manifest, and those that clients have
/// registered.
///
/// Registered documents are in a table of the database, which all processes that share it read, and a bounded part of
/// them is in memory. Without a database they are in memory only. No function throws: an error of the database is
/// reported to the observer. A document that cannot be read counts as unknown, and one that cannot be written stays in
/// memory until the database accepts it.
///
/// ``run()`` writes uses to the database and removes expired documents, so a server runs it in a task of its own.
public final class PersistedQueries: PersistedQueryStore {
    /// The bounds.
    public let configuration: PersistedQueriesConfiguration
    /// The documents that never expire.
    public let manifest: PersistedQueryManifest
    let store: DocumentStore?
    let memory: Mutex<DocumentMemory>
    let growth = Mutex(Growth())
    let stored = Mutex<DocumentStore.Size?>(nil)
    let now: @Sendable () -> Int64
    let observe: @Sendable (PersistedQueryObservation) -> Void

    /// The rows and bytes that this process has added to the table since it last checked the bounds.
    struct Growth {
        var rows = 0
        var bytes = 0
    }

    /// Creates a store.
    /// - Parameters:
    ///   - configuration: The bounds.
    ///   - database: The database with the table `duet_persisted_queries`; nil for memory only.
    ///   - manifest: Documents that the store always has. They never expire and are never evicted.
    ///   - now: Returns the time in milliseconds since 1970; by default that of the system.
    ///   - observe: Is called with each observation, on the thread that makes it. It must return soon.
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

    /// Returns the text of the document with a hash, from the manifest, from memory or from the database, in this
    /// order; nil if there is none, or if the database fails. A document that is found counts as used.
    public func document(_ hash: DocumentHash) async -> String? {
        if let known = knownDocument(hash) { return known.string }
        return await storedDocument(hash)?.string
    }

    /// Returns the text of the document with an identifier of the manifest; nil if there is none.
    public func document(named id: String) -> String? { listedDocument(named: id)?.string }

    /// Returns the document with a hash from the manifest or from memory, without the database; nil if it is in
    /// neither. A document that is found counts as used.
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

    /// Returns the document of the manifest with a hash; nil if there is none.
    package func listedDocument(_ hash: DocumentHash) -> UTF8Text? { found(manifest.text(hash)) }

    /// Returns the document of the manifest with an identifier; nil if there is none.
    package func listedDocument(named id: String) -> UTF8Text? { found(manifest.text(named: id)) }

    private func found(_ listed: UTF8Text?) -> UTF8Text? {
        observe(listed == nil ? .miss : .hit(.manifest))
        return listed
    }

    /// Returns true if the manifest has a document with this hash.
    public func isListed(_ hash: DocumentHash) -> Bool { manifest.text(hash) != nil }

    /// Returns true if the manifest has a document with exactly this text.
    public func isListed(_ document: String) -> Bool { manifest.contains(document) }

    /// Returns true if the manifest has a document with exactly this text.
    package func isListed(_ document: UTF8Text) -> Bool { manifest.contains(document) }

    /// Returns the document with a hash from the database; nil if there is none, or if the database fails. Call it
    /// after ``knownDocument(_:)``.
    package func storedDocument(_ hash: DocumentHash) async -> UTF8Text? {
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

    /// Stores a document under its hash.
    ///
    /// When it returns, the document is committed to the database, so other processes find it. If the database fails,
    /// the observer gets the error, and the document is in memory only.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller has compared them.
    public func register(_ document: String, as hash: DocumentHash) async {
        await register(UTF8Text(document), as: hash)
    }

    /// Stores a document under its hash; see the function for strings.
    package func register(_ document: UTF8Text, as hash: DocumentHash) async {
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

    /// Removes rows beyond the bounds after a number of registrations, so that a client that registers many documents
    /// waits for their room; at most for the time-out of the store. The rest is removed the next time, or by
    /// ``sweep()``.
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
        // First the uses: a used document must not count as new.
        guard await touch(store, until: deadline), let store = store.limited(to: deadline) else { return }
        do {
            _ = try await sweepOnce(store, until: deadline)
        } catch {
            report(error, .sweep)
        }
    }

    // MARK: Reporting

    func report(_ error: any Error, _ purpose: PersistedQueryObservation.Purpose) {
        // The client has closed the connection: nothing has failed.
        if error is CancellationError { return }
        observe(.storeFailed(purpose, error))
    }

    private func reportEvicted(_ count: Int) {
        if count > 0 { observe(.evicted(count, from: .memory)) }
    }

    /// The numbers of documents.
    public struct Statistics: Sendable, Hashable {
        /// The number of registered documents in memory.
        public var documents = 0
        /// An estimate of their memory in bytes.
        public var bytes = 0
        /// The number of documents of the manifest.
        public var listed = 0
        /// The number of documents that are in memory only, because the database has not accepted them yet.
        public var unsaved = 0
        /// The number of documents in the database when this process last counted them; nil before the first time.
        public var storedDocuments: Int?
        /// The size of their texts in bytes; nil before the first time.
        public var storedBytes: Int?
    }

    /// The current numbers of documents.
    public var statistics: Statistics {
        let stored = stored.withLock { $0 }
        return memory.withLock { memory in
            Statistics(
                documents: memory.entries.count, bytes: memory.entries.cost, listed: manifest.operations.count,
                unsaved: memory.work.unsaved.count, storedDocuments: stored?.rows, storedBytes: stored?.bytes)
        }
    }
}
