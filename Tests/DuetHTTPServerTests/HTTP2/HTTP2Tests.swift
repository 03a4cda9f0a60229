import DuetHTTPServer
import NIOCore
import NIOHPACK
import Testing

/// Requests and responses over HTTP/2.
@Suite(.timeLimit(.minutes(15))) struct HTTP2Tests {
    private typealias FrameType = FrameClient.FrameType

    @Test("A request has the method, scheme, authority and path of its pseudo-header fields")
    func head() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/head?a=1")
                #expect(try await client.response(1) == "200 GET http a /head?a=1")
            }
        }
    }

    @Test("Streams are answered independently: a slow request does not delay others")
    func independent() async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/held")
                for stream in stride(from: UInt32(3), to: 41, by: 2) {
                    try await client.send(stream, "GET", "/\(stream)")
                }
                for stream in stride(from: UInt32(3), to: 41, by: 2) {
                    #expect(try await client.response(stream) == "200 /\(stream)")
                }
                server.open()
                #expect(try await client.response(1) == "200 held")
            }
        }
    }

    @Test("A body in several frames, with or without trailers, is received unchanged", arguments: [false, true])
    func body(hasTrailers: Bool) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "POST", "/echo", endsStream: false)
                for piece in ["ab", "", "cd"] {
                    try await client.send(1, body: piece, endsStream: !hasTrailers && piece == "cd")
                }
                if hasTrailers {
                    try await client.send(FrameClient.head([("x-sum", "1")], stream: 1))
                }
                #expect(try await client.response(1) == "200 abcd")
            }
        }
    }

    @Test("A body that exceeds the window is received while the application reads it")
    func longBody() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                let body = String(repeating: "0123456789", count: 100_000)
                try await client.openWindow(0, by: 1 << 24)
                try await client.upload(body, stream: 1, path: "/echo")
                try await client.openWindow(1, by: 1 << 24)
                let length = try await client.response(1).utf8.count
                #expect(length == 4 + body.utf8.count)
            }
        }
    }

    @Test(
        "A response without a body ends with its head",
        arguments: [("HEAD", "/head", "200"), ("GET", "/status/204", "204"), ("GET", "/status/304", "304")])
    func withoutBody(method: String, path: String, status: String) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, method, path)
                let frames = try await client.frames { $0.endsStream }
                #expect(frames.map(\.description) == ["1 \(status) end"])
            }
        }
    }

    @Test("The pieces of a stream are sent as they are written, and trailers end it")
    func events() async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/events")
                let first = try await client.frames { $0.type == FrameType.data }
                #expect(first.map(\.description) == ["1 200", "1 \"1\""])
                server.open()
                let rest = try await client.frames { $0.endsStream }
                #expect(rest.last?.fields["etag"] == ["yes"])
                #expect(FrameClient.text(rest) == "23")
            }
        }
    }

    @Test("Expect: 100-continue is answered by 100 before the response")
    func expectation() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(
                    1, "POST", "/echo", fields: [("expect", "100-continue"), ("content-length", "2")], endsStream: false
                )
                #expect(try await client.frame()?.description == "1 100")
                try await client.send(1, body: "ab", endsStream: true)
                #expect(try await client.response(1) == "200 ab")
            }
        }
    }

    @Test("A failed request resets its stream, and other streams continue", arguments: ["/error", "/stream/error"])
    func failure(path: String) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", path)
                #expect(try await client.response(1).hasSuffix("reset(2)"))
                try await client.send(3, "GET", "/next")
                #expect(try await client.response(3) == "200 /next")
            }
        }
    }

    @Test("A client that resets a stream cancels its request")
    func cancellation() async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/held")
                await server.wait(for: "began /held")
                try await client.reset(1)
                await server.wait(for: "canceled")
                try await client.send(3, "GET", "/next")
                #expect(try await client.response(3) == "200 /next")
            }
        }
    }

    @Test("A client that resets a stream in the middle of a body aborts the reading of the body")
    func abortedBody() async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "POST", "/echo", endsStream: false)
                await server.wait(for: "began /echo")
                try await client.reset(1)
                await server.wait(for: "\(RequestAborted(problem: nil))")
            }
        }
    }

    @Test("If a response ends before its request, all of it is sent, and then the client is told to stop sending")
    func earlyResponse() async throws {
        try await HTTP2TestServer.withClock { _, client, clock in
            try await client.send(1, "POST", "/hello", endsStream: false)
            #expect(try await client.response(1) == "200 /hello")
            await clock.advance(by: RequestLimits().lingerTimeout)
            #expect(try await client.frame()?.description == "1 reset(0)")
        }
    }

    @Test("A client of HTTP/1 is served on the same port", arguments: ["GET", "P", "PRI", "PRI * HTTP/2.0\r\n\r\nX"])
    func http1(beginning: String) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address, preface: "") { client in
                try await client.send(ByteBuffer(string: beginning))
                try await client.send(ByteBuffer(string: "OST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                let text = try await client.text()
                #expect(text.hasPrefix(beginning == "P" ? "HTTP/1.1 200 OK" : "HTTP/1.1 "))
            }
        }
    }

    // MARK: The end of the connection

    @Test("A shutdown lets requests end, accepts those under way, and then closes the connection")
    func shutdown() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            try await client.send(1, "GET", "/held")
            try await clock.quiesce()
            // The client has not answered the ping yet.
            #expect(try await client.frame()?.description == "goAway(0)")
            try await client.send(3, "GET", "/late")
            #expect(try await client.response(3) == "200 /late")
            server.open()
            let rest = try await client.frames()
            #expect(FrameClient.text(rest.filter { $0.stream == 1 }) == "200 held")
        }
    }

    @Test("A shutdown closes a connection without requests, even if the client does not answer")
    func idleShutdown() async throws {
        try await HTTP2TestServer.withClock { _, client, clock in
            try await client.send(1, "GET", "/a")
            #expect(try await client.response(1) == "200 /a")
            try await clock.quiesce()
            #expect(try await client.frame()?.description == "goAway(0)")
            await clock.advance(by: RequestLimits().lingerTimeout)
            #expect(try await client.frames().map(\.description) == ["goAway(0)"])
        }
    }

    @Test("A client that closes its output still receives the response")
    func halfClose() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/large")
                try await client.openWindows(1)
                try await client.closeOutput()
                let frames = try await client.frames()
                #expect(FrameClient.text(frames).utf8.count == HTTP2TestServer.largeSize + 4)
            }
        }
    }
}
