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

    @Test("Pages are merged into one list, which a watcher of the first page shows", arguments: CacheKind.allCases)
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

    @Test("A page that does not continue the list replaces it", arguments: CacheKind.allCases)
    func replaced(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            let second = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            // The same page once more does not continue the list of two pages.
            let again = try await client.fetch(EmployeesQuery(first: 2, after: first.pageInfo.endCursor))
            #expect(again.data?.employees.nodes == Array(second.data?.employees.nodes.prefix(2) ?? []))
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees.nodes == again.data?.employees.nodes)
        }
    }

    @Test("The first page, fetched again, begins the list anew", arguments: CacheKind.allCases)
    func begunAnew(cache: CacheKind) async throws {
        try await cache.withClient(policies: Self.policies) { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            _ = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            _ = try await client.fetch(EmployeesQuery(first: 3), policy: .fetchIgnoringCacheData)
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees == first)
        }
    }

    @Test("Without a policy each page is a list of its own", arguments: CacheKind.allCases)
    func separate(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let first = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees)
            _ = try await client.fetch(EmployeesQuery(first: 3, after: first.pageInfo.endCursor))
            let list = try await client.fetch(EmployeesQuery(first: 3), policy: .cacheDontFetch)
            #expect(list.data?.employees == first)
        }
    }
}
