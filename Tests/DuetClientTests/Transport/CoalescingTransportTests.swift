import Foundation
import HTTPTypes
import Testing

@testable import DuetClient

@Suite("Coalescing of equal requests")
struct CoalescingTransportTests {
    private let requests = Counter()
    private let release = Signal()
    private let joined = Signal()

    /// Returns a transport that sets ``joined`` when `count` callers wait for one request.
    private func transport(waiting count: Int) -> CoalescingTransport {
        CoalescingTransport(AsyncHTTPClientTransport(), limit: 1000) { [joined] in if $0 == count { joined.set() } }
    }

    /// Calls a closure with a server whose responses contain the number of the request and are sent after ``release``.
    private func withServer(_ body: (ScriptedServer) async throws -> Void) async throws {
        try await ScriptedServer.with { [requests, release] connection in
            while try await connection.request() != nil {
                let number = requests.increment()
                await release.wait()
                try await connection.respond(body: "response \(number)")
            }
        } _: {
            try await body($0)
        }
    }

    @Test("Equal concurrent requests are sent once, and all callers receive the response")
    func equal() async throws {
        try await withServer { server in
            let transport = transport(waiting: 10)
            let request = try TransportRequest(.get, server.base)
            async let release: Void = {
                await joined.wait()
                self.release.set()
            }()
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { try await transport.send(request).text() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            await release
            #expect(bodies == Array(repeating: "response 1", count: 10))
            #expect(requests.value == 1)
        }
    }

    @Test("After a response has arrived, an equal request is sent to the server again")
    func later() async throws {
        release.set()
        try await withServer { server in
            let transport = transport(waiting: 1)
            let request = try TransportRequest(.get, server.base)
            #expect(try await transport.send(request).text() == "response 1")
            #expect(try await transport.send(request).text() == "response 2")
        }
    }

    @Test("Requests with different header fields and requests that are not idempotent are sent separately")
    func different() async throws {
        release.set()
        try await withServer { server in
            let transport = transport(waiting: 1)
            let requests = try [
                TransportRequest(.get, server.base, [.authorization: "Bearer a"]),
                TransportRequest(.get, server.base, [.authorization: "Bearer b"]),
                TransportRequest(.post, server.base, body: "{}"), TransportRequest(.post, server.base, body: "{}"),
            ]
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for request in requests { group.addTask { try await transport.send(request).text() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(bodies == ["response 1", "response 2", "response 3", "response 4"])
        }
    }

    @Test("A canceled caller receives an error, and the other caller receives the response")
    func oneLeaves() async throws {
        try await withServer { server in
            let transport = transport(waiting: 2)
            let request = try TransportRequest(.get, server.base)
            let (first, second) = (
                Task { try await transport.send(request).text() }, Task { try await transport.send(request).text() }
            )
            await joined.wait()
            first.cancel()
            let error = await #expect(throws: TransportError.self) { try await first.value }
            #expect(error?.code == .cancelled)
            release.set()
            #expect(try await second.value == "response 1")
        }
    }

    @Test("Canceling all callers cancels the request")
    func allLeave() async throws {
        let (received, closed) = (Signal(), Signal())
        try await ScriptedServer.with { connection in
            defer { closed.set() }
            _ = try await connection.request()
            received.set()
            try await connection.waitUntilClosed()
        } _: { server in
            let transport = transport(waiting: 2)
            let request = try TransportRequest(.get, server.base)
            let tasks = (0..<2).map { _ in Task { try await transport.send(request).text() } }
            await received.wait()
            await joined.wait()
            for task in tasks { task.cancel() }
            for task in tasks {
                let error = await #expect(throws: TransportError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
            await closed.wait()
        }
    }

    @Test("Each of two successive calls to an unreachable server throws an error")
    func failure() async throws {
        release.set()
        try await ReservedPort.with { port in
            let transport = transport(waiting: 1)
            let request = try TransportRequest(.get, "http://127.0.0.1:\(port)/")
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
                #expect(error?.code == .cannotConnect)
            }
        }
    }

    @Test("A body above the size limit is rejected")
    func limit() async throws {
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            try await connection.respond(body: String(repeating: "a", count: 1001))
        } _: { server in
            let transport = transport(waiting: 1)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(TransportRequest(.get, server.base))
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("After 300 concurrent calls, of which some are canceled, the transport is idle")
    func churn() async throws {
        release.set()
        try await withServer { server in
            let transport = transport(waiting: 0)
            let request = try TransportRequest(.get, server.base)
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<300 {
                    group.addTask {
                        let task = Task { try await transport.send(request).text() }
                        if index.isMultiple(of: 3) { task.cancel() }
                        let result = await task.result
                        if !index.isMultiple(of: 3) { #expect((try? result.get())?.hasPrefix("response") == true) }
                    }
                }
            }
            #expect(transport.isIdle)
        }
    }
}
