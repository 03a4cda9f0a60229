import Foundation
import Synchronization

/// A store for the records of responses. The clients, watchers and transactions of an app share a store.
///
/// Reads and writes are serialized. A write that changes a value wakes the watchers that depend on the value.
///
/// A store with a ``CurrentCaller`` has a separate cache for each identity, and uses the cache of the current caller.
/// When the caller changes, the records in memory and the optimistic updates of the former caller are discarded. A
/// transaction that was called before the change, and has not begun, cannot read or write records: its methods throw a
/// ``CacheError`` with the code ``CacheError/Code/closed``.
public actor GraphQLStore {
    /// The rules by which the store identifies objects, merges pages and determines freshness.
    public nonisolated let policies: CachePolicies
    /// The current caller; `nil` if the store has only one cache.
    public nonisolated let caller: CurrentCaller?
    /// The cache of ``cacheOwner``.
    private var cache: any NormalizedCache
    /// The caller whose cache is open; `nil` if no cache is open, or if the store has only one cache.
    private var cacheOwner: Caller?
    private let openCache: OpenCache?
    private nonisolated let observer = Mutex<CurrentCaller.Observer?>(nil)
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

    /// Opens the cache of a caller.
    /// - Parameter identity: The identity of the caller; `nil` for an anonymous caller.
    /// - Returns: A cache that contains only records of callers with this identity.
    public typealias OpenCache = @Sendable (_ identity: String?) throws(CacheError) -> any NormalizedCache

    /// Creates a store for one caller.
    /// - Parameters:
    ///   - cache: The cache for the records. No other store may use it.
    ///   - policies: The rules by which the store identifies objects, merges pages and determines freshness.
    ///   - clock: Returns the time in milliseconds since 1970.
    public init(
        cache: any NormalizedCache = InMemoryNormalizedCache(), policies: CachePolicies = CachePolicies(),
        clock: @escaping @Sendable () -> Int64 = { GraphQLStore.systemTime }
    ) {
        self.cache = cache
        caller = nil
        openCache = nil
        self.policies = policies
        self.clock = clock
        executor = QueueExecutor(label: "duet.store")
    }

    /// Creates a store with a separate cache for each caller.
    /// - Parameters:
    ///   - caller: The current caller.
    ///   - policies: The rules by which the store identifies objects, merges pages and determines freshness.
    ///   - openCache: Opens the cache of a caller. The default is a new cache in memory, so that the records of a
    ///     caller are lost when the caller changes. With
    ///     ``SQLiteNormalizedCache/init(in:identity:maximumBytes:memoryBytes:)``, each caller has a file.
    ///   - clock: Returns the time in milliseconds since 1970.
    public init(
        caller: CurrentCaller, policies: CachePolicies = CachePolicies(),
        openCache: @escaping OpenCache = { _ in InMemoryNormalizedCache() },
        clock: @escaping @Sendable () -> Int64 = { GraphQLStore.systemTime }
    ) {
        cache = ClosedCache(error: .formerCaller)
        self.caller = caller
        self.openCache = openCache
        self.policies = policies
        self.clock = clock
        executor = QueueExecutor(label: "duet.store")
        let observer = caller.observe { [weak self] in
            guard let self else { return }
            Task { await self.leaveFormerCaller() }
        }
        self.observer.withLock { $0 = observer }
    }

    /// The queue on which reads and writes run. It is a separate queue, because file access may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The system time in milliseconds since 1970.
    public static var systemTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The current time in milliseconds since 1970.
    nonisolated var now: Int64 { clock() }

    // MARK: Callers

    /// Returns true if a caller is the current caller.
    nonisolated func isCurrent(_ caller: Caller?) -> Bool { caller == self.caller?.current }

    /// Opens the cache of a caller, unless it is open.
    /// - Throws: ``CacheError`` if the cache cannot be opened, or if the caller is not the current caller.
    private func enter(_ caller: Caller?) throws(CacheError) {
        guard let openCache else { return }
        leaveFormerCaller()
        guard caller == self.caller?.current else { throw .formerCaller }
        guard cacheOwner != caller else { return }
        cache = try openCache(caller?.identity)
        cacheOwner = caller
    }

    /// Closes the cache of a caller who is no longer the current caller, and discards everything that the store has
    /// derived from it.
    private func leaveFormerCaller() {
        guard let cacheOwner, cacheOwner != caller?.current else { return }
        self.cacheOwner = nil
        cache = ClosedCache(error: .formerCaller)
        lastResponse = nil
        commits += 1
        layers = []
        overlay = [:]
        watchers = [:]
    }

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
    /// - Parameters:
    ///   - caller: The caller for whom the operation began.
    ///   - watcher: A watcher of the query's values. This method registers the watcher.
    func read<Query: GraphQLOperation>(
        _ query: Query.Type, _ selection: ResolvedSelection, as caller: Caller?, allowsStale: Bool,
        watcher: StoreWatcher? = nil
    ) throws(StoreError) -> CachedRead<Query> {
        do { try enter(caller) } catch { throw .cache(error) }
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
    func missingMap(
        _ map: ObjectMap, _ selection: ResolvedSelection, as caller: Caller?
    ) throws(StoreError) -> ObjectMap? {
        do { try enter(caller) } catch { throw .cache(error) }
        return try visibleStage().reading(policies, now: now) { [policies] reader in
            var walker = SelectionWalker(reader)
            walker.walk(.queryRoot, selection)
            return walker.missingMap(map, selection, keyFields: policies.keyFields(in:))
        }
    }

    /// Reads several queries and objects from a consistent state.
    /// - Throws: The error of the closure.
    public nonisolated func withinReadTransaction<Value: Sendable, Failure: Error>(
        _ body: @Sendable (ReadTransaction) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withinReadTransaction(as: caller?.current, body)
    }

    /// - Parameter caller: The caller for whom the transaction was called.
    func withinReadTransaction<Value: Sendable, Failure: Error>(
        as caller: Caller?, _ body: @Sendable (ReadTransaction) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let stage: RecordStage
        do throws(CacheError) {
            try enter(caller)
            stage = visibleStage()
        } catch {
            // The methods of the transaction throw the error.
            stage = RecordStage(ClosedCache(error: error))
        }
        return try body(ReadTransaction(stage, self))
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
    /// - Throws: ``CacheError``, with the code ``CacheError/Code/closed`` if the caller has changed since the moment.
    /// - Returns: The state of the store after the merge. It is `nil` if the store was cleared after the moment, if the
    ///   cache evicted records during the merge, or if ``state`` is `nil`.
    func merge(
        _ normalizer: Normalizer, since moment: Moment, endingLayer: OptimisticLayer.ID? = nil
    ) throws(CacheError) -> RepeatedResponse.State? {
        guard moment.clears == clears.load(ordering: .acquiring) else {
            // The optimistic update remains if the records of another caller were removed.
            if let endingLayer { try endLayer(endingLayer, as: moment.caller) }
            return nil
        }
        try enter(moment.caller)
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
    public nonisolated func withinReadWriteTransaction<Value: Sendable>(
        _ body: @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withinReadWriteTransaction(as: caller?.current, body)
    }

    /// - Parameter caller: The caller for whom the transaction was called.
    func withinReadWriteTransaction<Value: Sendable>(
        as caller: Caller?, _ body: @Sendable (WriteTransaction) throws -> Value
    ) throws -> Value {
        try enter(caller)
        return try withStage { stage in
            let value = try body(WriteTransaction(stage, self))
            try commit(stage)
            return value
        }
    }

    /// Removes all records and optimistic updates of the current caller. Responses to requests that were sent before
    /// this call are not written.
    ///
    /// If the caller changes during the call, the method removes the records of the former caller.
    /// - Throws: ``CacheError``.
    public nonisolated func clear() async throws(CacheError) {
        try await clear(identity: caller?.identity)
    }

    /// Removes all records of the callers with an identity, for example when a user logs out.
    /// - Parameter identity: The identity; `nil` for the records of anonymous callers.
    /// - Throws: ``CacheError``.
    public func removeRecords(ofCaller identity: String?) throws(CacheError) {
        try clear(identity: identity)
    }

    private func clear(identity: String?) throws(CacheError) {
        leaveFormerCaller()
        if let openCache, cacheOwner == nil || cacheOwner?.identity != identity {
            // The responses to requests of the current caller are not written either, because one counter is
            // sufficient.
            clears.add(1, ordering: .acquiringAndReleasing)
            return try openCache(identity).removeAll()
        }
        clears.add(1, ordering: .acquiringAndReleasing)
        lastResponse = nil
        commits += 1
        layers = []
        overlay = [:]
        defer { for watcher in liveWatchers { watcher.wake() } }
        try cache.removeAll()
    }

    /// A moment in the lifetime of a store. Two moments of a caller are equal if the store was not cleared between
    /// them.
    struct Moment: Sendable, Equatable {
        fileprivate let clears: Int
        /// The caller for whom the operation began.
        let caller: Caller?
    }

    /// Returns the current moment. The client reads it before it sends a request.
    /// - Parameter caller: The caller for whom the operation began.
    nonisolated func moment(of caller: Caller?) -> Moment {
        Moment(clears: clears.load(ordering: .acquiring), caller: caller)
    }

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
        of request: RepeatedResponse.Request, as caller: Caller?, bytes: [UInt8], maximumAge: Int64?
    ) -> (result: any Sendable, received: Int64)? {
        guard caller == cacheOwner, caller == self.caller?.current, let lastResponse,
            lastResponse.isRepeated(by: bytes, of: request, maximumAge: maximumAge, in: state)
        else { return nil }
        lastResponse.receipt.renew(at: now)
        return (lastResponse.result, lastResponse.receipt.received)
    }

    /// Stores a merged response for comparison with the next response, unless the store was written after the merge.
    func retain(_ response: RepeatedResponse, as caller: Caller?) {
        guard caller == cacheOwner, response.state == state, response.bytes.count <= RepeatedResponse.maximumBytes
        else { return }
        lastResponse = response
    }

    // MARK: Optimistic updates

    /// Applies an optimistic update until ``endLayer(_:)``, a commit or ``clear()`` ends it.
    /// - Parameter moment: The moment at which the mutation began. If the store was cleared after this moment, the
    ///   update is not applied.
    func addLayer(_ layer: OptimisticLayer, since moment: Moment) throws(CacheError) {
        guard moment.clears == clears.load(ordering: .acquiring) else { return }
        try enter(moment.caller)
        layers.append(layer)
        var before: [CacheKey: Record?] = [:]
        try rebase(&before)
        try notify(before)
    }

    /// Returns true if the optimistic update is active.
    func hasLayer(_ id: OptimisticLayer.ID) -> Bool { layers.contains { $0.id == id } }

    /// Reverts an optimistic update, unless it was discarded before.
    func endLayer(_ id: OptimisticLayer.ID, as caller: Caller?) throws(CacheError) {
        try enter(caller)
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
