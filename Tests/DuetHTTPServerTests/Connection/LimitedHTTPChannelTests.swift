import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import Testing

/// Tests of connections over real sockets, with Hummingbird's server.
@Suite struct LimitedHTTPChannelTests {
    @Test("Pipelined requests are answered in order")
    func pipelined() async throws {
        try await withServer { client in
            let answer = try await client.exchange(
                "GET /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /stream HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(
                answer == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
                    + "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n2\r\nab\r\n0\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
    }

    @Test("Many requests in one packet are answered in order")
    func manyPipelined() async throws {
        try await withServer { client in
            let paths = (0..<100).map { $0.isMultiple(of: 3) ? "/stream" : "/path?\($0)" } + ["/hello"]
            let requests = paths.map { path in
                "GET \(path) HTTP/1.1\r\nHost: a\r\n\(path == "/hello" ? "Connection: close\r\n" : "")\r\n"
            }
            let answer = try await client.exchange(requests.joined())
            let expected = paths.map { path in
                switch path {
                case "/stream": "transfer-encoding: chunked\r\n\r\n2\r\nab\r\n2\r\nab\r\n0\r\n\r\n"
                case "/hello": "Content-Length: 5\r\nConnection: close\r\n\r\nhello"
                default: "Content-Length: \(path.utf8.count)\r\n\r\n\(path)"
                }
            }
            #expect(answer == expected.map { "HTTP/1.1 200 OK\r\n\($0)" }.joined())
        }
    }

    @Test("A request handler starts on the event loop and can leave the event loop")
    func eventLoop() async throws {
        try await withServer { client in
            let canBeginHere = if #available(macOS 26, *) { true } else { false }
            for (path, isOnEventLoop) in [("/thread", canBeginHere), ("/thread/left", false)] {
                let answer = try await client.exchange(
                    "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(answer.hasSuffix("\r\n\r\n\(isOnEventLoop)"))
            }
        }
    }

    @Test("A body in several packets is received unchanged")
    func pieces() async throws {
        try await withServer { client in
            let body = String(repeating: "0123456789", count: 20_000)
            let answer = try await client.exchange(
                "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(answer.hasSuffix("\r\n\r\n\(body)"))
        }
    }

    @Test("An error in a request handler closes the connection without an error response")
    func noResponse() async throws {
        try await withServer { client in
            #expect(try await client.exchange("GET /error HTTP/1.1\r\nHost: a\r\n\r\n") == "")
            let broken = try await client.exchange("GET /stream/error HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(broken == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n")
        }
    }

    @Test("A request after a failed response is not executed", arguments: ["/error", "/stream/error"])
    func behindFailure(path: String) async throws {
        let errors = try await withServer { client in
            let answer = try await client.exchange(
                "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\nDELETE /record HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(!answer.contains("recorded"))
        }
        #expect(errors == [])
    }

    @Test("A chunked body is received unchanged")
    func echo() async throws {
        try await withServer { client in
            let answer = try await client.exchange(
                "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\nabcdefg"))
        }
    }

    @Test("If a client closes its output after the request, it still receives a large response completely")
    func halfClosed() async throws {
        // All tests run concurrently, so the response may start late.
        var limits = RequestLimits.patient
        limits.abandonTimeout = .minutes(1)
        try await withServer(limits: limits) { client in
            let answer = try await client.exchange("GET /large HTTP/1.1\r\nHost: a\r\n\r\n", thenClosesOutput: true)
            #expect(answer.utf8.count > Self.largeSize)
            #expect(answer.hasSuffix("aaa"))
        }
    }

    @Test("A client that continues to send an unread body receives the response before the connection closes")
    func earlyAnswer() async throws {
        try await withServer { client in
            let answer = try await client.exchange(
                "POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n",
                thenFloodsWith: ByteBuffer(repeating: 0x61, count: 65_536))
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
    }

    @Test(
        "A pipelined request with an incomplete body is a 400 after the earlier response, and is not executed"
    )
    func brokenPipelinedBody() async throws {
        let errors = try await withServer { client in
            let answer = try await client.exchange(
                "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
                thenClosesOutput: true)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslowHTTP/1.1 400 Bad Request\r\n"))
        }
        #expect(errors == [])
    }

    @Test("A body that stalls is a 408, and the application receives an error")
    func slowBody() async throws {
        var limits = RequestLimits.patient
        // The application must start within this time, even on a busy machine.
        limits.bodyTimeout = .milliseconds(1_000)
        let errors = try await withServer(limits: limits) { client in
            let answer = try await client.exchange("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\nContent-Type: application/problem+json\r\n"))
        }
        #expect(errors == ["\(RequestAborted(problem: .requestTimeout))"])
    }

    @Test(
        "The server responds to a rejected request, and continues to serve other connections",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", "400"), ("nonsense\r\n\r\n", "400"),
            ("GET /hello HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n", "200"),
            ("GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n", "414"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n", "431"),
            ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "404"),
        ])
    func refused(request: String, status: String) async throws {
        try await withServer { client in
            #expect(try await client.exchange(request).hasPrefix("HTTP/1.1 \(status) "))
            let hello = try await client.exchange("GET /hello HTTP/1.0\r\n\r\n")
            #expect(hello == "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
    }

    // MARK: The server

    static let largeSize = 10_000_000

    /// Runs a server while `body` runs. Returns the errors that reading the request bodies threw, and the text
    /// "recorded" for each request to `/record`.
    @discardableResult
    private func withServer(
        limits: RequestLimits = .patient, _ body: (TestClient) async throws -> Void
    ) async throws -> [String] {
        let errors = Recorder<String>()
        let channel = LimitedHTTPChannel(
            limits: limits,
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "{}")) },
            respond: { request, _ in try await Self.respond(to: request, errors: errors) })
        try await channel.serve { address, _ in try await body(TestClient(address: address)) }
        return errors.all
    }

    @Sendable
    private static func respond(to request: Request, errors: Recorder<String>) async throws -> Response {
        switch request.uri.path {
        case "/hello":
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "hello")))
        case "/large":
            let bytes = ByteBuffer(repeating: 0x61, count: Self.largeSize)
            return Response(status: .ok, body: ResponseBody(byteBuffer: bytes))
        case "/stream":
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<2 { try await writer.write(ByteBuffer(string: "ab")) }
                    try await writer.finish(nil)
                })
        case "/echo":
            do {
                let bytes = try await request.body.collect(upTo: 1_000_000)
                return Response(status: .ok, body: ResponseBody(byteBuffer: bytes))
            } catch {
                errors.append("\(error)")
                return Response(status: .internalServerError)
            }
        case "/path":
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.string)))
        case "/thread", "/thread/left":
            if request.uri.path.hasSuffix("left") { await leaveEventLoop() }
            let isOnEventLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(isOnEventLoop)")))
        case "/slow":
            for _ in 0..<100 { await Task.yield() }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "slow")))
        case "/record":
            errors.append("recorded")
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "recorded")))
        case "/error":
            throw NoResponse()
        case "/stream/error":
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "ab"))
                    throw NoResponse()
                })
        default:
            return Response(status: .notFound)
        }
    }
}

private struct NoResponse: Error {}

private struct TestClient {
    let address: SocketAddress

    /// Sends bytes and returns all received bytes until the server closes the connection.
    func exchange(
        _ request: String, thenClosesOutput: Bool = false, thenFloodsWith flood: ByteBuffer? = nil
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: self.address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            if thenClosesOutput { outbound.finish() }
            return try await withThrowingTaskGroup(of: Void.self) { tasks in
                if let flood {
                    tasks.addTask {
                        // The loop ends when the server has closed the connection, because the group is then canceled.
                        while !Task.isCancelled { try? await outbound.write(flood) }
                    }
                }
                var answer = ByteBuffer()
                for try await bytes in inbound { answer.writeImmutableBuffer(bytes) }
                tasks.cancelAll()
                return String(buffer: answer)
            }
        }
    }
}
