import DuetBoundedCache
package import Foundation

/// The part of a ``ResponseCache`` in memory: the most recently used responses, the responses that wait to be written,
/// and the invalidated resources. The cache protects this structure with a lock.
package struct ResponseMemory: Sendable {
    /// A response, and the time at which the modification time of its file was last set.
    private struct Entry {
        let response: StoredResponse
        let touched: Date
    }

    /// A response that waits to be written, and the number of its write.
    private struct Waiting {
        let response: StoredResponse
        let write: UInt64
    }

    /// The action that the cache must perform after a response was stored.
    package enum Storing: Sendable, Hashable {
        /// No action, because the resource was invalidated after the request was sent.
        case outdated
        /// The cache must write the response. The value is the number of the write.
        case write(UInt64)
        /// The cache must not write the response, because too many responses wait to be written.
        case queueIsFull
    }

    private let maximumSize: Int
    private let maximumWaitingSize: Int
    private var responses: SegmentedLRU<ResponseKey, [Entry]>
    private var waiting: [String: Waiting] = [:]
    private var waitingSize = 0
    private var writes: UInt64 = 0
    private var invalidations = Invalidations()

    /// - Parameters:
    ///   - maximumSize: The maximum size of the most recently used responses, in bytes.
    ///   - maximumWaitingSize: The maximum size of the responses that wait to be written, in bytes.
    package init(maximumSize: Int, maximumWaitingSize: Int) {
        self.maximumSize = maximumSize
        self.maximumWaitingSize = maximumWaitingSize
        responses = SegmentedLRU(maximumCost: maximumSize)
    }

    /// The number of the last invalidation.
    package var moment: UInt64 { invalidations.current }

    // MARK: - Responses

    /// Returns the latest response that matches, and records its use. `needsTouch` is true if the modification time of
    /// the file must be updated. The modification time need not be exact, so it is updated at most once a minute.
    package mutating func use(
        _ key: ResponseKey, at now: Date, where matches: (StoredResponse) -> Bool
    ) -> (response: StoredResponse, needsTouch: Bool)? {
        let found = (responses.use(key) ?? []).filter { matches($0.response) }
            .max { $0.response.responseTime < $1.response.responseTime }
        if let found {
            let needsTouch = now.timeIntervalSince(found.touched) > 60
            if needsTouch { insert(found.response, at: now) }
            return (found.response, needsTouch)
        }
        let response = waiting.values.map(\.response).filter { $0.key == key && matches($0) }
            .max { $0.responseTime < $1.responseTime }
        return response.map { ($0, false) }
    }

    /// Adds a response that was read from the folder, unless its resource was invalidated after the moment.
    /// - Returns: True if the response was added.
    package mutating func load(_ response: StoredResponse, at now: Date, since moment: UInt64) -> Bool {
        guard invalidations.permit(response.key.resource, since: moment) else { return false }
        insert(response, at: now)
        return true
    }

    /// Stores a response from the server. It replaces a response with the same name.
    package mutating func store(_ response: StoredResponse, at now: Date, since moment: UInt64) -> Storing {
        guard invalidations.permit(response.key.resource, since: moment) else { return .outdated }
        insert(response, at: now)
        removeWaiting(response.name)
        guard waitingSize + response.cost <= maximumWaitingSize else { return .queueIsFull }
        writes += 1
        waiting[response.name] = Waiting(response: response, write: writes)
        waitingSize += response.cost
        return .write(writes)
    }

    private mutating func insert(_ response: StoredResponse, at now: Date) {
        set(others(response) + [Entry(response: response, touched: now)], for: response.key)
    }

    /// Returns the responses with the same key and different names.
    private func others(_ response: StoredResponse) -> [Entry] {
        (responses.peek(response.key) ?? []).filter { $0.response.selector != response.selector }
    }

    private mutating func set(_ entries: [Entry], for key: ResponseKey) {
        // Limit the memory for the variants of one response. An app rarely needs more than eight variants.
        let entries = Array(entries.suffix(8))
        responses.insert(entries, for: key, cost: entries.reduce(0) { $0 + $1.response.cost })
    }

    // MARK: - Writes

    /// Returns the response of a write. Returns `nil` if the response was removed, or if a newer response has replaced
    /// it and has a separate write.
    package func response(named name: String, of write: UInt64) -> StoredResponse? {
        waiting[name].flatMap { $0.write == write ? $0.response : nil }
    }

    /// Removes a response from the waiting responses after it was written.
    package mutating func finish(_ write: UInt64, named name: String) {
        if waiting[name]?.write == write { removeWaiting(name) }
    }

    private mutating func removeWaiting(_ name: String) {
        if let removed = waiting.removeValue(forKey: name) { waitingSize -= removed.response.cost }
    }

    // MARK: - Removing

    /// Removes a response.
    package mutating func remove(_ response: StoredResponse) {
        set(others(response), for: response.key)
        removeWaiting(response.name)
    }

    /// Removes all responses of a resource. Responses to requests that are still running will not be stored.
    package mutating func invalidate(_ resource: String) {
        invalidations.invalidate(resource)
        responses.removeAll { $0.contains { $0.response.key.resource == resource } }
        for (name, one) in waiting where one.response.key.resource == resource { removeWaiting(name) }
    }

    /// Removes all responses whose keys have one of the scopes. Responses to requests that are still running will not
    /// be stored.
    package mutating func remove(scopes: Set<String>) {
        invalidations.invalidateAll()
        responses.removeAll { $0.contains { scopes.contains($0.response.key.scope) } }
        for (name, one) in waiting where scopes.contains(one.response.key.scope) { removeWaiting(name) }
    }

    /// Removes all responses. Responses to requests that are still running will not be stored.
    package mutating func invalidateAll() {
        invalidations.invalidateAll()
        waiting = [:]
        waitingSize = 0
        removeUsed()
    }

    /// Removes the most recently used responses. The responses that wait to be written remain.
    package mutating func removeUsed() {
        responses = SegmentedLRU(maximumCost: maximumSize)
    }
}

/// Records when resources were invalidated, for a limited number of resources. If a resource is invalidated between a
/// request and its response, the response must not be stored.
struct Invalidations: Sendable {
    /// The number of invalidations so far. It serves as a logical clock.
    private(set) var current: UInt64 = 0
    private var last: [String: UInt64] = [:]
    /// The value of ``current`` at the last invalidation of all resources. It applies to each resource without an entry
    /// in ``last``.
    private var lastOfOthers: UInt64 = 0
    private let limit: Int

    init(limit: Int = 1000) {
        self.limit = limit
    }

    mutating func invalidate(_ resource: String) {
        if last.count >= limit { invalidateAll() }
        current += 1
        last[resource] = current
    }

    mutating func invalidateAll() {
        current += 1
        lastOfOthers = current
        last = [:]
    }

    /// Returns true if the resource has not been invalidated since ``current`` had the value `moment`.
    func permit(_ resource: String, since moment: UInt64) -> Bool {
        max(last[resource] ?? 0, lastOfOthers) <= moment
    }
}
