import HTTPSemantics
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization

/// One connection without a socket and with a clock that the test moves. Bytes go in and out at one end; at the other
/// the test is the application.
final class TestConnection {
    let channel = EmbeddedChannel()
    private let application = TestApplication()
    private let socket = TestSocket()
    private let observed = ObservationLog()

    init(limits: RequestLimits = RequestLimits()) throws {
        let observed = self.observed
        let channel = LimitedHTTP1Channel(
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
        // A connection that lingers is not closed before its time.
        self.advance(by: .hours(1))
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }

    /// What the application has been given, one word a part: `GET /path`, `body(3)`, `end`, `error(…)`.
    var received: [String] { self.application.log }

    /// The authorities of the requests that the application has been given.
    var authorities: [String?] { self.application.authorities }

    /// What the connection has done to its socket.
    var closes: [CloseMode] { self.socket.closes }

    var observations: [ConnectionObservation] { self.observed.all }

    /// The client sends text in one piece.
    func receive(_ text: String) throws {
        try self.channel.writeInbound(ByteBuffer(string: text))
    }

    /// The client closes its side.
    func receiveEnd() {
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    /// The application writes parts.
    func write(_ parts: HTTPResponsePart...) {
        for part in parts { self.channel.pipeline.syncOperations.write(NIOAny(part), promise: nil) }
        self.channel.pipeline.syncOperations.flush()
    }

    /// The application answers with a short text.
    func respond(_ text: String, fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentLength] = String(text.utf8.count)
        self.write(
            .head(HTTPResponse(status: .ok, headerFields: fields)), .body(ByteBuffer(string: text)), .end(nil))
    }

    /// What the client has been sent since the last call.
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

/// Writes down how the connection is closed. The embedded channel knows no half-closure: that is kept from it.
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

private final class ObservationLog: Sendable {
    private let observations = Mutex<[ConnectionObservation]>([])

    var all: [ConnectionObservation] { self.observations.withLock { $0 } }

    func append(_ observation: ConnectionObservation) {
        self.observations.withLock { $0.append(observation) }
    }
}
