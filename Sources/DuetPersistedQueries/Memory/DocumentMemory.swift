internal import DuetBoundedCache
internal import DuetJSON
import DuetPersistedDocuments

/// The documents that a process caches in memory, and the pending writes to the store. ``PersistedQueries`` protects
/// this value with a lock. The functions only make decisions and do not access the store, which is the table in the
/// database. Times are milliseconds since 1970.
struct DocumentMemory {
    /// A document in memory. The lock of ``PersistedQueries`` protects it.
    final class Entry {
        let document: UTF8Text
        var usedAt: Int64
        /// The time of the last use that was written to the store, or whose write is pending.
        var touchedAt: Int64
        /// The last time at which a request to the store confirmed that the store contains the document; nil without
        /// such a confirmation.
        var confirmedAt: Int64?
        /// True if the document was looked up after its registration.
        var isReused: Bool

        init(_ document: UTF8Text, usedAt: Int64, touchedAt: Int64, confirmedAt: Int64?, isReused: Bool) {
            self.document = document
            self.usedAt = usedAt
            self.touchedAt = touchedAt
            self.confirmedAt = confirmedAt
            self.isReused = isReused
        }
    }

    /// The result of a lookup.
    enum Lookup {
        case found(UTF8Text)
        case expired
        case absent
    }

    /// The remaining work of a registration.
    enum Registration: Equatable {
        /// None: the store confirmed within the last second that it contains the document, or there is no store.
        case done
        /// Checking that the store still contains the document. Another process may have removed it.
        case confirm
        /// Writing the document to the store.
        case save
    }

    /// The pending writes to the store.
    struct Work {
        var touches: [DocumentHash: Int64] = [:]
        var unsaved: Set<DocumentHash> = []
    }

    private(set) var entries: SegmentedLRU<DocumentHash, Entry>
    private(set) var work = Work()
    private let hasStore: Bool
    private let timeToLive: Int64
    private let touchGranularity: Int64
    private let touchGranularityInNeed: Int64
    /// True if the store has little or no room for further reused documents; see ``Entry/isReused``.
    private var storeIsInNeed = false

    /// The estimated bytes of an entry in addition to the document's text, including its share of hash tables.
    private static let overhead = 320
    /// The limit of pending writes of each kind. It bounds the memory while the store does not respond.
    private static let maximumWork = 16_384
    /// The time in milliseconds after which a repeated registration checks again that the store contains the document.
    private static let confirmationLasts: Int64 = 1_000

    init(_ configuration: PersistedQueriesConfiguration, hasStore: Bool) {
        entries = SegmentedLRU(maximumCost: max(0, configuration.maximumMemory))
        timeToLive = configuration.millisecondsToLive
        touchGranularity = configuration.touchGranularity
        touchGranularityInNeed = configuration.touchGranularityInNeed
        self.hasStore = hasStore
    }

    // MARK: Requests

    /// Looks up a document. A lookup is a use of the document.
    mutating func use(_ hash: DocumentHash, now: Int64) -> Lookup {
        guard let entry = entries.use(hash) else { return .absent }
        guard entry.usedAt > now - timeToLive else {
            entries.remove(hash)
            return .expired
        }
        entry.usedAt = max(entry.usedAt, now)
        touch(entry, hash, now)
        return .found(entry.document)
    }

    /// Adds a document that a client sent.
    /// - Returns: The remaining work, true if the document was not in memory before, and the number of evicted
    ///   documents.
    mutating func register(
        _ document: UTF8Text, as hash: DocumentHash, now: Int64
    ) -> (Registration, isNew: Bool, evicted: Int) {
        // A repeated registration is not a use, so it must not change the order of eviction.
        if let entry = entries.peek(hash), entry.usedAt > now - timeToLive {
            entry.usedAt = max(entry.usedAt, now)
            guard hasStore else { return (.done, false, 0) }
            guard let confirmedAt = entry.confirmedAt else { return (.save, false, 0) }
            return (confirmedAt > now - Self.confirmationLasts ? .done : .confirm, false, 0)
        }
        entries.remove(hash)
        let entry = Entry(document, usedAt: now, touchedAt: now, confirmedAt: nil, isReused: false)
        return (hasStore ? .save : .done, true, insert(entry, hash))
    }

    /// Adds a document that was read from the store.
    /// - Returns: The number of evicted documents.
    mutating func keep(_ row: DocumentStore.Row, _ hash: DocumentHash, now: Int64) -> Int {
        // A concurrent request may have added the document already.
        if let entry = entries.use(hash) {
            entry.usedAt = max(entry.usedAt, now)
            entry.confirmedAt = now
            touch(entry, hash, now)
            return 0
        }
        let entry = Entry(
            row.document, usedAt: now, touchedAt: row.usedAt, confirmedAt: now, isReused: row.isReused)
        touch(entry, hash, now)
        return insert(entry, hash)
    }

    private mutating func insert(_ entry: Entry, _ hash: DocumentHash) -> Int {
        entries.insert(entry, for: hash, cost: entry.document.string.utf8.count + Self.overhead)
    }

    /// Adds a pending write of a document's use, unless a recent use was already written.
    private mutating func touch(_ entry: Entry, _ hash: DocumentHash, _ now: Int64) {
        let granularity = storeIsInNeed ? touchGranularityInNeed : touchGranularity
        guard hasStore, !entry.isReused || entry.touchedAt <= now - granularity else { return }
        guard work.touches.count < Self.maximumWork else { return }
        entry.isReused = true
        entry.touchedAt = now
        work.touches[hash] = now
    }

    /// Adds a pending write for each reused document whose last use was not written yet.
    private mutating func touchAll() {
        guard hasStore else { return }
        for (hash, entry) in entries.elements where entry.isReused && entry.usedAt > entry.touchedAt {
            guard work.touches.count < Self.maximumWork else { return }
            entry.touchedAt = entry.usedAt
            work.touches[hash] = entry.usedAt
        }
    }

    // MARK: Results of the store

    /// Records that the store contains a document.
    mutating func confirm(_ hash: DocumentHash, now: Int64) {
        work.unsaved.remove(hash)
        entries.peek(hash)?.confirmedAt = now
    }

    /// Records that the store does not contain a document. The next flush writes it.
    mutating func mustSave(_ hash: DocumentHash) {
        entries.peek(hash)?.confirmedAt = nil
        if work.unsaved.count < Self.maximumWork { work.unsaved.insert(hash) }
    }

    /// Records whether the store has little or no room for further reused documents. If the argument is true, uses are
    /// written to the store more often.
    mutating func update(storeIsInNeed: Bool) {
        self.storeIsInNeed = storeIsInNeed
        if storeIsInNeed { touchAll() }
    }

    /// Removes and returns the pending writes of uses.
    mutating func takeTouches() -> Work {
        defer { work.touches = [:] }
        return Work(touches: work.touches)
    }

    /// Removes and returns the pending writes of documents that the store does not contain.
    mutating func takeUnsaved() -> Work {
        defer { work.unsaved = [] }
        return Work(unsaved: work.unsaved)
    }

    /// Adds failed writes to the pending writes again.
    mutating func putBack(_ rest: Work) {
        for hash in rest.unsaved where work.unsaved.count < Self.maximumWork { work.unsaved.insert(hash) }
        for (hash, usedAt) in rest.touches where work.touches.count < Self.maximumWork {
            work.touches[hash] = max(usedAt, work.touches[hash] ?? usedAt)
        }
    }

    /// Returns the row to write for a document; nil if the document is no longer in memory.
    func record(_ hash: DocumentHash) -> DocumentStore.Record? {
        entries.peek(hash).map {
            DocumentStore.Record(hash: hash, document: $0.document, usedAt: $0.usedAt, isReused: $0.isReused)
        }
    }

    /// Removes the documents that were not used during the time to live.
    /// - Returns: The number of removed documents.
    mutating func removeExpired(now: Int64) -> Int {
        let expiry = now - timeToLive
        return entries.removeAll { $0.usedAt <= expiry }
    }
}
