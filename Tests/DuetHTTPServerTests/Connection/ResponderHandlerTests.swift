import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

/// Tests of the handler that answers requests, on a connection whose socket the test controls.
@Suite(.timeLimit(.minutes(15))) struct ResponderHandlerTests {
    @Test("The server stops reading the socket while the application does not read the request body")
    func unreadBody() async throws {
        let begin = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { request in
            for await _ in begin.stream { break }
            let body = try await request.body.collect(upTo: 1_000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
        try await connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        let pieces = try await connection.receiveUntilHeld { _ in "a" }
        #expect(pieces > 1)
        await connection.heldRead { begin.continuation.finish() }
        try await connection.receive(String(repeating: "a", count: 100 - pieces))
        _ = try await connection.sent(until: "\r\n\r\n" + String(repeating: "a", count: 100))
    }

    @Test("The server stops reading the socket while many pipelined requests wait for the first response")
    func waitingRequests() async throws {
        let begin = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { request in
            if request.uri.path == "/first" { for await _ in begin.stream { break } }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path)))
        }
        try await connection.receive("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
        let requests = try await connection.receiveUntilHeld { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        #expect(requests > 1)
        begin.continuation.finish()
        let sent = try await connection.sent(until: "\r\n\r\n/\(requests - 1)")
        let bodies = sent.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
        #expect(bodies == ["/first"] + (0..<requests).map { "/\($0)" })
        #expect(try await connection.isRead())
    }

    @Test("An incomplete body never appears complete to the application")
    func brokenBody() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let failure = AsyncStream.makeStream(of: String.self)
        let connection = try await TestSocketConnection { request in
            begun.continuation.finish()
            do {
                return Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 100)))
            } catch {
                failure.continuation.yield("\(error)")
                throw error
            }
        }
        try await connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        for await _ in begun.stream {}
        try await connection.receiveEnd()
        #expect(await failure.stream.first { _ in true } == "\(RequestAborted(problem: .malformedRequest))")
        let sent = try await connection.sent(until: "\r\n\r\nrefused")
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test(
        "A request is not executed if the server rejects its body before the application starts",
        arguments: ["Transfer-Encoding: chunked\r\n\r\nzz", "Content-Length: 10\r\n\r\nabc"])
    func refusedBody(fields: String) async throws {
        let connection = try await TestSocketConnection { request in
            Issue.record("the application is asked to \(request.method)")
            return Response(status: .ok)
        }
        try await connection.receive("DELETE / HTTP/1.1\r\nHost: a\r\n\(fields)", thenEnds: true)
        let sent = try await connection.sent(until: "\r\n\r\nrefused")
        #expect(sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test("The trailers of a streamed response are sent after its last chunk")
    func trailers() async throws {
        let name = try #require(HTTPField.Name("Checksum"))
        let connection = try await TestSocketConnection { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "abc"))
                    try await writer.finish([name: "1"])
                })
        }
        try await connection.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let sent = try await connection.sent(until: "0\r\nChecksum: 1\r\n\r\n")
        #expect(sent.contains("\r\n\r\n3\r\nabc\r\n"))
    }

    @Test("A piece that other code sends is a part of its stream of events, and never of a later response")
    func piecesBetween() async throws {
        let streams = AsyncStream.makeStream(of: StreamedConnection?.self)
        let (end, next) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let connection = try await TestSocketConnection { request in
            if request.uri.path == "/next" {
                for await _ in next.stream {}
                return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "next")))
            }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "a"))
                    streams.continuation.yield(StreamedConnection.current)
                    for await _ in end.stream {}
                    try await writer.finish(nil)
                })
        }
        try await connection.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let stream = try #require(await streams.stream.first { _ in true } ?? nil)
        StreamedConnection.send(ByteBuffer(string: ":b"), to: [stream])
        let events = try await connection.sent(until: "2\r\n:b\r\n")
        #expect(events.hasSuffix("1\r\na\r\n2\r\n:b\r\n"))
        end.continuation.finish()
        _ = try await connection.sent(until: "0\r\n\r\n")
        try await connection.receive("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        StreamedConnection.send(ByteBuffer(string: ":c"), to: [stream])
        next.continuation.finish()
        let response = try await connection.sent(until: "\r\n\r\nnext")
        #expect(!response.contains(":c"))
    }

    @Test("The disconnection of a client cancels the work for its response")
    func leaving() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let cancelled = AsyncStream.makeStream(of: Void.self)
        let connection = try await TestSocketConnection { _ in
            await withTaskCancellationHandler {
                begun.continuation.finish()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                cancelled.continuation.finish()
            }
            throw CancellationError()
        }
        try await connection.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in begun.stream {}
        try await connection.lose()
        for await _ in cancelled.stream {}
    }
}
