import Foundation
import HTTPTypes
import Testing

@testable import DuetClient

@Suite("A transport that adds and renews tokens")
struct AuthorizingTransportTests {
    private static let service = URL(string: "https://example.org/api")

    /// Returns a server that accepts tokens for which a closure returns true. A response contains the token.
    private static func server(accepting isAccepted: @escaping @Sendable (String) -> Bool) -> ScriptedTransport {
        ScriptedTransport { request throws(TransportError) in
            let field = request.head.headerFields[.authorization] ?? ""
            let token = field.hasPrefix("Bearer ") ? String(field.dropFirst(7)) : ""
            return isAccepted(token)
                ? TransportResponse(.ok, [:], token) : TransportResponse(.unauthorized, [:], "refused \(token)")
        }
    }

    private static func authorizing(_ base: ScriptedTransport, _ caller: CurrentCaller) throws -> AuthorizingTransport {
        AuthorizingTransport(base, service: try #require(service), caller: caller)
    }

    private static func request(
        _ caller: CurrentCaller, _ method: HTTPRequest.Method = .get, _ address: String = "https://example.org/api/a",
        _ fields: HTTPFields = [:], body: String? = nil
    ) throws -> TransportRequest {
        var request = try TransportRequest(method, address, fields, body: body)
        request.caller = caller.current
        return request
    }

    private static func tokens(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.head.headerFields[.authorization] }
    }

    @Test("Each request has the token, and an anonymous caller sends none")
    func token() async throws {
        let server = Self.server { _ in true }
        let caller = CurrentCaller(identity: "anna", token: "a1")
        let transport = try Self.authorizing(server, caller)
        #expect(try await transport.send(Self.request(caller)).text() == "a1")
        caller.change(to: nil, token: "ignored")
        #expect(try await transport.send(Self.request(caller)).text() == "")
        #expect(Self.tokens(server) == ["Bearer a1", nil])
    }

    @Test("Without a token, the token source is called before the first request, and once only")
    func first() async throws {
        let server = Self.server { _ in true }
        let calls = Recorder<[String?]>()
        let caller = CurrentCaller(identity: "anna") { identity, refused in
            calls.record([identity, refused])
            return "a1"
        }
        let transport = try Self.authorizing(server, caller)
        for _ in 0..<2 { #expect(try await transport.send(Self.request(caller)).text() == "a1") }
        #expect(calls.values == [["anna", nil]])
    }

    @Test("After the status 401, the request is sent once more with a new token, with the same method and body")
    func renewal() async throws {
        let server = Self.server { $0 == "a2" }
        let calls = Recorder<String?>()
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, refused in
            calls.record(refused)
            return "a2"
        }
        let transport = try Self.authorizing(server, caller)
        let response = try await transport.send(Self.request(caller, .post, body: "x=1"))
        #expect(response.head.status == .ok)
        #expect(try await response.text() == "a2")
        #expect(calls.values == ["a1"])
        #expect(Self.tokens(server) == ["Bearer a1", "Bearer a2"])
        #expect(server.requests.map(\.body) == [Data("x=1".utf8), Data("x=1".utf8)])
        #expect(server.requests.map(\.head.method) == [.post, .post])
        _ = try await transport.send(Self.request(caller))
        #expect(calls.values.count == 1)
    }

    @Test("If the new token is refused, too, the second response is returned")
    func second401() async throws {
        let server = Self.server { _ in false }
        let calls = Counter()
        let caller = CurrentCaller(identity: "anna", token: "a0") { _, _ in "a\(calls.increment())" }
        let transport = try Self.authorizing(server, caller)
        let response = try await transport.send(Self.request(caller))
        #expect(response.head.status == .unauthorized)
        #expect(try await response.text() == "refused a1")
        #expect(server.requests.count == 2)
        #expect(calls.value == 1)
    }

    @Test(
        "If there is no new token, the first response is returned. Later requests have the refused token",
        arguments: [nil, "a1"])
    func noNewToken(renewed: String?) async throws {
        let server = Self.server { _ in false }
        let calls = Counter()
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            calls.increment()
            return renewed
        }
        let transport = try Self.authorizing(server, caller)
        for count in 1...2 {
            let response = try await transport.send(Self.request(caller))
            #expect(response.head.status == .unauthorized)
            #expect(try await response.text() == "refused a1")
            #expect(server.requests.count == count)
            #expect(calls.value == count)
        }
    }

    @Test("Without a token source, the response with the status 401 is returned")
    func noSource() async throws {
        let server = Self.server { _ in false }
        let caller = CurrentCaller(identity: "anna", token: "a1")
        let response = try await Self.authorizing(server, caller).send(Self.request(caller))
        #expect(response.head.status == .unauthorized)
        #expect(server.requests.count == 1)
    }

    @Test("If the token source throws an error, the request fails, and the next request calls the source again")
    func failure() async throws {
        struct Offline: Error {}
        let server = Self.server { $0 == "a2" }
        let calls = Counter()
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, refused in
            if calls.increment() == 1 { throw Offline() }
            return refused == "a1" ? "a2" : nil
        }
        let transport = try Self.authorizing(server, caller)
        let error = await #expect(throws: TransportError.self) { try await transport.send(Self.request(caller)) }
        #expect(error?.code == .noToken)
        #expect(error?.underlyingError is Offline)
        #expect(try await transport.send(Self.request(caller)).text() == "a2")
        #expect(Self.tokens(server) == ["Bearer a1", "Bearer a2"])
    }

    @Test("Concurrent requests whose token is refused share one renewal")
    func shared() async throws {
        let server = Self.server { $0 == "a2" }
        let (calls, allWait) = (Counter(), Signal())
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            calls.increment()
            await allWait.wait()
            return "a2"
        } joined: {
            if $0 == 20 { allWait.set() }
        }
        let transport = try Self.authorizing(server, caller)
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await transport.send(Self.request(caller)).text() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: "a2", count: 20))
        #expect(calls.value == 1)
    }

    @Test("A late refusal of a token that was replaced in the meantime causes no second renewal")
    func late() async throws {
        let (arrived, release, count) = (Signal(), Signal(), Counter())
        let server = ScriptedTransport { request throws(TransportError) in
            let token = request.head.headerFields[.authorization]
            if token == "Bearer a2" { return TransportResponse(.ok, [:], "a2") }
            if count.increment() == 1 {
                arrived.set()
                await release.wait()
            }
            return TransportResponse(.unauthorized)
        }
        let calls = Counter()
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            calls.increment()
            return "a2"
        }
        let transport = try Self.authorizing(server, caller)
        async let slow = transport.send(Self.request(caller)).text()
        await arrived.wait()
        #expect(try await transport.send(Self.request(caller)).text() == "a2")
        release.set()
        #expect(try await slow == "a2")
        #expect(calls.value == 1)
    }

    @Test("A renewal continues if its request is canceled, and a later request uses the token")
    func canceled() async throws {
        let server = Self.server { $0 == "a2" }
        let (began, release, calls) = (Signal(), Signal(), Counter())
        let wasCanceled = Recorder<Bool>()
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            calls.increment()
            began.set()
            await release.wait()
            wasCanceled.record(Task.isCancelled)
            return "a2"
        }
        let transport = try Self.authorizing(server, caller)
        let request = try Self.request(caller)
        let task = Task { try await transport.send(request).text() }
        await began.wait()
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        release.set()
        #expect(try await transport.send(request).text() == "a2")
        #expect(calls.value == 1)
        #expect(wasCanceled.values == [false])
    }

    @Test("If the caller changes during a renewal, its token is discarded, and the request is not sent again")
    func changeDuringRenewal() async throws {
        let server = Self.server { $0 == "b1" || $0 == "a2" }
        let (began, release) = (Signal(), Signal())
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            began.set()
            await release.wait()
            return "a2"
        }
        let transport = try Self.authorizing(server, caller)
        let request = try Self.request(caller)
        let former = Task { try await transport.send(request).text() }
        await began.wait()
        caller.change(to: "berta", token: "b1")
        release.set()
        let error = await #expect(throws: TransportError.self) { try await former.value }
        #expect(error?.code == .callerChanged)
        #expect(try await transport.send(Self.request(caller)).text() == "b1")
        #expect(Self.tokens(server) == ["Bearer a1", "Bearer b1"])
    }

    @Test("If the app sets a token during a renewal, the token of the app is used")
    func setDuringRenewal() async throws {
        let server = Self.server { $0 == "a3" }
        let (began, release) = (Signal(), Signal())
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in
            began.set()
            await release.wait()
            return "a2"
        }
        let transport = try Self.authorizing(server, caller)
        let (request, before) = (try Self.request(caller), caller.current)
        async let response = transport.send(request).text()
        await began.wait()
        caller.change(to: "anna", token: "a3")
        #expect(caller.current == before)
        release.set()
        #expect(try await response == "a3")
    }

    @Test("A request of a former caller is not sent, even if the same identity returns")
    func formerCaller() async throws {
        let server = Self.server { _ in true }
        let caller = CurrentCaller(identity: "anna", token: "a1")
        let transport = try Self.authorizing(server, caller)
        let request = try Self.request(caller)
        caller.change(to: "berta", token: "b1")
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.code == .callerChanged)
            caller.change(to: "anna", token: "a1")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A request without a caller is not sent to the service")
    func noCaller() async throws {
        let server = Self.server { _ in true }
        let transport = try Self.authorizing(server, CurrentCaller(identity: "anna", token: "a1"))
        let request = try TransportRequest(.get, "https://example.org/a")
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.code == .noCaller)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "Another origin receives no token, and no renewal follows",
        arguments: ["http://example.org/a", "https://example.org:8443/a", "https://example.org.evil.example/a"])
    func otherOrigin(address: String) async throws {
        let server = Self.server { _ in false }
        let caller = CurrentCaller(identity: "anna", token: "a1")
        let transport = try Self.authorizing(server, caller)
        #expect(try await transport.send(Self.request(caller, .get, address)).head.status == .unauthorized)
        #expect(try await transport.send(TransportRequest(.get, address)).head.status == .unauthorized)
        #expect(Self.tokens(server) == [nil, nil])
    }

    @Test("A request with its own Authorization field is sent unchanged")
    func ownField() async throws {
        let server = Self.server { _ in false }
        let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in "a2" }
        let request = try Self.request(caller, .get, "https://example.org/api/a", [.authorization: "Basic eA=="])
        #expect(try await Self.authorizing(server, caller).send(request).head.status == .unauthorized)
        #expect(Self.tokens(server) == ["Basic eA=="])
    }

    @Test("Equal requests of different callers are not sent as one request")
    func coalescing() async throws {
        let release = Signal()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = ScriptedTransport { request throws(TransportError) in
            arrived.yield()
            await release.wait()
            return TransportResponse(.ok, [:], request.head.headerFields[.authorization] ?? "")
        }
        let caller = CurrentCaller(identity: "anna", token: "a1")
        let transport = CoalescingTransport(try Self.authorizing(server, caller))
        let former = try Self.request(caller)
        async let first = transport.send(former).text()
        var iterator = arrivals.makeAsyncIterator()
        await iterator.next()
        caller.change(to: "berta", token: "b1")
        let current = try Self.request(caller)
        async let second = transport.send(current).text()
        await iterator.next()
        release.set()
        #expect(try await [first, second] == ["Bearer a1", "Bearer b1"])
    }

    @Test("A real server receives the token and then the renewed token over one connection")
    func overHTTP() async throws {
        try await ScriptedServer.with { connection in
            while let head = try await connection.requestHead() {
                if head.lowercased().contains("\r\nauthorization: bearer a2") {
                    try await connection.respond(body: "rows")
                } else {
                    try await connection.respond("401 Unauthorized", ["WWW-Authenticate": "Bearer"], body: "refused")
                }
            }
        } _: { server in
            let caller = CurrentCaller(identity: "anna", token: "a1") { _, _ in "a2" }
            let url = try #require(URL(string: server.base))
            let transport = AuthorizingTransport(DefaultTransport.makeForWholeResponses(), service: url, caller: caller)
            #expect(try await transport.send(Self.request(caller, .get, server.base + "/a")).text() == "rows")
        }
    }
}
