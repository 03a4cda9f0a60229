import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// Tests of the handler that answers requests, on a connection whose socket the test controls.
@Suite(.timeLimit(.minutes(1))) struct ResponderHandlerTests {
    @Test("The server stops reading the socket while the application does not read the request body")
    func unreadBody() async throws {
        let begin = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { request in
            for await _ in begin.stream { break }
            let body = try await request.body.collect(upTo: 1_000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
        try await connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        let pieces = try await connection.receiveUntilHeld { _ in "a" }
        #expect(pieces > 1)
        begin.continuation.finish()
        await connection.heldRead()
        try await connection.receive(String(repeating: "a", count: 100 - pieces))
        _ = try await connection.sent(until: "\r\n\r\n" + String(repeating: "a", count: 100))
    }

    @Test("The server stops reading the socket while many pipelined requests wait for the first response")
    func waitingRequests() async throws {
        let begin = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { request in
            if request.uri.path == "/first" { for await _ in begin.stream { break } }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path)))
        }
        try await connection.receive("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
        let requests = try await connection.receiveUntilHeld { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        #expect(requests > 1)
        begin.continuation.finish()
        let sent = try await connection.sent(until: "\r\n\r\n/\(requests - 1)")
        let bodies = sent.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
        #expect(bodies == ["/first"] + (0..<requests).map { "/\($0)" })
        #expect(try await connection.isRead())
    }

    @Test("An incomplete body never appears complete to the application")
    func brokenBody() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let failure = AsyncStream.makeStream(of: String.self)
        let connection = try await TestSocketConnection { request in
            begun.continuation.finish()
            do {
                return Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 100)))
            } catch {
                failure.continuation.yield("\(error)")
                throw error
            }
        }
        try await connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        for await _ in begun.stream {}
        try await connection.receiveEnd()
        #expect(await failure.stream.first { _ in true } == "\(RequestAborted(problem: .malformedRequest))")
        let sent = try await connection.sent(until: "\r\n\r\nrefused")
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test(
        "A request is not executed if the server rejects its body before the application starts",
        arguments: ["Transfer-Encoding: chunked\r\n\r\nzz", "Content-Length: 10\r\n\r\nabc"])
    func refusedBody(fields: String) async throws {
        let connection = try await TestSocketConnection { request in
            Issue.record("the application is asked to \(request.method)")
            return Response(status: .ok)
        }
        try await connection.receive("DELETE / HTTP/1.1\r\nHost: a\r\n\(fields)", thenEnds: true)
        let sent = try await connection.sent(until: "\r\n\r\nrefused")
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test("The trailers of a streamed response are sent after its last chunk")
    func trailers() async throws {
        let name = try #require(HTTPField.Name("Checksum"))
        let connection = try await TestSocketConnection { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "abc"))
                    try await writer.finish([name: "1"])
                })
        }
        try await connection.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let sent = try await connection.sent(until: "0\r\nChecksum: 1\r\n\r\n")
        #expect(sent.contains("\r\n\r\n3\r\nabc\r\n"))
    }

    @Test("The disconnection of a client cancels the work for its response")
    func leaving() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let cancelled = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { _ in
            await withTaskCancellationHandler {
                begun.continuation.finish()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                cancelled.continuation.finish()
            }
            throw CancellationError()
        }
        try await connection.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in begun.stream {}
        try await connection.lose()
        for await _ in cancelled.stream {}
    }
}

/// A connection whose socket the test reads and writes.
private final class TestSocketConnection: Sendable {
    private let channel = NIOAsyncTestingChannel()
    private let reads = ReadCount()

    init(respond: @escaping @Sendable (Request) async throws -> Response) async throws {
        let server = LimitedHTTP1Channel(
            limits: RequestLimits(),
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "refused")) },
            respond: { request, _ in try await respond(request) })
        try await self.channel.testingEventLoop.executeInContext { [channel, reads] in
            try channel.pipeline.syncOperations.addHandler(ReadRecorder(count: reads))
            _ = server.setup(channel: channel, logger: Logger(label: "test"))
        }
        try await self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    }

    /// Simulates a client that sends a text in one packet.
    /// - Parameter thenEnds: True if the client closes its output in the same iteration of the event loop.
    func receive(_ text: String, thenEnds: Bool = false) async throws {
        try await self.channel.writeInbound(ByteBuffer(string: text))
        if thenEnds { try await self.receiveEnd() }
        await self.channel.testingEventLoop.run()
    }

    /// Simulates a client that closes its output.
    func receiveEnd() async throws {
        try await self.channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// Requests a read from the handlers, as the channel does after each read of a socket.
    /// - Returns: True if the handlers forward the read to the socket.
    func isRead() async throws -> Bool {
        let before = self.reads.value
        try await self.channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.syncOperations.read()
        }
        return self.reads.value > before
    }

    /// Simulates a client that sends texts until the handlers stop reading the socket.
    /// - Returns: The number of texts.
    func receiveUntilHeld(_ text: (_ number: Int) -> String) async throws -> Int {
        var count = 0
        while try await self.isRead() {
            try await self.receive(text(count))
            count += 1
            try #require(count <= 100, "the socket is read without end")
        }
        return count
    }

    /// Waits until the handlers forward the delayed read to the socket.
    func heldRead() async {
        let before = self.reads.value
        while self.reads.value == before {
            await self.channel.testingEventLoop.run()
            await Task.yield()
        }
    }

    /// Waits until the bytes sent to the client since the last call end with the given text. Returns the bytes as a
    /// text.
    func sent(until end: String) async throws -> String {
        var text = ""
        while !text.hasSuffix(end) {
            await self.channel.testingEventLoop.run()
            while let data = try await self.channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let buffer) = data { text += String(buffer: buffer) }
            }
            await Task.yield()
        }
        return text
    }

    /// Simulates the loss of the connection.
    func lose() async throws {
        try await self.channel.close()
    }
}

private final class ReadCount: Sendable {
    private let count = Atomic(0)

    var value: Int { self.count.load(ordering: .sequentiallyConsistent) }

    func increment() { self.count.add(1, ordering: .sequentiallyConsistent) }
}

/// Counts the reads that reach the socket.
private final class ReadRecorder: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    private let count: ReadCount

    init(count: ReadCount) { self.count = count }

    func read(context: ChannelHandlerContext) {
        self.count.increment()
        context.read()
    }
}
