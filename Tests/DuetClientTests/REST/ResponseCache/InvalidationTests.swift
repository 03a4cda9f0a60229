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

    /// True if a response is in the cache.
    private func isStored(_ path: String, _ fields: HTTPFields = [:]) async throws -> Bool {
        var fields = fields
        fields[.cacheControl] = "only-if-cached"
        return try await origin.send(.get, path, fields).status == 200
    }

    @Test(
        "A write removes the responses of its resource, for all methods, users and queries",
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
        "A write with a client error removes nothing; after a server error the responses are removed"
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

    @Test("A write with an unknown result removes the responses, and a write that was not sent does not")
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

    @Test("A write removes the responses of the resources that its response names if they have the same origin")
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

    @Test("A response that was requested before a write and arrives after it is not stored")
    func race() async throws {
        let early = try await origin.open()
        try await origin.send(.put)
        _ = try await early.body.collect(upTo: 1000)
        #expect(try await !isStored("/a"))
        let late = try await origin.open()
        _ = try await late.body.collect(upTo: 1000)
        #expect(try await isStored("/a"))
    }

    @Test("After a large number of writes, a response that was requested before one of them is still not stored")
    func bound() async throws {
        let early = try await origin.open()
        try await origin.send(.put)
        for number in 0..<2000 { try await origin.send(.put, "/other/\(number)") }
        _ = try await early.body.collect(upTo: 1000)
        #expect(try await !isStored("/a"))
    }

    @Test("A cleared cache has no responses, including responses that are in transit")
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
