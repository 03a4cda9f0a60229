import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import ProcessTesting
import Synchronization
import Testing

/// Connections at several addresses, and the shutdown.
@Suite struct ConnectionListenerTests {
    private static let port = ListeningAddress.tcp(host: "127.0.0.1", port: 0)

    @Test("A server answers at each of its addresses")
    func addresses() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            let server = ListeningServer([Self.port, Self.port, .unix(UnixSocket(path: path))])
            try await server.run { addresses in
                #expect(addresses.map(\.text).last == path)
                for address in addresses {
                    let head = try await ListeningServer.get("/\(address.text)", at: address)
                    #expect(head.hasPrefix("HTTP/1.1 200 "))
                }
                #expect(server.targets == addresses.map { "/\($0.text)" })
            }
        }
    }

    @Test("The addresses share the limit of connections, and a waiting connection is accepted when another one closes")
    func limit() async throws {
        let server = ListeningServer([Self.port, Self.port], maximumConnections: 1)
        try await server.run { addresses in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                try await ListeningServer.connect(to: addresses[0]) { client in
                    _ = try await client.get("/1")
                    for address in addresses {
                        tasks.addTask { try await ListeningServer.get("/later", at: address) }
                    }
                    for number in 2...50 { _ = try await client.get("/\(number)") }
                }
                try await tasks.waitForAll()
            }
            #expect(server.targets.prefix(50) == (1...50).map { "/\($0)" }[...])
            #expect(server.targets.dropFirst(50) == ["/later", "/later"])
        }
    }

    @Test("A connection that begins before the shutdown is answered, even if its first request comes afterwards")
    func firstRequest() async throws {
        let server = ListeningServer([Self.port])
        try await server.run { addresses in
            try await ListeningServer.connect(to: addresses[0]) { client in
                // The server has accepted the connection of the client before this one.
                try await ListeningServer.get("/accepted", at: addresses[0])
                server.listener.shutDown()
                let head = try await client.get("/first")
                #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Connection: close"), "\(head)")
                #expect(try await client.rest() == "")
            }
        }
    }

    @Test(
        "The shutdown ends connections without a request, at once or after the patience of the server",
        .timeLimit(.minutes(15)))
    func idle() async throws {
        let server = ListeningServer([Self.port], patience: .zero)
        try await server.run { addresses in
            try await ListeningServer.connect(to: addresses[0]) { silent in
                try await ListeningServer.connect(to: addresses[0]) { used in
                    _ = try await used.get("/1")
                    server.listener.shutDown()
                    #expect(try await used.rest() == "")
                    #expect(try await silent.rest() == "")
                }
            }
            await #expect(throws: (any Error).self) { try await ListeningServer.get("/2", at: addresses[0]) }
        }
    }

    @Test("If one address cannot be used, the server does not listen at the others", .timeLimit(.minutes(15)))
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.appending(path: "s").path
            let server = ListeningServer([
                .unix(UnixSocket(path: path)), .unix(UnixSocket(path: folder.appending(path: "none/s").path)),
            ])
            let error = await #expect(throws: ListeningError.self) { _ = try await server.listener.start() }
            #expect(error?.reason == .system(ENOENT))
            #expect(!FileManager.default.fileExists(atPath: path))
            await server.listener.waitForEnd()
        }
    }

    @Test("If the task of a server is canceled, its connections are closed at once", .timeLimit(.minutes(15)))
    func cancellation() async throws {
        let server = ListeningServer([Self.port])
        let addresses = try await server.listener.start()
        try await ListeningServer.connect(to: addresses[0]) { client in
            _ = try await client.get("/1")
            let end = Task { await server.listener.waitForEnd() }
            end.cancel()
            #expect(try await client.rest() == "")
            await end.value
        }
    }

    @Test("The work of a connection that is closed before it is active ends", arguments: [false, true])
    func neverActive(acceptsPlainHTTP2: Bool) async throws {
        let server = LimitedHTTPChannel(
            limits: .patient, acceptsPlainHTTP2: acceptsPlainHTTP2,
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer()) },
            respond: { _, _ in Response(status: .ok) })
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(listener.localAddress)
        let end = Mutex<EventLoopFuture<Void>?>(nil)
        await #expect(throws: ChannelError.self) {
            _ = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let ended = try server.setup(channel: channel)
                        end.withLock { $0 = ended }
                        channel.close(promise: nil)
                    }
                }
                .connect(to: address).get()
        }
        try await #require(end.withLock(\.self)).get()
        try await listener.close()
    }
}
