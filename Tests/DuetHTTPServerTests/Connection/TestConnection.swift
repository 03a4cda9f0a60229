import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes

/// One connection without a socket, with a clock that the test controls. At one end, the test sends and receives bytes.
/// At the other end, the test is the application.
final class TestConnection {
    let channel = EmbeddedChannel()
    private let application = TestApplication()
    private let socket = TestSocket()
    private let observed = Recorder<ConnectionObservation>()

    init(limits: RequestLimits = RequestLimits()) throws {
        let observed = self.observed
        let channel = LimitedHTTPChannel(
            limits: limits,
            problemResponse: { problem in
                ProblemResponse(status: problem.status, body: ByteBuffer(string: "{\"\(problem)\":1}"))
            },
            observe: { observed.append($0) },
            respond: { _, _ in Response(status: .ok) })
        try self.channel.pipeline.syncOperations.addHandlers([self.socket] + channel.handlers() + [self.application])
        try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    deinit {
        // A lingering connection is closed only after its timeout.
        self.advance(by: .hours(1))
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }

    /// The parts that the application has received, one word each: `GET /path`, `body(3)`, `end`, `error(…)`.
    var received: [String] { self.application.log }

    /// The authorities of the requests that the application has received.
    var authorities: [String?] { self.application.authorities }

    /// The close modes of the socket.
    var closes: [CloseMode] { self.socket.closes }

    var observations: [ConnectionObservation] { self.observed.all }

    /// Simulates a client that sends a text in one packet.
    func receive(_ text: String) throws {
        try self.channel.writeInbound(ByteBuffer(string: text))
    }

    /// Simulates a client that closes its output.
    func receiveEnd() {
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    /// Writes parts of a response, as the application does.
    func write(_ parts: HTTPResponsePart...) {
        for part in parts { self.channel.pipeline.syncOperations.write(NIOAny(part), promise: nil) }
        self.channel.pipeline.syncOperations.flush()
    }

    /// Sends a short text as the response of the application.
    func respond(_ text: String, fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentLength] = String(text.utf8.count)
        self.write(
            .head(HTTPResponse(status: .ok, headerFields: fields)), .body(ByteBuffer(string: text)), .end(nil))
    }

    /// Returns the bytes sent to the client since the last call, as a text.
    func sent() throws -> String {
        var text = ""
        while let data = try self.channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = data { text += String(buffer: buffer) }
        }
        return text
    }

    func advance(by time: TimeAmount) {
        self.channel.embeddedEventLoop.advanceTime(by: time)
    }
}

private final class TestApplication: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    var log: [String] = []
    var authorities: [String?] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.log.append("\(head.method) \(head.path ?? "-")")
            self.authorities.append(head.authority)
        case .body(let bytes): self.log.append("body(\(bytes.readableBytes))")
        case .end: self.log.append("end")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.log.append("error(\(error))")
    }
}

/// Records how the connection is closed. The embedded channel does not support half-closure, so these calls are not
/// forwarded.
private final class TestSocket: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    var closes: [CloseMode] = []

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        self.closes.append(mode)
        if mode == .all {
            context.close(mode: mode, promise: promise)
        } else {
            promise?.succeed()
        }
    }
}
