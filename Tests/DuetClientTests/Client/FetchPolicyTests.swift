import DuetClient
import DuetJSON
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Fetch policies", .server())
struct FetchPolicyTests {
    @Test(
        "By default, the client sends a request only if the data is not cached",
        arguments: CacheKind.allCases)
    func cacheElseFetch(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let first = try await client.fetch(EmployeeQuery(id: "10004"))
            #expect(first.source == .server)
            #expect(first.data?.employee?.row.lastName == "Koblick")
            let second = try await client.fetch(EmployeeQuery(id: "10004"))
            #expect(second.source == .cache)
            #expect(second.data == first.data)
            #expect(log.count == 1)
        }
    }

    @Test(
        "A query for a single object reads the cache if an earlier list contained the object",
        arguments: CacheKind.allCases)
    func lookup(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let list = try await client.fetch(EmployeesQuery(first: 3))
            let row = try #require(list.data?.employees.nodes.last)
            let result = try await client.fetch(EmployeeRowQuery(id: row.id))
            #expect(result.data?.employee == row)
            #expect(log.count == 1)
        }
    }

    @Test(
        "The policy that ignores cached data fetches from the server and caches the response",
        arguments: CacheKind.allCases)
    func ignoringData(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            for _ in 0..<2 {
                let result = try await client.fetch(EmployeeQuery(id: "10004"), policy: .fetchIgnoringCacheData)
                #expect(result.source == .server)
            }
            #expect(log.count == 2)
            #expect(try await client.fetch(EmployeeQuery(id: "10004")).source == .cache)
        }
    }

    @Test("The policy that ignores the cache completely leaves the cache empty", arguments: CacheKind.allCases)
    func ignoringCompletely(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let result = try await client.fetch(EmployeeQuery(id: "10004"), policy: .fetchIgnoringCacheCompletely)
            #expect(result.data?.employee?.row.id == "10004")
            let error = await #expect(throws: GraphQLClientError.self) {
                try await client.fetch(EmployeeQuery(id: "10004"), policy: .cacheDontFetch)
            }
            #expect(error?.code == .cacheMiss)
            #expect(log.count == 1)
        }
    }

    @Test(
        "The cache-only policy returns cached data, or throws an error with the paths of missing data",
        arguments: CacheKind.allCases)
    func cacheDontFetch(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004"), policy: .cacheDontFetch).source == .cache)
            let error = await #expect(throws: GraphQLClientError.self) {
                try await client.fetch(EmployeeQuery(id: "10004"), policy: .cacheDontFetch)
            }
            #expect(
                error?.missingPaths.map(\.pathDescription).sorted() == ["employee.currentTitles", "employee.titles"])
            #expect(log.count == 1)
        }
    }

    @Test(
        "The cache-and-fetch policy delivers the cached result and then the server's result",
        arguments: CacheKind.allCases)
    func cacheAndFetch(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(EmployeeQuery(id: "10004"))
            var sources: [GraphQLResult<EmployeeScreen>.Source] = []
            for try await result in client.results(of: EmployeeQuery(id: "10004"), policy: .cacheAndFetch) {
                sources.append(result.source)
            }
            #expect(sources == [.cache, .server])
        }
    }

    @Test(
        "The cache-and-fetch policy delivers only the server's result if nothing is cached",
        arguments: CacheKind.allCases)
    func cacheAndFetchWithoutCache(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            var sources: [GraphQLResult<EmployeeScreen>.Source] = []
            for try await result in client.results(of: EmployeeQuery(id: "10004"), policy: .cacheAndFetch) {
                sources.append(result.source)
            }
            #expect(sources == [.server])
        }
    }

    @Test(
        "If the server does not respond, the network-else-cache policy returns the cached data and the error",
        arguments: CacheKind.allCases
    )
    func networkElseCache(kind: CacheKind) async throws {
        try await kind.withCache { cache in
            let store = GraphQLStore(cache: cache, policies: .employees)
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let client = GraphQLClient(transport: try server.graphQL, store: store)
                    let online = try await client.fetch(EmployeeQuery(id: "10004"), policy: .networkElseCache)
                    #expect(online.source == .server)
                    _ = await server.stop()
                    let offline = try await client.fetch(EmployeeQuery(id: "10004"), policy: .networkElseCache)
                    #expect(offline.source == .cache)
                    #expect(offline.data == online.data)
                    #expect(offline.refreshError?.code == .transport)
                    let error = await #expect(throws: GraphQLClientError.self) {
                        try await client.fetch(EmployeeQuery(id: "10005"), policy: .networkElseCache)
                    }
                    #expect(error?.code == .transport)
                }
            }
        }
    }

    @Test("Fields are fetched again after their time to live", arguments: CacheKind.allCases)
    func timeToLive(cache: CacheKind) async throws {
        let clock = TestClock()
        var policies = CachePolicies.employees
        policies.timeToLive.types = ["Query": .seconds(1000), "Employee": .seconds(1000)]
        policies.timeToLive.fields = ["Employee.lastName": .seconds(100)]
        try await cache.withClient(policies: policies, clock: clock.now) { client, log in
            _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
            clock.advance(by: .seconds(99))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004")).source == .cache)
            clock.advance(by: .seconds(1))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004")).source == .server)
            // A response with the same bytes makes its fields fresh again.
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004")).source == .cache)
            clock.advance(by: .seconds(5000))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004"), policy: .cacheDontFetch).source == .cache)
        }
    }

    @Test("Fields are fetched again after the max-age of their response", arguments: CacheKind.allCases)
    func cacheControl(cache: CacheKind) async throws {
        let transport = try Server.shared.graphQL
        let reply = try await transport.send(
            GraphQLRequest(try EmployeeRowQuery.document(), variables: ["id": "10004"]))
        let maximumAge = try #require(reply.head.headerFields[.cacheControl]?.firstMatch(of: /max-age=(\d+)/)?.1)
        let clock = TestClock()
        try await cache.withClient(clock: clock.now) { client, log in
            _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
            clock.advance(by: .seconds((Int(maximumAge) ?? 0) - 1))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004")).source == .cache)
            clock.advance(by: .seconds(1))
            #expect(try await client.fetch(EmployeeRowQuery(id: "10004")).source == .server)
        }
    }

    @Test("A null result for an unknown employee is cached", arguments: CacheKind.allCases)
    func null(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let result = try await client.fetch(EmployeeQuery(id: "1"))
            #expect(result.data != nil)
            #expect(result.data?.employee == nil)
            #expect(try await client.fetch(EmployeeQuery(id: "1")).source == .cache)
        }
    }

    private struct Wrong: DataDecodable {
        let employee: EmployeeRow?
        let nonsense: String?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": "10004"])
            nonsense = try decoder.value("nonsense")
        }
    }

    @Test("Errors of the service are part of the result", arguments: CacheKind.allCases)
    func serviceErrors(cache: CacheKind) async throws {
        struct Query: GraphQLQuery { typealias Data = Wrong }
        try await cache.withClient { client, log in
            let result = try await client.fetch(Query())
            #expect(result.data == nil)
            #expect(result.errors.first?.message.contains("nonsense") == true)
            #expect(throws: GraphQLResponseError.self) { _ = try result.get() }
        }
    }

    @Test(
        "The header fields Cache-Control and Age determine how long cached values are fresh",
        arguments: [
            ("max-age=60", nil, 60), ("max-age=60", "55", 5), ("max-age=60", "70", 0), ("no-cache, max-age=60", nil, 0),
        ] as [(String, String?, Int)])
    func freshness(control: String, age: String?, seconds: Int) async throws {
        let clock = TestClock()
        var fields: HTTPFields = [.cacheControl: control]
        fields[.age] = age
        let answer = ConstantAnswer(
            #"{"data":{"employee":{"id":"1","firstName":"Ada","lastName":"A"}}}"#, headerFields: fields)
        let client = GraphQLClient(
            transport: answer, store: GraphQLStore(policies: .employees, clock: clock.now))
        _ = try await client.fetch(EmployeeRowQuery(id: "1"))
        if seconds > 0 {
            clock.advance(by: .seconds(seconds - 1))
            #expect(try await client.fetch(EmployeeRowQuery(id: "1")).source == .cache)
            clock.advance(by: .seconds(1))
        }
        #expect(try await client.fetch(EmployeeRowQuery(id: "1")).source == .server)
    }

    @Test("A response with no-store is not cached")
    func noStore() async throws {
        let answer = ConstantAnswer(
            #"{"data":{"employee":{"id":"1","firstName":"Ada","lastName":"A"}}}"#,
            headerFields: [.cacheControl: "no-store"])
        let client = GraphQLClient(transport: answer, store: GraphQLStore(policies: .employees))
        for _ in 0..<2 { #expect(try await client.fetch(EmployeeRowQuery(id: "1")).source == .server) }
    }
}
