import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// A server of HTTP/2 without encryption, and of HTTP/1.
struct HTTP2TestServer: Sendable {
    static let largeSize = 1_000_000

    private let observed = Recorder<ConnectionObservation>()
    private let recorded = Recorder<String>()
    private let gate = Gate()

    /// The requests that the connections rejected, and the connections that the server closed.
    var observations: [ConnectionObservation] { self.observed.all }

    /// The events of the application: `began PATH`, `canceled`, and the errors of reading bodies.
    var events: [String] { self.recorded.all }

    /// Lets the requests to `/held` end.
    func open() { self.gate.open() }

    /// Waits until an event has happened.
    func wait(for event: String) async {
        while !self.events.contains(event) { await Task.yield() }
    }

    /// Waits until a connection or a request has been observed.
    func wait(for observation: ConnectionObservation) async {
        while !self.observations.contains(observation) { await Task.yield() }
    }

    private func channel(_ limits: RequestLimits) -> LimitedHTTPChannel {
        LimitedHTTPChannel(
            limits: limits, acceptsPlainHTTP2: true,
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "\($0)"), requestID: "id") },
            observe: { [observed] observation in
                if case .refused(let problem, _) = observation {
                    observed.append(.refused(problem))
                } else {
                    observed.append(observation)
                }
            },
            respond: { [recorded, gate] request, _ in try await Self.respond(to: request, recorded, gate) })
    }

    /// Runs a server while `body` runs.
    /// - Parameter body: Receives the address of the server.
    static func with(
        limits: RequestLimits = .patient,
        _ body: (HTTP2TestServer, SocketAddress) async throws -> Void
    ) async throws {
        let server = HTTP2TestServer()
        try await server.channel(limits).serve { address, _ in try await body(server, address) }
    }

    /// Runs a server with one connection, whose clock the test controls.
    /// - Parameter preface: What the client sends instead of the preface of HTTP/2 and its settings.
    static func withClock(
        limits: RequestLimits = RequestLimits(), preface: String? = nil, settings: [(UInt16, UInt32)] = [],
        _ body: (HTTP2TestServer, inout FrameClient, ClockedPipe) async throws -> Void
    ) async throws {
        let server = HTTP2TestServer()
        let pipe = try await ClockedPipe(server.channel(limits))
        var client = FrameClient(pipe)
        if let preface {
            try await client.send(ByteBuffer(string: preface))
        } else {
            try await client.begin(settings)
        }
        try await body(server, &client, pipe)
        await pipe.close()
    }

    private static func respond(
        to request: Request, _ recorded: Recorder<String>, _ gate: Gate
    ) async throws -> Response {
        recorded.append("began \(request.uri.path)")
        switch request.uri.path {
        case "/head":
            let head = request.head
            return text("\(head.method) \(head.scheme ?? "") \(head.authority ?? "") \(head.path ?? "")")
        case "/large": return text(String(repeating: "a", count: self.largeSize))
        case "/status/204": return Response(status: .noContent)
        case "/status/304": return Response(status: .notModified, headers: [.contentLength: "5"])
        case "/echo":
            do {
                return text(String(buffer: try await request.body.collect(upTo: 10_000_000)))
            } catch {
                recorded.append("\(error)")
                throw error
            }
        case "/held":
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                recorded.append("canceled")
                gate.open()
            }
            return text("held")
        case "/unread":
            // The body of the request is never read.
            await gate.wait()
            return text("unread")
        case "/events":
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    for number in 1...3 {
                        try await writer.write(ByteBuffer(string: "\(number)"))
                        if number == 1 { await gate.wait() }
                    }
                    try await writer.finish([.eTag: "yes"])
                })
        case "/stream":
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<100 { try await writer.write(ByteBuffer(repeating: 0x61, count: 10_000)) }
                    try await writer.finish(nil)
                })
        case "/error": throw NoResponse()
        case "/stream/error":
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "ab"))
                    throw NoResponse()
                })
        default: return text(request.uri.path)
        }
    }

    private static func text(_ text: String) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

private struct NoResponse: Error {}

/// A gate that tasks wait for.
private final class Gate: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    func open() {
        let waiting = self.waiting.withLock { $0.take() }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = self.waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isOpen { continuation.resume() }
        }
    }
}
