import AsyncHTTPClient
import DuetJSON
import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

/// A complete response.
struct TestResponse: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer

    var text: String { String(buffer: body) }
    var size: Int { body.readableBytes }
    var isEmpty: Bool { size == 0 }

    subscript(name: String) -> String? {
        let values = headers[name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    func json() throws -> JSONValue { try JSONValue(parsing: body.readableBytesView) }

    /// The elements of a JSON array.
    func array() throws -> [JSONValue] {
        guard case .array(let elements) = try json() else { throw UnexpectedBody(text: text) }
        return elements
    }

    /// The code of the problem.
    var code: String? {
        guard self["Content-Type"] == "application/problem+json", case .string(let code) = try? json()["code"] else {
            return nil
        }
        return code
    }

    /// Returns a text member of the JSON object.
    func string(_ member: String) -> String? {
        if case .string(let text) = try? json()[member] { text } else { nil }
    }

    /// Returns a member of the JSON object that is a list of texts.
    func strings(_ member: String) -> [String]? {
        guard case .array(let elements) = try? json()[member] else { return nil }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The invalid members that a problem lists, in order.
    var fields: [String] {
        guard case .array(let errors) = try? json()["errors"] else { return [] }
        return errors.compactMap { if case .string(let field) = $0["field"] { field } else { nil } }
    }

    /// The target of the `Link` to the next page.
    var next: String? {
        guard let link = self["Link"], link.hasPrefix("<"), link.hasSuffix(">; rel=\"next\"") else { return nil }
        return String(link.dropFirst().dropLast(13))
    }

    struct UnexpectedBody: Error { let text: String }
}

/// Sends requests to one server over one ``TestTransport``, as a client library does (``send(_:_:_:body:)``) or byte by
/// byte (``exchange(_:)``).
struct APIClient: Sendable {
    let port: Int
    let transport: TestTransport
    private let http: HTTPClient
    /// Sends the requests whose head is longer than a frame of HTTP/2, which SwiftNIO's client cannot send.
    private let http1: HTTPClient

    init(port: Int, transport: TestTransport) async throws {
        self.port = port
        self.transport = transport
        var configuration = try await transport.clientConfiguration()
        http = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
        configuration.httpVersion = .http1Only
        http1 = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }

    func shutDown() async throws {
        try await http.shutdown()
        try await http1.shutdown()
    }

    func get(_ target: String, _ headers: HTTPHeaders = [:]) async throws -> TestResponse {
        try await send(.GET, target, headers)
    }

    func head(_ target: String, _ headers: HTTPHeaders = [:]) async throws -> TestResponse {
        try await send(.HEAD, target, headers)
    }

    /// Sends JSON.
    func send(
        _ method: HTTPMethod, _ target: String, json: String, _ headers: HTTPHeaders = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if !headers.contains(name: "Content-Type") { headers.add(name: "Content-Type", value: "application/json") }
        return try await send(method, target, headers, body: json)
    }

    /// Sends bytes as JSON, even if they are not valid JSON.
    func send(_ method: HTTPMethod, _ target: String, bytes: ByteBuffer) async throws -> TestResponse {
        try await send(method, target, ["Content-Type": "application/json"], bytes: bytes)
    }

    /// Sends a text, or an empty body.
    func send(
        _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders = [:], body: String? = nil
    ) async throws -> TestResponse {
        try await send(method, target, headers, bytes: body.map { ByteBuffer(string: $0) })
    }

    private func send(
        _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, bytes: ByteBuffer?
    ) async throws -> TestResponse {
        var request = HTTPClientRequest(url: "\(transport.scheme)://127.0.0.1:\(port)\(target)")
        request.method = method
        request.headers = headers
        if let bytes { request.body = .bytes(bytes) }
        let size = headers.reduce(target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let response = try await (size > 8_000 ? http1 : http).execute(request, timeout: .minutes(10))
        return TestResponse(
            status: Int(response.status.code), headers: response.headers,
            body: try await response.body.collect(upTo: 1 << 28))
    }

    /// Requests gzip and decompresses the response.
    func getCompressed(_ target: String, _ headers: HTTPHeaders = [:]) async throws -> TestResponse {
        var headers = headers
        headers.add(name: "Accept-Encoding", value: "gzip")
        var response = try await get(target, headers)
        if response["Content-Encoding"] == "gzip" { response.body = try Gunzip.decode(response.body) }
        return response
    }

    /// Follows `Link` from page to page.
    /// - Returns: The elements of each page.
    func pages(_ target: String) async throws -> [[JSONValue]] {
        var pages: [[JSONValue]] = []
        var next: String? = target
        while let target = next {
            let response = try await get(target)
            guard response.status == 200, pages.count < 1000 else {
                throw TestResponse.UnexpectedBody(text: response.text)
            }
            pages.append(try response.array())
            next = response.next
        }
        return pages
    }

    /// Sends bytes unchanged, and reads until the server closes the connection. The request should contain `Connection:
    /// close`.
    func exchange(_ request: String) async throws -> String {
        let channel = try await connect()
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var answer = ByteBuffer()
            for try await piece in inbound { answer.writeImmutableBuffer(piece) }
            return String(buffer: answer)
        }
    }

    /// Sends a request line with the required fields. The connection closes after the response.
    func exchange(_ method: String, _ target: String, fields: String = "") async throws -> String {
        try await exchange("\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)\r\n")
    }

    /// Opens a separate connection with a small receive buffer, so that the server cannot send a long response at once.
    func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let handlers = try await transport.handlers()
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.so_rcvbuf), value: 8 * 1024)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(try handlers())
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }
}

extension APIClient {
    /// Returns the current values of `/metrics`.
    func metrics() async throws -> Exposition {
        let response = try await get("/metrics")
        guard response.status == 200 else { throw TestResponse.UnexpectedBody(text: response.text) }
        return try Exposition(response.text)
    }

    /// Reads `/metrics` until the values meet a condition, and returns the values. Only the time limit of the test ends
    /// the wait.
    func metrics(when isSo: (Exposition) -> Bool) async throws -> Exposition {
        while true {
            let metrics = try await metrics()
            if isSo(metrics) { return metrics }
        }
    }
}
