import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Invalidation of stored responses")
struct InvalidationTests {
    private let origin = Origin()

    init() {
        origin.respond { request in TransportResponse(.ok, [.cacheControl: "max-age=100"], request.path ?? "") }
    }

    /// Returns true if a response is in the cache.
    private func isStored(_ path: String, _ fields: HTTPFields = [:]) async throws -> Bool {
        var fields = fields
        fields[.cacheControl] = "only-if-cached"
        return try await origin.send(.get, path, fields).status == 200
    }

    @Test(
        "A write removes all stored responses of its resource, for every method, user and URL query",
        arguments: ["POST", "PUT", "PATCH", "DELETE", "X"])
    func write(method: String) async throws {
        try await origin.send(.get, "/a")
        try await origin.send(.head, "/a")
        try await origin.send(.get, "/a?details=titles", [.authorization: "b"])
        try await origin.send(.get, "/a/b")
        try await origin.send(.init(rawValue: method) ?? .put, "/a?fields=c")
        #expect(try await !isStored("/a"))
        #expect(try await !isStored("/a?details=titles", [.authorization: "b"]))
        #expect(try await isStored("/a/b"))
        #expect(try await origin.send(.head, "/a").source == .forwarded)
    }

    @Test(
        "A write with a client error removes no responses. A write with a server error removes the responses"
    )
    func errors() async throws {
        try await origin.send()
        origin.respond(.preconditionFailed)
        try await origin.send(.patch)
        #expect(try await isStored("/a"))
        origin.respond(.internalServerError)
        try await origin.send(.patch)
        #expect(try await !isStored("/a"))
    }

    @Test("A write that times out removes the responses. A write that was not sent removes no responses")
    func unknownOutcome() async throws {
        for (code, remains) in [(TransportError.Code.cannotConnect, true), (.timedOut, false)] {
            origin.respond(.ok, [.cacheControl: "max-age=100"], "a")
            try await origin.send()
            origin.stop(code)
            await #expect(throws: TransportError.self) { try await origin.send(.patch) }
            #expect(try await isStored("/a") == remains)
        }
    }

    @Test("A safe method removes no stored response", arguments: [HTTPRequest.Method.options, .trace, .query])
    func safe(method: HTTPRequest.Method) async throws {
        try await origin.send()
        try await origin.send(method)
        #expect(try await isStored("/a"))
    }

    @Test("A write removes the responses of same-origin URLs in its response's Location and Content-Location fields")
    func named() async throws {
        for path in ["/b", "/c", "/d"] { try await origin.send(.get, path) }
        origin.respond(.created, [.location: "/b?x=1", .contentLocation: "https://example.org:443/c"])
        try await origin.send(.post)
        origin.respond(.created, [.location: "https://example.com/d"])
        try await origin.send(.post)
        #expect(try await !isStored("/b"))
        #expect(try await !isStored("/c"))
        #expect(try await isStored("/d"))
    }

    @Test("A response that was requested before a write and arrives after the write is not stored")
    func race() async throws {
        let early = try await origin.open()
        try await origin.send(.put)
        _ = try await early.body.collect(upTo: 1000)
        #expect(try await !isStored("/a"))
        let late = try await origin.open()
        _ = try await late.body.collect(upTo: 1000)
        #expect(try await isStored("/a"))
    }

    @Test("A response that was requested before a write is not stored even after 2,000 writes to other resources")
    func bound() async throws {
        let early = try await origin.open()
        try await origin.send(.put)
        for number in 0..<2000 { try await origin.send(.put, "/other/\(number)") }
        _ = try await early.body.collect(upTo: 1000)
        #expect(try await !isStored("/a"))
    }

    @Test("Clearing the cache removes stored responses and prevents the storage of responses in transit")
    func clear() async throws {
        try await origin.send(.get, "/b")
        let early = try await origin.open()
        await origin.cache.clear()
        _ = try await early.body.collect(upTo: 1000)
        #expect(try await !isStored("/a"))
        #expect(try await !isStored("/b"))
    }

    @Test("An app can remove the responses of a resource")
    func remove() async throws {
        try await origin.send(.get, "/a?x=1")
        try await origin.send(.get, "/b")
        await origin.cache.removeResponses(of: try #require(URL(string: "https://EXAMPLE.org/a?y")))
        #expect(try await !isStored("/a?x=1"))
        #expect(try await isStored("/b"))
    }
}
