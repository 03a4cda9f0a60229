import DuetClient
import DuetJSON
import ProcessTesting
import Testing

@Suite("Watching queries", .server())
struct WatchTests {
    @Test(
        "A watcher delivers a result, and delivers a new result when a value in the result changes",
        arguments: CacheKind.allCases)
    func change(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            var results = client.watch(EmployeesQuery(first: 3), policy: .cacheElseFetch).makeAsyncIterator()
            let row = try #require(try await results.next()?.data?.employees.nodes.first)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(EmployeeRowQuery(id: row.id)) { $0.employee?.lastName = "New" }
            }
            let second = try await results.next()
            #expect(second?.data?.employees.nodes.first?.lastName == "New")
            #expect(second?.source == .cache)
            #expect(log.count == 1)
        }
    }

    @Test("A watcher ignores changes of values that its query does not select", arguments: CacheKind.allCases)
    func otherValues(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheElseFetch)
            let (deliveries, delivered) = AsyncStream<Void>.makeStream()
            let task = Task {
                var names: [String?] = []
                for try await result in results {
                    names.append(result.data?.employee?.lastName)
                    delivered.yield()
                    if names.count == 2 { break }
                }
                return names
            }
            for await _ in deliveries { break }
            for value in ["x", "y"] {
                try await client.store.withinReadWriteTransaction { transaction in
                    try transaction.updateObject("Employee:10004") { fields in
                        fields["nickname"] = .string(value)
                        fields["lastName"] = "Koblick"
                    }
                    try transaction.updateObject("Employee:1") { $0["lastName"] = .string(value) }
                }
            }
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("Employee:10004") { $0["lastName"] = "Shown" }
            }
            #expect(try await task.value == ["Koblick", "Shown"])
        }
    }

    @Test("A value that changes and changes back between two results is not delivered", arguments: CacheKind.allCases)
    func changedBack(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            var results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheElseFetch).makeAsyncIterator()
            _ = try await results.next()
            for name in ["Other", "Koblick"] {
                try await client.store.withinReadWriteTransaction { transaction in
                    try transaction.updateObject("Employee:10004") { $0["lastName"] = .string(name) }
                }
            }
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("Employee:10004") { $0["firstName"] = "Last" }
            }
            let result = try await results.next()
            #expect(result?.data?.employee?.lastName == "Koblick")
            #expect(result?.data?.employee?.firstName == "Last")
        }
    }

    @Test("A watcher of an object delivers a new result when the object is removed", arguments: CacheKind.allCases)
    func removal(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            var results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheElseFetch).makeAsyncIterator()
            _ = try await results.next()
            try await client.store.withinReadWriteTransaction { $0.removeObject("Employee:10004") }
            let result = try await results.next()
            #expect(result?.data?.employee == nil)
            #expect(result?.missingPaths.isEmpty == false)
        }
    }

    @Test("A watcher delivers a new result when another response changes a value", arguments: CacheKind.allCases)
    func otherQuery(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.write(
                    ["employee": ["id": "10004", "firstName": "Old", "lastName": "Old"]],
                    for: EmployeeRowQuery(id: "10004"))
            }
            var results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheDontFetch).makeAsyncIterator()
            #expect(try await results.next()?.data?.employee?.lastName == "Old")
            _ = try await client.fetch(EmployeeQuery(id: "10004"))
            #expect(try await results.next()?.data?.employee?.lastName == "Koblick")
        }
    }

    @Test(
        "A watcher delivers the cached values and then the server's values if they differ",
        arguments: CacheKind.allCases)
    func cacheAndFetch(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.write(
                    ["employee": ["id": "10004", "firstName": "Old", "lastName": "Old"]],
                    for: EmployeeRowQuery(id: "10004"))
            }
            var results = client.watch(EmployeeRowQuery(id: "10004")).makeAsyncIterator()
            #expect(try await results.next()?.source == .cache)
            let fresh = try await results.next()
            #expect(fresh?.source == .server)
            #expect(fresh?.data?.employee?.lastName == "Koblick")
        }
    }

    @Test("A watcher ends when its task is canceled", arguments: CacheKind.allCases)
    func cancellation(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheElseFetch)
            let (deliveries, delivered) = AsyncStream<Void>.makeStream()
            let task = Task {
                for try await _ in results { delivered.yield() }
                delivered.finish()
            }
            for await _ in deliveries { task.cancel() }
            try await task.value
        }
    }

    @Test("A watcher that has cached values continues if the server does not respond", arguments: CacheKind.allCases)
    func offline(kind: CacheKind) async throws {
        try await kind.withCache { cache in
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let client = GraphQLClient(
                        transport: try server.graphQL,
                        store: GraphQLStore(cache: cache, policies: .employees))
                    _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
                    _ = await server.stop()
                    var results = client.watch(EmployeeRowQuery(id: "10004")).makeAsyncIterator()
                    #expect(try await results.next()?.data?.employee?.lastName == "Koblick")
                    let second = try await results.next()
                    #expect(second?.refreshError?.code == .transport)
                    #expect(second?.data?.employee?.lastName == "Koblick")
                    try await client.store.withinReadWriteTransaction { transaction in
                        try transaction.updateObject("Employee:10004") { $0["lastName"] = "Here" }
                    }
                    #expect(try await results.next()?.data?.employee?.lastName == "Here")
                }
            }
        }
    }

    /// A transport that never responds. It throws an error when its task is canceled.
    private struct NoAnswer: GraphQLTransport {
        let asked: AsyncStream<Void>.Continuation

        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            asked.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw GraphQLClientError(.cancelled, "The request was cancelled.")
        }
    }

    @Test(
        "If the task of a watcher is canceled before the first result, the watcher ends without an error",
        arguments: FetchPolicy.allCases.filter { $0 != .cacheDontFetch })
    func earlyCancellation(policy: FetchPolicy) async throws {
        let (requests, asked) = AsyncStream<Void>.makeStream()
        let results = GraphQLClient(transport: NoAnswer(asked: asked)).watch(EmployeeRowQuery(id: "1"), policy: policy)
        let task = Task {
            defer { asked.finish() }
            for try await _ in results {}
        }
        for await _ in requests { task.cancel() }
        try await task.value
    }

    @Test(
        "A watcher of a list delivers a new result when an object in the list is removed",
        arguments: CacheKind.allCases)
    func removedFromList(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            var results = client.watch(EmployeesQuery(first: 3), policy: .cacheElseFetch).makeAsyncIterator()
            let row = try #require(try await results.next()?.data?.employees.nodes.last)
            try await client.store.withinReadWriteTransaction { $0.removeObject(.entity("Employee", row.id)) }
            let result = try await results.next()
            #expect(result?.data == nil)
            #expect(result?.missingPaths.first?.pathDescription.hasPrefix("employees.nodes[2]") == true)
        }
    }
}
