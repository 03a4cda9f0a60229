import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

@testable import DuetClient

@Suite("A store with several callers")
struct CallerStoreTests {
    /// Calls a closure with a store whose caches are of one kind.
    private static func withStore<Value>(
        _ kind: CacheKind, caller: CurrentCaller = CurrentCaller(identity: "anna"),
        _ body: (GraphQLStore, CurrentCaller) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let store =
                switch kind {
                case .memory: GraphQLStore(caller: caller, policies: .employees)
                case .sqlite:
                    GraphQLStore(caller: caller, policies: .employees) { identity throws(CacheError) in
                        try SQLiteNormalizedCache(in: folder, identity: identity)
                    }
                }
            return try await body(store, caller)
        }
    }

    /// A transport whose responses contain the identity of the caller as the last name.
    private static let names = IdentityAnswers()

    private struct IdentityAnswers: GraphQLTransport {
        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            let body = Answers.employee(lastName: request.caller?.identity ?? "anonymous")
            return GraphQLReply(
                HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]), body: Array(body.utf8))
        }
    }

    private struct Rename: GraphQLMutation {
        struct Data: DataDecodable {
            let employee: EmployeeRow?
            init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
        }
    }

    private static func keys(in store: GraphQLStore) async throws -> Int {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in try transaction.keys().count }
    }

    /// Starts a task.
    private static func begin<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task { try await body() }
    }

    private static let query = EmployeeRowQuery(id: "1")

    @Test("Each caller reads only the records of responses to this caller", arguments: CacheKind.allCases)
    func separate(kind: CacheKind) async throws {
        try await Self.withStore(kind) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            for identity in ["anna", "berta", nil, ""] {
                caller.change(to: identity)
                let error = await #expect(throws: GraphQLClientError.self) {
                    try await client.fetch(Self.query, policy: .cacheDontFetch)
                }
                #expect(error?.code == .cacheMiss)
                #expect(try await Self.keys(in: store) == 0)
                let name = identity ?? "anonymous"
                #expect(try await client.fetch(Self.query).data?.employee?.lastName == name)
                let cached = try await client.fetch(Self.query, policy: .cacheDontFetch)
                #expect(cached.data?.employee?.lastName == name)
            }
            // Files still have the records of former callers, and caches in memory do not.
            caller.change(to: "anna")
            #expect(try await Self.keys(in: store) == (kind == .sqlite ? 2 : 0))
        }
    }

    @Test(
        "The response to a request of a former caller is neither returned nor cached for the new caller",
        arguments: CacheKind.allCases, FetchPolicy.allCases.filter { $0 != .cacheDontFetch })
    func inFlight(kind: CacheKind, policy: FetchPolicy) async throws {
        try await Self.withStore(kind) { store, caller async throws in
            let (arrived, release) = (Signal(), Signal())
            let answers = Answers { request in
                arrived.set()
                await release.wait()
                return Answers.employee(lastName: request.caller?.identity ?? "")
            }
            let client = GraphQLClient(transport: answers, store: store)
            let former = Self.begin { try await client.fetch(Self.query, policy: policy) }
            await arrived.wait()
            caller.change(to: "berta")
            release.set()
            let error = await #expect(throws: GraphQLClientError.self) { try await former.value }
            #expect(error?.code == .callerChanged)
            #expect(try await Self.keys(in: store) == 0)
            caller.change(to: "anna")
            #expect(try await Self.keys(in: store) == 0)
        }
    }

    @Test("If the caller changes and changes back before a response arrives, the response is discarded")
    func changedBack() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let (arrived, release) = (Signal(), Signal())
            let answers = Answers { _ in
                arrived.set()
                await release.wait()
                return Answers.employee()
            }
            let former = Self.begin { try await GraphQLClient(transport: answers, store: store).fetch(Self.query) }
            await arrived.wait()
            caller.change(to: "berta")
            caller.change(to: "anna")
            release.set()
            let error = await #expect(throws: GraphQLClientError.self) { try await former.value }
            #expect(error?.code == .callerChanged)
            #expect(try await Self.keys(in: store) == 0)
        }
    }

    @Test("If the caller changes while the missing part of a query is requested, nothing is cached or returned")
    func missingPart() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            _ = try await GraphQLClient(transport: Self.names, store: store).fetch(Self.query)
            let answers = Answers { _ in
                caller.change(to: "berta")
                return #"{"data":{"employee":{"id":"1","titles":[],"currentTitles":[]}}}"#
            }
            let error = await #expect(throws: GraphQLClientError.self) {
                try await GraphQLClient(transport: answers, store: store).fetchMissing(EmployeeQuery(id: "1"))
            }
            #expect(error?.code == .callerChanged)
            #expect(try await Self.keys(in: store) == 0)
        }
    }

    @Test("If the caller changes while the cache is read, the cached result is not returned")
    func duringRead() async throws {
        let caller = CurrentCaller(identity: "anna")
        let isArmed = Mutex(false)
        let store = GraphQLStore(caller: caller, policies: .employees) { _ in
            ObservedCache { if isArmed.withLock({ $0 }) { caller.change(to: "berta") } }
        }
        let client = GraphQLClient(transport: Self.names, store: store)
        _ = try await client.fetch(Self.query)
        isArmed.withLock { $0 = true }
        let error = await #expect(throws: GraphQLClientError.self) { try await client.fetch(Self.query) }
        #expect(error?.code == .callerChanged)
    }

    /// A cache that calls a closure before each read.
    private struct ObservedCache: NormalizedCache {
        private let base = InMemoryNormalizedCache()
        let willRead: @Sendable () -> Void

        func record(for key: CacheKey) -> Record? {
            willRead()
            return base.record(for: key)
        }

        func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) { base.apply(changes, inUse: inUse) }
        func keys() -> [CacheKey] { base.keys() }
        func removeAll() { base.removeAll() }
    }

    @Test("An equal response to another caller is merged into the cache of that caller", arguments: CacheKind.allCases)
    func equalResponse(kind: CacheKind) async throws {
        try await Self.withStore(kind) { store, caller async throws in
            let client = GraphQLClient(
                transport: ConstantAnswer(Answers.employee(), headerFields: [.cacheControl: "max-age=60"]),
                store: store)
            for identity in ["anna", "berta"] {
                caller.change(to: identity)
                _ = try await client.fetch(Self.query, policy: .fetchIgnoringCacheData)
                #expect(try await Self.keys(in: store) == 2)
            }
        }
    }

    @Test("A watch ends when the caller changes, and a new watch delivers the data of the new caller")
    func watch() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            let (waiting, isWaiting) = AsyncStream<Void>.makeStream()
            let task = Self.begin {
                var names: [String?] = []
                for try await result in client.watch(Self.query, policy: .cacheElseFetch) {
                    names.append(result.data?.employee?.lastName)
                    isWaiting.yield()
                }
                return names
            }
            for await _ in waiting { break }
            caller.change(to: "berta")
            #expect(try await task.value == ["anna"])
            var results = client.watch(Self.query).makeAsyncIterator()
            #expect(try await results.next()?.data?.employee?.lastName == "berta")
        }
    }

    @Test("A watch of a former caller does not deliver changes of the new caller's records")
    func watchAfterChange() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            var results = client.watch(Self.query, policy: .cacheElseFetch).makeAsyncIterator()
            #expect(try await results.next()?.data?.employee?.lastName == "anna")
            caller.change(to: "berta")
            _ = try await client.fetch(Self.query)
            #expect(try await results.next() == nil)
            caller.change(to: "anna")
            #expect(try await results.next() == nil)
        }
    }

    @Test("A watch whose request is pending ends without a result when the caller changes")
    func pendingWatch() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let answers = Answers { _ in
                caller.change(to: "berta")
                return Answers.employee(lastName: "anna")
            }
            var results = GraphQLClient(transport: answers, store: store).watch(Self.query).makeAsyncIterator()
            #expect(try await results.next() == nil)
        }
    }

    @Test("After its iteration, a watch does not observe the caller")
    func observers() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            let before = caller.observerCount
            for _ in 0..<3 {
                for try await _ in client.watch(Self.query, policy: .cacheElseFetch) { break }
            }
            #expect(caller.observerCount == before)
        }
    }

    @Test("The results of a policy do not continue with the data of a new caller")
    func policyResults() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            _ = try await client.fetch(Self.query)
            var results = client.results(of: Self.query, policy: .cacheAndFetch).makeAsyncIterator()
            #expect(try await results.next()?.data?.employee?.lastName == "anna")
            caller.change(to: "berta")
            let error = await #expect(throws: GraphQLClientError.self) { try await results.next() }
            #expect(error?.code == .callerChanged)
            #expect(try await Self.keys(in: store) == 0)
        }
    }

    @Test(
        "An optimistic update is discarded when the caller changes, and the response to the mutation is not cached",
        arguments: CacheKind.allCases)
    func optimisticUpdate(kind: CacheKind) async throws {
        try await Self.withStore(kind) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            _ = try await client.fetch(Self.query)
            let (arrived, release, runs) = (Signal(), Signal(), Counter())
            let line = Answers { _ in
                arrived.set()
                await release.wait()
                return Answers.employee(lastName: "Answer")
            }
            let performed = Self.begin {
                try await GraphQLClient(transport: line, store: store).perform(Rename()) { transaction in
                    runs.increment()
                    try transaction.updateObject("Employee:1") { $0["lastName"] = "Guess" }
                }
            }
            await arrived.wait()
            let shown = try await client.fetch(Self.query, policy: .cacheDontFetch)
            #expect(shown.data?.employee?.lastName == "Guess")
            caller.change(to: "berta")
            #expect(try await client.fetch(Self.query).data?.employee?.lastName == "berta")
            #expect(runs.value == 1)
            release.set()
            let error = await #expect(throws: GraphQLClientError.self) { try await performed.value }
            #expect(error?.code == .callerChanged)
            let cached = try await client.fetch(Self.query, policy: .cacheDontFetch)
            #expect(cached.data?.employee?.lastName == "berta")
            caller.change(to: "anna")
            #expect(try await client.fetch(Self.query).data?.employee?.lastName == "anna")
        }
    }

    @Test("A transaction that begins after the caller has changed neither reads nor writes records")
    func transactions() async throws {
        try await Self.withStore(.memory) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            let former = caller.current
            _ = try await client.fetch(Self.query)
            caller.change(to: "berta")
            _ = try await client.fetch(Self.query)
            let written = await #expect(throws: CacheError.self) {
                try await store.withinReadWriteTransaction(as: former) { transaction in
                    try transaction.updateObject("Employee:1") { $0["lastName"] = "anna" }
                }
            }
            #expect(written?.code == .closed)
            let read = await #expect(throws: StoreError.self) {
                try await store.withinReadTransaction(as: former) { (transaction) throws(StoreError) in
                    try transaction.keys()
                }
            }
            guard case .cache(let error)? = read else { throw GraphQLClientError(.cache, "no error of the cache") }
            #expect(error.code == .closed)
            let cached = try await client.fetch(Self.query, policy: .cacheDontFetch)
            #expect(cached.data?.employee?.lastName == "berta")
        }
    }

    @Test("clear() removes the records of the current caller only", arguments: CacheKind.allCases)
    func clear(kind: CacheKind) async throws {
        try await Self.withStore(kind) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            _ = try await client.fetch(Self.query)
            caller.change(to: "berta")
            _ = try await client.fetch(Self.query)
            try await store.clear()
            #expect(try await Self.keys(in: store) == 0)
            caller.change(to: "anna")
            #expect(try await Self.keys(in: store) == (kind == .sqlite ? 2 : 0))
        }
    }

    @Test("The records of a former caller can be removed")
    func removeRecords() async throws {
        try await Self.withStore(.sqlite) { store, caller async throws in
            let client = GraphQLClient(transport: Self.names, store: store)
            _ = try await client.fetch(Self.query)
            caller.change(to: "berta")
            _ = try await client.fetch(Self.query)
            try await store.removeRecords(ofCaller: "anna")
            #expect(try await Self.keys(in: store) == 2)
            caller.change(to: "anna")
            #expect(try await Self.keys(in: store) == 0)
        }
    }

    @Test("If the cache of a caller cannot be opened, the client continues without it and reports the error")
    func openingFails() async throws {
        let caller = CurrentCaller(identity: "anna")
        let store = GraphQLStore(caller: caller, policies: .employees) { identity throws(CacheError) in
            if identity == "anna" { throw CacheError(.corrupt, "damaged") }
            return InMemoryNormalizedCache()
        }
        let failures = Failures()
        let client = GraphQLClient(transport: Self.names, store: store, onCacheError: failures.add)
        #expect(try await client.fetch(Self.query).data?.employee?.lastName == "anna")
        #expect(failures.codes.allSatisfy { $0 == .corrupt } && !failures.codes.isEmpty)
        let count = failures.codes.count
        caller.change(to: "berta")
        _ = try await client.fetch(Self.query)
        #expect(try await client.fetch(Self.query, policy: .cacheDontFetch).source == .cache)
        #expect(failures.codes.count == count)
    }

    @Test("The names of the files contain no identity, and files of different identities differ")
    func fileNames() throws {
        let folder = URL(filePath: "/tmp")
        let names = ["anna", "ANNA", "", nil, "../x"].map {
            SQLiteNormalizedCache.file(in: folder, identity: $0).lastPathComponent
        }
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /graphql-[0-9a-f]{32}\.sqlite/) != nil) }
    }
}
