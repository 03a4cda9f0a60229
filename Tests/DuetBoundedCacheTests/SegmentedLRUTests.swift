import DuetBoundedCache
import SeededTesting
import Testing

@Suite("A segmented LRU cache")
struct SegmentedLRUTests {
    @Test("Among the entries that were not used after their insertion, the oldest entry is evicted first")
    func probation() {
        var cache = SegmentedLRU<Int, String>(maximumCount: 3)
        for key in 1...3 { cache.insert("\(key)", for: key) }
        #expect(cache.insert("4", for: 4) == 1)
        #expect((1...4).map { cache.peek($0) } == [nil, "2", "3", "4"])
    }

    @Test("Any number of new entries does not evict entries that were used after their insertion")
    func flood() {
        var cache = SegmentedLRU<Int, Int>(maximumCount: 100, maximumCost: 10_000)
        for key in 0..<80 {
            cache.insert(key, for: key, cost: 100)
            _ = cache.use(key)
        }
        for key in 1_000..<20_000 { cache.insert(key, for: key, cost: 1 + key % 500) }
        #expect((0..<80).allSatisfy { cache.peek($0) == $0 })
        #expect(cache.count <= 100)
        #expect(cache.cost <= 10_000)
    }

    @Test("Among the entries that were used after their insertion, the least recently used is evicted first")
    func demotion() {
        var cache = SegmentedLRU<Int, Int>(maximumCount: 10)
        for key in 0..<50 {
            cache.insert(key, for: key)
            _ = cache.use(key)
        }
        #expect((42..<50).allSatisfy { cache.peek($0) != nil })
        #expect((0..<40).allSatisfy { cache.peek($0) == nil })
    }

    @Test("A value that costs more than the maximum of the cache is not stored and evicts no entry")
    func tooDear() {
        var cache = SegmentedLRU<String, Int>(maximumCost: 10)
        cache.insert(1, for: "a", cost: 5)
        #expect(cache.insert(2, for: "b", cost: 11) == 0)
        #expect(cache.peek("b") == nil)
        #expect(cache.peek("a") == 1)
        #expect(cache.use("a", costing: { _ in 11 }) == 1)
        #expect(cache.count == 0)
        #expect(cache.cost == 0)
    }

    @Test("An evicted value is released")
    func release() {
        final class Value {}
        var cache = SegmentedLRU<Int, Value>(maximumCount: 1)
        weak var first: Value?
        do {
            let value = Value()
            first = value
            cache.insert(value, for: 1)
        }
        #expect(first != nil)
        cache.insert(Value(), for: 2)
        #expect(first == nil)
    }

    /// A simple model of the cache with two lists. The first element of a list is the entry that was used or inserted
    /// last.
    private struct Model {
        let maximumCount: Int
        let maximumCost: Int
        var probation: [(key: Int, value: Int, cost: Int)] = []
        var protected: [(key: Int, value: Int, cost: Int)] = []

        var all: [(key: Int, value: Int, cost: Int)] { protected + probation }
        var cost: Int { all.reduce(0) { $0 + $1.cost } }

        mutating func use(_ key: Int) -> Int? {
            guard let entry = all.first(where: { $0.key == key }) else { return nil }
            remove(key)
            protected.insert(entry, at: 0)
            shrink()
            return entry.value
        }

        mutating func insert(_ value: Int, _ key: Int, _ cost: Int) {
            if use(key) != nil {
                protected[0].value = value
                protected[0].cost = cost
                if cost > maximumCost { remove(key) }
                shrink()
                while self.cost > maximumCost { drop() }
                return
            }
            if cost > maximumCost { return }
            while all.count >= maximumCount || self.cost + cost > maximumCost { drop() }
            probation.insert((key, value, cost), at: 0)
        }

        mutating func remove(_ key: Int) {
            probation.removeAll { $0.key == key }
            protected.removeAll { $0.key == key }
        }

        private mutating func shrink() {
            while protected.count > 1,
                protected.count > maximumCount - maximumCount / 5
                    || protected.reduce(0, { $0 + $1.cost }) > maximumCost - maximumCost / 5
            {
                probation.insert(protected.removeLast(), at: 0)
            }
        }

        private mutating func drop() {
            if probation.isEmpty { protected.removeLast() } else { probation.removeLast() }
        }
    }

    @Test(
        "Random operations have the same results as in a model of two plain lists", arguments: TestScale.fixedSeeds(20))
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = SegmentedLRU<Int, Int>(maximumCount: 8, maximumCost: 60)
        var model = Model(maximumCount: 8, maximumCost: 60)
        for step in 0..<TestScale.count(750) {
            let key = random.below(20)
            switch random.below(8) {
            case 0..<4: #expect(cache.use(key) == model.use(key))
            case 4..<7:
                let cost = random.below(65)
                cache.insert(step, for: key, cost: cost)
                model.insert(step, key, cost)
            default:
                cache.remove(key)
                model.remove(key)
            }
            #expect(cache.count == model.all.count)
            #expect(cache.cost == model.cost)
            for key in 0..<20 { #expect(cache.peek(key) == model.all.first { $0.key == key }?.value) }
        }
        #expect(
            Dictionary(uniqueKeysWithValues: cache.elements.map { ($0.key, $0.value) })
                == Dictionary(uniqueKeysWithValues: model.all.map { ($0.key, $0.value) }))
        let stale = model.all.filter { $0.value.isMultiple(of: 2) }
        #expect(cache.removeAll { $0.isMultiple(of: 2) } == stale.count)
        #expect(cache.count == model.all.count - stale.count)
    }
}
