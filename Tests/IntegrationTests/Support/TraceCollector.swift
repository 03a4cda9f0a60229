import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A collector of OpenTelemetry, which receives traces over OTLP in JSON.
final class TraceCollector: Sendable {
    /// The answer to all requests.
    enum Answer: Sendable {
        case status(HTTPResponseStatus)
        /// No response. The connection stays open.
        case none
    }

    /// A span in a request.
    struct Span: Sendable {
        let json: JSONValue
        let fields: HTTPHeaders

        var name: String { text("name") ?? "" }
        var traceID: String { text("traceId") ?? "" }
        var spanID: String { text("spanId") ?? "" }
        var parentID: String? { text("parentSpanId") }

        func text(_ member: String) -> String? {
            if case .string(let text)? = json[member] { text } else { nil }
        }

        /// Returns the value of an attribute: `{"stringValue":"…"}`.
        func attribute(_ name: String) -> JSONValue? {
            guard case .array(let attributes)? = json["attributes"] else { return nil }
            return attributes.first { $0["key"] == .string(name) }?["value"]
        }
    }

    let base: String
    /// Receives the spans of each request.
    private let batches: AsyncStream<[Span]>
    private let batch: AsyncStream<[Span]>.Continuation
    private let answer: Mutex<Answer>

    private init(port: Int, _ stream: (AsyncStream<[Span]>, AsyncStream<[Span]>.Continuation), _ answer: Answer) {
        base = "http://127.0.0.1:\(port)"
        (batches, batch) = stream
        self.answer = Mutex(answer)
    }

    /// Runs a collector while a closure runs.
    static func with<Value>(
        _ answer: Answer = .status(.ok), _ body: (TraceCollector) async throws -> Value
    ) async throws -> Value {
        let collector = Mutex<TraceCollector?>(nil)
        let receive: @Sendable (HTTPRequestHead, ByteBuffer) -> Answer = { head, body in
            collector.withLock { $0 }?.receive(head, body) ?? .none
        }
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(receive))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let created = TraceCollector(port: listener.localAddress?.port ?? 0, AsyncStream.makeStream(), answer)
        collector.withLock { $0 = created }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(created))
        } catch {
            result = .failure(error)
        }
        try await listener.close().get()
        return try result.get()
    }

    /// Changes the answer to later requests.
    func respond(_ answer: Answer) { self.answer.withLock { $0 = answer } }

    /// Waits for spans, and returns all that have arrived since the last call.
    func spans(_ condition: ([Span]) -> Bool) async throws -> [Span] {
        var spans: [Span] = []
        for await batch in batches {
            spans += batch
            if condition(spans) { return spans }
        }
        throw CancellationError()
    }

    private func receive(_ head: HTTPRequestHead, _ body: ByteBuffer) -> Answer {
        let request = head.uri == "/v1/traces" ? try? JSONValue(parsing: body.readableBytesView) : nil
        var spans: [Span] = []
        for resource in Self.elements(request?["resourceSpans"]) {
            for scope in Self.elements(resource["scopeSpans"]) {
                spans += Self.elements(scope["spans"]).map { Span(json: $0, fields: head.headers) }
            }
        }
        // A test that has received the spans can change the answer to the next request.
        let answer = answer.withLock { $0 }
        batch.yield(spans)
        return answer
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value { elements } else { [] }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let receive: @Sendable (HTTPRequestHead, ByteBuffer) -> Answer
        private var head: HTTPRequestHead?
        private var body = ByteBuffer()

        init(_ receive: @escaping @Sendable (HTTPRequestHead, ByteBuffer) -> Answer) { self.receive = receive }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body.clear()
            case .body(var part): body.writeBuffer(&part)
            case .end:
                guard let head, case .status(let status) = receive(head, body) else { return }
                let fields: HTTPHeaders = ["Content-Length": "2", "Content-Type": "application/json"]
                context.write(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))),
                    promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{}")))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
