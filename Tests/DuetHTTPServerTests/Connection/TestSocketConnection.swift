import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// A connection whose socket the test reads and writes.
final class TestSocketConnection: Sendable {
    private let channel = NIOAsyncTestingChannel()
    private let reads = ReadCount()

    init(respond: @escaping @Sendable (Request) async throws -> Response) async throws {
        let server = LimitedHTTPChannel(
            limits: RequestLimits(),
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "refused")) },
            respond: { request, _ in try await respond(request) })
        try await self.channel.testingEventLoop.executeInContext { [channel, reads] in
            try channel.pipeline.syncOperations.addHandler(ReadRecorder(count: reads))
            _ = try server.setup(channel: channel)
        }
        try await self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    }

    /// Simulates a client that sends a text in one packet.
    /// - Parameter thenEnds: True if the client closes its output in the same iteration of the event loop.
    func receive(_ text: String, thenEnds: Bool = false) async throws {
        try await self.receive(ByteBuffer(string: text), thenEnds: thenEnds)
    }

    /// Simulates a client that sends bytes in one packet.
    /// - Parameter thenEnds: True if the client closes its output in the same iteration of the event loop.
    func receive(_ bytes: ByteBuffer, thenEnds: Bool = false) async throws {
        try await self.channel.writeInbound(bytes)
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
        try await self.receivePacketsUntilHeld { ByteBuffer(string: text($0)) }
    }

    /// Simulates a client that sends packets until the handlers stop reading the socket.
    /// - Returns: The number of packets.
    func receivePacketsUntilHeld(_ bytes: (_ number: Int) -> ByteBuffer) async throws -> Int {
        var count = 0
        while try await self.isRead() {
            try await self.receive(bytes(count))
            count += 1
            try #require(count <= 100, "the socket is read without end")
        }
        return count
    }

    /// Calls a closure, and waits until the handlers forward the delayed read to the socket.
    func heldRead(after release: () -> Void) async {
        let before = self.reads.value
        release()
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
