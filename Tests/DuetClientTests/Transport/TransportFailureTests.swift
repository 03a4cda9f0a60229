import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Transports with failing servers")
struct TransportFailureTests {
    /// Sends a request and reads the body. Returns the code of the error, or nil if there is no error.
    private func failureCode(
        _ transport: any HTTPTransport, _ request: @autoclosure () throws -> TransportRequest
    ) async throws -> TransportError.Code? {
        do {
            let response = try await transport.send(try request())
            _ = try await response.body.collect(upTo: 1 << 30)
            return nil
        } catch let error as TransportError {
            #expect(!error.message.isEmpty)
            return error.code
        }
    }

    @Test(
        "A request to a port without a listener fails with a connection error", arguments: TransportKind.allCases
    )
    func nothingListens(kind: TransportKind) async throws {
        try await ReservedPort.with { port in
            let failure = try await failureCode(kind.make(), TransportRequest(.get, "http://127.0.0.1:\(port)/"))
            #expect(failure == .cannotConnect)
        }
    }

    @Test(
        "A URL without the scheme http or https is rejected",
        arguments: TransportKind.allCases, ["ftp://example.com/", "file:///etc/hosts", "mailto:nobody", "/employees"])
    func invalidAddress(kind: TransportKind, address: String) async throws {
        let failure = try await failureCode(kind.make(), TransportRequest(.get, address))
        #expect(failure == .invalidAddress)
    }

    @Test("If the server closes the connection without a response, the error code is `connectionLost`")
    func noResponse() async throws {
        try await ScriptedServer.with {
            _ = try await $0.request()
        } _: { server in
            let failure = try await failureCode(AsyncHTTPClientTransport(), TransportRequest(.get, server.base))
            #expect(failure == .connectionLost)
        }
    }

    @Test("A truncated body is an error", arguments: TransportKind.allCases, [true, false])
    func cutBody(kind: TransportKind, isChunked: Bool) async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            let framing = isChunked ? "Transfer-Encoding: chunked\r\n\r\n4\r\n" : "Content-Length: 100\r\n\r\n"
            try await connection.send("HTTP/1.1 200 OK\r\n\(framing)half")
        } _: { server in
            let failure = try await failureCode(kind.make(), TransportRequest(.get, server.base))
            #expect(failure == .connectionLost)
        }
    }

    @Test("A response that is not HTTP is an error")
    func noHTTP() async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.send("220 mail.example.com ready\r\n")
        } _: { server in
            let failure = try await failureCode(AsyncHTTPClientTransport(), TransportRequest(.get, server.base))
            #expect(failure == .invalidResponse)
        }
    }

    @Test("A request for an https URL to a server without TLS fails with the error code `insecure`")
    func noTLS() async throws {
        try await ScriptedServer.with { connection in
            try await connection.respond("400 Bad Request")
            try await connection.waitUntilClosed()
        } _: { server in
            let address = server.base.replacing("http:", with: "https:")
            let failure = try await failureCode(AsyncHTTPClientTransport(), TransportRequest(.get, address))
            #expect(failure == .insecure)
        }
    }

    @Test(
        "A server that does not respond causes a timeout, and the connection is closed",
        arguments: TransportKind.allCases)
    func silentServer(kind: TransportKind) async throws {
        try await ScriptedServer.with { connection in
            try await connection.waitUntilClosed()
        } _: { server in
            let request = try TransportRequest(.get, server.base, timeout: .milliseconds(20))
            let failure = try await failureCode(kind.make(), request)
            #expect(failure == .timedOut)
            try await server.waitUntilAllClosed()
        }
    }

    @Test("A server that stops sending in the middle of the body causes a timeout", arguments: TransportKind.allCases)
    func silentBody(kind: TransportKind) async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            try await connection.waitUntilClosed()
        } _: { server in
            let request = try TransportRequest(.get, server.base, timeout: .milliseconds(200))
            let failure = try await failureCode(kind.make(), request)
            #expect(failure == .timedOut)
            try await server.waitUntilAllClosed()
        }
    }

    @Test("Canceling the task cancels the request that waits for a response", arguments: TransportKind.allCases)
    func cancelledWait(kind: TransportKind) async throws {
        let (received, closed) = (Signal(), Signal())
        try await ScriptedServer.with { connection in
            defer { closed.set() }
            _ = try await connection.request()
            received.set()
            try await connection.waitUntilClosed()
        } _: { server in
            let request = try TransportRequest(.get, server.base)
            let task = Task { try await failureCode(kind.make(), request) }
            await received.wait()
            task.cancel()
            #expect(try await task.value == .cancelled)
            await closed.wait()
        }
    }

    @Test("Canceling the task cancels the request in the middle of the body", arguments: TransportKind.allCases)
    func cancelledBody(kind: TransportKind) async throws {
        let (reading, closed) = (Signal(), Signal())
        try await ScriptedServer.with { connection in
            defer { closed.set() }
            _ = try await connection.request()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            try await connection.waitUntilClosed()
        } _: { server in
            let request = try TransportRequest(.get, server.base)
            let task = Task { () -> TransportError.Code? in
                let response = try await kind.make().send(request)
                do throws(TransportError) {
                    for try await _ in response.body { reading.set() }
                    return nil
                } catch {
                    return error.code
                }
            }
            await reading.wait()
            task.cancel()
            #expect(try await task.value == .cancelled)
            await closed.wait()
        }
    }

    @Test("A task that is already canceled sends nothing", arguments: TransportKind.allCases)
    func cancelledBefore(kind: TransportKind) async throws {
        let cancelled = Signal()
        try await ScriptedServer.with { _ in
            Issue.record("A connection was made.")
        } _: { server in
            let task = Task {
                await cancelled.wait()
                return try await failureCode(kind.make(), TransportRequest(.get, server.base))
            }
            task.cancel()
            cancelled.set()
            let failure = try await task.value
            #expect(failure == .cancelled)
        }
    }

    @Test(
        "The connection of an unread response is closed when the response is released",
        arguments: TransportKind.allCases)
    func droppedResponse(kind: TransportKind) async throws {
        let closed = Signal()
        try await ScriptedServer.with { connection in
            defer { closed.set() }
            _ = try await connection.request()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            try await connection.waitUntilClosed()
        } _: { server in
            let transport = kind.make()
            _ = try await transport.send(TransportRequest(.get, server.base))
            await closed.wait()
            withExtendedLifetime(transport) {}
        }
    }

    @Test(
        "A response can be read to the end after the caller has released the transport",
        arguments: TransportKind.allCases
    )
    func droppedTransport(kind: TransportKind) async throws {
        let received = Signal()
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            await received.wait()
            try await connection.send("half")
        } _: { server in
            let response = try await kind.make().send(TransportRequest(.get, server.base))
            received.set()
            #expect(try await response.text() == "halfhalf")
        }
    }

    @Test("A small compressed body that would expand to a large body is rejected")
    func bomb() async throws {
        let bomb = try await TemporaryFolder.with { folder in
            let script = "head -c 10000000 /dev/zero | gzip -9 | base64 -w 0"
            return Data(base64Encoded: try await Program.shell(script, in: folder).output)
        }
        let bytes = try #require(bomb)
        #expect(bytes.count < 20_000)
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
            try await connection.send(bytes)
        } _: { server in
            let failure = try await failureCode(AsyncHTTPClientTransport(), TransportRequest(.get, server.base))
            #expect(failure == .invalidResponse)
        }
    }

    @Test("A 304 response with Content-Encoding: gzip is complete without a body", arguments: TransportKind.allCases)
    func notModified(kind: TransportKind) async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.send("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nETag: \"a\"\r\n\r\n")
            try await connection.waitUntilClosed()
        } _: { server in
            let response = try await kind.make().send(TransportRequest(.get, server.base))
            #expect(response.head.status == .notModified)
            #expect(try await response.text() == "")
        }
    }

    @Test(
        "Redirects are followed, and AsyncHTTPClientTransport rejects a redirect cycle",
        arguments: TransportKind.allCases)
    func redirects(kind: TransportKind) async throws {
        try await ScriptedServer.with { connection in
            while let head = try await connection.requestHead() {
                if head.hasPrefix("GET /old ") {
                    try await connection.respond("302 Found", ["Location": "/new"])
                } else if head.hasPrefix("GET /new ") {
                    try await connection.respond(body: "new")
                } else {
                    try await connection.respond("302 Found", ["Location": "/loop"])
                }
            }
        } _: { server in
            let transport = kind.make()
            let response = try await transport.send(TransportRequest(.get, server.base + "/old"))
            #expect(try await response.text() == "new")
            // On Linux, URLSession follows redirects without a limit.
            guard kind == .asyncHTTPClient else { return }
            let failure = try await failureCode(transport, TransportRequest(.get, server.base + "/loop"))
            #expect(failure == .invalidResponse)
        }
    }
}
