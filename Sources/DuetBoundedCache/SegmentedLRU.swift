/// A cache with a limit for the number and for the cost of its entries: a segmented LRU (Karedla, Love and Wherry,
/// "Caching strategies to improve disk system performance", 1994).
///
/// A new entry is on probation. An entry on probation moves to the protected segment when it is used. The cache evicts
/// entries on probation first, the least recently used entry first. It evicts a protected entry only if no entry is on
/// probation. Therefore, entries that are used only once do not displace protected entries. Each call takes constant
/// time, plus the time for evictions. Only ``removeAll(where:)`` and ``elements`` visit all entries.
///
/// The cache is a value type. A caller that shares a cache between threads must protect it with a lock.
public struct SegmentedLRU<Key: Hashable, Value> {
    /// The maximum number of entries.
    public let maximumCount: Int
    /// The maximum total cost of the entries.
    public let maximumCost: Int
    /// The maximum number and cost of protected entries: four fifths of the limits, so that space for new entries
    /// remains.
    @usableFromInline
    let protectedCount: Int
    @usableFromInline
    let protectedCost: Int

    @usableFromInline
    struct Entry {
        /// The key; nil if the entry is free.
        @usableFromInline var key: Key?
        @usableFromInline var value: Value?
        @usableFromInline var cost: Int
        @usableFromInline var segment: Segment
        @usableFromInline var newer: Int?
        @usableFromInline var older: Int?

        @inlinable
        init(key: Key?, value: Value?, cost: Int, segment: Segment) {
            self.key = key
            self.value = value
            self.cost = cost
            self.segment = segment
        }
    }

    @usableFromInline
    enum Segment: Sendable {
        case probation
        case protected
    }

    /// The ends of a linked list that contains the entries of one segment in the order of their last use.
    @usableFromInline
    struct Order: Sendable {
        @usableFromInline var newest: Int?
        @usableFromInline var oldest: Int?
        @usableFromInline var count = 0
        @usableFromInline var cost = 0

        @inlinable
        init() {}
    }

    @usableFromInline var places: [Key: Int] = [:]
    /// The entries. The *place* of an entry is its index in this array, which does not change while the entry is
    /// cached.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline var freePlaces: [Int] = []
    @usableFromInline var probation = Order()
    @usableFromInline var protected = Order()

    /// Creates an empty cache.
    /// - Parameters:
    ///   - maximumCount: The maximum number of entries.
    ///   - maximumCost: The maximum total cost of the entries, in a unit that the caller defines, such as bytes.
    @inlinable
    public init(maximumCount: Int = .max, maximumCost: Int = .max) {
        self.maximumCount = maximumCount
        self.maximumCost = maximumCost
        protectedCount = maximumCount - maximumCount / 5
        protectedCost = maximumCost - maximumCost / 5
    }

    /// The number of entries.
    @inlinable
    public var count: Int { places.count }

    /// The total cost of the entries.
    @inlinable
    public var cost: Int { probation.cost + protected.cost }

    /// Returns the value of a key. The call counts as a use.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        touch(place)
        return entries[place].value
    }

    /// Returns the value of a key, and updates the cost of the entry. The call counts as a use. If the total cost
    /// exceeds the limit, other entries are evicted. If the cost of the entry alone exceeds the limit, the entry is
    /// evicted.
    @inlinable
    public mutating func use(_ key: Key, costing cost: (Value) -> Int) -> Value? {
        places[key].flatMap { use(at: $0, where: { _ in true }, costing: cost) }
    }

    /// Returns the value of the entry at a place, and updates the cost of the entry. Returns nil if the value does not
    /// pass a test. A call that returns the value counts as a use. A caller that stores the result of ``place(of:)``
    /// finds a value without hashing the key.
    @inlinable
    public mutating func use(
        at place: Int, where isValue: (Value) -> Bool, costing cost: (Value) -> Int
    ) -> Value? {
        guard place < entries.count, let value = entries[place].value, isValue(value) else { return nil }
        let cost = cost(value)
        touch(place)
        if cost != entries[place].cost { _ = setCost(cost, at: place) }
        return value
    }

    /// Returns the place of a key: the index of its entry. Returns nil if the key is not cached. The place does not
    /// change while the key is cached.
    @inlinable
    public func place(of key: Key) -> Int? { places[key] }

    /// Returns the value of a key. The call does not count as a use.
    @inlinable
    public func peek(_ key: Key) -> Value? {
        places[key].flatMap { entries[$0].value }
    }

    /// The keys and their values, in no particular order. Reading them does not count as a use.
    @inlinable
    public var elements: some Sequence<(key: Key, value: Value)> {
        places.lazy.compactMap { key, place in entries[place].value.map { (key, $0) } }
    }

    /// Stores a value for a key, and replaces an existing value. A value that costs more than the limit is not stored.
    /// - Returns: The number of entries that were evicted.
    @discardableResult
    @inlinable
    public mutating func insert(_ value: Value, for key: Key, cost: Int = 0) -> Int {
        if let place = places[key] {
            entries[place].value = value
            touch(place)
            return setCost(cost, at: place)
        }
        guard cost <= maximumCost, maximumCount > 0 else { return 0 }
        var dropped = 0
        while count >= maximumCount || self.cost > maximumCost - cost {
            dropOldest()
            dropped += 1
        }
        let entry = Entry(key: key, value: value, cost: cost, segment: .probation)
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        places[key] = place
        link(place)
        return dropped
    }

    /// Removes a key.
    /// - Returns: The value of the key, if it was cached.
    @discardableResult
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        return drop(place)
    }

    /// Removes all keys whose values match a predicate.
    /// - Returns: The number of removed keys.
    @discardableResult
    @inlinable
    public mutating func removeAll(where isStale: (Value) -> Bool) -> Int {
        let stale = entries.indices.filter { place in entries[place].value.map(isStale) ?? false }
        for place in stale { _ = drop(place) }
        return stale.count
    }

    // MARK: - Order of use

    @inlinable
    mutating func touch(_ place: Int) {
        if protected.newest == place { return }
        unlink(place)
        entries[place].segment = .protected
        link(place)
        shrinkProtected()
    }

    /// Moves the least recently used protected entries back to probation until the protected segment is within its
    /// limits.
    @inlinable
    mutating func shrinkProtected() {
        while let oldest = protected.oldest, oldest != protected.newest,
            protected.count > protectedCount || protected.cost > protectedCost
        {
            unlink(oldest)
            entries[oldest].segment = .probation
            link(oldest)
        }
    }

    @inlinable
    mutating func setCost(_ cost: Int, at place: Int) -> Int {
        guard entries[place].cost != cost else { return 0 }
        unlink(place)
        entries[place].cost = cost
        link(place)
        var dropped = 0
        if cost > maximumCost {
            _ = drop(place)
            dropped += 1
        }
        shrinkProtected()
        while self.cost > maximumCost {
            dropOldest()
            dropped += 1
        }
        return dropped
    }

    @inlinable
    mutating func dropOldest() {
        if let oldest = probation.oldest ?? protected.oldest { _ = drop(oldest) }
    }

    @inlinable
    mutating func drop(_ place: Int) -> Value? {
        unlink(place)
        if let key = entries[place].key { places[key] = nil }
        freePlaces.append(place)
        defer {
            entries[place].key = nil
            entries[place].value = nil
        }
        return entries[place].value
    }

    // MARK: - Links

    @inlinable
    mutating func unlink(_ place: Int) {
        let (newer, older, cost) = (entries[place].newer, entries[place].older, entries[place].cost)
        if let newer { entries[newer].older = older }
        if let older { entries[older].newer = newer }
        change(entries[place].segment) { order in
            if order.newest == place { order.newest = older }
            if order.oldest == place { order.oldest = newer }
            order.count -= 1
            order.cost -= cost
        }
        entries[place].newer = nil
        entries[place].older = nil
    }

    /// Links an entry as the newest of its segment.
    @inlinable
    mutating func link(_ place: Int) {
        let (segment, cost) = (entries[place].segment, entries[place].cost)
        let newest = segment == .probation ? probation.newest : protected.newest
        entries[place].older = newest
        if let newest { entries[newest].newer = place }
        change(segment) { order in
            order.newest = place
            if order.oldest == nil { order.oldest = place }
            order.count += 1
            order.cost += cost
        }
    }

    @inlinable
    mutating func change(_ segment: Segment, _ body: (inout Order) -> Void) {
        switch segment {
        case .probation: body(&probation)
        case .protected: body(&protected)
        }
    }
}

extension SegmentedLRU: Sendable where Key: Sendable, Value: Sendable {}
extension SegmentedLRU.Entry: Sendable where Key: Sendable, Value: Sendable {}
