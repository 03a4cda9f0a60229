import DuetClient
import DuetJSON
import Testing

@Suite("The size limit of an in-memory normalized cache")
struct InMemoryCacheTests {
    private static let bound = 20_000

    private static func store() -> (GraphQLStore, InMemoryNormalizedCache) {
        let cache = InMemoryNormalizedCache(maximumBytes: bound)
        return (GraphQLStore(cache: cache, policies: .employees), cache)
    }

    private static func write(_ id: Int, in store: GraphQLStore) async throws {
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(
                ["employee": ["id": .string("\(id)"), "firstName": "Ada", "lastName": "A"]],
                for: EmployeeRowQuery(id: "\(id)"))
        }
    }

    @Test("If the cache exceeds the size limit, the least recently read records are evicted first")
    func leastRecentlyUsed() async throws {
        let (store, cache) = Self.store()
        for id in 0...400 {
            try await Self.write(id, in: store)
            #expect(cache.byteCount <= Self.bound)
            #expect(cache.record(for: "Employee:0") != nil)
        }
        #expect(cache.record(for: "Employee:400") != nil)
        #expect(cache.record(for: "Employee:1") == nil)
    }

    @Test("Records that no other record refers to are evicted before all other records")
    func unreachable() async throws {
        let (store, cache) = Self.store()
        try await Self.write(0, in: store)
        try await store.withinReadWriteTransaction { transaction in
            try transaction.updateObject("Orphan") { $0["text"] = .string(String(repeating: "o", count: 6000)) }
        }
        for id in 1...400 {
            try await Self.write(id, in: store)
            if cache.record(for: "Orphan") == nil { break }
        }
        #expect(cache.record(for: "Orphan") == nil)
        #expect(cache.record(for: "Employee:0") != nil)
    }

    @Test("Records in the result of a watched query are not evicted")
    func watched() async throws {
        let (store, cache) = Self.store()
        let client = GraphQLClient(transport: ConstantAnswer(Answers.employee("0")), store: store)
        var results = client.watch(EmployeeRowQuery(id: "0"), policy: .cacheElseFetch).makeAsyncIterator()
        #expect(try await results.next()?.data?.employee?.lastName == "A")
        for id in 1...400 { try await Self.write(id, in: store) }
        #expect(cache.byteCount <= Self.bound)
        let keys = Set(cache.keys())
        #expect(keys.contains("Employee:0"))
        #expect(!keys.contains("Employee:1"))
        try await store.withinReadWriteTransaction { transaction in
            try transaction.updateObject("Employee:0") { $0["lastName"] = "New" }
        }
        #expect(try await results.next()?.data?.employee?.lastName == "New")
    }

    @Test("A response above the size limit is cached when the client receives it again for a watched query")
    func repeated() async throws {
        let (store, cache) = Self.store()
        let body = Answers.employee(lastName: String(repeating: "n", count: 2 * Self.bound))
        let client = GraphQLClient(transport: ConstantAnswer(body), store: store)
        let query = EmployeeRowQuery(id: "1")
        var results = client.watch(query, policy: .fetchIgnoringCacheData).makeAsyncIterator()
        #expect(try await results.next()?.data?.employee?.id == "1")
        #expect(cache.record(for: "Employee:1") == nil)
        _ = try await client.fetch(query, policy: .fetchIgnoringCacheData)
        #expect(try await client.fetch(query, policy: .cacheDontFetch).data?.employee?.id == "1")
        _ = results
    }

    @Test("After an eviction, no field of the root record refers to a removed record", arguments: CacheKind.allCases)
    func root(kind: CacheKind) async throws {
        try await kind.withCache(maximumBytes: Self.bound) { cache in
            let store = GraphQLStore(cache: cache, policies: .employees)
            for id in 1...400 { try await Self.write(id, in: store) }
            let keys = Set(try cache.keys())
            let root = try #require(try cache.record(for: .queryRoot))
            #expect(root.keys.count < 400)
            for case .reference(let key) in root.values { #expect(keys.contains(key)) }
            let last = try await store.withinReadTransaction { (transaction) throws(StoreError) in
                try transaction.read(EmployeeRowQuery(id: "400"))
            }
            #expect(last.isComplete)
        }
    }
}
