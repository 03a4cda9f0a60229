import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("A caching transport")
struct CachingTransportTests {
    private let origin = Origin()

    @Test("A fresh response is returned from the cache with its age, without a request to the server")
    func fresh() async throws {
        origin.respond(.ok, [.cacheControl: "max-age=10", .contentType: "text/plain"], "hello")
        let first = try await origin.send()
        #expect(first.source == .forwarded)
        #expect(first.cache?.age == .zero)
        #expect(first.cache?.timeToLive == nil)
        origin.clock.advance(by: 9)
        let second = try await origin.send()
        #expect(second.body == "hello")
        #expect(second.status == 200)
        #expect(second.fields[.contentType] == "text/plain")
        #expect(second.fields[.age] == "9")
        #expect(second.cache?.source == .stored)
        #expect(second.cache?.age == .seconds(9))
        #expect(second.cache?.timeToLive == .seconds(1))
        #expect(second.cache?.isStale == false)
        #expect(origin.requests.count == 1)
    }

    @Test("The server's response replaces a stale response")
    func stale() async throws {
        origin.respond(.ok, [.cacheControl: "max-age=10"], "old")
        try await origin.send()
        origin.clock.advance(by: 10)
        origin.respond(.ok, [.cacheControl: "max-age=10"], "new")
        #expect(try await origin.send().body == "new")
        #expect(try await origin.send().body == "new")
        #expect(origin.requests.count == 2)
    }

    @Test("Requests with different URL queries or methods have separate responses")
    func keys() async throws {
        origin.respond { request in
            TransportResponse(.ok, [.cacheControl: "max-age=10"], "\(request.method) \(request.path ?? "")")
        }
        #expect(try await origin.send(.get, "/a?x=1").body == "GET /a?x=1")
        #expect(try await origin.send(.get, "/a?x=2").body == "GET /a?x=2")
        #expect(try await origin.send(.get, "/a?").body == "GET /a?")
        #expect(try await origin.send(.get, "/a").body == "GET /a")
        #expect(try await origin.send(.head, "/a").body == "HEAD /a")
        #expect(try await origin.send(.get, "/a?x=1").source == .stored)
        #expect(try await origin.send(.head, "/a").source == .stored)
        #expect(origin.requests.count == 5)
    }

    @Test("The request header fields that are listed in Vary select the stored response")
    func vary() async throws {
        origin.respond { request in
            TransportResponse(
                .ok, [.cacheControl: "max-age=10", .vary: "accept, X-Other"], request.headerFields[.accept] ?? "none")
        }
        #expect(try await origin.send(.get, "/a", [.accept: "text/csv"]).body == "text/csv")
        #expect(try await origin.send(.get, "/a", [.accept: "text/html, text/plain"]).body == "text/html, text/plain")
        #expect(try await origin.send().body == "none")
        #expect(try await origin.send(.get, "/a", [.accept: "text/csv", .userAgent: "b"]).source == .stored)
        let spaced = try await origin.send(.get, "/a", [.accept: "text/html,text/plain "])
        #expect(spaced.source == .stored)
        #expect(spaced.body == "text/html, text/plain")
        #expect(try await origin.send().body == "none")
        #expect(origin.requests.count == 3)
    }

    @Test("A user does not receive the responses of another user", arguments: [HTTPField.Name.authorization, .cookie])
    func users(name: HTTPField.Name) async throws {
        origin.respond { request in
            TransportResponse(.ok, [.cacheControl: "max-age=10, public"], request.headerFields[name] ?? "nobody")
        }
        #expect(try await origin.send(.get, "/a", [name: "Anna"]).body == "Anna")
        #expect(try await origin.send(.get, "/a", [name: "Berta"]).body == "Berta")
        #expect(try await origin.send().body == "nobody")
        let again = try await origin.send(.get, "/a", [name: "Anna"])
        #expect(again.source == .stored)
        #expect(again.body == "Anna")
    }

    @Test("With a custom partition, requests with different tokens of one user share stored responses")
    func partition() async throws {
        let origin = Origin(partition: { _ in "Anna" })
        origin.respond(.ok, [.cacheControl: "max-age=10"], "a")
        try await origin.send(.get, "/a", [.authorization: "Bearer 1"])
        #expect(try await origin.send(.get, "/a", [.authorization: "Bearer 2"]).source == .stored)
    }

    @Test("A range request and a conditional request of the caller bypass the cache")
    func conditions() async throws {
        origin.respond(.ok, [.cacheControl: "max-age=10", .eTag: #""1""#], "a")
        try await origin.send()
        origin.respond(.notModified)
        #expect(try await origin.send(.get, "/a", [.ifNoneMatch: #""1""#]).status == 304)
        origin.respond(.partialContent, [.cacheControl: "max-age=10"], "x")
        #expect(try await origin.send(.get, "/a", [.range: "bytes=0-1"]).status == 206)
        #expect(try await origin.send().body == "a")
        #expect(origin.requests.count == 3)
    }

    @Test("A request with only-if-cached is never sent to the server")
    func onlyIfCached() async throws {
        origin.respond(.ok, [.cacheControl: "max-age=10"], "a")
        #expect(try await origin.send(.get, "/a", [.cacheControl: "only-if-cached"]).status == 504)
        #expect(origin.requests.isEmpty)
        try await origin.send()
        #expect(try await origin.send(.get, "/a", [.cacheControl: "only-if-cached"]).body == "a")
        origin.clock.advance(by: 20)
        #expect(try await origin.send(.get, "/a", [.cacheControl: "only-if-cached"]).status == 504)
        let stale = try await origin.send(.get, "/a", [.cacheControl: "only-if-cached, max-stale"])
        #expect(stale.body == "a")
        #expect(stale.cache?.isStale == true)
        #expect(origin.requests.count == 1)
    }

    @Test("no-store in the request or in the response prevents storage")
    func noStore() async throws {
        origin.respond(.ok, [.cacheControl: "max-age=10"], "a")
        try await origin.send(.get, "/a", [.cacheControl: "no-store"])
        #expect(try await origin.send().source == .forwarded)
        origin.respond(.ok, [.cacheControl: "no-store"], "b")
        try await origin.send(.get, "/b")
        #expect(try await origin.send(.get, "/b").source == .forwarded)
    }

    @Test("A no-store response with the status 200, 404 or 410 removes the stored response")
    func replacedByNothing() async throws {
        for status in [HTTPResponse.Status.ok, .notFound, .gone] {
            origin.respond(.ok, [.cacheControl: "max-age=10"], "old")
            try await origin.send()
            origin.clock.advance(by: 10)
            origin.respond(status, [.cacheControl: "no-store"], "new")
            #expect(try await origin.send().body == "new")
            origin.stop()
            await #expect(throws: TransportError.self) { try await origin.send() }
        }
    }

    @Test("A body that is truncated or not read to the end is not stored")
    func cutOff() async throws {
        origin.respond { _ in
            TransportResponse(
                HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=10"]),
                body: ResponseBody(parts: ["a"], failure: TransportError(.connectionLost, "lost")))
        }
        await #expect(throws: TransportError.self) { try await origin.send() }
        origin.respond { _ in
            TransportResponse(
                HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=10"]),
                body: ResponseBody(parts: ["a", "b"]))
        }
        var iterator = try await origin.open().body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        #expect(try await origin.send().source == .forwarded)
        #expect(try await origin.send().body == "ab")
    }

    @Test("A response above the size limit is returned but not stored")
    func tooLong() async throws {
        var limits = ResponseCache.Limits()
        limits.response = 1000
        let origin = Origin(limits: limits)
        let body = String(repeating: "x", count: 1001)
        origin.respond(.ok, [.cacheControl: "max-age=10"], body)
        #expect(try await origin.send().body == body)
        #expect(try await origin.send().source == .forwarded)
    }

    @Test("Connection-specific header fields are not stored")
    func connectionFields() async throws {
        origin.respond(
            .ok,
            [.cacheControl: "max-age=10", .connection: "close, Server", .server: "s", .upgrade: "h2c", .eTag: #""1""#],
            "a")
        #expect(try await origin.send().fields[.server] == "s")
        let stored = try await origin.send()
        #expect(stored.source == .stored)
        #expect(stored.fields[.eTag] == #""1""#)
        for name in [HTTPField.Name.connection, .server, .upgrade] { #expect(stored.fields[name] == nil) }
    }

    @Test("A Cache-Status field of the server does not change the status that the client's cache reports")
    func otherCaches() async throws {
        let name = try #require(HTTPField.Name("Cache-Status"))
        origin.respond(.ok, [name: "DuetClient; hit; ttl=5", .age: "7"], "a")
        let reply = try await origin.send()
        #expect(reply.source == .forwarded)
        #expect(reply.cache?.age == .seconds(7))
        #expect(CacheStatus(HTTPResponse(status: .ok, headerFields: [name: "Varnish; hit"])) == nil)
        #expect(CacheStatus(HTTPResponse(status: .ok)) == nil)
    }
}
