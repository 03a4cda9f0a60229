import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import DuetClient

@Suite("The position after the last write")
struct WritePositionTests {
    private static func response(
        _ token: String? = nil, _ cacheControl: String? = "no-store", status: HTTPResponse.Status = .ok
    ) -> HTTPResponse {
        var fields: HTTPFields = [:]
        fields[.databasePosition] = token
        fields[.cacheControl] = cacheControl
        return HTTPResponse(status: status, headerFields: fields)
    }

    @Test("The client keeps the token of the latest write until the server responds to it without a token")
    func life() {
        let position = WritePosition()
        #expect(position.token == nil)
        position.receive(Self.response("0-1-5.a"), sent: nil)
        #expect(position.token == "0-1-5.a")
        position.receive(Self.response("0-1-5.a"), sent: "0-1-5.a")
        #expect(position.token == "0-1-5.a")
        position.receive(Self.response(), sent: "0-1-5.a")
        #expect(position.token == nil)
    }

    @Test("A response to an earlier request does not remove the token of a later write")
    func concurrent() {
        let position = WritePosition(token: "0-1-5.a")
        position.receive(Self.response("0-1-7.b"), sent: "0-1-5.a")
        for response in [Self.response(), Self.response("0-1-5.a"), Self.response("0-1-6.c")] {
            position.receive(response, sent: "0-1-5.a")
        }
        position.receive(Self.response(), sent: nil)
        #expect(position.token == "0-1-7.b")
    }

    /// Keeps the header fields of the last request, and responds with a token.
    private final class Origin: HTTPTransport {
        let fields = Mutex(HTTPFields())

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            fields.withLock { $0 = request.head.headerFields }
            return TransportResponse(WritePositionTests.response("0-1-7.b"), body: ResponseBody(Data()))
        }
    }

    @Test("A request with a token is not answered by a cache, unless it has a Cache-Control of its own")
    func caches() async throws {
        let (origin, position) = (Origin(), WritePosition())
        let url = try #require(URL(string: "http://a.example/"))
        for (given, sent) in [(nil, nil), (nil, "no-cache"), ("max-age=5", "max-age=5")] as [(String?, String?)] {
            let isFirst = position.token == nil
            var request = try TransportRequest(url: url)
            request.head.headerFields[.cacheControl] = given
            _ = try await origin.send(request, position)
            #expect(origin.fields.withLock { $0[.cacheControl] } == sent)
            #expect(origin.fields.withLock { $0[.databasePosition] } == (isFirst ? nil : "0-1-7.b"))
        }
    }

    @Test("A response of a proxy does not remove the token")
    func proxies() {
        let position = WritePosition(token: "0-1-5.a")
        position.receive(Self.response(nil, "no-store", status: .badGateway), sent: "0-1-5.a")
        position.receive(Self.response(nil, "max-age=60"), sent: "0-1-5.a")
        position.receive(Self.response(nil, nil), sent: "0-1-5.a")
        #expect(position.token == "0-1-5.a")
    }

    @Test(
        "If two responses have tokens, the client keeps that of the later commit",
        arguments: [
            ("0-1-5.a", "0-2-6.b", true), ("0-2-6.b", "0-1-5.a", false), ("0-1-5.a", "0-1-5.a", true),
            ("0-1-5+3-1-9.a", "0-1-6+3-1-9.b", true), ("0-1-6+3-1-9.b", "0-1-5+3-1-8.a", false),
            // The order is unknown.
            ("0-1-5.a", "3-1-1.b", true), ("0-1-5.a", "primary~1.b", true), ("primary~1.b", "0-1-5.a", false),
            ("primary~1.b", "primary~2.c", true),
        ])
    func order(first: String, second: String, isReplaced: Bool) {
        let position = WritePosition(token: first)
        position.receive(Self.response(second), sent: nil)
        #expect(position.token == (isReplaced ? second : first))
    }
}
