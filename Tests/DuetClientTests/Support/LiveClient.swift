import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

extension Server {
    /// The GraphQL endpoint of the server.
    var graphQL: GraphQLEndpoint {
        get throws { GraphQLEndpoint(url: try #require(URL(string: base + "/graphql"))) }
    }
}

/// An interceptor that records all requests.
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

/// The kinds of caches. Most tests of the client run with each kind.
enum CacheKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }

    /// Calls a closure with an empty cache.
    func withCache<Value>(
        maximumBytes: Int = 1 << 20, _ body: (any NormalizedCache) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .memory: try await body(InMemoryNormalizedCache(maximumBytes: maximumBytes))
        case .sqlite:
            try await TemporaryFolder.with { folder in
                let url = folder.appending(path: "cache.sqlite")
                return try await body(try SQLiteNormalizedCache(at: url, maximumBytes: maximumBytes))
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
                GraphQLClient(transport: try server.graphQL, store: store, interceptors: [log]), log)
        }
    }
}

/// A clock that a test advances.
final class TestClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_700_000_000_000)
    var now: @Sendable () -> Int64 { { [self] in milliseconds.load(ordering: .relaxed) } }
    func advance(by duration: Duration) {
        milliseconds.add(duration.components.seconds * 1000, ordering: .relaxed)
    }
}
