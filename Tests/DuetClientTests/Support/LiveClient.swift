import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

/// Sends operations by POST to a server.
struct PostTransport: GraphQLTransport {
    let server: Server

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        let body: JSONValue = ["query": .string(request.document.text), "variables": .object(request.variables)]
        do {
            let answer = try await server.send(
                "POST", "/graphql", ["Accept": "application/graphql-response+json"], body: body.compactText)
            var fields = HTTPFields()
            for header in answer.headers {
                if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
            }
            return GraphQLReply(
                HTTPResponse(status: .init(code: answer.status), headerFields: fields), body: Array(answer.body.utf8))
        } catch {
            throw GraphQLClientError(.transport, "The server does not answer.", underlyingError: error)
        }
    }
}

/// Notes the operations that are sent.
final class RequestLog: GraphQLInterceptor {
    private let requests = Mutex<[GraphQLRequest]>([])

    /// The texts of the documents that were sent, in order.
    var documents: [String] { requests.withLock { $0.map(\.document.text) } }
    var count: Int { requests.withLock { $0.count } }

    func send(
        _ request: GraphQLRequest, next: any GraphQLTransport
    ) async throws(GraphQLClientError) -> GraphQLReply {
        requests.withLock { $0.append(request) }
        return try await next.send(request)
    }
}

/// The kinds of caches that every behaviour of the client is tested with.
enum CacheKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }

    /// Calls a closure with an empty cache.
    func withCache<Value>(_ body: (any NormalizedCache) async throws -> Value) async throws -> Value {
        switch self {
        case .memory: try await body(InMemoryNormalizedCache())
        case .sqlite:
            try await TemporaryFolder.with { folder in
                try await body(try SQLiteNormalizedCache(at: folder.appending(path: "cache.sqlite")))
            }
        }
    }

    /// Calls a closure with a client of the suite's server and an empty store.
    func withClient<Value>(
        policies: CachePolicies = .employees, clock: (@Sendable () -> Int64)? = nil,
        _ body: (GraphQLClient, RequestLog) async throws -> Value
    ) async throws -> Value {
        let server = try Server.shared
        return try await withCache { cache in
            let store =
                if let clock { GraphQLStore(cache: cache, policies: policies, clock: clock) } else {
                    GraphQLStore(cache: cache, policies: policies)
                }
            let log = RequestLog()
            return try await body(
                GraphQLClient(transport: PostTransport(server: server), store: store, interceptors: [log]), log)
        }
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_700_000_000_000)
    var now: @Sendable () -> Int64 { { [self] in milliseconds.load(ordering: .relaxed) } }
    func advance(by duration: Duration) {
        milliseconds.add(duration.components.seconds * 1000, ordering: .relaxed)
    }
}
