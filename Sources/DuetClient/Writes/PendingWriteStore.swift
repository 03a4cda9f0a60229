import Synchronization

/// Stores the writes that have no answer yet.
///
/// ``PendingWrites`` calls its store from one task at a time. ``SQLitePendingWriteStore`` is the store for an app:
/// its writes remain after the process ends.
public protocol PendingWriteStore: Sendable {
    /// Adds a write after all others. When this method returns, the write is stored.
    /// - Throws: ``CacheError``.
    func add(_ write: PendingWrite) throws(CacheError)

    /// Replaces the write with the same owner and key, at its place in the order. Has no effect if the store does not
    /// have it.
    /// - Throws: ``CacheError``.
    func update(_ write: PendingWrite) throws(CacheError)

    /// Returns the writes of an owner (``PendingWrite/owner``) in the order in which they were added.
    /// - Throws: ``CacheError``.
    func writes(of owner: String) throws(CacheError) -> [PendingWrite]

    /// Returns the number of writes of an owner.
    /// - Throws: ``CacheError``.
    func count(of owner: String) throws(CacheError) -> Int

    /// Returns the write of an owner with a key; `nil` if the store does not have it.
    /// - Throws: ``CacheError``.
    func write(_ key: IdempotencyKey, of owner: String) throws(CacheError) -> PendingWrite?

    /// Removes the write with a key. Has no effect if the store does not have it.
    /// - Throws: ``CacheError``.
    func remove(_ key: IdempotencyKey, of owner: String) throws(CacheError)

    /// Removes all writes of an owner.
    /// - Throws: ``CacheError``.
    func removeAll(of owner: String) throws(CacheError)
}

/// A store for pending writes in memory. Its writes are lost when the process ends.
public final class InMemoryPendingWriteStore: PendingWriteStore {
    private let stored = Mutex<[PendingWrite]>([])

    /// Creates an empty store.
    public init() {}

    /// Adds a write after all others.
    public func add(_ write: PendingWrite) { stored.withLock { $0.append(write) } }

    /// Replaces the write with the same owner and key.
    public func update(_ write: PendingWrite) {
        stored.withLock { stored in
            let index = stored.firstIndex { $0.key == write.key && $0.owner == write.owner }
            if let index { stored[index] = write }
        }
    }

    /// Returns the writes of an owner in the order in which they were added.
    public func writes(of owner: String) -> [PendingWrite] { stored.withLock { $0.filter { $0.owner == owner } } }

    /// Returns the number of writes of an owner.
    public func count(of owner: String) -> Int { writes(of: owner).count }

    /// Returns the write of an owner with a key.
    public func write(_ key: IdempotencyKey, of owner: String) -> PendingWrite? {
        stored.withLock { $0.first { $0.key == key && $0.owner == owner } }
    }

    /// Removes the write with a key.
    public func remove(_ key: IdempotencyKey, of owner: String) {
        stored.withLock { $0.removeAll { $0.key == key && $0.owner == owner } }
    }

    /// Removes all writes of an owner.
    public func removeAll(of owner: String) { stored.withLock { $0.removeAll { $0.owner == owner } } }
}
