import HTTPTypes
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

    @Test("The token of the latest write is kept until a response to it has none")
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

    @Test("A response of a proxy does not remove the token")
    func proxies() {
        let position = WritePosition(token: "0-1-5.a")
        position.receive(Self.response(nil, "no-store", status: .badGateway), sent: "0-1-5.a")
        position.receive(Self.response(nil, "max-age=60"), sent: "0-1-5.a")
        position.receive(Self.response(nil, nil), sent: "0-1-5.a")
        #expect(position.token == "0-1-5.a")
    }

    @Test(
        "Of two tokens, the later one is kept",
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
