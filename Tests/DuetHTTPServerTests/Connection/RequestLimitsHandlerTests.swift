import DuetHTTPServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@Suite struct RequestLimitsHandlerTests {
    static func answer(_ status: String, _ problem: ConnectionProblem) -> String {
        let body = "{\"\(problem)\":1}"
        return "HTTP/1.1 \(status)\r\nContent-Type: application/problem+json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n\(body)"
    }

    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    // MARK: Requests and responses

    @Test("The application receives a request, and the client receives the response")
    func request() throws {
        let connection = try TestConnection()
        try connection.receive("POST /path?query HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        #expect(connection.received == ["POST /path?query", "body(3)", "end"])
        connection.respond("hello")
        #expect(try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        #expect(connection.closes.isEmpty)
    }

    @Test("A response of unknown length is sent in chunks, and the connection stays open")
    func chunks() throws {
        let connection = try TestConnection()
        try connection.receive(Self.get)
        connection.write(.head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "abc")), .end(nil))
        #expect(
            try connection.sent() == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(connection.closes.isEmpty)
    }

    @Test("A response to HEAD has no body and no last chunk, even if the application writes a body")
    func head() throws {
        let connection = try TestConnection()
        try connection.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.write(.head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "abc")), .end(nil))
        #expect(try connection.sent() == "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        try connection.receive(Self.get)
        connection.respond("next")
        #expect(try connection.sent().hasSuffix("next"))
    }

    @Test("The end of the connection ends an HTTP/1.0 response of unknown length")
    func http10() throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.0\r\n\r\n")
        connection.write(.head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "abc")), .end(nil))
        #expect(try connection.sent() == "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nabc")
        #expect(connection.closes == [.output])
    }

    @Test("An HTTP/1.0 connection stays open if the client requests keep-alive")
    func http10KeepAlive() throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        connection.respond("abc")
        #expect(try connection.sent() == "HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc")
        #expect(connection.closes.isEmpty)
    }

    @Test("The option close in Connection is case-insensitive", arguments: ["close", "Close", "foo, CLOSE"])
    func close(option: String) throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: \(option)\r\n\r\n\(Self.get)")
        connection.respond("abc")
        #expect(connection.received == ["GET /", "end"])
        #expect(try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        #expect(connection.closes == [.output])
        connection.advance(by: .seconds(2))
        #expect(connection.closes == [.output, .all])
        #expect(connection.observations.isEmpty)
    }

    @Test(
        "A request to upgrade the protocol is the last on its connection"
    )
    func upgrade() throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        connection.respond("abc")
        #expect(try connection.sent().contains("Connection: close\r\n"))
        #expect(connection.closes == [.output])
    }

    @Test("A client that expects 100 (Continue) receives it unless the body is too large")
    func expectContinue() throws {
        let connection = try TestConnection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length:"
        try connection.receive("\(head) 3\r\n\r\n")
        #expect(try connection.sent() == "HTTP/1.1 100 Continue\r\n\r\n")
        try connection.receive("abc")
        connection.respond("hello")
        _ = try connection.sent()
        try connection.receive("\(head) 99999999\r\n\r\n")
        #expect(try connection.sent() == "")
    }

    // MARK: Request targets

    @Test(
        "The application receives the path of each form of the request target",
        arguments: [
            ("GET /a/b?c=d", "GET /a/b?c=d"), ("GET http://x/a?b", "GET /a?b"), ("GET http://x", "GET /"),
            ("GET https://x?a", "GET /?a"), ("OPTIONS *", "OPTIONS *"), ("CONNECT x:80", "CONNECT -"),
        ])
    func targets(line: String, path: String) throws {
        let connection = try TestConnection()
        try connection.receive("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.received == [path, "end"])
    }

    @Test("The authority in the request target takes precedence over Host")
    func authority() throws {
        let connection = try TestConnection()
        for target in ["/", "http://b:80/", "http://b"] {
            try connection.receive("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(connection.authorities == ["a", "b:80", "b"])
        try connection.receive("GET http://user@b/ HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.authorities.count == 3)
    }

    @Test("An invalid request target is rejected", arguments: ["GET *", "GET ftp://x/", "GET http:///a", "GET x"])
    func malformedTargets(line: String) throws {
        let connection = try TestConnection()
        try connection.receive("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.received.isEmpty)
        #expect(try connection.sent() == Self.answer("400 Bad Request", .malformedRequest))
    }

    // MARK: Rejected requests

    @Test(
        "An HTTP/1.1 request without exactly one valid Host is a 400",
        arguments: ["", "Host: a\r\nHost: a\r\n", "Host: a b\r\n", "Host: a/b\r\n", "host: user@a\r\n"])
    func hosts(fields: String) throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.1\r\n\(fields)\r\n\(Self.get)")
        #expect(connection.received.isEmpty)
        #expect(try connection.sent() == Self.answer("400 Bad Request", .invalidHost))
        #expect(connection.observations == [.refused(.invalidHost)])
        #expect(connection.closes == [.output])
    }

    @Test(
        "An invalid host or port in Host or in the request target is a 400",
        arguments: [
            "[::1", "::1", "a:port", "a:80:80", "a:8o", "a:-1", "a: 80", ":80", "[]", "[::1]a", "[::1]80", "[::1]:http",
            "[1::2::3]", "[1:2:3:4:5:6:7]", "[12345::]", "[::1.2.3]", "[::1.2.3.256]", "[fe80::1%25eth0]", "[1.2.3.4]",
            "[v.a]", "[v1.]", "[v1g.a]", "[::g]", "a]", "a[", "a%", "a%4", "a%4g", "a\\b", "a\"b", "a<b", "é",
        ])
    func invalidHosts(host: String) throws {
        for request in ["GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", "GET http://\(host)/ HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let connection = try TestConnection()
            try connection.receive(request)
            #expect(connection.received.isEmpty)
            #expect(try connection.sent().hasPrefix("HTTP/1.1 400 "), "\(request)")
        }
    }

    @Test(
        "A Host with a valid name or address and an optional port is accepted",
        arguments: [
            "", "a.b-c:80", "[::1]:8080", "1.2.3.4", "a:", "a.", "A_b~c", "a%4a%2F", "a!$&'()*+,;=", "1.2.3.256:0",
            "[::]", "[1:2:3:4:5:6:7:8]", "[1::]:80", "[FE80::1]:", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]",
            "[v1.a:b]", "[Vf0.~!]:80", "a:99999", "a ", "a:80 \t ",
        ])
    func validHosts(host: String) throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(connection.received == ["GET /", "end"])
    }

    @Test("An HTTP/1.0 request with two Host fields is a 400")
    func http10Hosts() throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")
        #expect(try connection.sent() == Self.answer("400 Bad Request", .invalidHost))
    }

    @Test(
        "A malformed request is a 400 and does not reach the application",
        arguments: [
            "HELLO\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "GET /\u{1} HTTP/1.1\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func malformed(text: String) throws {
        let connection = try TestConnection()
        try connection.receive(text)
        #expect(connection.received.isEmpty)
        #expect(try connection.sent() == Self.answer("400 Bad Request", .malformedRequest))
        #expect(connection.closes == [.output])
        try connection.receive("more")
        #expect(try connection.sent() == "")
        #expect(connection.observations == [.refused(.malformedRequest)])
    }

    @Test("A transfer coding other than chunked is a 501", arguments: ["gzip", "gzip, chunked", "xchunked"])
    func transferCodings(coding: String) throws {
        let connection = try TestConnection()
        try connection.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n")
        #expect(connection.received.isEmpty)
        #expect(try connection.sent() == Self.answer("501 Not Implemented", .unsupportedTransferCoding))
    }

    /// A text that exceeds the limits. Its colons can be mistaken for the ends of field names.
    static let long = String(repeating: "a+b:", count: 5000)

    @Test("A target that is too long is a 414, in one packet or in many", arguments: [7, 1000, 100_000])
    func longTarget(pieceSize: Int) throws {
        let connection = try TestConnection()
        try Self.receive("GET /\(Self.long) HTTP/1.1\r\nHost: a\r\n\r\n", in: pieceSize, connection)
        #expect(try connection.sent() == Self.answer("414 URI Too Long", .targetTooLong))
    }

    enum LongFields: CaseIterable {
        case value, name, manyFields, manyLongFields

        var text: String {
            switch self {
            case .value: "X: \(RequestLimitsHandlerTests.long.replacing("+", with: " "))\r\n"
            case .name: "\(String(repeating: "a", count: 20_000)): b\r\n"
            case .manyFields: String(repeating: "X: a\r\n", count: 200)
            case .manyLongFields: String(repeating: "X: \(String(repeating: "a", count: 8000))\r\n", count: 10)
            }
        }
    }

    @Test(
        "Fields that are too long or too many are a 431, in one packet or in many",
        arguments: LongFields.allCases, [7, 1000, 100_000])
    func longFields(fields: LongFields, pieceSize: Int) throws {
        let connection = try TestConnection()
        try Self.receive("GET / HTTP/1.1\r\nHost: a\r\n\(fields.text)\r\n", in: pieceSize, connection)
        #expect(try connection.sent() == Self.answer("431 Request Header Fields Too Large", .fieldsTooLarge))
    }

    @Test(
        "A pipelined request that exceeds a limit has the same status as a single request that exceeds the limit",
        arguments: [true, false])
    func pipelinedOverflow(inTarget: Bool) throws {
        let connection = try TestConnection()
        let long = String(repeating: "a", count: 20_000)
        let second = inTarget ? "GET /\(long)" : "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)"
        try connection.receive(Self.get + second.prefix(1000))
        try connection.receive(String(second.dropFirst(1000)))
        connection.respond("abc")
        #expect(
            try connection.sent().hasSuffix(
                inTarget
                    ? Self.answer("414 URI Too Long", .targetTooLong)
                    : Self.answer("431 Request Header Fields Too Large", .fieldsTooLarge)))
    }

    private static func receive(_ text: String, in pieceSize: Int, _ connection: TestConnection) throws {
        var rest = Substring(text)
        while !rest.isEmpty {
            try connection.receive(String(rest.prefix(pieceSize)))
            rest = rest.dropFirst(pieceSize)
        }
    }

    @Test(
        "White space before a field value is limited, in one packet or in many", arguments: [1000, 300_000],
        [true, false])
    func whiteSpace(pieceSize: Int, isTrailer: Bool) throws {
        let connection = try TestConnection()
        let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
        let space = String(repeating: " ", count: 300_000)
        try Self.receive(
            "POST / HTTP/1.1\r\nHost: a\r\n\(isTrailer ? chunks : "")X:\(space)a\r\n\r\n", in: pieceSize, connection)
        let status = try connection.sent().prefix { $0 != "\r\n" }
        #expect(isTrailer ? status.hasPrefix("HTTP/1.1 4") : status == "HTTP/1.1 431 Request Header Fields Too Large")
        #expect(connection.closes == [.output])
    }

    // MARK: Chunks

    enum LongExtensions: String, CaseIterable {
        case first, later, last, many, spaces, short

        /// The body in chunks.
        var chunks: String {
            let long = ";a=" + String(repeating: "b", count: 300_000)
            return switch self {
            case .first: "3\(long)\r\nabc\r\n0\r\n\r\n"
            case .later: "3\r\nabc\r\n3\(long)\r\ndef\r\n0\r\n\r\n"
            case .last: "3\r\nabc\r\n0\(long)\r\n\r\n"
            case .many: String(repeating: "1\(long.prefix(150))\r\na\r\n", count: 1000) + "0\r\n\r\n"
            case .spaces: "3;\(String(repeating: " ", count: 300_000))\r\nabc\r\n0\r\n\r\n"
            case .short: "3\(long.prefix(40_000))\r\nabc\r\n0\r\n\r\n"
            }
        }
    }

    @Test(
        "Chunks with long extensions are rejected, in one packet or in many", arguments: LongExtensions.allCases,
        [100, 1000, 1_000_000])
    func longExtensions(extensions: LongExtensions, pieceSize: Int) throws {
        let connection = try TestConnection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        try Self.receive(head + extensions.chunks, in: pieceSize, connection)
        #expect(!connection.received.contains("end"))
        #expect(connection.received.last?.hasPrefix("error(") == true)
        #expect(try connection.sent().hasPrefix("HTTP/1.1 400 "))
        #expect(connection.closes == [.output])
        #expect(connection.observations.count == 1)
    }

    @Test(
        "Small chunks and short extensions are accepted",
        arguments: ["1\r\na\r\n", "00001;a=b\r\na\r\n", "3;a\r\nabc\r\n"],
        [7, 1000, 1_000_000])
    func shortChunks(chunk: String, pieceSize: Int) throws {
        let connection = try TestConnection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let padded =
            "POST / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 15_000))\r\n"
            + "Y: \(String(repeating: "x", count: 15_000))\r\nTransfer-Encoding: chunked\r\n\r\n"
        for head in [head, padded] {
            try Self.receive(
                head + String(repeating: chunk, count: 5_000) + "0;last\r\nX: trailer\r\n\r\n", in: pieceSize,
                connection)
            #expect(connection.received.last == "end")
            connection.respond("hello")
            #expect(try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        }
        // The limits apply to each request and do not accumulate over a connection.
        for _ in 0..<700 {
            try connection.receive("\(head)1;a=bcdefghijklmnopqrstuvwxyz\r\na\r\n0;abc\r\nA: b\r\n\r\n")
            connection.respond("hello")
        }
        #expect(connection.received.last == "end" && connection.closes.isEmpty)
    }

    @Test("Trailer fields have the same limits as header fields", arguments: [1000, 1_000_000])
    func trailers(pieceSize: Int) throws {
        for trailer in [String(repeating: "X: a\r\n", count: 200), "X: \(String(repeating: "a", count: 300_000))\r\n"] {
            let connection = try TestConnection()
            try Self.receive(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\(trailer)\r\n",
                in: pieceSize, connection)
            #expect(!connection.received.contains("end"))
            #expect(try connection.sent().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test("A rejected pipelined request is answered after the preceding response")
    func pipelinedRefusal() throws {
        let connection = try TestConnection()
        try connection.receive("\(Self.get)HELLO\r\n\r\n")
        #expect(try connection.sent() == "")
        connection.respond("abc")
        #expect(
            try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
                + Self.answer("400 Bad Request", .malformedRequest))
        #expect(connection.closes == [.output])
    }

    @Test("A malformed body is an error for the application, and the response of the application is dropped")
    func brokenBody() throws {
        let connection = try TestConnection()
        try connection.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n")
        #expect(connection.received.dropFirst(2) == ["error(\(RequestAborted(problem: .malformedRequest)))"])
        connection.respond("dropped")
        #expect(try connection.sent() == Self.answer("400 Bad Request", .malformedRequest))
    }

    // MARK: Time

    @Test("A silent connection is closed")
    func silent() throws {
        let connection = try TestConnection()
        connection.advance(by: .seconds(9))
        #expect(connection.closes.isEmpty)
        connection.advance(by: .seconds(1))
        #expect(connection.closes == [.all])
        #expect(try connection.sent() == "")
        #expect(connection.observations == [.idle])
    }

    @Test("A slow header section is a 408")
    func drippingHead() throws {
        let connection = try TestConnection()
        for character in "GET / HTT" {
            try connection.receive(String(character))
            connection.advance(by: .seconds(1))
        }
        #expect(try connection.sent() == "")
        connection.advance(by: .seconds(1))
        #expect(try connection.sent() == Self.answer("408 Request Timeout", .requestTimeout))
        #expect(connection.closes == [.output])
    }

    @Test("A slow body is a 408, and the application receives an error")
    func drippingBody() throws {
        let connection = try TestConnection()
        try connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<29 {
            try connection.receive("a")
            connection.advance(by: .seconds(1))
        }
        #expect(try connection.sent() == "")
        connection.advance(by: .seconds(1))
        #expect(try connection.sent() == Self.answer("408 Request Timeout", .requestTimeout))
        #expect(connection.received.last == "error(\(RequestAborted(problem: .requestTimeout)))")
    }

    @Test(
        "A body of a media type for long bodies has a deadline and a maximum size of its own",
        arguments: ["text/csv", "TEXT/CSV; charset=utf-8", "text/csvx", "text/plain"])
    func longBody(type: String) throws {
        var limits = RequestLimits()
        limits.longBodyTypes = ["application/x-ndjson", "text/csv"]
        limits.longBodyTimeout = .seconds(600)
        limits.maximumExpectedLongBodySize = 1 << 30
        let isLong = type.lowercased().prefix { $0 != ";" } == "text/csv"
        let connection = try TestConnection(limits: limits)
        try connection.receive(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: 10000000\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(try connection.sent() == (isLong ? "HTTP/1.1 100 Continue\r\n\r\n" : ""))
        connection.advance(by: .seconds(30))
        let answer = Self.answer("408 Request Timeout", .requestTimeout)
        #expect(try connection.sent() == (isLong ? "" : answer))
        guard isLong else { return }
        connection.advance(by: .seconds(570))
        #expect(try connection.sent() == answer)
    }

    @Test("Each request on a connection extends the idle deadline")
    func busy() throws {
        let connection = try TestConnection()
        for _ in 0..<10 {
            try connection.receive(Self.get)
            connection.advance(by: .seconds(50))
            connection.respond("abc")
            connection.advance(by: .seconds(50))
        }
        #expect(connection.closes.isEmpty)
        connection.advance(by: .seconds(25))
        #expect(connection.closes == [.all])
        #expect(connection.observations == [.idle])
    }

    @Test("A client that does not read its response is disconnected")
    func stalledReader() throws {
        let connection = try TestConnection()
        try connection.receive(Self.get)
        connection.write(.head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "abc")))
        _ = try connection.sent()
        connection.channel.isWritable = false
        // The bytes stay in the buffer, because no call flushes the buffer.
        connection.channel.pipeline.syncOperations.write(
            NIOAny(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: 10))), promise: nil)
        connection.channel.pipeline.fireChannelWritabilityChanged()
        connection.advance(by: .seconds(30))
        #expect(connection.closes == [.all])
        #expect(connection.observations == [.stalledReader])
    }

    // MARK: The end of the connection

    @Test(
        "A response before the end of the request body closes the connection within 2 seconds"
    )
    func earlyAnswer() throws {
        let connection = try TestConnection()
        try connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        connection.respond("no")
        #expect(try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        #expect(connection.closes == [.output])
        for _ in 0..<3 {
            try connection.receive(String(repeating: "a", count: 1000))
            connection.advance(by: .milliseconds(500))
        }
        #expect(connection.received == ["POST /"])
        connection.advance(by: .milliseconds(500))
        #expect(connection.closes == [.output, .all])
    }

    @Test("If a client closes its output after a request, it still receives the response")
    func inputClosed() throws {
        let connection = try TestConnection()
        try connection.receive(Self.get)
        connection.receiveEnd()
        #expect(connection.closes.isEmpty)
        connection.respond("abc")
        #expect(try connection.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        #expect(connection.closes == [.all])
    }

    @Test(
        "A client that closes its output during a request body receives a 400, and the application receives an error"
    )
    func inputClosedInBody() throws {
        let connection = try TestConnection()
        try connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        connection.receiveEnd()
        #expect(
            connection.received == ["POST /", "body(3)", "error(\(RequestAborted(problem: .malformedRequest)))"])
        #expect(try connection.sent() == Self.answer("400 Bad Request", .malformedRequest))
        #expect(connection.closes == [.output, .all])
    }

    @Test("A shutdown closes an idle connection at once, and a busy connection after its response")
    func shutDown() throws {
        let idle = try TestConnection()
        idle.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(idle.closes == [.output])

        let busy = try TestConnection()
        try busy.receive(Self.get)
        busy.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(busy.closes.isEmpty)
        busy.respond("abc")
        #expect(try busy.sent() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        #expect(busy.closes == [.output])
    }

    @Test("An application that closes the channel after its last response does not truncate the response")
    func applicationCloses() throws {
        let connection = try TestConnection()
        try connection.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        connection.respond("abc")
        connection.channel.close(mode: .output, promise: nil)
        connection.channel.close(mode: .all, promise: nil)
        #expect(connection.closes == [.output])
        connection.advance(by: .seconds(2))
        #expect(connection.closes == [.output, .all])
    }

    @Test("An application that closes the channel during a response closes the connection")
    func applicationGivesUp() throws {
        let connection = try TestConnection()
        try connection.receive(Self.get)
        connection.write(.head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "abc")))
        connection.channel.close(mode: .all, promise: nil)
        #expect(connection.closes == [.all])
    }
}
