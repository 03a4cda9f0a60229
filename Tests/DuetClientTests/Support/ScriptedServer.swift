import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import ProcessTesting

/// A local server whose connections a test handles, for behavior that `duet serve` does not have.
struct ScriptedServer: HTTPEndpoint {
    /// `http://127.0.0.1:PORT`.
    let base: String
    private let open: OpenConnections

    /// Starts a server, calls a closure, and then ends the server with all its connections.
    /// - Parameters:
    ///   - serve: Called for each connection. The connection is closed when the closure returns.
    ///   - body: Called with the server.
    static func with<Value: Sendable>(
        _ serve: @escaping @Sendable (inout Connection) async throws -> Void,
        _ body: (ScriptedServer) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                // ``run(_:on:)`` creates the asynchronous channel and starts to read. If the channel were created here,
                // it would never be executed for a connection that arrives while the server ends. NIO would then trap.
                channel.setOption(.autoRead, value: false).map { channel }
            }
        let port = listener.channel.localAddress?.port ?? 0
        let open = OpenConnections()
        let connections = Task {
            try await listener.executeThenClose { incoming in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in incoming {
                        let number = open.begin(connection.remoteAddress)
                        group.addTask {
                            await Self.run(serve, on: connection)
                            open.end(number)
                        }
                    }
                }
            }
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(ScriptedServer(base: "http://127.0.0.1:\(port)", open: open)))
        } catch {
            result = .failure(error)
        }
        connections.cancel()
        _ = await connections.result
        return try result.get()
    }

    private static func run(
        _ serve: @Sendable (inout Connection) async throws -> Void, on channel: any Channel
    ) async {
        do {
            let wrapped = try await channel.eventLoop.submit {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }.get()
            try await wrapped.executeThenClose { inbound, outbound in
                try await channel.setOption(.autoRead, value: true).get()
                var connection = Connection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
                try await serve(&connection)
            }
        } catch {
            // The client closed the connection, or the test ended. The test checks the result on the client's side.
        }
    }

    /// Waits until all connections that were opened before this call are closed. Returns immediately if there is none:
    /// a request that was canceled early may not have connected.
    func waitUntilAllClosed() async throws {
        let port = URL(string: base)?.port ?? 0
        // Connections are accepted in order. When this connection is accepted, all earlier connections have been
        // registered.
        let last = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        await open.waitUntilAllEnded(before: last.localAddress)
        try await last.close()
    }

    /// A connection of a client.
    struct Connection {
        fileprivate var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private var received = ""

        fileprivate init(
            inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
            outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) {
            self.inbound = inbound
            self.outbound = outbound
        }

        /// Waits for a request without a body, or for the head of a request with a body.
        /// - Returns: The lines of the head; nil if the client closed the connection.
        mutating func requestHead() async throws -> String? {
            while true {
                if let end = received.firstRange(of: "\r\n\r\n") {
                    defer { received.removeSubrange(..<end.upperBound) }
                    return String(received[..<end.lowerBound])
                }
                guard try await read() else { return nil }
            }
        }

        /// Waits for a complete request.
        /// - Returns: The head and the body; nil if the client closed the connection.
        mutating func request() async throws -> (head: String, body: String)? {
            guard let head = try await requestHead() else { return nil }
            let length = head.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
            while received.utf8.count < length {
                guard try await read() else { return nil }
            }
            let body = String(decoding: received.utf8.prefix(length), as: UTF8.self)
            received = String(decoding: received.utf8.dropFirst(length), as: UTF8.self)
            return (head, body)
        }

        private mutating func read() async throws -> Bool {
            guard let bytes = try await inbound.next() else { return false }
            received += String(buffer: bytes)
            return true
        }

        /// Waits until the client closes the connection.
        mutating func waitUntilClosed() async throws {
            while try await read() {}
        }

        /// Sends a text.
        func send(_ text: String) async throws {
            try await outbound.write(ByteBuffer(string: text))
        }

        /// Sends bytes.
        func send(_ bytes: Data) async throws {
            try await outbound.write(ByteBuffer(bytes: bytes))
        }

        /// Sends a complete response.
        func respond(
            _ status: String = "200 OK", _ fields: KeyValuePairs<String, String> = [:], body: String = ""
        ) async throws {
            let lines = fields.map { "\($0): \($1)\r\n" }.joined()
            try await send("HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }
}
