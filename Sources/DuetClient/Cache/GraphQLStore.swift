import Foundation
import Synchronization

/// A store for the records of responses. The clients, watchers and transactions of an app share a store.
///
/// Reads and writes are serialized. A write that changes a value wakes the watchers that depend on the value.
public actor GraphQLStore {
    /// The rules by which the store identifies objects, merges pages and determines freshness.
    public nonisolated let policies: CachePolicies
    let cache: any NormalizedCache
    private let clock: @Sendable () -> Int64
    private let executor: QueueExecutor
    /// The number of commits. A commit that changes only receipts, but no values, is counted, too.
    private var commits = 0
    private var layers: [OptimisticLayer] = []
    /// The records that optimistic updates have changed, by key; `nil` for a record that an optimistic update has
    /// removed.
    private var overlay: [CacheKey: Record?] = [:]
    private var watchers: [ObjectIdentifier: WeakWatcher] = [:]
    private var lastResponse: RepeatedResponse?
    private let clears = Atomic<Int>(0)

    /// Creates a store.
    /// - Parameters:
    ///   - cache: The cache for the records. No other store may use it.
    ///   - policies: The rules by which the store identifies objects, merges pages and determines freshness.
    ///   - clock: Returns the time in milliseconds since 1970.
    public init(
        cache: any NormalizedCache = InMemoryNormalizedCache(), policies: CachePolicies = CachePolicies(),
        clock: @escaping @Sendable () -> Int64 = { GraphQLStore.systemTime }
    ) {
        self.cache = cache
        self.policies = policies
        self.clock = clock
        executor = QueueExecutor(label: "duet.store")
    }

    /// The queue on which reads and writes run. It is a separate queue, because file access may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The system time in milliseconds since 1970.
    public static var systemTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The current time in milliseconds since 1970.
    nonisolated var now: Int64 { clock() }

    // MARK: Reading

    /// Returns the record that readers see: the record of the overlay if the overlay has the key, otherwise the record
    /// of the cache.
    private func visible(_ key: CacheKey) throws(CacheError) -> Record? {
        if let record = overlay[key] { return record }
        return try cache.record(for: key)
    }

    /// Returns the stage of a new transaction. The transaction reads the visible records.
    private func visibleStage() -> RecordStage {
        RecordStage(cache, overlay: overlay)
    }

    /// Reads a query.
    /// - Parameter watcher: A watcher of the query's values. This method registers the watcher.
    func read<Query: GraphQLOperation>(
        _ query: Query.Type, _ selection: ResolvedSelection, allowsStale: Bool, watcher: StoreWatcher? = nil
    ) throws(StoreError) -> CachedRead<Query> {
        let read = try visibleStage().reading(policies, now: allowsStale ? nil : now) { reader throws(ModelError) in
            try CachedRead(query, selection, reader, isWatched: watcher != nil)
        }
        if let watcher {
            watcher.depend(on: read.dependencies)
            watchers[ObjectIdentifier(watcher)] = WeakWatcher(watcher: watcher)
        }
        return read
    }

    /// Returns the part of a query whose values are missing in the cache or stale.
    /// - Returns: The fields of this part, or `nil` if all values are fresh.
    func missingMap(_ map: ObjectMap, _ selection: ResolvedSelection) throws(StoreError) -> ObjectMap? {
        try visibleStage().reading(policies, now: now) { [policies] reader in
            var walker = SelectionWalker(reader)
            walker.walk(.queryRoot, selection)
            return walker.missingMap(map, selection, keyFields: policies.keyFields(in:))
        }
    }

    /// Reads several queries and objects from a consistent state.
    /// - Throws: The error of the closure.
    public func withinReadTransaction<Value: Sendable, Failure: Error>(
        _ body: @Sendable (ReadTransaction) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(ReadTransaction(visibleStage(), self))
    }

    // MARK: Writing

    /// Runs a closure that reads records into a stage, changes the records, and commits them. If another process writes
    /// between the first read and the commit, the closure runs a second time while other processes cannot write. The
    /// closure therefore runs at most twice.
    private func withStage<Value, Failure: Error>(
        _ body: (RecordStage) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(Failure) {
            return try body(RecordStage(cache))
        } catch {
            guard (error as? CacheError)?.code == .conflict else { throw error }
        }
        defer { cache.unlock() }
        return try body(RecordStage(cache, isExclusive: true))
    }

    /// Writes the records of a stage, then wakes the watchers of the changed values.
    /// - Parameter endedLayer: The optimistic update that the records replace.
    private func commit(_ stage: RecordStage, endingLayer endedLayer: OptimisticLayer.ID? = nil) throws(CacheError) {
        try stage.begin()
        let records = stage.records
        var changes = CacheChanges()
        var before: [CacheKey: Record?] = [:]
        for (key, record) in records {
            before[key] = try visible(key)
            if let record { changes.records[key] = record } else { changes.removed.insert(key) }
        }
        if !records.isEmpty { commits += 1 }
        try cache.apply(changes) { watchedKeys }
        if let endedLayer { layers.removeAll { $0.id == endedLayer } }
        try rebase(&before)
        try notify(before)
    }

    /// Merges the records of a response.
    /// - Parameter moment: The moment at which the request was sent. If the store was cleared after this moment,
    ///   nothing is written.
    /// - Returns: The state of the store after the merge. It is `nil` if the store was cleared after the moment, if the
    ///   cache evicted records during the merge, or if ``state`` is `nil`.
    func merge(
        _ normalizer: Normalizer, since moment: Moment, endingLayer: OptimisticLayer.ID? = nil
    ) throws(CacheError) -> RepeatedResponse.State? {
        guard moment == self.moment else { return nil }
        let evictions = cache.evictions
        try withStage { (stage) throws(CacheError) in
            try stage.merge(normalizer)
            try commit(stage, endingLayer: endingLayer)
        }
        return evictions == cache.evictions ? state : nil
    }

    /// Runs a closure that reads and writes the store. If the closure throws, none of its changes is applied. Other
    /// tasks see either all of its changes or none.
    ///
    /// The closure runs a second time if another process writes to the same file during the first run.
    /// - Throws: The error of the closure, or ``CacheError`` if the cache could not write.
    public func withinReadWriteTransaction<Value: Sendable>(
        _ body: @Sendable (WriteTransaction) throws -> Value
    ) throws -> Value {
        try withStage { stage in
            let value = try body(WriteTransaction(stage, self))
            try commit(stage)
            return value
        }
    }

    /// Removes all records and optimistic updates. Responses to requests that were sent before this call are not
    /// written.
    /// - Throws: ``CacheError``.
    public func clear() throws(CacheError) {
        clears.add(1, ordering: .acquiringAndReleasing)
        lastResponse = nil
        commits += 1
        layers = []
        overlay = [:]
        defer { for watcher in liveWatchers { watcher.wake() } }
        try cache.removeAll()
    }

    /// A moment in the lifetime of a store. Two moments are equal if the store was not cleared between them.
    struct Moment: Sendable, Equatable {
        fileprivate let clears: Int
    }

    /// The current moment. The client reads it before it sends a request.
    nonisolated var moment: Moment { Moment(clears: clears.load(ordering: .acquiring)) }

    // MARK: Repeated responses

    /// The state of the store; `nil` if the cache can change records without a commit, or if an optimistic update is
    /// active.
    private var state: RepeatedResponse.State? {
        guard layers.isEmpty, let evictions = cache.evictions else { return nil }
        return RepeatedResponse.State(commits: commits, evictions: evictions)
    }

    /// Returns the result of the last response if the server has sent the same bytes again, and nothing was written in
    /// the meantime. In this case, the method sets the time of receipt of the fields to the current time.
    /// - Parameter maximumAge: The time for which the fields are fresh according to the `Cache-Control` field of the
    ///   new response, in milliseconds.
    /// - Returns: The result and the new time of receipt; `nil` if the client must decode and merge the response.
    func repeatedResult(
        of request: RepeatedResponse.Request, bytes: [UInt8], maximumAge: Int64?
    ) -> (result: any Sendable, received: Int64)? {
        guard let lastResponse, lastResponse.isRepeated(by: bytes, of: request, maximumAge: maximumAge, in: state)
        else { return nil }
        lastResponse.receipt.renew(at: now)
        return (lastResponse.result, lastResponse.receipt.received)
    }

    /// Stores a merged response for comparison with the next response, unless the store was written after the merge.
    func retain(_ response: RepeatedResponse) {
        guard response.state == state, response.bytes.count <= RepeatedResponse.maximumBytes else { return }
        lastResponse = response
    }

    // MARK: Optimistic updates

    /// Applies an optimistic update until ``endLayer(_:)``, a commit or ``clear()`` ends it.
    /// - Parameter moment: The moment at which the mutation began. If the store was cleared after this moment, the
    ///   update is not applied.
    func addLayer(_ layer: OptimisticLayer, since moment: Moment) throws(CacheError) {
        guard moment == self.moment else { return }
        layers.append(layer)
        var before: [CacheKey: Record?] = [:]
        try rebase(&before)
        try notify(before)
    }

    /// Reverts an optimistic update.
    func endLayer(_ id: OptimisticLayer.ID) throws(CacheError) {
        layers.removeAll { $0.id == id }
        var before: [CacheKey: Record?] = [:]
        try rebase(&before)
        try notify(before)
    }

    /// Rebuilds the overlay: applies all optimistic updates, in order, to the current records of the cache.
    /// - Parameter before: The records that were visible before the change, by key. For each record in the old or the
    ///   new overlay, this method adds the version that was visible before.
    private func rebase(_ before: inout [CacheKey: Record?]) throws(CacheError) {
        guard !layers.isEmpty || !overlay.isEmpty else { return }
        for (key, record) in overlay where before[key] == nil { before[key] = .some(record) }
        let stage = RecordStage(cache)
        for layer in layers { layer.apply(WriteTransaction(stage, self)) }
        for key in stage.records.keys where before[key] == nil { before[key] = .some(try cache.record(for: key)) }
        overlay = stage.records
    }

    // MARK: Watchers

    /// A weak reference to a watcher. The iteration that uses the watcher owns it.
    private struct WeakWatcher {
        weak var watcher: StoreWatcher?
    }

    private var liveWatchers: [StoreWatcher] {
        watchers = watchers.filter { $0.value.watcher != nil }
        return watchers.values.compactMap(\.watcher)
    }

    private var watchedKeys: Set<CacheKey> {
        liveWatchers.reduce(into: []) { $0.formUnion($1.dependencies.keys) }
    }

    private func notify(_ before: [CacheKey: Record?]) throws(CacheError) {
        var changes: [CacheKey: [FieldKey]] = [:]
        for (key, old) in before {
            let fields = Record.changedFields(from: old, to: try visible(key))
            if !fields.isEmpty { changes[key] = fields }
        }
        guard !changes.isEmpty else { return }
        for watcher in liveWatchers where watcher.depends(on: changes) { watcher.wake() }
    }
}

/// An error in reading or writing a store.
public enum StoreError: Error, Sendable {
    /// The cache could not be read or written.
    case cache(CacheError)
    /// The records do not match the model, or the model is invalid.
    case model(ModelError)
}

extension Record {
    /// Returns the keys of the fields that were added, changed or removed.
    static func changedFields(from old: Record?, to new: Record?) -> [FieldKey] {
        guard let old else { return new?.keys ?? [] }
        guard let new else { return old.keys }
        if old === new { return [] }
        if old.keys == new.keys {
            return old.keys.indices.filter { old.values[$0] != new.values[$0] }.map { old.keys[$0] }
        }
        return new.keys.enumerated().filter { old[$1] != new.values[$0] }.map(\.1) + old.keys.filter { new[$0] == nil }
    }
}
