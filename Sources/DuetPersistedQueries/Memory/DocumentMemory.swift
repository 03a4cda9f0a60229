internal import DuetBoundedCache
internal import DuetJSON
import DuetPersistedDocuments

/// The documents a process has in memory, and what it still has to tell the store about them. A value, kept under a
/// lock; it does nothing but decide. Times are milliseconds since 1970.
struct DocumentMemory {
    /// A document in memory. Its owner's lock guards it.
    final class Entry {
        let document: UTF8Text
        var usedAt: Int64
        /// The last use that the store knows of, or is about to be told.
        var touchedAt: Int64
        /// When it was last known to have a row; none as long as the store is not known to have it.
        var confirmedAt: Int64?
        /// Whether it was looked up since it was registered.
        var isReused: Bool

        init(_ document: UTF8Text, usedAt: Int64, touchedAt: Int64, confirmedAt: Int64?, isReused: Bool) {
            self.document = document
            self.usedAt = usedAt
            self.touchedAt = touchedAt
            self.confirmedAt = confirmedAt
            self.isReused = isReused
        }
    }

    /// What looking for a document comes to.
    enum Lookup {
        case found(UTF8Text)
        case expired
        case absent
    }

    /// What is left to do about a registration.
    enum Registration: Equatable {
        /// Nothing: the store had it a moment ago, or there is no store.
        case done
        /// To ask the store whether it still has it: others may have removed it.
        case confirm
        /// To write it to the store.
        case save
    }

    /// What the store has to be told.
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
    /// Whether the store has no room for all documents that are used again.
    private var storeIsInNeed = false

    /// About the bytes that an entry takes beside its document's text, its places in tables included.
    private static let overhead = 320
    /// A store that does not answer for long must not cost memory without bound.
    private static let maximumWork = 16_384
    /// After so many milliseconds a repeated registration asks the store again whether it has the document.
    private static let confirmationLasts: Int64 = 1_000

    init(_ configuration: PersistedQueriesConfiguration, hasStore: Bool) {
        entries = SegmentedLRU(maximumCost: max(0, configuration.maximumMemory))
        timeToLive = configuration.millisecondsToLive
        touchGranularity = configuration.touchGranularity
        touchGranularityInNeed = configuration.touchGranularityInNeed
        self.hasStore = hasStore
    }

    // MARK: Requests

    /// Looks a document up, which counts as using it.
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

    /// Takes a document in that a client has sent.
    /// - Returns: What is left to do, whether it was not there before, and how many others it displaced.
    mutating func register(
        _ document: UTF8Text, as hash: DocumentHash, now: Int64
    ) -> (Registration, isNew: Bool, evicted: Int) {
        // Repeating a registration does not make it used again, so it must not move up.
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

    /// Takes a document in that was looked up in the store.
    /// - Returns: How many others it displaced.
    mutating func keep(_ row: DocumentStore.Row, _ hash: DocumentHash, now: Int64) -> Int {
        // Another request may have been faster.
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

    /// Notes for the store that a document was used, unless it has been told of a use not long before.
    private mutating func touch(_ entry: Entry, _ hash: DocumentHash, _ now: Int64) {
        let granularity = storeIsInNeed ? touchGranularityInNeed : touchGranularity
        guard hasStore, !entry.isReused || entry.touchedAt <= now - granularity else { return }
        guard work.touches.count < Self.maximumWork else { return }
        entry.isReused = true
        entry.touchedAt = now
        work.touches[hash] = now
    }

    /// Notes for the store the last use of each document that was looked up, as far as it does not know of it.
    private mutating func touchAll() {
        guard hasStore else { return }
        for (hash, entry) in entries.elements where entry.isReused && entry.usedAt > entry.touchedAt {
            guard work.touches.count < Self.maximumWork else { return }
            entry.touchedAt = entry.usedAt
            work.touches[hash] = entry.usedAt
        }
    }

    // MARK: What the store says

    /// The store has a document.
    mutating func confirm(_ hash: DocumentHash, now: Int64) {
        work.unsaved.remove(hash)
        entries.peek(hash)?.confirmedAt = now
    }

    /// The store does not have a document; it is to be written there as soon as that is possible.
    mutating func mustSave(_ hash: DocumentHash) {
        entries.peek(hash)?.confirmedAt = nil
        if work.unsaved.count < Self.maximumWork { work.unsaved.insert(hash) }
    }

    /// The store has no room for all documents that are used again, or has it: in need it is told more often.
    mutating func heed(storeIsInNeed: Bool) {
        self.storeIsInNeed = storeIsInNeed
        if storeIsInNeed { touchAll() }
    }

    /// Hands over what the store has to be told of uses.
    mutating func takeTouches() -> Work {
        defer { work.touches = [:] }
        return Work(touches: work.touches)
    }

    /// Hands over which documents the store does not have.
    mutating func takeUnsaved() -> Work {
        defer { work.unsaved = [] }
        return Work(unsaved: work.unsaved)
    }

    /// What could not be told is told another time.
    mutating func putBack(_ rest: Work) {
        for hash in rest.unsaved where work.unsaved.count < Self.maximumWork { work.unsaved.insert(hash) }
        for (hash, usedAt) in rest.touches where work.touches.count < Self.maximumWork {
            work.touches[hash] = max(usedAt, work.touches[hash] ?? usedAt)
        }
    }

    /// What to write to the store for a document; none if it is no longer in memory.
    func record(_ hash: DocumentHash) -> DocumentStore.Record? {
        entries.peek(hash).map {
            DocumentStore.Record(hash: hash, document: $0.document, usedAt: $0.usedAt, isReused: $0.isReused)
        }
    }

    /// Forgets what was not used for the time to live.
    /// - Returns: How many.
    mutating func removeExpired(now: Int64) -> Int {
        let expiry = now - timeToLive
        return entries.removeAll { $0.usedAt <= expiry }
    }
}
