import Foundation
import HTTPTypes
import NIOSSL
import ProcessTesting
import Testing

@testable import DuetClient

@Suite("GraphQL over a WebSocket connection")
struct GraphQLSocketTests {
    private static func client(
        _ sockets: FakeSockets, caller: CurrentCaller? = nil, settings: LiveSettings = LiveSettings(firstPause: .zero)
    ) throws -> (client: GraphQLClient, socket: GraphQLSocket) {
        let socket = GraphQLSocket(
            url: try #require(URL(string: "https://example.org/graphql")), headerFields: [:], caller: caller,
            persistedQueries: PersistedQuerySettings(), messageLimit: 1 << 20,
            settings: settings, transport: sockets)
        let store = if let caller { GraphQLStore(caller: caller) } else { GraphQLStore() }
        return (GraphQLClient(transport: Answers { _ in "" }, socket: socket, store: store), socket)
    }

    /// Answers each subscription with one result, whose name contains the numbers of the connection and of the
    /// subscription.
    private static let names: FakeSockets.Server = { message, connection in
        guard message.contains("subscribe"), let id = message.firstMatch(of: /"id":"(\d+)"/).flatMap({ Int($0.1) })
        else { return }
        connection.deliver(lastName: "\(connection.number)-\(id)", id: id)
    }

    @Test("Live queries share one connection, which is closed after the last one")
    func shared() async throws {
        let sockets = FakeSockets(Self.names)
        let (client, socket) = try Self.client(sockets)
        let names = try await withThrowingTaskGroup(of: String?.self) { group in
            var first = client.live(EmployeeRowQuery(id: "1")).makeAsyncIterator()
            var names = [try await first.next()?.data?.employee?.lastName]
            group.addTask {
                for try await result in client.live(EmployeeRowQuery(id: "2")) {
                    return result.data?.employee?.lastName
                }
                return nil
            }
            for try await name in group { names.append(name) }
            #expect(socket.connectionCount == 1)
            withExtendedLifetime(first) {}
            return names
        }
        #expect(names == ["1-1", "1-2"])
        let connection = try #require(sockets.connections.first)
        await connection.closed.wait()
        #expect(sockets.connections.count == 1)
        #expect(connection.closeCode == 1000)
        #expect(
            Set(connection.messages.suffix(2)) == [#"{"id":"2","type":"complete"}"#, #"{"id":"1","type":"complete"}"#])
        let subscribe = try #require(connection.messages.dropFirst().first)
        #expect(subscribe.contains(#""query":"subscription EmployeeRowQueryLive($id:ID!){"#), "\(subscribe)")
        #expect(socket.connectionCount == 0)
    }

    @Test("A further connection is opened when one is full, and is closed when it is empty")
    func further() async throws {
        let sockets = FakeSockets(Self.names)
        let (client, socket) = try Self.client(sockets)
        var queries: [GraphQLResults<EmployeeRowScreen>.AsyncIterator] = []
        func begin(_ name: String) async throws {
            var query = client.live(EmployeeRowQuery(id: "1")).makeAsyncIterator()
            #expect(try await query.next()?.data?.employee?.lastName == name)
            queries.append(query)
        }
        for number in 1...100 { try await begin("1-\(number)") }
        #expect(socket.connectionCount == 1)
        try await begin("2-1")
        try await begin("2-2")
        #expect(socket.connectionCount == 2)
        queries.removeLast(2)
        let further = try #require(sockets.connections.last)
        await further.closed.wait()
        #expect(sockets.connections.first?.closeCode == nil)
        #expect(socket.connectionCount == 1)
        try await begin("3-1")
        withExtendedLifetime(queries) {}
    }

    @Test(
        "If the server restarts, the live query continues on a new connection",
        arguments: [
            WebSocketEnd.closed(code: 1012, reason: "Service restart"), .closed(code: 1001, reason: ""),
            .lost(TransportError(.connectionLost)),
        ])
    func restarted(_ end: WebSocketEnd) async throws {
        let sockets = FakeSockets(
            refuse: { attempt, _ throws(TransportError) in
                if attempt == 2 { throw TransportError(.cannotConnect) }
                return attempt == 3 ? HTTPResponse(status: .serviceUnavailable) : nil
            }, Self.names)
        let (client, _) = try Self.client(sockets)
        var names: [String?] = []
        for try await result in client.live(EmployeeRowQuery(id: "1")) {
            names.append(result.data?.employee?.lastName)
            if names.count == 2 { break }
            sockets.connections.first?.end(end)
        }
        #expect(names == ["1-1", "2-1"])
        #expect(sockets.requests.count == 4)
    }

    @Test(
        "Clients return to a server that restarts over a longer time than after a lost connection",
        arguments: [(1012, 6), (1001, 1)] as [(UInt16, Int)])
    func spread(_ code: UInt16, _ seconds: Int) async throws {
        let sockets = FakeSockets(Self.names)
        var settings = LiveSettings()
        // The sleeps between pings are endless.
        let clock = RecordingClock(endless: settings.heartbeatInterval)
        settings.clock = clock
        settings.jitter = { 1 }
        let (client, _) = try Self.client(sockets, settings: settings)
        var names: [String?] = []
        for try await result in client.live(EmployeeRowQuery(id: "1")) {
            names.append(result.data?.employee?.lastName)
            if names.count == 2 { break }
            sockets.connections.first?.end(.closed(code: code, reason: ""))
        }
        #expect(names == ["1-1", "2-1"])
        #expect(clock.pauses == [.seconds(seconds)])
    }

    @Test("When the token expires, or is refused, the next connection has a new token")
    func tokens() async throws {
        let caller = CurrentCaller(identity: "anna", token: "a") { _, refused in refused.map { $0 + "a" } }
        let sockets = FakeSockets(
            refuse: { attempt, _ throws(TransportError) in attempt == 2 ? HTTPResponse(status: .unauthorized) : nil },
            Self.names)
        let (client, _) = try Self.client(sockets, caller: caller)
        var names: [String?] = []
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await result in client.live(EmployeeRowQuery(id: "1")) {
                names.append(result.data?.employee?.lastName)
                sockets.connections.last?.end(.closed(code: 4401, reason: "Unauthorized"))
            }
        }
        #expect(names == ["1-1"])
        // The token was renewed after the close frame, and the server refuses the renewed one, too.
        #expect(sockets.requests.map { $0.head.headerFields[.authorization] } == ["Bearer a", "Bearer aa"])
        #expect(error?.code == .refused)
        #expect(error?.status == 401)
    }

    @Test("A token that expires is renewed for each connection")
    func renewed() async throws {
        let caller = CurrentCaller(identity: "anna", token: "a") { _, refused in
            refused == "aaa" ? nil : refused.map { $0 + "a" }
        }
        let sockets = FakeSockets(Self.names)
        let (client, _) = try Self.client(sockets, caller: caller)
        var names: [String?] = []
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await result in client.live(EmployeeRowQuery(id: "1")) {
                names.append(result.data?.employee?.lastName)
                sockets.connections.last?.end(.closed(code: 4401, reason: "Unauthorized"))
            }
        }
        #expect(names == ["1-1", "2-1", "3-1"])
        #expect(
            sockets.requests.map { $0.head.headerFields[.authorization] } == ["Bearer a", "Bearer aa", "Bearer aaa"])
        #expect(error?.code == .refused)
    }

    @Test(
        "A close code that another connection would not change ends the sequence",
        arguments: [4400, 4401, 4403, 4409, 4429, 1002] as [UInt16])
    func closed(_ code: UInt16) async throws {
        let sockets = FakeSockets { message, connection in
            if message.contains("subscribe") { connection.end(.closed(code: code, reason: "Because")) }
        }
        let (client, socket) = try Self.client(sockets)
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await _ in client.live(EmployeeRowQuery(id: "1")) {}
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("\(code): Because") == true)
        #expect(sockets.connections.count == 1)
        #expect(socket.connectionCount == 0)
    }

    @Test("Errors of the document end the sequence, an overloaded service is asked again on the same connection")
    func errors() async throws {
        let sockets = FakeSockets { message, connection in
            guard message.contains("subscribe") else { return }
            if message.hasPrefix(#"{"id":"1""#) {
                connection.deliver(
                    #"{"id":"1","type":"error","payload":[{"message":"busy","extensions":{"code":"OVERLOADED"}}]}"#)
            } else {
                connection.deliver(#"{"id":"2","type":"error","payload":[{"message":"wrong"}]}"#)
            }
        }
        let (client, _) = try Self.client(sockets)
        let error = await #expect(throws: GraphQLClientError.self) {
            for try await _ in client.live(EmployeeRowQuery(id: "1")) {}
        }
        #expect(error?.responseErrors.map(\.message) == ["wrong"])
        #expect(sockets.connections.count == 1)
    }

    @Test("The sequence ends when the server completes the subscription, and pings are answered")
    func complete() async throws {
        let sockets = FakeSockets { message, connection in
            guard message.contains("subscribe") else { return }
            connection.deliver(#"{"type":"ping"}"#)
            connection.deliver(lastName: "A")
            connection.deliver(#"{"id":"1","type":"complete"}"#)
        }
        let (client, _) = try Self.client(sockets)
        var count = 0
        for try await _ in client.live(EmployeeRowQuery(id: "1")) { count += 1 }
        #expect(count == 1)
        #expect(sockets.connections.first?.messages.contains(#"{"type":"pong"}"#) == true)
        #expect(sockets.connections.first?.messages.contains { $0.contains("complete") } == false)
    }

    @Test("A connection on which nothing arrives is replaced")
    func silent() async throws {
        let sockets = FakeSockets { message, connection in
            if message.contains("subscribe") { connection.deliver(lastName: "\(connection.number)") }
            if message.contains("ping"), connection.number > 1 { connection.deliver(#"{"type":"pong"}"#) }
        }
        let (client, _) = try Self.client(
            sockets, settings: LiveSettings(firstPause: .zero, heartbeatInterval: .milliseconds(10)))
        var names: [String?] = []
        for try await result in client.live(EmployeeRowQuery(id: "1")) {
            names.append(result.data?.employee?.lastName)
            if names.count == 2 { break }
        }
        #expect(names == ["1", "2"])
        #expect(sockets.connections.first?.closeCode != nil)
    }

    @Test("When the caller changes, the sequence ends, and the connection with the former token is closed")
    func callerChanged() async throws {
        let caller = CurrentCaller(identity: "anna", token: "a")
        let sockets = FakeSockets(Self.names)
        let (client, _) = try Self.client(sockets, caller: caller)
        for try await _ in client.live(EmployeeRowQuery(id: "1")) { caller.change(to: "berta", token: "b") }
        await sockets.connections.first?.closed.wait()
        #expect(sockets.connections.count == 1)
    }
}

@Suite("WebSocket connections through TLS", .enabled(if: Nginx.canUseTLS, "needs nginx and openssl"))
struct SecureSocketTests {
    /// A clock without pauses. A live query that pauses is canceled.
    private struct StoppedClock: Clock {
        let clock = ContinuousClock()
        var now: ContinuousClock.Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            throw CancellationError()
        }
    }

    private static func client(
        _ base: String, clock: any Clock<Duration> = ContinuousClock(), trusting certificate: URL? = nil
    ) throws -> GraphQLClient {
        let url = try #require(URL(string: "\(base)/graphql"))
        let certificates = try certificate.map { try NIOSSLCertificate.fromPEMFile($0.path) }
        var settings = LiveSettings()
        settings.clock = clock
        let password = Data("\(Nginx.TLSProxy.user):\(Nginx.TLSProxy.password)".utf8).base64EncodedString()
        let socket = GraphQLSocket(
            url: url, headerFields: [.authorization: "Basic \(password)"], liveSettings: settings
        ) { tls in
            if let certificates { tls.trustRoots = .certificates(certificates) }
        }
        return GraphQLClient(transport: GraphQLEndpoint(url: url), socket: socket)
    }

    @Test("A live query receives changes, and a certificate that is not trusted, or of another host, is a final error")
    func proxy() async throws {
        try await SampleDatabase.with { folder, url in
            try await Server.with(["--database", url], in: folder) { server in
                try await Nginx.withTLS(before: server, in: folder) { proxy in
                    let client = try Self.client(proxy.secure, trusting: proxy.certificate)
                    var live = client.live(EmployeeRowQuery(id: "10004")).makeAsyncIterator()
                    #expect(try await live.next()?.data?.employee?.lastName == "Koblick")
                    let other = GraphQLClient(transport: try server.graphQL)
                    _ = try await other.perform(ArticleCode.RenameEmployee(id: "10004", lastName: "Renamed"))
                    #expect(try await live.next()?.data?.employee?.lastName == "Renamed")

                    // The certificate does not contain the address.
                    let address = proxy.secure.replacing("localhost", with: "127.0.0.1")
                    for client in [
                        try Self.client(proxy.secure, clock: StoppedClock()),
                        try Self.client(address, clock: StoppedClock(), trusting: proxy.certificate),
                    ] {
                        let error = await #expect(throws: GraphQLClientError.self) {
                            for try await _ in client.live(EmployeeRowQuery(id: "10004")) {}
                        }
                        #expect(error?.transportError?.code == .insecure, "\(String(describing: error))")
                    }
                }
            }
        }
    }
}

@Suite("WebSocket connections of SwiftNIO")
struct WebSocketTransportTests {
    private static func open(
        _ server: ScriptedServer, timeout: Duration = .seconds(30)
    ) async throws(TransportError) -> WebSocketOpening {
        let transport = NIOWebSocketTransport(tls: .makeClientConfiguration())
        guard let url = URL(string: server.base + "/graphql") else { throw TransportError(.invalidAddress) }
        return try await transport.connect(
            try TransportRequest(.get, url: url, timeout: timeout), subprotocol: "p", maximumMessageSize: 100,
            events: WebSocketEvents(message: { _ in }, end: { _ in }))
    }

    @Test("A response that opens no connection has its status, fields and body")
    func refused() async throws {
        try await ScriptedServer.with { connection in
            let head = try await connection.requestHead()
            try await connection.respond("401 Unauthorized", ["Retry-After": "3"], body: head ?? "")
        } _: { server in
            guard case .refused(let head, let body) = try await Self.open(server) else {
                Issue.record("The connection is open.")
                return
            }
            #expect(head.status == .unauthorized)
            #expect(head.headerFields[.retryAfter] == "3")
            let request = String(decoding: body, as: UTF8.self)
            #expect(request.hasPrefix("GET /graphql HTTP/1.1\r\n"))
            #expect(request.contains("Sec-WebSocket-Protocol: p\r\n"))
        }
    }

    @Test("A response with a wrong Sec-WebSocket-Accept, and a closed connection, are errors")
    func invalid() async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.requestHead()
            try await connection.send(
                "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n"
            )
            try await connection.waitUntilClosed()
        } _: { server in
            let error = await #expect(throws: TransportError.self) { try await Self.open(server) }
            #expect(error?.code == .connectionLost)
        }
        try await ScriptedServer.with { connection in
            _ = try await connection.requestHead()
        } _: { server in
            let error = await #expect(throws: TransportError.self) { try await Self.open(server) }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test("A request that is canceled, or whose response does not arrive in time, closes its connection")
    func canceled() async throws {
        let received = Signal()
        try await ScriptedServer.with { connection in
            _ = try await connection.requestHead()
            received.set()
            try await connection.waitUntilClosed()
        } _: { server in
            await #expect(throws: TransportError.self) { try await Self.open(server, timeout: .milliseconds(20)) }
            let task = Task { try await Self.open(server) }
            await received.wait()
            task.cancel()
            _ = await task.result
            try await server.waitUntilAllClosed()
        }
    }
}
