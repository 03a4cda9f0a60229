import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// A client over HTTP/1.1 whose connections are kept alive, as browsers and apps have them.
final class WireClient: Sendable {
    /// What was answered.
    struct Response: Sendable {
        let status: Int
        let fields: HTTPHeaders
        /// Without its coding.
        let body: ByteBuffer
        /// What was sent, and what has come. Only right as long as nobody else uses the client at the same time.
        let up: WireBytes
        let down: WireBytes
    }

    /// `http://127.0.0.1:8080`, without a slash at the end.
    let base: String
    private let client: HTTPClient
    private let counter = ByteCounter()
    private let acceptsGzip: Bool
    /// Bytes of `:8080` in the field Host.
    private let portLength: Int
    /// No answer takes longer.
    private static let timeout = TimeAmount.seconds(60)
    private static let maximumSize = 256 << 20

    /// - Parameters:
    ///   - connections: at most so many at once.
    ///   - acceptsGzip: whether bodies are asked for in gzip.
    init(base: String, connections: Int, acceptsGzip: Bool) {
        self.base = base
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

    /// Ends the connections.
    func shutdown() async throws {
        try await client.shutdown()
    }

    /// - Throws: if nobody answers, or not in a minute.
    func send(_ request: Request) async throws -> Response {
        let (sent, received) = (counter.sent, counter.received)
        var message = HTTPClientRequest(url: base + request.target)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers.add(name: "Accept", value: request.accept)
        if let run = request.run { message.headers.add(name: "X-Run", value: run) }
        if acceptsGzip { message.headers.add(name: "Accept-Encoding", value: "gzip") }
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await client.execute(message, timeout: Self.timeout)
        let body = try await response.body.collect(upTo: Self.maximumSize)
        // What tells the runs apart is of the comparison and not of the task; and so is the port in Host, which a server that is
        // not tried out does not have.
        let run = request.run.map { "X-Run: \($0)\r\n".utf8.count } ?? 0
        let (up, down) = (counter.sent - sent - run - portLength, counter.received - received)
        let upBody = request.body?.utf8.count ?? 0
        let downHead = Self.size(ofHead: response)
        return Response(
            status: Int(response.status.code), fields: response.headers, body: body,
            up: WireBytes(head: up - upBody, body: upBody), down: WireBytes(head: downHead, body: down - downHead))
    }

    private static func size(ofHead response: HTTPClientResponse) -> Int {
        // "HTTP/1.1 200 OK" and the empty line; a field has ": " and a line's end.
        let line = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)".utf8.count + 2
        return response.headers.reduce(line + 2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}
