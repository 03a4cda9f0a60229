import DuetClient
import DuetJSON
import Testing

@Suite("Clearing a store while operations are pending")
struct ClearTests {
    /// The signals of a transport. The transport sets `arrived` when it receives an operation, and responds when a test
    /// sets `isOpen`.
    private struct Line {
        let arrived = Signal()
        let isOpen = Signal()

        func answers(_ body: String) -> Answers {
            Answers { _ in
                arrived.set()
                await isOpen.wait()
                return body
            }
        }
    }

    private struct Rename: GraphQLMutation {
        struct Data: DataDecodable {
            let employee: EmployeeRow?
            init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
        }
    }

    private static func keys(in store: GraphQLStore) async throws -> [CacheKey] {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in try transaction.keys() }
    }

    @Test(
        "If a query is sent before a clear, its response is returned but not cached",
        arguments: CacheKind.allCases)
    func query(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let line = Line()
            let client = GraphQLClient(
                transport: line.answers(Answers.employee()), store: GraphQLStore(cache: cache, policies: .employees))
            async let fetched = client.fetch(EmployeeRowQuery(id: "1"))
            await line.arrived.wait()
            try await client.store.clear()
            line.isOpen.set()
            #expect(try await fetched.data?.employee?.lastName == "A")
            #expect(try await Self.keys(in: client.store).isEmpty)
            // A response with the same bytes is cached if its request is sent after the clear.
            _ = try await client.fetch(EmployeeRowQuery(id: "1"))
            #expect(try await Self.keys(in: client.store).count == 2)
        }
    }

    @Test(
        "A clear removes the optimistic update of a pending mutation. The response to the mutation is not cached",
        arguments: CacheKind.allCases)
    func mutation(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let store = GraphQLStore(cache: cache, policies: .employees)
            _ = try await GraphQLClient(transport: ConstantAnswer(Answers.employee()), store: store).fetch(
                EmployeeRowQuery(id: "1"))
            let line = Line()
            let client = GraphQLClient(transport: line.answers(Answers.employee(lastName: "Answer")), store: store)
            async let performed = client.perform(Rename()) { transaction in
                try transaction.updateObject("Employee:1") { $0["lastName"] = "Guess" }
            }
            await line.arrived.wait()
            let shown = try await client.fetch(EmployeeRowQuery(id: "1"), policy: .cacheDontFetch)
            #expect(shown.data?.employee?.lastName == "Guess")
            try await store.clear()
            #expect(try await Self.keys(in: store).isEmpty)
            line.isOpen.set()
            #expect(try await performed.data?.employee?.lastName == "Answer")
            #expect(try await Self.keys(in: store).isEmpty)
        }
    }

    @Test("If the store is cleared while the missing part of a query is requested, the client fetches the whole query")
    func missingPart() async throws {
        let store = GraphQLStore(policies: .employees)
        _ = try await GraphQLClient(transport: ConstantAnswer(Answers.employee()), store: store).fetch(
            EmployeeRowQuery(id: "1"))
        let whole = """
            {"data":{"employee":{"id":"1","firstName":"Ada","lastName":"New","titles":[],"currentTitles":[]}}}
            """
        let line = Line()
        let log = RequestLog()
        let client = GraphQLClient(transport: line.answers(whole), store: store, interceptors: [log])
        async let fetched = client.fetchMissing(EmployeeQuery(id: "1"))
        await line.arrived.wait()
        try await store.clear()
        line.isOpen.set()
        let result = try await fetched
        #expect(result.source == .server)
        #expect(result.data?.employee?.row.lastName == "New")
        #expect(log.count == 2)
    }

    @Test("After a clear, a watcher delivers a new result without the earlier values")
    func watcher() async throws {
        let store = GraphQLStore(policies: .employees)
        let client = GraphQLClient(transport: ConstantAnswer(Answers.employee()), store: store)
        var results = client.watch(EmployeeRowQuery(id: "1"), policy: .cacheElseFetch).makeAsyncIterator()
        #expect(try await results.next()?.data?.employee?.lastName == "A")
        try await store.clear()
        let cleared = try await results.next()
        #expect(cleared?.data?.employee == nil)
        #expect(cleared?.missingPaths.isEmpty == false)
    }
}
