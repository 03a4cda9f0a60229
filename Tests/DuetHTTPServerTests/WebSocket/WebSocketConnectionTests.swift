import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import ProcessTesting
import Synchronization
import Testing

/// Tests of WebSocket connections over real sockets, with Hummingbird's server.
@Suite(.timeLimit(.minutes(15))) struct WebSocketConnectionTests {
    // MARK: The handshake

    @Test("The response to a handshake proves that the server has understood it")
    func accept() async throws {
        try await WebSocketTestServer.Setup(subprotocol: "chat").run { server in
            try await server.connect { client in
                try await client.send(WebSocketTestClient.handshake)
                // The key and the value are the example of RFC 6455 §1.3.
                let head = try await client.head()
                #expect(
                    head == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n")
            }
        }
    }

    @Test("The names and tokens of the handshake are case-insensitive, and may be in lists")
    func spelling() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.connect { client in
                try await client.send(
                    "GET / HTTP/1.1\r\nhost: a\r\nconnection: keep-alive, UPGRADE\r\nupgrade: other/1, WebSocket\r\n"
                        + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 101 "))
            }
        }
    }

    @Test(
        "A request that does not ask for a WebSocket connection, or cannot, has its usual response",
        arguments: [
            ("Connection: Upgrade\r\n", "Connection: keep-alive\r\n"), ("Upgrade: websocket", "Upgrade: h2c"),
            ("Upgrade: websocket\r\n", ""), ("GET", "PUT"), ("HTTP/1.1", "HTTP/1.0"),
            ("Host: a", "Host: a\r\nContent-Length: 3"), ("Host: a", "Host: a\r\nTransfer-Encoding: chunked"),
        ])
    func otherRequests(part: String, other: String) async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.connect { client in
                let request = WebSocketTestClient.handshake.replacing(part, with: other)
                try await client.send(request + (other.contains("chunked") ? "3\r\nabc\r\n0\r\n\r\n" : "abc"))
                let head = try await client.head()
                #expect(head.dropFirst(8).hasPrefix(" 200 OK"))
            }
        }
    }

    @Test(
        "A handshake with another version or an invalid key is rejected",
        arguments: [
            ("Version: 13", "Version: 8", "426 Upgrade Required"),
            ("Version: 13", "Version: 13, 8", "426 Upgrade Required"),
            ("Sec-WebSocket-Version: 13\r\n", "", "426 Upgrade Required"),
            ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25j", "400 Bad Request"),
            ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZ!==", "400 Bad Request"),
            ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", "400 Bad Request"),
        ])
    func invalidHandshakes(part: String, other: String, status: String) async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.connect { client in
                try await client.send(WebSocketTestClient.handshake.replacing(part, with: other))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 \(status)\r\n"))
                #expect(head.contains("Sec-WebSocket-Version: 13\r\n") == status.hasPrefix("426"))
            }
        }
    }

    @Test("A handshake can follow other requests of the connection, and frames can follow it in the same packet")
    func pipelined() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.connect { client in
                let first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                let frames = ClientFrame.make(ClientFrame.text, "a") + ClientFrame.make(ClientFrame.ping, "b")
                try await client.send(ByteBuffer(string: first + WebSocketTestClient.handshake) + frames)
                let ordinary = try await client.head()
                #expect(ordinary.hasPrefix("HTTP/1.1 200 OK"))
                let head = try await client.head()
                #expect(head.hasPrefix("no handshakeHTTP/1.1 101 "))
                let received = [try await client.frame(), try await client.frame()].sorted()
                #expect(received == ["pong b", "text a"])
            }
        }
    }

    @Test("A client that sends too much before the response is disconnected")
    func flood() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.connect { client in
                let flood = ClientFrame.make(ClientFrame.binary, Array(repeating: 0, count: 200_000))
                try await client.send(ByteBuffer(string: WebSocketTestClient.handshake) + flood)
                // Depending on the time of the switch, the message arrives before or after it.
                let head = try await client.head()
                #expect(head == "" || head.hasPrefix("HTTP/1.1 101 "))
                if head == "" { return }
                let frame = try await client.frame()
                #expect(frame == "binary 200000")
            }
        }
    }

    // MARK: Messages

    @Test("Messages of all sizes are exchanged in their order")
    func echo() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.open { client in
                for length in [0, 1, 125, 126, 65_535, 65_536, 1_000_000] {
                    try await client.send(ClientFrame.make(ClientFrame.binary, Array(repeating: 7, count: length)))
                    let frame = try await client.frame()
                    #expect(frame == "binary \(length)")
                }
                let texts = (0..<500).map { "message \($0)" }
                let frames = texts.map { ClientFrame.make(ClientFrame.text, $0) }.reduce(ByteBuffer(), +)
                try await client.send(frames)
                for text in texts {
                    let frame = try await client.frame()
                    #expect(frame == "text \(text)")
                }
            }
        }
    }

    @Test("A client that violates the protocol receives the reason in a close frame, and the connection ends")
    func errors() async throws {
        var limits = RequestLimits.patient
        limits.webSocket.maximumMessageSize = 10
        try await WebSocketTestServer.Setup(limits: limits).run { server in
            let cases: [(ByteBuffer, String)] = [
                (ByteBuffer(bytes: [0x81, 0x01, 0x61]), "close 1002 a frame is not masked"),
                (ClientFrame.make(ClientFrame.text, [0xFF]), "close 1007 a text message is not UTF-8"),
                (
                    ClientFrame.header(ClientFrame.binary, length: 1 << 30),
                    "close 1009 a message has more than 10 bytes"
                ),
                (ClientFrame.close(999), "close 1002 the close frame has an invalid code"),
                (ClientFrame.close(3000, "bye".utf8), "close 3000 "), (ClientFrame.make(ClientFrame.close), "close"),
            ]
            for (bytes, expected) in cases {
                try await server.open { client in
                    try await client.send(bytes)
                    let close = try await client.frame()
                    #expect(close == expected)
                    let end = try await client.frame()
                    #expect(end == "end")
                }
            }
        }
    }

    // MARK: The end

    @Test("When the application's work ends, its reason is in the close frame")
    func workEnds() async throws {
        struct Failure: Error {}
        let works: [(@Sendable (WebSocketConnection) async throws -> Void, String)] = [
            ({ _ in }, "close 1000 "), ({ _ in throw Failure() }, "close 1011 "),
            ({ _ in throw WebSocketClose(.init(rawValue: 4401), "who?") }, "close 4401 who?"),
            ({ $0.close(WebSocketClose(.policyViolation, "no")) }, "close 1008 no"),
        ]
        for (work, expected) in works {
            try await WebSocketTestServer.Setup(work: work).run { server in
                try await server.open { client in
                    let close = try await client.frame()
                    #expect(close == expected)
                    // The server still reads.
                    try await client.send(ClientFrame.make(ClientFrame.text, "a") + ClientFrame.close(1000))
                    let end = try await client.frame()
                    #expect(end == "end")
                }
            }
        }
    }

    @Test("The loss of a connection ends the messages, fails further ones, and cancels the work")
    func loss() async throws {
        let ended = AsyncStream.makeStream(of: String.self)
        try await WebSocketTestServer.Setup { connection in
            for await _ in connection.messages {}
            await withTaskCancellationHandler {
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                ended.continuation.yield("canceled")
            }
            do {
                try await connection.send(.text(ByteBuffer(string: "a")))
            } catch {
                ended.continuation.yield("\(error)")
                ended.continuation.finish()
            }
        }.run { server in
            try await server.open { client in
                try await client.send(ClientFrame.make(ClientFrame.text, "a"))
                client.outbound.finish()
            }
            let log = await ended.stream.reduce(into: []) { $0.append($1) }
            #expect(log == ["canceled", "WebSocketEnded()"])
        }
    }

    @Test("A server that shuts down closes its connections with 1001, and waits for the work")
    func shutdown() async throws {
        let log = Log()
        try await WebSocketTestServer.Setup { connection in
            for await _ in connection.messages {}
            log.append("work ended")
        }.run { server in
            try await server.open { client in
                server.shutDown()
                let close = try await client.frame()
                #expect(close == "close 1001 the server shuts down")
                try await client.send(ClientFrame.close(1001))
                let end = try await client.frame()
                #expect(end == "end")
            }
        }
        #expect(log.all == ["work ended"])
    }

    @Test("A silent client receives a ping, and is disconnected if it does not answer")
    func heartbeat() async throws {
        var limits = RequestLimits.patient
        limits.webSocket.pingInterval = .milliseconds(20)
        limits.webSocket.pongTimeout = .milliseconds(20)
        try await WebSocketTestServer.Setup(limits: limits).run { server in
            try await server.open { client in
                let ping = try await client.frame()
                #expect(ping == "ping ")
                let end = try await client.frame()
                #expect(end == "end")
            }
            #expect(server.observations == [.idle])
        }
    }

    // MARK: Slow clients

    @Test("A client that does not read is disconnected, and the server has not buffered its messages")
    func stalledReader() async throws {
        var limits = RequestLimits.patient
        limits.writeTimeout = .milliseconds(100)
        let log = Log()
        try await WebSocketTestServer.Setup(limits: limits) { connection in
            let message = WebSocketMessage.binary(ByteBuffer(repeating: 0, count: 1 << 20))
            // The buffers of both systems can have some megabytes.
            for _ in 0..<200 {
                try await connection.send(message)
                log.append("sent")
            }
        }.run { server in
            try await server.open { client in
                // The client reads only after the server has disconnected it.
                while server.observations.isEmpty { await Task.yield() }
                #expect(server.observations == [.stalledReader])
                #expect(log.all.count < 200)
                _ = client
            }
        }
    }

    @Test("A client that sends pings without reading the pongs receives the last pong, but not all of them")
    func pingFlood() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.open(receiveBuffer: 4096) { client in
                let count = 25_000
                let ping = ClientFrame.make(ClientFrame.ping, String(repeating: "p", count: 125))
                var flood = ByteBuffer()
                for _ in 0..<count { flood.writeImmutableBuffer(ping) }
                // The client reads only after it has written nearly all pings.
                try await client.send(flood + ClientFrame.make(ClientFrame.ping, "last"))
                var pongs = 0
                while try await client.frame() != "pong last" { pongs += 1 }
                #expect(pongs < count)
            }
        }
    }

    @Test("A message that waits for a slow client can be canceled, and the client receives only complete messages")
    func cancelSend() async throws {
        let log = Log()
        try await WebSocketTestServer.Setup { connection in
            let sending = Task {
                let message = WebSocketMessage.binary(ByteBuffer(repeating: 0, count: 1 << 20))
                while true {
                    try await connection.send(message)
                    log.append("sent")
                }
            }
            sending.cancel()
            let result = await sending.result
            #expect(throws: CancellationError.self) { try result.get() }
            try await connection.send(.text(ByteBuffer(string: "last")))
        }.run { server in
            try await server.open { client in
                var count = 0
                var frame = try await client.frame()
                while frame == "binary \(1 << 20)" {
                    count += 1
                    frame = try await client.frame()
                }
                #expect(frame == "text last")
                #expect(count == log.all.count)
            }
        }
    }

    @Test("The messages before an error are answered before the connection ends")
    func answeredBeforeError() async throws {
        try await WebSocketTestServer.Setup().run { server in
            try await server.open { client in
                let texts = ["a", "b", "c"].map { ClientFrame.make(ClientFrame.text, $0) }.reduce(ByteBuffer(), +)
                try await client.send(texts + ByteBuffer(bytes: [0x83, 0x80, 0, 0, 0, 0]))
                for expected in ["text a", "text b", "text c", "close 1002 the opcode 3 is reserved", "end"] {
                    let frame = try await client.frame()
                    #expect(frame == expected)
                }
            }
        }
    }

    @Test("A task that waits for a message can be canceled, and another one can wait afterwards")
    func cancelReceive() async throws {
        try await WebSocketTestServer.Setup { connection in
            let waiting = Task { await connection.messages.next() }
            waiting.cancel()
            let message = await waiting.value
            #expect(message == nil)
            try await connection.send(.text(ByteBuffer(string: "ready")))
            for await message in connection.messages { try await connection.send(message) }
        }.run { server in
            try await server.open { client in
                let ready = try await client.frame()
                #expect(ready == "text ready")
                try await client.send(ClientFrame.make(ClientFrame.text, "a"))
                let echo = try await client.frame()
                #expect(echo == "text a")
            }
        }
    }

    @Test("While the application does not read messages, the server stops reading from the socket")
    func backPressure() async throws {
        let begin = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { request in
            guard let handshake = try WebSocketHandshake(request.head) else { return Response(status: .badRequest) }
            return handshake.response { connection in
                for await _ in begin.stream {}
                var count = 0
                for await message in connection.messages {
                    if message == .text(ByteBuffer(string: "last")) { break }
                    count += 1
                }
                try await connection.send(.text(ByteBuffer(string: "\(count) messages")))
                // The connection remains open, so a close frame does not follow.
                for await _ in connection.messages {}
            }
        }
        try await connection.receive(WebSocketTestClient.handshake)
        _ = try await connection.sent(until: "\r\n\r\n")
        let count = try await connection.receivePacketsUntilHeld { ClientFrame.make(ClientFrame.text, "\($0)") }
        await connection.heldRead { begin.continuation.finish() }
        try await connection.receive(ClientFrame.make(ClientFrame.text, "last"))
        _ = try await connection.sent(until: "\(count) messages")
    }
}

private final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { self.entries.withLock { $0 } }

    func append(_ entry: String) { self.entries.withLock { $0.append(entry) } }
}
