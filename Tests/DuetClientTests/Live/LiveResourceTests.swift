import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@testable import DuetClient

private struct Item: Codable, Sendable { var n: Int }

@Suite("Live resources")
struct LiveResourceTests {
    private static func service(
        _ transport: any HTTPTransport, clock: RecordingClock = RecordingClock(), caller: CurrentCaller? = nil
    ) throws -> WebServiceProxy {
        var service = WebServiceProxy(
            baseURL: try #require(URL(string: "https://example.org")), transport: transport, caller: caller)
        service.liveSettings.clock = clock
        service.liveSettings.jitter = { 1 }
        return service
    }

    @Test(
        "After failures, the sequence continues with the last identifier, and with the pauses that the server requests")
    func reconnect() async throws {
        let first = Signal()
        let clock = RecordingClock()
        let script = EventScript([
            EventScript.failure(.cannotConnect),
            EventScript.response(.serviceUnavailable, [.retryAfter: "7"]),
            EventScript.events("retry: 3000\nevent: value\nid: \"a\"\ndata: {\"n\":1}\n\n"),
            EventScript.events(
                "event: value\nid: \"a\"\ndata: {\"n\":1}\n\nevent: value\nid: \"b\"\ndata: {\"n\":2}\n\nevent: expired\ndata: \n\n",
                after: first),
            EventScript.events("event: gone\ndata: \n\n"),
        ])
        let service = try Self.service(script, clock: clock)
        var values: [Int] = []
        for try await value in service.live("items/1", as: Item.self) {
            values.append(value.content.n)
            #expect(value.entityTag?.opaque == (values.count == 1 ? "a" : "b"))
            first.set()
        }
        #expect(values == [1, 2])
        #expect(clock.pauses == [.seconds(1), .seconds(9), .seconds(4)])
        let identifiers = script.requests.map { $0.head.headerFields[.lastEventID] }
        #expect(identifiers == [nil, nil, nil, "\"a\"", "\"b\""])
        #expect(script.requests.allSatisfy { $0.isStream && $0.head.headerFields[.accept] == "text/event-stream" })
    }

    @Test("If the row is gone while there is no connection, the sequence ends")
    func goneBetweenConnections() async throws {
        let script = EventScript([
            EventScript.events("event: value\nid: \"a\"\ndata: {\"n\":1}\n\n"), EventScript.response(.notFound),
        ])
        var count = 0
        for try await _ in try Self.service(script).live("items/1", as: Item.self) { count += 1 }
        #expect(count == 1)
    }

    private static let failures: [(EventScript.Step, WebServiceError.Code)] = [
        (EventScript.response(.notFound), .unsuccessful),
        (EventScript.response(.ok, [.contentType: "application/json"], "{}"), .undecodable),
        (EventScript.response(.forbidden), .unsuccessful),
        (EventScript.events("event: error\ndata: {\"status\":422,\"title\":\"Too large\"}\n\n"), .unsuccessful),
        (EventScript.open("event: value\ndata: {\"n\":\"x\"}\n\n"), .undecodable),
        (EventScript.failure(.insecure), .noResponse),
    ]

    @Test(
        "An error that another attempt would not change ends the sequence",
        arguments: Self.failures)
    func errors(_ step: @escaping EventScript.Step, _ code: WebServiceError.Code) async throws {
        let script = EventScript([step])
        let service = try Self.service(script)
        let error = await #expect(throws: WebServiceError.self) {
            for try await _ in service.live("items/1", as: Item.self) {}
        }
        #expect(error?.code == code)
        #expect(script.requests.count == 1)
    }

    @Test(
        "When the token has expired, the next request has a new token, and when the caller changes, the sequence ends")
    func tokens() async throws {
        let caller = CurrentCaller(identity: "anna", token: "old") { _, refused in refused == "old" ? "new" : nil }
        let first = Signal()
        let script = EventScript([
            EventScript.events("event: value\nid: \"a\"\ndata: {\"n\":1}\n\nevent: expired\ndata: \n\n"),
            EventScript.response(.unauthorized, after: first),
            EventScript.open("event: value\nid: \"b\"\ndata: {\"n\":2}\n\n"),
        ])
        let base = try #require(URL(string: "https://example.org"))
        let transport = BufferingTransport(
            CachingTransport(
                CoalescingTransport(AuthorizingTransport(script, service: base, caller: caller)),
                cache: ResponseCache(folder: nil)))
        let service = try Self.service(transport, caller: caller)
        var values: [Int] = []
        for try await value in service.live("items/1", as: Item.self) {
            values.append(value.content.n)
            first.set()
            if values.count == 2 { caller.change(to: "berta") }
        }
        #expect(values == [1, 2])
        #expect(
            script.requests.map { $0.head.headerFields[.authorization] } == ["Bearer old", "Bearer old", "Bearer new"])
    }

    @Test("Cancellation of the task closes the connection", arguments: TransportKind.allCases)
    func cancellation(_ kind: TransportKind) async throws {
        let first = Signal()
        try await ScriptedServer.with { connection in
            _ = try await connection.requestHead()
            try await connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: value\ndata: {\"n\":1}\n\n")
            try await connection.waitUntilClosed()
        } _: { server in
            let service = WebServiceProxy(baseURL: try #require(URL(string: server.base)), transport: kind.make())
            let task = Task {
                for try await _ in service.live("items/1", as: Item.self) { first.set() }
            }
            await first.wait()
            task.cancel()
            try await task.value
            try await server.waitUntilAllClosed()
        }
    }

    @Test(
        "A resource of a server follows the writes of other connections, and ends with the row",
        .enabled(if: Shop.isAvailable, "needs sqlite3"))
    func server() async throws {
        try await Shop.with { url in
            var service = WebServiceProxy(baseURL: url)
            service.liveSettings.firstPause = .milliseconds(10)
            var values = service.live("orders/8", as: ShopOrder.self).makeAsyncIterator()
            #expect(try await values.next()?.content.note == "gift")
            let other = WebServiceProxy(baseURL: url)
            let _: ShopOrder = try await other.invoke(.patch, "orders/8", content: .json(["note": "other"]))
            let changed = try #require(try await values.next())
            #expect(changed.content.note == "other")
            let own: WebServiceResponse<ShopOrder> = try await service.invoke(
                .patch, "orders/8", content: .json(["note": "own"]), precondition: try changed.unchanged)
            #expect(try await values.next()?.entityTag == own.entityTag)
            try await other.invoke(.delete, "orders/8")
            let last = try await values.next()
            #expect(last == nil)
            let error = await #expect(throws: WebServiceError.self) {
                for try await _ in service.live("orders/8", as: ShopOrder.self) {}
            }
            #expect(error?.status == .notFound)
        }
    }
}

private struct ShopOrder: Codable, Sendable { var note: String? }
