import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import Synchronization

/// An HTTP/1.1 client with persistent connections. Browsers and apps use such connections, too.
final class WireClient: Sendable {
    /// A response and its size on the wire.
    struct Response: Sendable {
        let status: Int
        let fields: HTTPHeaders
        /// The decompressed body.
        let body: ByteBuffer
        /// The sent bytes. This value and the received bytes, ``down``, are correct only if no other task uses the
        /// client at the same time.
        let up: WireBytes
        let down: WireBytes
    }

    /// The base address without a trailing slash, such as `http://127.0.0.1:8080`.
    let base: String
    private let client: HTTPClient
    /// Counts the bytes of all connections.
    let counter = ByteCounter()
    private let acceptsGzip: Bool
    /// The token of each request (`Authorization: Bearer`); nil for requests of an anonymous caller.
    let token: String?
    /// The length in bytes of the port in the `Host` field, with its colon: 5 for `:8080`.
    let portLength: Int
    /// The maximum duration of a request.
    private static let timeout = TimeAmount.seconds(60)
    /// The maximum duration of a response with events.
    private static let streamTimeout = TimeAmount.hours(24)
    private static let maximumSize = 256 << 20

    /// - Parameters:
    ///   - connections: The maximum number of concurrent connections.
    ///   - acceptsGzip: True to request gzip bodies.
    ///   - token: The token of each request.
    init(base: String, connections: Int, acceptsGzip: Bool, token: String?) {
        self.base = base
        self.token = token
        self.acceptsGzip = acceptsGzip
        portLength = URL(string: base)?.port.map { ":\($0)".utf8.count } ?? 0
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = acceptsGzip ? .enabled(limit: .size(Self.maximumSize)) : .disabled
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = { [counter] channel in
            counter.attach(to: channel)
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes the connections.
    func shutdown() async throws {
        try await client.shutdown()
    }

    /// - Throws: An error if the server does not respond within a minute.
    func send(_ request: Request) async throws -> Response {
        let (sent, received) = (counter.sent, counter.received)
        let response = try await client.execute(message(request), timeout: Self.timeout)
        let body = try await response.body.collect(upTo: Self.maximumSize)
        // Two parts are not counted: `X-Run`, which belongs to the comparison and not to the task, and the port in
        // `Host`, because the address of a production server has no port.
        let run = request.run.map { "X-Run: \($0)\r\n".utf8.count } ?? 0
        let (up, down) = (counter.sent - sent - run - portLength, counter.received - received)
        let upBody = request.body?.utf8.count ?? 0
        let downHead = Self.size(ofHead: response)
        return Response(
            status: Int(response.status.code), fields: response.headers, body: body,
            up: WireBytes(head: up - upBody, body: upBody), down: WireBytes(head: downHead, body: down - downHead))
    }

    /// Sends a request whose response has events, and returns when the head of the response has arrived.
    func stream(_ request: Request) async throws -> HTTPClientResponse {
        try await client.execute(message(request), timeout: Self.streamTimeout)
    }

    private func message(_ request: Request) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: base + request.target)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers.add(name: "Accept", value: request.accept)
        if let run = request.run { message.headers.add(name: "X-Run", value: run) }
        if let ifMatch = request.ifMatch { message.headers.add(name: "If-Match", value: ifMatch) }
        if let tag = request.ifNoneMatch { message.headers.add(name: "If-None-Match", value: tag) }
        if let prefer = request.prefer { message.headers.add(name: "Prefer", value: prefer) }
        if let token { message.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if acceptsGzip { message.headers.add(name: "Accept-Encoding", value: "gzip") }
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(ByteBuffer(string: body))
        }
        return message
    }

    private static func size(ofHead response: HTTPClientResponse) -> Int {
        // The status line, each field and the empty line end with CRLF. A field also contains ": ".
        let line = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)".utf8.count + 2
        return response.headers.reduce(line + 2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}

/// Counts the bytes that the connections of a client send and receive.
final class ByteCounter: Sendable {
    private let sentBytes = Atomic(0)
    private let receivedBytes = Atomic(0)

    var sent: Int { sentBytes.load(ordering: .relaxed) }
    var received: Int { receivedBytes.load(ordering: .relaxed) }

    /// Starts counting the bytes of a channel. The handler that counts is the first handler of the channel's pipeline.
    func attach(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.addHandler(Handler(counter: self), position: .first)
    }

    private final class Handler: ChannelDuplexHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData

        private let counter: ByteCounter

        init(counter: ByteCounter) {
            self.counter = counter
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            counter.receivedBytes.add(unwrapInboundIn(data).readableBytes, ordering: .relaxed)
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            counter.sentBytes.add(unwrapOutboundIn(data).readableBytes, ordering: .relaxed)
            context.write(data, promise: promise)
        }
    }
}

/// The number of bytes on the wire, in one direction.
package struct WireBytes: Sendable, Hashable {
    /// The start line, the header fields, and the empty line after them.
    package var head = 0
    /// The body with its content coding and, if it is chunked, its chunk framing.
    package var body = 0

    /// The sum of head and body.
    package var total: Int { head + body }

    static func + (left: WireBytes, right: WireBytes) -> WireBytes {
        WireBytes(head: left.head + right.head, body: left.body + right.body)
    }
}
