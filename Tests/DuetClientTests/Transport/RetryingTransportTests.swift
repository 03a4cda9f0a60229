import Foundation
import HTTPTypes
import Testing

@testable import DuetClient

@Suite("Retries")
struct RetryingTransportTests {
    private let clock = RecordingClock()

    private func transport(
        _ policy: RetryPolicy = RetryPolicy(), jitter: Double = 1, now: Date = Date(timeIntervalSince1970: 0)
    ) -> RetryingTransport {
        RetryingTransport(AsyncHTTPClientTransport(), policy: policy, clock: clock, now: { now }, jitter: { jitter })
    }

    /// Calls a closure with a server that responds to the first `count` requests with `status`, and then with 200.
    private func withServer(
        failing count: Int, status: String = "503 Service Unavailable", retryAfter: String? = nil,
        _ body: (ScriptedServer, Counter) async throws -> Void
    ) async throws {
        let requests = Counter()
        try await ScriptedServer.with { connection in
            while try await connection.request() != nil {
                if requests.increment() > count {
                    try await connection.respond(body: "done")
                } else if let retryAfter {
                    try await connection.respond(status, ["Retry-After": retryAfter], body: "not now")
                } else {
                    try await connection.respond(status, body: "not now")
                }
            }
        } _: {
            try await body($0, requests)
        }
    }

    @Test(
        "A request to a busy server is repeated",
        arguments: ["429 Too Many Requests", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"])
    func busy(status: String) async throws {
        try await withServer(failing: 2, status: status) { server, requests in
            let response = try await transport().send(TransportRequest(.get, server.base))
            #expect(try await response.text() == "done")
            #expect(requests.value == 3)
            #expect(clock.pauses == [.milliseconds(200), .milliseconds(400)])
        }
    }

    @Test("Jitter shortens a pause by up to half")
    func jitter() async throws {
        try await withServer(failing: 2) { server, _ in
            _ = try await transport(jitter: 0).send(TransportRequest(.get, server.base))
            #expect(clock.pauses == [.milliseconds(100), .milliseconds(200)])
        }
    }

    @Test("After the last attempt, the last response is returned. No pause exceeds the maximum")
    func exhausted() async throws {
        try await withServer(failing: .max) { server, requests in
            let policy = RetryPolicy(maximumAttempts: 5, firstPause: .seconds(1), maximumPause: .seconds(3))
            let response = try await transport(policy).send(TransportRequest(.get, server.base))
            #expect(response.head.status == .serviceUnavailable)
            #expect(try await response.text() == "not now")
            #expect(requests.value == 5)
            #expect(clock.pauses == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        }
    }

    @Test("A POST request is sent once, unless it is marked as idempotent", arguments: [false, true])
    func idempotence(isIdempotent: Bool) async throws {
        try await withServer(failing: 1) { server, requests in
            let response = try await transport().send(
                TransportRequest(.post, server.base, body: "{}", isIdempotent: isIdempotent ? true : nil))
            #expect(response.head.status == (isIdempotent ? .ok : .serviceUnavailable))
            #expect(requests.value == (isIdempotent ? 2 : 1))
        }
    }

    @Test("A 404 response causes no retry")
    func clientError() async throws {
        try await withServer(failing: 1, status: "404 Not Found") { server, requests in
            let response = try await transport().send(TransportRequest(.get, server.base))
            #expect(response.head.status == .notFound)
            #expect(requests.value == 1)
        }
    }

    @Test("After a response with Retry-After, the request is repeated at the given time")
    func retryAfter() async throws {
        try await withServer(failing: 1, retryAfter: "7") { server, _ in
            _ = try await transport().send(TransportRequest(.get, server.base))
            #expect(clock.pauses == [.seconds(7)])
        }
    }

    @Test("Retry-After can be a date")
    func retryAfterDate() async throws {
        try await withServer(failing: 1, retryAfter: "Thu, 01 Jan 1970 00:00:09 GMT") { server, _ in
            _ = try await transport().send(TransportRequest(.get, server.base))
            #expect(clock.pauses == [.seconds(9)])
        }
    }

    @Test("A Retry-After that is too far in the future ends the retries")
    func retryAfterTooLong() async throws {
        try await withServer(failing: 1, retryAfter: "3600") { server, requests in
            let response = try await transport().send(TransportRequest(.get, server.base))
            #expect(response.head.status == .serviceUnavailable)
            #expect(requests.value == 1)
        }
    }

    @Test("An invalid Retry-After is ignored", arguments: ["soon", "-1", "1.5"])
    func retryAfterUnknown(value: String) async throws {
        try await withServer(failing: 1, retryAfter: value) { server, _ in
            _ = try await transport().send(TransportRequest(.get, server.base))
            #expect(clock.pauses == [.milliseconds(200)])
        }
    }

    @Test("A request is repeated after a lost connection and after a truncated body", arguments: [true, false])
    func lostConnection(isBodyCut: Bool) async throws {
        let requests = Counter()
        try await ScriptedServer.with { connection in
            _ = try await connection.request()
            if requests.increment() == 3 {
                try await connection.respond(body: "done")
            } else if isBodyCut {
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            }
        } _: { server in
            let transport = RetryingTransport(
                BufferingTransport(AsyncHTTPClientTransport()), clock: clock, jitter: { 1 })
            let response = try await transport.send(TransportRequest(.get, server.base))
            #expect(try await response.text() == "done")
            #expect(clock.pauses.count == 2)
        }
    }

    @Test("After the last attempt, a request to an unreachable server throws an error")
    func unreachable() async throws {
        try await ReservedPort.with { port in
            let error = await #expect(throws: TransportError.self) {
                try await transport().send(TransportRequest(.get, "http://127.0.0.1:\(port)/"))
            }
            #expect(error?.code == .cannotConnect)
            #expect(clock.pauses.count == 2)
        }
    }

    @Test("Canceling the task ends the pause")
    func cancelled() async throws {
        try await withServer(failing: .max) { server, _ in
            let policy = RetryPolicy(firstPause: .seconds(3600), maximumPause: .seconds(3600))
            let failed = Signal()
            let transport = RetryingTransport(
                AsyncHTTPClientTransport(), policy: policy,
                jitter: {
                    failed.set()
                    return 1
                })
            let request = try TransportRequest(.get, server.base)
            let task = Task { try await transport.send(request) }
            await failed.wait()
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    /// A transport whose requests always fail.
    private struct Failing: HTTPTransport {
        let code: TransportError.Code
        let requests: Counter

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            _ = requests.increment()
            throw TransportError(code, "It fails.")
        }
    }

    @Test(
        "A connection error causes a retry. A timeout or an insecure connection causes no retry",
        arguments: [
            (.connectionLost, 3), (.cannotConnect, 3), (.timedOut, 1), (.insecure, 1),
        ] as [(TransportError.Code, Int)])
    func failures(code: TransportError.Code, count: Int) async throws {
        let requests = Counter()
        let transport = RetryingTransport(Failing(code: code, requests: requests), clock: clock, jitter: { 1 })
        let error = await #expect(throws: TransportError.self) {
            _ = try await transport.send(TransportRequest(.get, "http://localhost/"))
        }
        #expect(error?.code == code)
        #expect(requests.value == count)
    }
}
