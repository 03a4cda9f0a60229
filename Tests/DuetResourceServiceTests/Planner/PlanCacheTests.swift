import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@testable import DuetResourceService

@Suite("Cached plans") struct PlanCacheTests {
    /// Plans REST requests in the same way as the server.
    private struct Requests {
        let service: ResourceService
        let style: RESTStyle

        init(_ service: ResourceService) {
            self.service = service
            style = RESTStyle(service)
        }

        func plan(_ target: String) throws -> Plan {
            let (operation, segment, query) = try RESTRequests(service).parts(target)
            let raw = target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
            return try style.plan(operation, raw, segment: segment) { query }
        }
    }

    @Test("Requests for rows with different keys and the same query share one plan", arguments: TestBackend.available)
    func items(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let requests = Requests(service)
            let first = try requests.plan("authors/1?details=books")
            let second = try requests.plan("authors/2?details=books")
            #expect(first.statement === second.statement)
            #expect(requests.style.planStatistics == (hits: 1, misses: 1, count: 1))
            // Each plan has the key of its request.
            #expect(first.arguments["authorNumber"] == .integer(1))
            #expect(second.arguments["authorNumber"] == .integer(2))
            let bodies = [try await service.answer(first), try await service.answer(second)].map {
                String(buffer: $0.body)
            }
            #expect(bodies[0].contains("Zebras") && bodies[1].contains("Lynxes") && !bodies[1].contains("Zebras"))
            // The error for a missing row contains the key of the request.
            let error = await #expect(throws: ServiceError.self) {
                try await service.answer(requests.plan("authors/9?details=books"))
            }
            #expect(error?.detail == "there is no author 9")
        }
    }

    @Test("Requests with different queries or resources have different plans")
    func separate() async throws {
        try await Library.withService(.sqlite) { service async throws in
            let requests = Requests(service)
            let targets = [
                "authors/1", "authors/1?fields=name", "authors/1?fields=born", "books/b1", "books/b1?fields=title",
                "copies/b1,1",
            ]
            let plans = try targets.map(requests.plan)
            #expect(Set(plans.map { ObjectIdentifier($0.statement) }).count == targets.count)
            #expect(requests.style.planStatistics == (hits: 0, misses: 6, count: 6))
            let again = try targets.map(requests.plan)
            #expect(zip(plans, again).allSatisfy { $0.statement === $1.statement })
            #expect(requests.style.planStatistics == (hits: 6, misses: 6, count: 6))
        }
    }

    @Test("Plans of lists, of invalid requests and of long queries are not cached")
    func uncached() async throws {
        try await Library.withService(.sqlite) { service async throws in
            let requests = Requests(service)
            for target in ["authors", "authors?first=1", "authors/1/books"] {
                _ = try requests.plan(target)
                _ = try requests.plan(target)
            }
            #expect(requests.style.planStatistics == (hits: 0, misses: 0, count: 0))
            for _ in 1...2 {
                #expect(throws: ServiceError.self) { try requests.plan("authors/1?fields=nothing") }
            }
            #expect(requests.style.planStatistics == (hits: 0, misses: 2, count: 0))
            let long = "authors/1?fields=" + Array(repeating: "name", count: 110).joined(separator: ",")
            let first = try requests.plan(long)
            let second = try requests.plan(long)
            #expect(first.statement !== second.statement && requests.style.planStatistics.count == 0)
        }
    }

    @Test("The number of cached plans is bounded, and a plan that was used again is not evicted")
    func bound() async throws {
        try await Library.withService(.sqlite) { service async throws in
            let style = RESTStyle(service)
            let (operation, segment, _) = try RESTRequests(service).parts("authors/1")
            func plan(_ raw: String) throws -> Plan { try style.plan(operation, raw, segment: segment) { [] } }
            let used = try plan("used")
            _ = try plan("used")
            for number in 1...3_000 { _ = try plan("query\(number)") }
            #expect(style.planStatistics.count <= 1_024)
            #expect(try plan("used").statement === used.statement)
        }
    }

    @Test("A prepared GraphQL operation uses the variables of each request", arguments: TestBackend.available)
    func variables(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let style = try GraphQLStyle(service)
            let operation = try style.schema.prepare(
                """
                query Q($id: ID!, $first: Int! = 1, $filter: BookFilter, $deep: Boolean! = false) { author(id: $id) {
                  name books(first: $first, filter: $filter) { nodes { title author @include(if: $deep) { name } } }
                } }
                """)
            let requests: [(ObjectValue, String)] = [
                (["id": "1"], #"{"name":"Ada","books":{"nodes":[{"title":"Apes"}]}}"#),
                (["id": "2"], #"{"name":"Ben","books":{"nodes":[{"title":"Lynxes"}]}}"#),
                (["id": "1", "first": 2], #"{"name":"Ada","books":{"nodes":[{"title":"Apes"},{"title":"Crows"}]}}"#),
                (
                    ["id": "1", "filter": ["price": ["gt": 15]]],
                    #"{"name":"Ada","books":{"nodes":[{"title":"Crows"}]}}"#
                ),
                (
                    ["id": "1", "filter": ["price": ["gt": 25]]], #"{"name":"Ada","books":{"nodes":[]}}"#
                ),
                (
                    ["id": "2", "deep": true],
                    #"{"name":"Ben","books":{"nodes":[{"title":"Lynxes","author":{"name":"Ben"}}]}}"#
                ),
                (["id": "9"], "null"),
            ]
            for (variables, expected) in requests + requests.reversed() {
                let execution = try await style.execute(
                    operation, variables: variables, namesEntities: false, deadline: .never)
                #expect(String(buffer: execution.response.body) == #"{"data":{"author":\#(expected)}}"#)
            }
        }
    }
}
