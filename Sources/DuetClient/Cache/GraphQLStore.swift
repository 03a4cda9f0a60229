import Foundation
import Synchronization

/// The records of all responses, shared by the clients, watchers and transactions of an app.
///
/// Reads and writes happen one at a time. A write that changes a value wakes the watchers that show it.
public actor GraphQLStore {
    /// How objects are identified and how long they are fresh.
    public nonisolated let policies: CachePolicies
    let cache: any NormalizedCache
    private let clock: @Sendable () -> Int64
    private let executor: QueueExecutor
    /// The number of commits, also of those that change no value: their records have other receipts.
    private var commits = 0
    private var layers: [OptimisticLayer] = []
    /// The records that differ because of optimistic updates.
    private var overlay: [CacheKey: Record?] = [:]
    private var watchers: [ObjectIdentifier: WeakWatcher] = [:]
    private var lastResponse: RepeatedResponse?
    private let clears = Atomic<Int>(0)

    /// A store over a cache.
    /// - Parameters:
    ///   - cache: The place for the records; no other store may use it.
    ///   - policies: How objects are identified and related, and how long they are fresh.
    ///   - clock: The time in milliseconds since 1970.
    public init(
        cache: any NormalizedCache = InMemoryNormalizedCache(), policies: CachePolicies = CachePolicies(),
        clock: @escaping @Sendable () -> Int64 = { GraphQLStore.systemTime }
    ) {
        self.cache = cache
        self.policies = policies
        self.clock = clock
        executor = QueueExecutor(label: "duet.store")
    }

    /// The queue that reads and writes run on, as a file may make them wait.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The time of the system, in milliseconds since 1970.
    public static var systemTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The time, in milliseconds since 1970.
    nonisolated var now: Int64 { clock() }

    // MARK: Reading

    /// The visible record: with optimistic updates, and from the cache otherwise.
    private func visible(_ key: CacheKey) throws(CacheError) -> Record? {
        if let record = overlay[key] { return record }
        return try cache.record(for: key)
    }

    /// The visible records, for a transaction.
    private func visibleStage() -> RecordStage {
        RecordStage(cache, overlay: overlay)
    }

    /// Reads a query.
    /// - Parameter watcher: Is registered for the values that the query shows.
    func read<Query: GraphQLOperation>(
        _ query: Query.Type, _ selection: Selection, allowsStale: Bool, watcher: StoreWatcher? = nil
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

    /// The part of a query that the cache does not have, or not fresh.
    /// - Returns: `nil` if nothing is missing.
    func missingMap(_ map: ObjectMap, _ selection: Selection) throws(StoreError) -> ObjectMap? {
        try visibleStage().reading(policies, now: now) { [policies] reader in
            var walker = SelectionWalker(reader)
            walker.walk(.queryRoot, selection)
            return walker.missingMap(map, selection, keyFields: policies.keyFields(in:))
        }
    }

    /// Reads several queries and objects from one state.
    /// - Throws: The error of the closure.
    public func withinReadTransaction<Value: Sendable, Failure: Error>(
        _ body: @Sendable (ReadTransaction) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(ReadTransaction(visibleStage(), self))
    }

    // MARK: Writing

    /// Runs a closure that reads records into a stage, changes them and commits. If another process writes between its first read and its
    /// commit, it is run again while other processes wait. So there is no third time.
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

    /// Writes the records of a stage, then wakes the watchers of values that changed.
    /// - Parameter endedLayer: An optimistic update that the records take the place of.
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
    /// - Parameter moment: When the request was sent. If the store was cleared since, nothing is written.
    /// - Returns: The state of the store with these records; `nil` if the cache does not have all of them as they are.
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

    /// Reads and writes. Other tasks see all that the closure wrote, or nothing if it throws.
    ///
    /// The closure is run a second time if another process writes the same file while it runs.
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

    /// Removes everything, also optimistic updates. The responses to requests that were sent before are not written.
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

    /// A moment in the life of a store, by which it finds out if it was cleared since.
    struct Moment: Sendable, Equatable {
        fileprivate let clears: Int
    }

    /// The moment at which a request is sent.
    nonisolated var moment: Moment { Moment(clears: clears.load(ordering: .acquiring)) }

    // MARK: Repeated responses

    /// `nil` if records can be others without a commit, or if optimistic updates are shown in their place.
    private var state: RepeatedResponse.State? {
        guard layers.isEmpty, let evictions = cache.evictions else { return nil }
        return RepeatedResponse.State(commits: commits, evictions: evictions)
    }

    /// The result of the last response if its bytes are received again and nothing was written in between. Its fields are as fresh as if
    /// they had been written again.
    /// - Parameter maximumAge: How long the fields are fresh by the `Cache-Control` field of the new response, in milliseconds.
    /// - Returns: The result and the time at which it was received; `nil` if the response must be merged.
    func repeatedResult(
        of request: RepeatedResponse.Request, bytes: [UInt8], maximumAge: Int64?
    ) -> (result: any Sendable, received: Int64)? {
        guard let lastResponse, lastResponse.isRepeated(by: bytes, of: request, maximumAge: maximumAge, in: state)
        else { return nil }
        lastResponse.receipt.renew(at: now)
        return (lastResponse.result, lastResponse.receipt.received)
    }

    /// Retains a response that has been merged, unless something was written since.
    func retain(_ response: RepeatedResponse) {
        guard response.state == state, response.bytes.count <= RepeatedResponse.maximumBytes else { return }
        lastResponse = response
    }

    // MARK: Optimistic updates

    /// Shows changes at once, until ``endLayer(_:)``, a commit or ``clear()`` ends them.
    /// - Parameter moment: When the mutation began. If the store was cleared since, nothing is shown.
    func addLayer(_ layer: OptimisticLayer, since moment: Moment) throws(CacheError) {
        guard moment == self.moment else { return }
        layers.append(layer)
        var before: [CacheKey: Record?] = [:]
        try rebase(&before)
        try notify(before)
    }

    /// Takes an optimistic update back.
    func endLayer(_ id: OptimisticLayer.ID) throws(CacheError) {
        layers.removeAll { $0.id == id }
        var before: [CacheKey: Record?] = [:]
        try rebase(&before)
        try notify(before)
    }

    /// Makes the overlay anew: all optimistic updates, in order, on what the cache has now.
    /// - Parameter before: The visible records of before; those that the old or the new overlay has are added.
    private func rebase(_ before: inout [CacheKey: Record?]) throws(CacheError) {
        guard !layers.isEmpty || !overlay.isEmpty else { return }
        for (key, record) in overlay where before[key] == nil { before[key] = .some(record) }
        let stage = RecordStage(cache)
        for layer in layers { layer.apply(WriteTransaction(stage, self)) }
        for key in stage.records.keys where before[key] == nil { before[key] = .some(try cache.record(for: key)) }
        overlay = stage.records
    }

    // MARK: Watchers

    /// A watcher lives as long as the iteration that it belongs to.
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

/// The reason why a query cannot be read from a store.
public enum StoreError: Error, Sendable {
    /// The cache failed.
    case cache(CacheError)
    /// The records are not the model's.
    case model(ModelError)
}

extension Record {
    /// The fields whose values differ.
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
