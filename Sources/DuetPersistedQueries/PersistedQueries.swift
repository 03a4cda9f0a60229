internal import DuetBoundedCache
public import DuetJSON
public import DuetPersistedDocuments
public import DuetSQLDatabase
internal import Synchronization

/// The documents that clients may name in place of sending them: those of manifests, and those that clients have registered.
///
/// Registered documents are in a table of the database, where all processes that share it find them, with a bounded part of
/// them in memory. Without a database they are in memory alone. What the store fails to do is told to the observer and to nobody
/// else: a document is not found then, or is kept in memory until the store can take it.
public final class PersistedQueries: Sendable {
    /// The bounds.
    public let configuration: PersistedQueriesConfiguration
    /// The documents that were there from the start.
    public let manifest: PersistedQueryManifest
    let store: DocumentStore?
    let memory: Mutex<DocumentMemory>
    let growth = Mutex(Growth())
    let stored = Mutex<DocumentStore.Size?>(nil)
    let now: @Sendable () -> Int64
    let observe: @Sendable (PersistedQueryObservation) -> Void

    /// What this process has added to the store since it last looked after the bounds there.
    struct Growth {
        var rows = 0
        var bytes = 0
    }

    /// - Parameters:
    ///   - database: where documents are kept, in the table `duet_persisted_queries`; `nil` for memory alone.
    ///   - manifest: documents that are there from the start, never expire and are never displaced.
    ///   - now: the time in milliseconds since 1970, by default the system's.
    ///   - observe: is told what happens, on the thread where it happens; must be quick.
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

    /// The document of that hash, from a manifest, from memory or from the store, in this order. To find it is to use it.
    public func document(_ hash: DocumentHash) async -> UTF8Text? {
        if let known = knownDocument(hash) { return known }
        return await storedDocument(hash)
    }

    /// The document of that hash if no database has to be asked for it; to find it is to use it. What is not found may be in the
    /// store: see ``storedDocument(_:)``.
    public func knownDocument(_ hash: DocumentHash) -> UTF8Text? {
        if let listed = manifest.document(hash) {
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

    /// The document of that hash if a manifest has it.
    public func listedDocument(_ hash: DocumentHash) -> UTF8Text? { found(manifest.document(hash)) }

    /// The document that a manifest has under that identifier, whatever the client's team has chosen for one.
    public func document(named id: String) -> UTF8Text? { found(manifest.document(named: id)) }

    private func found(_ listed: UTF8Text?) -> UTF8Text? {
        observe(listed == nil ? .miss : .hit(.manifest))
        return listed
    }

    /// Whether a manifest has a document of that hash.
    public func isListed(_ hash: DocumentHash) -> Bool { manifest.document(hash) != nil }

    /// Whether a manifest has exactly that document.
    public func isListed(_ document: UTF8Text) -> Bool { manifest.contains(document) }

    /// The document of that hash from the store: to be asked for what ``knownDocument(_:)`` has not found.
    public func storedDocument(_ hash: DocumentHash) async -> UTF8Text? {
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

    /// Keeps a document under its hash.
    ///
    /// When it returns the document is in the store, from where other processes have it and where it outlives this one; unless
    /// the store has failed, which the observer hears.
    /// - Parameter hash: the document's own; the caller has compared them.
    public func register(_ document: UTF8Text, as hash: DocumentHash) async {
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

    /// Looks after the bounds of the store once in a while: whoever registers many documents waits for the room they take, though no
    /// longer than for the store at all. What there is no time for is left to the next time, and to ``sweep()``.
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
        // First what was used: it must not be taken for new.
        guard await touch(store, until: deadline), let store = store.limited(to: deadline) else { return }
        do {
            _ = try await sweepOnce(store, until: deadline)
        } catch {
            report(error, .sweep)
        }
    }

    // MARK: Telling

    func report(_ error: any Error, _ purpose: PersistedQueryObservation.Purpose) {
        // The client has gone away: nothing has failed.
        if error is CancellationError { return }
        observe(.storeFailed(purpose, error))
    }

    private func reportEvicted(_ count: Int) {
        if count > 0 { observe(.evicted(count, from: .memory)) }
    }

    /// What is there now.
    public struct Statistics: Sendable, Hashable {
        /// Documents in memory, those of manifests aside.
        public var documents = 0
        /// About how many bytes they take.
        public var bytes = 0
        /// Documents of manifests.
        public var listed = 0
        /// Documents that are in memory alone, because the store could not take them yet.
        public var unsaved = 0
        /// Documents that the store had when this process last looked, and their bytes; `nil` before the first time.
        public var storedDocuments: Int?
        /// See ``storedDocuments``.
        public var storedBytes: Int?
    }

    /// What is there now.
    public var statistics: Statistics {
        let stored = stored.withLock { $0 }
        return memory.withLock { memory in
            Statistics(
                documents: memory.entries.count, bytes: memory.entries.cost, listed: manifest.operations.count,
                unsaved: memory.work.unsaved.count, storedDocuments: stored?.rows, storedBytes: stored?.bytes)
        }
    }
}
