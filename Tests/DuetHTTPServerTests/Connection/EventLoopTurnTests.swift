import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// Several connections on one event loop, without sockets.
@Suite struct EventLoopTurnTests {
    @Test("An event loop reads from all connections, then answers all requests, then sends all responses")
    func steps() throws {
        let turn = try TestTurn(connections: 3) { _, _ in }
        for connection in 0..<3 { try turn.receive("GET /\(connection) HTTP/1.1\r\nHost: a\r\n\r\n", on: connection) }
        #expect(turn.events == [])
        turn.end()
        #expect(turn.events == ["answer /0", "answer /1", "answer /2", "send /0", "send /1", "send /2"])
    }

    @Test("Responses to pipelined requests in one event loop iteration are sent in order")
    func pipelined() throws {
        let turn = try TestTurn(connections: 1) { _, _ in }
        try turn.receive("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n", on: 0)
        turn.end()
        #expect(turn.events == ["answer /a", "answer /b", "send /a", "send /b"])
    }

    @Test("A response that has waited for half a millisecond is sent before the next request is answered")
    func slow() throws {
        let turn = try TestTurn(connections: 4) { turn, path in
            if path == "/1" { turn.pass(.microseconds(500)) }
        }
        for connection in 0..<4 { try turn.receive("GET /\(connection) HTTP/1.1\r\nHost: a\r\n\r\n", on: connection) }
        turn.end()
        #expect(
            turn.events == [
                "answer /0", "answer /1", "send /0", "send /1", "answer /2", "answer /3", "send /2", "send /3",
            ])
    }

    @Test("A response does not wait for requests whose work has not completed")
    func waiting() throws {
        let turn = try TestTurn(connections: 3) { turn, path in
            guard path != "/0" else { return }
            turn.pass(.microseconds(500))
            throw TestTurn.Waits()
        }
        for connection in 0..<3 { try turn.receive("GET /\(connection) HTTP/1.1\r\nHost: a\r\n\r\n", on: connection) }
        turn.end()
        #expect(turn.events == ["answer /0", "answer /1", "send /0", "answer /2"])
    }

    @Test("A connection that closes before its request is answered does not affect other connections")
    func closed() throws {
        let turn = try TestTurn(connections: 2) { _, _ in }
        try turn.receive("GET /0 HTTP/1.1\r\nHost: a\r\n\r\n", on: 0)
        try turn.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n", on: 1)
        turn.close(0)
        turn.end()
        #expect(turn.events == ["answer /1", "send /1"])
    }

    @Test("A connection that closes before its completed response is sent does not affect other connections")
    func closedAfterAnswer() throws {
        let turn = try TestTurn(connections: 2) { turn, path in
            if path == "/1" { turn.close(0) }
        }
        try turn.receive("GET /0 HTTP/1.1\r\nHost: a\r\n\r\n", on: 0)
        try turn.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n", on: 1)
        turn.end()
        #expect(turn.events.prefix(2) == ["answer /0", "answer /1"])
        #expect(turn.events.last == "send /1")
    }
}

/// Connections on one event loop. The test ends each iteration of the loop.
private final class TestTurn: @unchecked Sendable {
    /// Thrown by the work for a request that never completes.
    struct Waits: Error {}

    private let eventLoop = EmbeddedEventLoop()
    private var channels: [EmbeddedChannel] = []
    private let log = EventLog()

    /// - Parameter work: The work for a request. It receives the path of the request.
    init(connections: Int, _ work: @escaping @Sendable (TestTurn, String) throws -> Void) throws {
        let log = self.log
        let server = LimitedHTTPChannel(
            limits: RequestLimits(),
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer()) },
            respond: { [weak self] request, _ in
                log.append("answer \(request.uri.path)")
                do {
                    if let self { try work(self, request.uri.path) }
                } catch {
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                }
                return Response(status: .ok, headers: [.location: request.uri.path])
            })
        for _ in 0..<connections {
            let channel = EmbeddedChannel(loop: self.eventLoop)
            try channel.pipeline.syncOperations.addHandler(SendRecorder(log: log))
            _ = try server.setup(channel: channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
            self.channels.append(channel)
        }
        self.eventLoop.run()
    }

    deinit {
        for channel in self.channels { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    var events: [String] { self.log.all }

    func receive(_ text: String, on connection: Int) throws {
        try self.channels[connection].writeInbound(ByteBuffer(string: text))
    }

    func close(_ connection: Int) {
        self.channels[connection].close(promise: nil)
    }

    /// Advances the clock of the event loop.
    func pass(_ time: TimeAmount) {
        self.eventLoop.advanceTime(by: time)
    }

    func end() {
        self.eventLoop.run()
    }
}

/// Records the `Location` field of each sent response.
private final class SendRecorder: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    private let log: EventLog
    private var written = ""

    init(log: EventLog) { self.log = log }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = self.unwrapOutboundIn(data) { self.written += String(buffer: buffer) }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        for line in self.written.split(separator: "\r\n") where line.lowercased().hasPrefix("location: ") {
            self.log.append("send \(line.dropFirst("location: ".count))")
        }
        self.written = ""
        context.flush()
    }
}

private final class EventLog: Sendable {
    private let events = Mutex<[String]>([])

    var all: [String] { self.events.withLock { $0 } }

    func append(_ event: String) { self.events.withLock { $0.append(event) } }
}
