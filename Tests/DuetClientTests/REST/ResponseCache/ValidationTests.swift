import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Validation of stored responses")
struct ValidationTests {
    private let origin = Origin()

    /// Stores a response and lets it become stale.
    private func store(_ fields: HTTPFields, _ body: String = "a") async throws {
        origin.respond(.ok, fields, body)
        try await origin.send()
        origin.clock.advance(by: 100)
    }

    @Test("A validation request contains the entity tag and the modification time of the stored response")
    func conditions() async throws {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        try await store([.eTag: #"W/"1""#, .lastModified: modified])
        origin.respond(.notModified)
        let reply = try await origin.send()
        #expect(reply.status == 200)
        #expect(reply.body == "a")
        #expect(reply.source == .validated)
        let request = try #require(origin.requests.last)
        #expect(request.headerFields[.ifNoneMatch] == #"W/"1""#)
        #expect(request.headerFields[.ifModifiedSince] == modified)
    }

    @Test("A 304 response makes the stored response fresh and updates its header fields, except Content-* fields")
    func merging() async throws {
        let other = try #require(HTTPField.Name("X-Other"))
        try await store([
            .eTag: #""1""#, .cacheControl: "max-age=1", .contentType: "text/csv", .contentLength: "1", .age: "1",
            other: "old",
            .server: "s",
        ])
        origin.respond(
            .notModified,
            [.eTag: #""1""#, .cacheControl: "max-age=50", .contentType: "text/html", .contentLength: "0", other: "new"])
        let validated = try await origin.send()
        #expect(validated.cache?.timeToLive == .seconds(50))
        origin.clock.advance(by: 49)
        let reply = try await origin.send()
        #expect(reply.source == .stored)
        #expect(reply.body == "a")
        #expect(reply.cache?.age == .seconds(49))
        #expect(reply.fields[.contentType] == "text/csv")
        #expect(reply.fields[.contentLength] == "1")
        #expect(reply.fields[.server] == "s")
        #expect(reply.fields[other] == "new")
        #expect(origin.requests.count == 2)
    }

    @Test("A 304 response with a different entity tag causes an unconditional request")
    func mismatch() async throws {
        try await store([.eTag: #""1""#])
        origin.respond { request in
            request.headerFields.contains(.ifNoneMatch)
                ? TransportResponse(.notModified, [.eTag: #""2""#]) : TransportResponse(.ok, [.eTag: #""2""#], "b")
        }
        #expect(try await origin.send().body == "b")
        #expect(origin.requests.count == 3)
        #expect(try await origin.send().body == "b")
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == #""2""#)
    }

    @Test("no-cache requires the validation of a fresh response", arguments: ["request", "response"])
    func noCache(side: String) async throws {
        origin.respond(
            .ok, [.eTag: #""1""#, .cacheControl: side == "request" ? "max-age=100" : "max-age=100, no-cache"], "a")
        try await origin.send()
        origin.respond(.notModified)
        let reply = try await origin.send(.get, "/a", side == "request" ? [.cacheControl: "no-cache"] : [:])
        #expect(reply.source == .validated)
        #expect(origin.requests.count == 2)
    }

    @Test("A stale response without a validator causes an unconditional request")
    func noValidator() async throws {
        try await store([:])
        origin.respond(.ok, [:], "b")
        #expect(try await origin.send().body == "b")
        #expect(origin.requests.last?.headerFields.contains(.ifNoneMatch) == false)
    }

    @Test("A request for one representation does not contain the validator of another representation")
    func variants() async throws {
        origin.respond { request in
            TransportResponse(.ok, [.vary: "Accept", .eTag: "\"\(request.headerFields[.accept] ?? "")\""], "a")
        }
        try await origin.send(.get, "/a", [.accept: "1"])
        try await origin.send(.get, "/a", [.accept: "2"])
        #expect(origin.requests.last?.headerFields.contains(.ifNoneMatch) == false)
        try await origin.send(.get, "/a", [.accept: "1"])
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == #""1""#)
    }

    @Test(
        "If the server does not send a valid response, a stale response is returned with its age",
        arguments: [TransportError.Code.cannotConnect, .timedOut, .connectionLost, .insecure, .invalidResponse])
    func offline(code: TransportError.Code) async throws {
        try await store([.cacheControl: "max-age=60", .eTag: #""1""#])
        origin.stop(code)
        let reply = try await origin.send()
        #expect(reply.body == "a")
        #expect(reply.source == .storedOnError)
        #expect(reply.cache?.age == .seconds(100))
        #expect(reply.cache?.timeToLive == .seconds(-40))
        #expect(reply.cache?.isStale == true)
    }

    @Test("After a server error, a stale response is returned with its age", arguments: [500, 502, 503, 504])
    func serverError(status: Int) async throws {
        try await store([.cacheControl: "max-age=60"])
        origin.respond(.init(code: status), [:], "sorry")
        let reply = try await origin.send()
        #expect(reply.status == 200)
        #expect(reply.body == "a")
        #expect(reply.source == .storedOnError)
        #expect(reply.cache?.age == .seconds(100))
    }

    @Test(
        "A client error or a 501 response is returned, and the stored response remains",
        arguments: [400, 401, 403, 429, 501])
    func otherErrors(status: Int) async throws {
        try await store([.cacheControl: "max-age=60"])
        origin.respond(.init(code: status), [.cacheControl: "no-store"], "no")
        #expect(try await origin.send().status == status)
        origin.stop()
        #expect(try await origin.send().body == "a")
    }

    @Test(
        "A stale response with must-revalidate or no-cache is not returned after an error",
        arguments: ["must-revalidate", "no-cache"])
    func mustRevalidate(directive: String) async throws {
        try await store([.cacheControl: "max-age=60, \(directive)", .eTag: #""1""#])
        origin.stop()
        let error = await #expect(throws: TransportError.self) { try await origin.send() }
        #expect(error?.code == .cannotConnect)
        origin.respond(.serviceUnavailable)
        #expect(try await origin.send().status == 503)
    }

    @Test("stale-if-error in the request or in the response limits the staleness of a response after an error")
    func staleIfError() async throws {
        try await store([.cacheControl: "max-age=60, stale-if-error=30"])
        origin.stop()
        await #expect(throws: TransportError.self) { try await origin.send() }
        let reply = try await origin.send(.get, "/a", [.cacheControl: "stale-if-error=40"])
        #expect(reply.source == .storedOnError)
    }

    @Test("A canceled request does not return a stale response")
    func cancelled() async throws {
        try await store([.cacheControl: "max-age=60"])
        origin.stop(.cancelled)
        let error = await #expect(throws: TransportError.self) { try await origin.send() }
        #expect(error?.code == .cancelled)
    }
}
