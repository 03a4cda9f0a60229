import DuetClient
import DuetJSON
import ProcessTesting
import Testing

@Suite("Pages of a connection", .server())
struct ConnectionTests {
    private static var policies: CachePolicies {
        var policies = CachePolicies.employees
        policies.connections = ["employees"]
        return policies
    }

    @Test(
        "A watcher of the first page receives all fetched pages as one list",
        arguments: CacheKind.allCases)
    func appended(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            var results = client.watch(EmployeesQuery(first: 3), policy: .cacheElseFetch).makeAsyncIterator()
            let first = try #require(try await results.next()?.data?.employees)
            let second = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            #expect(second.source == .server)
            #expect(second.data?.employees.nodes.count == 3)
            let merged = try #require(try await results.next()?.data?.employees)
            #expect(merged.nodes == first.nodes + (second.data?.employees.nodes ?? []))
            #expect(merged.pageInfo == second.data?.employees.pageInfo)
            let whole = try await client.fetch(EmployeesQuery(first: 6), policy: .fetchIgnoringCacheCompletely)
            #expect(merged.nodes == whole.data?.employees.nodes)
        }
    }

    @Test("A page that does not begin at the end of the cached list replaces the list", arguments: CacheKind.allCases)
    func replaced(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            let second = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            // The cached list has two pages. The next request begins after the first page, not at the end of the list.
            let again = try await client.fetch(EmployeesQuery(first: 2, after: first.pageInfo.endCursor))
            #expect(again.data?.employees.nodes == Array(second.data?.employees.nodes.prefix(2) ?? []))
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees.nodes == again.data?.employees.nodes)
        }
    }

    @Test("Fetching the first page again starts a new list", arguments: CacheKind.allCases)
    func begunAnew(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            _ = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            _ = try await client.fetch(EmployeesQuery(first: 3), policy: .fetchIgnoringCacheData)
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees == first)
        }
    }

    @Test("Without a connection policy, each page is a separate list", arguments: CacheKind.allCases)
    func separate(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            _ = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees == first)
        }
    }

    @Test(
        "A first page that is longer than the cached part of the connection is fetched from the server",
        arguments: CacheKind.allCases)
    func longerPage(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            _ = try await client.fetch(EmployeesQuery(first: 3))
            #expect(try await client.fetch(EmployeesQuery(first: 2)).source == .cache)
            let longer = try await client.fetch(EmployeesQuery(first: 5))
            #expect(longer.source == .server)
            #expect(longer.data?.employees.nodes.count == 5)
            #expect(try await client.fetch(EmployeesQuery(first: 5)).source == .cache)
        }
    }

    @Test(
        "A watcher delivers a new result after a transaction removes an object from the watched page",
        arguments: CacheKind.allCases)
    func shortened(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            var results = client.watch(NodesQuery(), policy: .cacheElseFetch).makeAsyncIterator()
            let first = try #require(try await results.next()?.data?.employees.nodes)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(NodesQuery()) { _ = $0.employees.nodes.removeFirst() }
            }
            #expect(try await results.next()?.data?.employees.nodes == Array(first.dropFirst()))
        }
    }

    private struct NodesQuery: GraphQLQuery {
        struct Data: DataDecodable, Encodable {
            struct Page: DataDecodable, Encodable {
                var nodes: [EmployeeRow]
                init(from decoder: DynamicDecoder) throws(ModelError) { nodes = try decoder.value("nodes") }
            }

            var employees: Page
            init(from decoder: DynamicDecoder) throws(ModelError) {
                employees = try decoder.value("employees", arguments: ["first": 3])
            }
        }
    }

    private struct PeopleQuery: GraphQLQuery {
        struct Data: DataDecodable {
            struct Page: DataDecodable {
                let nodes: [EmployeeRow]
                init(from decoder: DynamicDecoder) throws(ModelError) { nodes = try decoder.value("nodes") }
            }

            let employees: Page
            init(from decoder: DynamicDecoder) throws(ModelError) {
                employees = try decoder.value(
                    "employees", arguments: ["first": .variable("first", "Int"), "last": .variable("last", "Int")])
            }
        }

        let variables: JSONObject
    }

    @Test("Pages from the end of a connection (`last`) are cached separately from pages from the start (`first`)")
    func last() async throws {
        let store = GraphQLStore(policies: Self.policies)
        let node: JSONValue = ["id": "1", "firstName": "Ada", "lastName": "A"]
        let other: JSONValue = ["id": "9", "firstName": "Zoe", "lastName": "Z"]
        @Sendable func page(_ node: JSONValue) -> JSONValue {
            ["employees": ["__typename": "EmployeeConnection", "nodes": [node]]]
        }
        let (first, last) = (PeopleQuery(variables: ["first": 1]), PeopleQuery(variables: ["last": 1]))
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(page(node), for: first)
            #expect(try !transaction.read(last).isComplete)
            try transaction.write(page(other), for: last)
            #expect(try transaction.read(first).data?.employees.nodes.map(\.id) == ["1"])
            #expect(try transaction.read(last).data?.employees.nodes.map(\.id) == ["9"])
        }
    }
}
