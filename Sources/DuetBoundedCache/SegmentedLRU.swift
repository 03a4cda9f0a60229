/// A cache bounded in number and in cost that keeps what is used again: a segmented LRU (Karedla, Love and Wherry, "Caching
/// strategies to improve disk system performance", 1994).
///
/// What is new goes on probation; what is used there moves to the protected segment. What is dropped comes from the entries on
/// probation, least recently used first, and from the protected ones only if there is no other. So however many entries are
/// used only once, they displace none that was used again. Each call takes constant time, beside what it drops.
///
/// A value, to be kept under the lock of whoever uses it.
public struct SegmentedLRU<Key: Hashable, Value> {
    /// The most entries.
    public let maximumCount: Int
    /// The most that all entries may cost together.
    public let maximumCost: Int
    /// The most that protected entries may cost, and how many there may be: four fifths, so that there is room for what is new.
    @usableFromInline
    let protectedCount: Int
    @usableFromInline
    let protectedCost: Int

    @usableFromInline
    struct Entry {
        /// None where the place is free.
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

    /// The entries of a segment in the order they were used.
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
    /// Where an entry stands does not change while it is there.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline var freePlaces: [Int] = []
    @usableFromInline var probation = Order()
    @usableFromInline var protected = Order()

    /// An empty cache.
    /// - Parameters:
    ///   - maximumCount: the most entries.
    ///   - maximumCost: the most that all entries may cost together, in whatever unit the caller counts, such as bytes.
    @inlinable
    public init(maximumCount: Int = .max, maximumCost: Int = .max) {
        self.maximumCount = maximumCount
        self.maximumCost = maximumCost
        protectedCount = maximumCount - maximumCount / 5
        protectedCost = maximumCost - maximumCost / 5
    }

    /// How many entries there are.
    @inlinable
    public var count: Int { places.count }

    /// What they cost together.
    @inlinable
    public var cost: Int { probation.cost + protected.cost }

    /// The value under a key, which counts as using it.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        touch(place)
        return entries[place].value
    }

    /// The value under a key, which counts as using it, where what it costs may have changed since. To make room for that, others
    /// may be dropped, and the value itself if it costs more than the whole cache may.
    @inlinable
    public mutating func use(_ key: Key, costing cost: (Value) -> Int) -> Value? {
        places[key].flatMap { use(at: $0, costing: cost) }
    }

    /// The value at a place, if the key at the place passes a test; nil otherwise. It counts as a use. A caller that remembers the result of
    /// ``place(of:)`` finds a value without the hash of its key.
    @inlinable
    public mutating func use(
        at place: Int, where isKey: (Key) -> Bool, costing cost: (Value) -> Int
    ) -> Value? {
        guard place < entries.count, let key = entries[place].key, isKey(key) else { return nil }
        return use(at: place, costing: cost)
    }

    @inlinable
    mutating func use(at place: Int, costing cost: (Value) -> Int) -> Value? {
        touch(place)
        guard let value = entries[place].value else { return nil }
        let cost = cost(value)
        if cost != entries[place].cost { _ = setCost(cost, at: place) }
        return value
    }

    /// The place of a key; nil if it is not cached. It does not change as long as the key is cached.
    @inlinable
    public func place(of key: Key) -> Int? { places[key] }

    /// The value under a key, which does not count as using it.
    @inlinable
    public func peek(_ key: Key) -> Value? {
        places[key].flatMap { entries[$0].value }
    }

    /// The keys and their values, in no order; to look at them does not count as using them.
    @inlinable
    public var elements: some Sequence<(key: Key, value: Value)> {
        places.lazy.compactMap { key, place in entries[place].value.map { (key, $0) } }
    }

    /// Keeps a value under a key, in place of one that is there. What costs more than the whole cache may is not kept.
    /// - Returns: how many other entries were dropped to make room.
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

    /// Forgets a key.
    /// - Returns: its value, if it was there.
    @discardableResult
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        return drop(place)
    }

    /// Forgets all keys whose values are of no use any more.
    /// - Returns: how many.
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

    /// What has not been used for long goes on probation again.
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

    /// Makes an entry the newest of its segment.
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
