import Synchronization

/// A normalized cache in memory with a maximum size.
///
/// If the records exceed the maximum, the cache first removes the records that are not reachable from the root or from
/// a watched query. It then removes the least recently used records until the size is at most three quarters of the
/// maximum. Records of watched queries are not removed.
public final class InMemoryNormalizedCache: NormalizedCache {
    private struct State {
        var entries: [CacheKey: Entry] = [:]
        var cost = 0
        var clock: UInt64 = 0
        var evictions = 0
    }

    /// A reference type, so that a read can update the time of the last use without a change of the dictionary.
    private final class Entry {
        let record: Record
        let cost: Int
        var lastUse: UInt64

        init(_ record: Record, cost: Int, lastUse: UInt64) {
            self.record = record
            self.cost = cost
            self.lastUse = lastUse
        }
    }

    private let state = Mutex(State())
    private let maximumCost: Int

    /// Creates an empty cache.
    /// - Parameter maximumBytes: The approximate maximum size of the records in memory, in bytes.
    public init(maximumBytes: Int = 64 << 20) {
        maximumCost = maximumBytes
    }

    /// The approximate size of the records in memory, in bytes.
    public var byteCount: Int { state.withLock { $0.cost } }

    /// Returns the record of a key, or `nil` if the cache does not have it.
    public func record(for key: CacheKey) -> Record? {
        state.withLock { state in
            guard let entry = state.entries[key] else { return nil }
            entry.lastUse = state.clock
            return entry.record
        }
    }

    /// Writes and removes records.
    public func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) {
        state.withLock { state in
            state.clock += 1
            for (key, record) in changes.records {
                let entry = Entry(record, cost: record.cost + key.byteCount, lastUse: state.clock)
                state.cost += entry.cost - (state.entries.updateValue(entry, forKey: key)?.cost ?? 0)
            }
            for key in changes.removed { state.cost -= state.entries.removeValue(forKey: key)?.cost ?? 0 }
            if state.cost > maximumCost { shrink(&state, inUse: inUse()) }
        }
    }

    /// The number of times that the cache has removed records because of its maximum size.
    public var evictions: Int? { state.withLock { $0.evictions } }

    /// Returns the keys of all records.
    public func keys() -> [CacheKey] { state.withLock { Array($0.entries.keys) } }

    /// Removes all records.
    public func removeAll() { state.withLock { $0 = State() } }

    private func shrink(_ state: inout State, inUse: Set<CacheKey>) {
        state.evictions += 1
        let goal = maximumCost / 4 * 3
        let reachable = Reachability.keys(from: inUse.union([.queryRoot])) { state.entries[$0]?.record }
        for key in state.entries.keys where !reachable.contains(key) {
            state.cost -= state.entries.removeValue(forKey: key)?.cost ?? 0
        }
        guard state.cost > goal else { return }
        let byAge = state.entries.filter { $0.key != .queryRoot && !inUse.contains($0.key) }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        for (key, entry) in byAge where state.cost > goal {
            state.entries[key] = nil
            state.cost -= entry.cost
        }
        shrinkRoot(&state, inUse: inUse)
        // The number of scalar fields of the root is unlimited. If the size still exceeds the maximum, remove the root
        // itself.
        if state.cost > maximumCost, !inUse.contains(.queryRoot) {
            state.cost -= state.entries.removeValue(forKey: .queryRoot)?.cost ?? 0
        }
    }

    /// Removes the fields of the root that refer to removed records.
    private func shrinkRoot(_ state: inout State, inUse: Set<CacheKey>) {
        guard let root = state.entries[.queryRoot] else { return }
        let record = root.record.withoutReferences { state.entries[$0] == nil && !inUse.contains($0) }
        let entry = Entry(record, cost: record.cost + CacheKey.queryRoot.byteCount, lastUse: root.lastUse)
        state.cost += entry.cost - root.cost
        state.entries[.queryRoot] = entry
    }
}

/// Determines the records that are reachable through references.
enum Reachability {
    static func keys(from roots: Set<CacheKey>, record: (CacheKey) -> Record?) -> Set<CacheKey> {
        var reached = roots
        var pending = Array(roots)
        while let key = pending.popLast() {
            for value in record(key)?.values ?? [] {
                value.forEachReference { if reached.insert($0).inserted { pending.append($0) } }
            }
        }
        return reached
    }
}
