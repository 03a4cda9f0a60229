import DuetHTTPServer
import NIOCore
import Testing

/// The limits of requests and connections over HTTP/2.
@Suite(.timeLimit(.minutes(15))) struct HTTP2LimitTests {
    private typealias FrameType = FrameClient.FrameType

    // MARK: Requests

    private static let long = String(repeating: "a", count: 20_000)

    @Test(
        "A request that is rejected has the problem of HTTP/1, and other streams continue",
        arguments: [
            ([(":method", "GET"), (":scheme", "http"), (":path", "/\(long)"), (":authority", "a")], "414"),
            (FrameClient.request("/") + [("x", long)], "431"),
            (FrameClient.request("/") + (0..<5).map { ("x-\($0)", String(long.prefix(15_000))) }, "431"),
            (FrameClient.request("/") + (0..<101).map { ("x-\($0)", "1") }, "431"),
            (FrameClient.request("/", method: "BREW"), "501"),
            (FrameClient.request("/") + [("host", "b")], "400"),
            (FrameClient.request("/") + [("host", "a"), ("host", "a")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "/")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a/b")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "a"), (":authority", "a")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "*"), (":authority", "a")], "400"),
            ([(":method", "GET"), (":scheme", "http"), (":path", "http://a/"), (":authority", "a")], "400"),
        ] as [([(String, String)], String)])
    func rejected(fields: [(String, String)], status: String) async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(FrameClient.head(fields, stream: 1))
                #expect(try await client.response(1).hasPrefix("\(status) "))
                try await client.send(3, "GET", "/next")
                #expect(try await client.response(3) == "200 /next")
            }
            #expect(server.events == ["began /next"])
            #expect(server.observations.count == 1)
        }
    }

    @Test(
        "A request that is malformed in HTTP/2 resets its stream, and does not reach the application",
        arguments: [
            FrameClient.request("/") + [(":path", "/b")], [("x", "1")] + FrameClient.request("/"),
            FrameClient.request("/") + [("Upper", "1")], FrameClient.request("/") + [("connection", "close")],
            FrameClient.request("/") + [("transfer-encoding", "chunked")], FrameClient.request("/") + [("te", "gzip")],
            FrameClient.request("/") + [("x", "a\r\nb: c")], FrameClient.request("/") + [("x", "a\0b")],
            [(":method", "GET"), (":path", "/"), (":authority", "a")],
            [(":method", "GET"), (":scheme", "http"), (":path", ""), (":authority", "a")],
            FrameClient.request("/") + [(":other", "1")],
            [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a b")],
        ])
    func malformed(fields: [(String, String)]) async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await client.send(FrameClient.head(fields, stream: 1))
                #expect(try await client.response(1) == "reset(1)")
                try await client.send(3, "GET", "/next")
                #expect(try await client.response(3) == "200 /next")
            }
            #expect(server.events == ["began /next"])
        }
    }

    @Test("The fields Host and :authority may have the same value", arguments: ["a", "A"])
    func equalHosts(host: String) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/a", fields: [("host", host)])
                #expect(try await client.response(1) == "200 /a")
            }
        }
    }

    @Test("A request with the field Host instead of :authority has this authority")
    func hostOnly() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                let fields = [(":method", "GET"), (":scheme", "http"), (":path", "/head"), ("host", "b:1")]
                try await client.send(FrameClient.head(fields, stream: 1))
                #expect(try await client.response(1) == "200 GET http b:1 /head")
            }
        }
    }

    @Test("A header of a megabyte ends the connection")
    func hugeHeader() async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                let fields = (0..<100).map { ("x-\($0)", String(Self.long.prefix(10_000))) }
                try? await client.send(FrameClient.head(FrameClient.request("/") + fields, stream: 1))
                let frames = try await client.frames()
                #expect(frames.isEmpty || frames.first?.type == FrameType.goAway)
            }
            await server.wait(for: .protocolError)
            #expect(server.events == [])
        }
    }

    @Test("A body that is longer or shorter than its content-length resets the stream", arguments: ["1", "3"])
    func contentLength(length: String) async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address) { client in
                try await client.send(
                    1, "POST", "/echo", fields: [("content-length", length)], endsStream: false)
                try await client.send(1, body: "ab", endsStream: true)
                #expect(try await client.response(1) == "reset(1)")
            }
        }
    }

    @Test("A body that stalls is a 408, and the application receives an error")
    func slowBody() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            try await client.send(1, "POST", "/echo", endsStream: false)
            try await client.send(1, body: "ab", endsStream: false)
            await clock.advance(by: RequestLimits().bodyTimeout)
            #expect(try await client.response(1).hasPrefix("408 "))
            await server.wait(for: "\(RequestAborted(problem: .requestTimeout))")
            try await client.send(3, "GET", "/next")
            #expect(try await client.response(3) == "200 /next")
            #expect(server.observations == [.refused(.requestTimeout)])
        }
    }

    @Test("A stream beyond the maximum number of streams ends the connection, and does not reach the application")
    func tooManyStreams() async throws {
        var limits = RequestLimits.patient
        limits.maximumStreams = 2
        try await HTTP2TestServer.with(limits: limits) { server, address in
            try await FrameClient.with(address) { client in
                for stream: UInt32 in [1, 3, 5] { try await client.send(stream, "GET", "/held") }
                let frames = try await client.frames()
                #expect(frames.last?.type == FrameType.goAway)
                server.open()
            }
            #expect(server.events.filter { $0 == "began /held" }.count <= 2)
        }
    }

    // MARK: Time

    private static let partialHeads = [
        // A part of a frame.
        FrameClient.head(FrameClient.request("/"), stream: 1).getSlice(at: 0, length: 12),
        // A part of the fields.
        FrameClient.frame(FrameType.headers, stream: 1, content: FrameClient.block(FrameClient.request("/"))),
    ].compactMap(\.self)

    @Test("A connection whose first request does not arrive in time is closed")
    func noRequest() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            await clock.advance(by: RequestLimits().headTimeout)
            let frames = try await client.frames()
            #expect(frames.map(\.description) == ["goAway(0)"])
            #expect(server.observations == [.idle])
        }
    }

    @Test("A head that does not arrive in time ends the connection", arguments: partialHeads, [false, true])
    func slowHead(beginning: ByteBuffer, isFirst: Bool) async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            if !isFirst {
                try await client.send(201, "GET", "/a")
                #expect(try await client.response(201) == "200 /a")
                await clock.advance(by: RequestLimits().headTimeout)
            }
            try await client.send(beginning)
            await clock.advance(by: RequestLimits().headTimeout)
            #expect(try await client.frames().map(\.description) == ["goAway(0)"])
            #expect(server.observations == [.refused(.requestTimeout)])
        }
    }

    @Test("A connection that sends nothing, or a part of the preface, is closed", arguments: ["", "PRI * HT"])
    func slowPreface(beginning: String) async throws {
        try await HTTP2TestServer.withClock(preface: beginning) { server, client, clock in
            await clock.advance(by: RequestLimits().headTimeout)
            let text = try await client.text()
            #expect(text == "")
            #expect(server.observations == [.idle])
        }
    }

    @Test("A connection without streams is closed after the idle timeout")
    func idle() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            await clock.advance(by: RequestLimits().headTimeout - .seconds(1))
            try await client.send(1, "GET", "/a")
            #expect(try await client.response(1) == "200 /a")
            await clock.advance(by: RequestLimits().idleTimeout)
            #expect(try await client.frame()?.description == "goAway(0)")
            // The client can still send a request until it has received the announcement.
            try await client.send(3, "GET", "/b")
            #expect(try await client.response(3) == "200 /b")
            #expect(try await client.frames().map(\.description) == ["goAway(0)"])
            #expect(server.observations == [.idle])
        }
    }

    @Test("A client that does not open its window loses the stream after the write timeout, and no other one")
    func closedWindow() async throws {
        try await HTTP2TestServer.withClock(settings: [(4, 0)]) { server, client, clock in
            try await client.openWindow(0, by: 1 << 20)
            for (stream, path) in [(1, "/stream"), (3, "/stream"), (5, "/held")] as [(UInt32, String)] {
                try await client.send(stream, "GET", path)
            }
            for stream in [1, 3] as [UInt32] {
                let frames = try await client.frames { $0.stream == stream }
                #expect(frames.last?.description == "\(stream) 200")
            }
            await clock.advance(by: RequestLimits().writeTimeout)
            for stream in [1, 3] as [UInt32] { #expect(try await client.response(stream) == "reset(8)") }
            try await client.openWindow(5, by: 1000)
            server.open()
            #expect(try await client.response(5) == "200 held")
            #expect(server.observations == [.stalledReader, .stalledReader])
        }
    }

    @Test("A client that opens its window slowly receives the whole response")
    func slowWindow() async throws {
        try await HTTP2TestServer.with { _, address in
            try await FrameClient.with(address, settings: [(4, 10_000)]) { client in
                try await client.openWindow(0, by: 1 << 24)
                for (stream, path) in [(1, "/large"), (3, "/stream")] as [(UInt32, String)] {
                    try await client.send(stream, "GET", path)
                    var count = 0
                    while count < HTTP2TestServer.largeSize {
                        let frame = try #require(try await client.frame())
                        #expect(frame.type != FrameType.reset)
                        guard frame.type == FrameType.data else { continue }
                        count += frame.content.readableBytes
                        try await client.openWindow(stream, by: UInt32(frame.content.readableBytes))
                    }
                }
            }
        }
    }

    @Test("While a client does not read responses, the requests of its further streams wait")
    func manyUnreadResponses() async throws {
        try await HTTP2TestServer.withClock(settings: [(4, 0)]) { server, client, _ in
            try await client.openWindow(0, by: 1 << 30)
            let streams = Array(stride(from: UInt32(1), to: 13, by: 2))
            for stream in streams { try await client.send(stream, "GET", "/large") }
            for (index, stream) in streams.enumerated() {
                #expect(server.events.count <= index + 2)
                try await client.openWindow(stream, by: 2_000_000)
                #expect(try await client.response(stream).utf8.count == HTTP2TestServer.largeSize + 4)
            }
        }
    }

    @Test("A limited number of requests of a connection is answered at a time, and the others wait")
    func manySlowRequests() async throws {
        var limits = RequestLimits()
        limits.maximumUnansweredStreams = 4
        try await HTTP2TestServer.withClock(limits: limits) { server, client, _ in
            let streams = Array(stride(from: UInt32(1), to: 41, by: 2))
            for stream in streams { try await client.send(stream, "GET", "/held") }
            #expect(server.events.count == 4)
            server.open()
            for stream in streams { #expect(try await client.response(stream) == "200 held") }
        }
    }

    @Test("A body in many small frames costs the application few pieces, and arrives unchanged")
    func smallFrames() async throws {
        try await HTTP2TestServer.withClock { server, client, _ in
            try await client.send(1, "POST", "/unread", endsStream: false)
            var frames = ByteBuffer()
            for _ in 0..<100_000 {
                frames.writeImmutableBuffer(
                    FrameClient.frame(FrameType.data, stream: 1, content: ByteBuffer(bytes: [0x61])))
            }
            try await client.send(frames)
            try await client.send(3, "GET", "/next")
            #expect(try await client.response(3) == "200 /next")
            server.open()
            #expect(try await client.response(1) == "200 unread")
        }
    }

    @Test("A frame in two parts does not postpone the end of a connection without streams")
    func splitPing() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            try await client.send(1, "GET", "/a")
            #expect(try await client.response(1) == "200 /a")
            await clock.advance(by: RequestLimits().idleTimeout - .seconds(1))
            var ping = FrameClient.frame(FrameType.ping, content: ByteBuffer(repeating: 1, count: 8))
            let beginning = ping.readSlice(length: 5) ?? ByteBuffer()
            try await client.send(beginning)
            try await client.send(ping)
            await clock.advance(by: .seconds(1))
            #expect(try await client.frame()?.description == "goAway(0)")
            #expect(server.observations == [.idle])
        }
    }

    @Test("A frame that is not valid also ends a connection that is ending")
    func errorDuringDrain() async throws {
        try await HTTP2TestServer.withClock { server, client, clock in
            try await client.send(1, "GET", "/held")
            try await clock.quiesce()
            #expect(try await client.frame()?.description == "goAway(0)")
            await clock.advance(by: RequestLimits().lingerTimeout)
            #expect(try await client.frame()?.description == "goAway(0)")
            let long = ByteBuffer(repeating: 0, count: 20_000)
            try await client.send(FrameClient.frame(FrameType.data, stream: 1, content: long))
            let frames = try await client.frames()
            #expect(frames.last?.description == "goAway(6)")
            #expect(server.observations == [.protocolError])
            server.open()
        }
    }

    // MARK: Floods

    @Test(
        "A flood of frames ends the connection, and other connections are served",
        arguments: ["reset", "settings", "ping", "empty data", "continuation", "priority", "window", "bad request"])
    func floods(kind: String) async throws {
        try await HTTP2TestServer.with { server, address in
            try await FrameClient.with(address) { client in
                try await Self.flood(kind, &client)
                let frames = try await client.frames()
                let goAway = frames.last { $0.type == FrameType.goAway }
                // The client may have lost the reason with the connection.
                #expect(goAway == nil || goAway?.code == 11 || goAway?.code == 1 || goAway?.code == 3)
            }
            await server.wait(for: .protocolError)
            #expect(server.events.count <= 300)
            try await FrameClient.with(address) { client in
                try await client.send(1, "GET", "/next")
                #expect(try await client.response(1) == "200 /next")
            }
        }
    }

    private static func flood(_ kind: String, _ client: inout FrameClient) async throws {
        var frames = ByteBuffer()
        switch kind {
        case "reset":
            for stream in stride(from: UInt32(1), to: 2_001, by: 2) {
                frames.writeImmutableBuffer(FrameClient.head(FrameClient.request("/held"), stream: stream))
                frames.writeImmutableBuffer(
                    FrameClient.frame(FrameType.reset, stream: stream, content: ByteBuffer(integer: UInt32(8))))
            }
        case "settings":
            for _ in 0..<1_000 { frames.writeImmutableBuffer(FrameClient.frame(FrameType.settings)) }
        case "ping":
            let ping = FrameClient.frame(FrameType.ping, content: ByteBuffer(repeating: 0, count: 8))
            for _ in 0..<1_000 { frames.writeImmutableBuffer(ping) }
        case "empty data":
            frames = FrameClient.head(FrameClient.request("/echo", method: "POST"), stream: 1, endsStream: false)
            for _ in 0..<1_000 { frames.writeImmutableBuffer(FrameClient.frame(FrameType.data, stream: 1)) }
        case "continuation":
            frames = FrameClient.frame(
                FrameType.headers, stream: 1, content: FrameClient.block(FrameClient.request("/")))
            for _ in 0..<1_000 { frames.writeImmutableBuffer(FrameClient.frame(FrameType.continuation, stream: 1)) }
        case "priority":
            for _ in 0..<1_000 {
                frames.writeImmutableBuffer(
                    FrameClient.frame(2, stream: 1, content: ByteBuffer(bytes: [0, 0, 0, 3, 1])))
            }
        case "window":
            frames = FrameClient.head(FrameClient.request("/held"), stream: 1)
            for _ in 0..<1_000 {
                frames.writeImmutableBuffer(
                    FrameClient.frame(FrameType.windowUpdate, content: ByteBuffer(integer: UInt32(1 << 30))))
            }
        default:
            for stream in stride(from: UInt32(1), to: 2_001, by: 2) {
                frames.writeImmutableBuffer(FrameClient.head([("bad", "1")], stream: stream))
            }
        }
        try? await client.send(frames)
    }
}
