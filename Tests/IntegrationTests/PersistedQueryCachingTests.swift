import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Persisted queries behind a cache")
    struct PersistedQueryCachingTests {
        typealias Product = CachingProxy.Product

        private func with(
            _ product: Product, _ body: (Server, CachingProxy, URL) async throws -> Void
        ) async throws {
            try await SampleDatabase.with { folder, url in
                let arguments = ["--database", url, "--max-age", "600"] + Server.logsRequests
                try await Server.with(arguments, in: folder) { server in
                    try await CachingProxy.with(product, before: server, in: folder) {
                        try await body(server, $0, folder)
                    }
                }
            }
        }

        private static let text = "{ employee(id: 10004) { lastName } }"

        private func expectUnknown(_ answer: HTTPAnswer) {
            #expect(answer.body.contains("PersistedQueryNotFound"), "\(answer.status) \(answer.body)")
            #expect(answer.headers.first(name: "Cache-Control") == "private, no-cache, must-revalidate")
            #expect(answer.cache != "HIT")
        }

        private func expectKoblick(_ answer: HTTPAnswer) {
            #expect(answer.status == 200)
            #expect(answer.body == #"{"data":{"employee":{"lastName":"Koblick"}}}"#)
        }

        @Test("A request with an unknown hash is forwarded to the server each time", arguments: Product.installed)
        func unknown(product: Product) async throws {
            try await with(product) { server, cache, folder in
                let query = try await PersistedQuery(Self.text, in: folder)
                var identifiers: Set<String> = []
                for _ in 0..<3 {
                    let answer = try await cache.get(query.target)
                    expectUnknown(answer)
                    identifiers.insert(try #require(answer.headers.first(name: "X-Request-ID")))
                }
                #expect(identifiers.count == 3)
                #expect(try await server.requests(of: query.target).count == 3)
            }
        }

        @Test(
            "After registration by POST, the second GET with the hash is a cache hit",
            arguments: Product.installed)
        func registered(product: Product) async throws {
            try await with(product) { server, cache, folder in
                let query = try await PersistedQuery(Self.text, in: folder)
                for _ in 0..<2 { expectUnknown(try await cache.get(query.target)) }
                let registered = try await cache.send("POST", "/graphql", body: query.body(withText: true))
                expectKoblick(registered)
                #expect(registered.cache == "PASS" && registered.headers.first(name: "ETag") == nil)
                let first = try await cache.get(query.target)
                expectKoblick(first)
                #expect(first.cache != "HIT")
                for _ in 0..<3 {
                    let next = try await cache.get(query.target)
                    expectKoblick(next)
                    #expect(next.cache == "HIT")
                    #expect(next.headers.first(name: "ETag") == first.headers.first(name: "ETag"))
                }
                let tag = try #require(first.headers.first(name: "ETag"))
                let current = try await cache.get(query.target, ["If-None-Match": tag])
                #expect(current.status == 304 && current.cache == "HIT")
                #expect(try await server.requests(of: query.target).count == 3, "unknown hash twice, result once")
            }
        }

        @Test(
            "A registered query is never reported as unknown, even after concurrent requests during the registration",
            arguments: Product.installed)
        func race(product: Product) async throws {
            try await with(product) { _, cache, folder in
                for number in 0..<5 {
                    let query = try await PersistedQuery("{ employee(id: 10004) { lastName } } # \(number)", in: folder)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for client in 0..<8 {
                            let coding = ["Accept-Encoding": client.isMultiple(of: 2) ? "gzip" : "identity"]
                            group.addTask {
                                let answer = try await cache.get(query.target, coding) { $0.body.contains("Koblick") }
                                #expect(answer.status == 200)
                            }
                        }
                        let registered = try await cache.send("POST", "/graphql", body: query.body(withText: true))
                        expectKoblick(registered)
                        // If this request failed, the loops of the other clients would not end.
                        try #require(try await cache.get(query.target).status == 200)
                        for coding in ["gzip", "identity", "gzip", "identity"] {
                            expectKoblick(try await cache.get(query.target, ["Accept-Encoding": coding]))
                        }
                        try await group.waitForAll()
                    }
                    // nginx may store only one of several variants that arrive at the same time.
                    expectKoblick(try await cache.get(query.target) { $0.cache == "HIT" })
                }
            }
        }

        @Test(
            "The cache forwards each POST with the hash of a mutation, and a GET with the hash is a 405",
            arguments: Product.installed)
        func mutation(product: Product) async throws {
            func variables(_ title: String, from day: String) -> String {
                #"{"input":{"employeeId":10004,"title":"\#(title)","fromDate":"\#(day)"}}"#
            }
            try await with(product) { server, cache, folder in
                let query = try await PersistedQuery(
                    "mutation($input: AddTitleInput!) { addTitle(input: $input) { errors { message } } }", in: folder)
                let unknown = try await cache.send(
                    "POST", "/graphql",
                    body: query.body(withText: false, variables: variables("Astronomer", from: "2001-09-17")))
                #expect(unknown.body.contains("PersistedQueryNotFound") && unknown.cache == "PASS")
                for (title, day, withText) in [("Astronomer", "2001-09-17", true), ("Botanist", "2002-09-17", false)] {
                    let added = try await cache.send(
                        "POST", "/graphql", body: query.body(withText: withText, variables: variables(title, from: day))
                    )
                    #expect(added.status == 200 && added.cache == "PASS")
                    #expect(added.body == #"{"data":{"addTitle":{"errors":[]}}}"#)
                    #expect(try await server.get("/employees/10004/titles").body.contains(title))
                }
                for _ in 0..<2 {
                    let byGET = try await cache.get(query.target)
                    #expect(byGET.status == 405 && byGET.cache != "HIT")
                }
            }
        }

        @Test(
            "Servers with the same MariaDB database share registered queries, which survive a SIGKILL of one server",
            .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
        func shared() async throws {
            try await TestDatabase.withURL(.mariaDB) { url in
                try await TemporaryFolder.with { folder in
                    try await SampleDatabase.fill(url.text, employees: 20, in: folder)
                    let environment = ["DUET_DATABASE": url.text, "DUET_MAX_AGE": "600"]
                    var queries: [PersistedQuery] = []
                    for number in 0..<10 {
                        queries.append(
                            try await PersistedQuery("{ employee(id: 10004) { lastName } } # \(number)", in: folder))
                    }
                    try await Server.with(in: folder, environment: environment) { first in
                        try await Server.with(in: folder, environment: environment) { second in
                            for query in queries {
                                #expect(try await second.get(query.target).body.contains("PersistedQueryNotFound"))
                                let registered = try await first.send(
                                    "POST", "/graphql", body: query.body(withText: true))
                                expectKoblick(registered)
                            }
                            first.program.send(SIGKILL)
                            for query in queries { expectKoblick(try await second.get(query.target)) }
                        }
                    }
                    try await Server.with(in: folder, environment: environment) { third in
                        for query in queries { expectKoblick(try await third.get(query.target)) }
                    }
                }
            }
        }
    }
}
