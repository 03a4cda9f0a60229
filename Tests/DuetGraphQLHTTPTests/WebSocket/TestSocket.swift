import DuetGraphQL
import DuetGraphQLHTTP
import NIOCore
import Synchronization

/// A connection without a network, between a ``GraphQLSocket`` and a client.
struct TestSocket: GraphQLSocketConnection {
    let messages: AsyncStream<GraphQLSocketInput>
    private let input: AsyncStream<GraphQLSocketInput>.Continuation
    private let output: AsyncStream<String>.Continuation

    func send(_ text: ByteBuffer) async throws {
        try Task.checkCancellation()
        self.output.yield(String(buffer: text))
    }

    func close(_ close: GraphQLSocketClose) {
        self.output.yield("close \(close.code) \(close.reason)")
        self.output.finish()
        self.input.finish()
    }

    /// Runs a server and a client. At the end of the client, the connection ends.
    /// - Returns: The log of the server's operations.
    @discardableResult
    static func run(
        limits: GraphQLSocketLimits = GraphQLSocketLimits(), acknowledgement: JSONObject? = nil,
        _ body: (TestClient) async throws -> Void
    ) async throws -> [String] {
        let (messages, input) = AsyncStream.makeStream(of: GraphQLSocketInput.self)
        let (received, output) = AsyncStream.makeStream(of: String.self)
        let server = TestOperations()
        let socket = TestSocket(messages: messages, input: input, output: output)
        async let end: Void = GraphQLSocket.run(
            socket, limits: limits,
            authenticate: { (try await server.authenticate($0), acknowledgement) },
            execute: { try await server.execute($0, client: $1) })
        try await body(TestClient(input: input, output: received.makeAsyncIterator(), server: server))
        input.finish()
        await end
        return server.log
    }
}

/// The client of a ``TestSocket``.
final class TestClient {
    let input: AsyncStream<GraphQLSocketInput>.Continuation
    let server: TestOperations
    private var output: AsyncStream<String>.AsyncIterator

    init(
        input: AsyncStream<GraphQLSocketInput>.Continuation, output: AsyncStream<String>.AsyncIterator,
        server: TestOperations
    ) {
        self.input = input
        self.output = output
        self.server = server
    }

    func send(_ text: String) { self.input.yield(.text(ByteBuffer(string: text))) }

    /// Returns the next message of the server, or its close frame.
    func next() async -> String { await self.output.next() ?? "nothing" }

    func initialise(_ payload: String = "null") async {
        self.send(#"{"type":"connection_init","payload":\#(payload)}"#)
        _ = await self.next()
    }

    func subscribe(_ id: String, _ document: String) {
        let message: JSONValue = ["type": "subscribe", "id": .string(id), "payload": ["query": .string(document)]]
        self.send(message.compactText)
    }
}

/// The operations of a test server. They are known by the texts of their documents.
final class TestOperations: Sendable {
    private struct Failure: Error {}

    private let entries = Mutex<[String]>([])
    private let changes = AsyncStream.makeStream(of: Void.self)

    /// The operations that were executed or canceled.
    var log: [String] { self.entries.withLock { $0 } }

    private func append(_ entry: String) {
        self.entries.withLock { $0.append(entry) }
        self.changes.continuation.yield()
    }

    /// Waits until the log has an entry.
    func until(_ entry: String, count: Int = 1) async {
        if self.log.filter({ $0 == entry }).count >= count { return }
        for await _ in self.changes.stream where self.log.filter({ $0 == entry }).count >= count { return }
    }

    func authenticate(_ payload: JSONObject?) async throws -> String {
        guard case .string(let token)? = payload?["token"] else { return "anonymous" }
        switch token {
        case "rejected": throw Failure()
        case "expired": throw GraphQLSocketClose.unauthorized
        case "slow":
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        default: return token
        }
    }

    func execute(_ request: GraphQLRequest, client: String) async throws -> AsyncThrowingStream<
        GraphQLSocketResult, any Error
    > {
        switch request.query ?? "" {
        case "{ client }": return Self.results([#"{"data":{"client":"\#(client)"}}"#])
        case "{ version }", "mutation { version }": return Self.results([#"{"data":{"version":"1"}}"#])
        case "subscription { numbers }":
            return Self.results([#"{"data":{"numbers":1}}"#, #"{"data":{"numbers":2}}"#])
        case "request":
            let text =
                "\(request.operationName ?? "") \(JSONValue.object(request.variables).compactText)"
                + " \(JSONValue.object(request.extensions).compactText)"
            return Self.results([JSONValue.string(text).compactText])
        case "requestError":
            let response = GraphQLResponse(requestErrors: [GraphQLError("Unknown field.")])
            return AsyncThrowingStream { continuation in
                continuation.yield(GraphQLSocketResult(response))
                continuation.finish()
            }
        case "throws": throw GraphQLRequestError.malformed("No.")
        case "fails": throw GraphQLErrors([GraphQLError("First."), GraphQLError("Second.")])
        case "crashes": throw Failure()
        case "fails later": return Self.results(["{}"], then: GraphQLError("Later."))
        case "expires": throw GraphQLSocketClose.unauthorized
        case "subscription { waits }":
            self.append("waits")
            return AsyncThrowingStream { continuation in
                continuation.onTermination = { _ in self.append("canceled") }
            }
        default:
            self.append("executed")
            return Self.results([])
        }
    }

    private static func results(
        _ bodies: [String], then error: (any Error)? = nil
    ) -> AsyncThrowingStream<GraphQLSocketResult, any Error> {
        AsyncThrowingStream { continuation in
            for body in bodies { continuation.yield(.next(ByteBuffer(string: body))) }
            continuation.finish(throwing: error)
        }
    }
}
