public import Foundation

/// The writes of an app to a service that have no answer yet: a ``WebServiceProxy`` or a ``GraphQLClient`` records a
/// write with its ``IdempotencyKey`` before it sends the request, and removes it when the answer has arrived.
///
/// ```swift
/// let store = try SQLitePendingWriteStore(at: folder.appending(path: "writes.sqlite"))
/// let pending = PendingWrites(service: "shop", store: store)
/// service.pendingWrites = pending
/// ```
///
/// An answer is a success or a definite refusal. After any other outcome, the write remains pending: there was no
/// response, or its status is 3xx, 401, 407, 408, 425, 429 or 5xx, or the server still performs an earlier request with
/// the same key, or the response is not one of the service. ``WebServiceProxy/resumePendingWrites(_:)`` and
/// ``GraphQLClient/resumePendingWrites(of:optimistic:_:)`` send it again with the same key, so the server performs it
/// only once. An app calls them after its start, and when the network returns.
///
/// The writes of a caller are sent one after the other, in the order of the calls. A new write first sends the earlier
/// ones. If one of them has no answer, or if the app must learn its outcome, the new write is recorded, and its call
/// throws an error with its key. The order is kept within each style: REST and GraphQL do not wait for each other.
///
/// A write is sent only for callers with the identity of the caller who made it. Use one object for each service and
/// file.
public actor PendingWrites {
    /// The name of the service.
    public nonisolated let service: String
    /// The time after which a write is no longer sent again, because the server could have removed its key. It begins
    /// with the first request that may have reached the server.
    public nonisolated let lifetime: Duration
    /// The maximum number of pending writes of a caller. A further write fails before it is sent.
    public nonisolated let maximumCount: Int
    let store: any PendingWriteStore
    nonisolated let policy: RetryPolicy
    nonisolated let clock: any Clock<Duration>
    private nonisolated let wallClock: @Sendable () -> Date
    nonisolated let jitter: @Sendable () -> Double
    nonisolated let lanes = PendingLanes()
    private let executor = QueueExecutor(label: "duet.pending-writes")

    struct Entry: Hashable {
        let owner: String
        let key: IdempotencyKey
    }

    /// The new writes that wait for their turn. Their calls send them.
    var waiting: Set<Entry> = []
    /// The lanes whose writes are being resumed.
    var resuming: Set<PendingLane> = []
    private var lastObserver = 0
    private var counts: [Int: (owner: String, continuation: AsyncStream<Int>.Continuation)] = [:]
    private var removals: [Int: @Sendable ([IdempotencyKey]) async -> Void] = [:]

    /// Creates an object for the writes to one service.
    /// - Parameters:
    ///   - service: The name of the service, which the app chooses, such as `production`. The writes in the store
    ///     belong to this name, so a file can have the writes to several services. The address of a service can change.
    ///   - store: The store for the writes. The default is in memory, so the writes are lost when the process ends.
    ///   - lifetime: The time after which a write is no longer sent again. It must be shorter than the time for which
    ///     the server stores keys, because a request can be under way for some time. The default is 23 hours: Duet's
    ///     server stores keys for 24 hours.
    ///   - maximumCount: The maximum number of pending writes of a caller.
    ///   - policy: The retry policy within a call. A `RetryingTransport` does not repeat requests of recorded writes.
    ///   - clock: Measures the pauses.
    ///   - now: Returns the wall clock time.
    ///   - jitter: Returns a random number from 0 to 1 for each pause.
    public init(
        service: String, store: any PendingWriteStore = InMemoryPendingWriteStore(),
        lifetime: Duration = .seconds(23 * 3600), maximumCount: Int = 1000,
        retrying policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.service = service
        self.store = store
        self.lifetime = lifetime
        self.maximumCount = maximumCount
        self.policy = policy
        self.clock = clock
        wallClock = now
        self.jitter = jitter
    }

    /// The queue on which the store is accessed, because access to a file may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The wall clock time.
    nonisolated var now: Date { wallClock() }

    /// Returns the pending writes of the current caller, in the order of the calls.
    /// - Parameter caller: The current caller; `nil` if the app does not distinguish callers.
    /// - Throws: ``CacheError``.
    public func writes(of caller: CurrentCaller? = nil) throws(CacheError) -> [PendingWrite] {
        try store.writes(of: owner(caller?.current))
    }

    /// Removes a write without sending it again. Its optimistic update ends. A request that is running is not canceled.
    /// - Parameter caller: The current caller; `nil` if the app does not distinguish callers.
    /// - Throws: ``CacheError``.
    public func discard(_ key: IdempotencyKey, of caller: CurrentCaller? = nil) async throws(CacheError) {
        let owner = owner(caller?.current)
        try store.remove(key, of: owner)
        await removed([key], of: owner)
    }

    /// Removes all writes of the callers with an identity, for example when a user logs out. Change the caller first:
    /// a write that begins after the change is not recorded for the former caller.
    /// - Parameter identity: The identity; `nil` for the writes of anonymous callers.
    /// - Throws: ``CacheError``.
    public func removeWrites(ofCaller identity: String?) async throws(CacheError) {
        let owner = owner(identity: identity)
        let keys = (try? store.writes(of: owner).map(\.key)) ?? []
        try store.removeAll(of: owner)
        await removed(keys, of: owner)
    }
}

// MARK: Owners

extension PendingWrites {
    /// Returns the owner of a caller's writes.
    /// - Parameter caller: The caller; `nil` if the app does not distinguish callers.
    nonisolated func owner(_ caller: Caller?) -> String {
        caller.map { owner(identity: $0.identity) } ?? Digest.text(of: ["pending writes", service])
    }

    /// Returns the owner for an identity; `nil` is the identity of an anonymous caller.
    private nonisolated func owner(identity: String?) -> String {
        Digest.text(of: ["pending writes", service] + Caller.key(of: identity))
    }
}

// MARK: Observers

extension PendingWrites {
    /// Returns the number of pending writes of the current caller, now and after each change.
    ///
    /// ```swift
    /// for await count in pending.counts(of: caller) { badge = count }
    /// ```
    /// - Parameter caller: The current caller; `nil` if the app does not distinguish callers. The numbers are those of
    ///   the identity at the time of the call.
    public func counts(of caller: CurrentCaller? = nil) -> AsyncStream<Int> {
        let owner = owner(caller?.current)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        lastObserver += 1
        let number = lastObserver
        counts[number] = (owner, continuation)
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            Task { await self.removeObserver(number) }
        }
        report(owner)
        return stream
    }

    /// Calls a closure with the keys of removed writes, until the number is passed to ``removeObserver(_:)``.
    /// - Parameter body: Called when the app has discarded writes.
    func observeRemovals(_ body: @escaping @Sendable ([IdempotencyKey]) async -> Void) -> Int {
        lastObserver += 1
        removals[lastObserver] = body
        return lastObserver
    }

    func removeObserver(_ number: Int) {
        counts[number] = nil
        removals[number] = nil
    }

    /// Reports the number of writes of an owner.
    func report(_ owner: String) {
        let observers = counts.values.filter { $0.owner == owner }
        guard !observers.isEmpty, let count = try? store.count(of: owner) else { return }
        for observer in observers { observer.continuation.yield(count) }
    }

    private func removed(_ keys: [IdempotencyKey], of owner: String) async {
        report(owner)
        for body in Array(removals.values) { await body(keys) }
    }
}
