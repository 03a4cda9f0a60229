import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import SeededTesting
import Synchronization
import Testing

@testable import DuetClient

/// Random schedules of queries, mutations, watches, changes of the caller and responses. A test decides when each
/// response arrives, so that each schedule can be repeated.
@Suite("Random schedules with changing callers")
struct CallerScheduleTests {
    /// A server that responds when the schedule says so. The last name in a response is the identity of the caller.
    private final class Server: GraphQLTransport {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()

        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                arrived.yield()
            }
            let body = Answers.employee(lastName: request.caller?.identity ?? "anonymous")
            return GraphQLReply(
                HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]), body: Array(body.utf8))
        }

        var count: Int { waiting.withLock { $0.count } }

        func respond(_ index: Int) { waiting.withLock { $0.remove(at: index) }.resume() }
    }

    private struct Rename: GraphQLMutation {
        struct Data: DataDecodable {
            let employee: EmployeeRow?
            init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
        }
    }

    @Test(
        "No operation returns data of a caller other than the one for whom it began",
        arguments: CacheKind.allCases, 1...10)
    func schedule(kind: CacheKind, seed: UInt64) async throws {
        try await TemporaryFolder.with { folder in
            var random = SplitMix64(seed: seed)
            let identities: [String?] = ["anna", "berta", nil]
            let caller = CurrentCaller(identity: "anna")
            let store = GraphQLStore(caller: caller, policies: .employees) { identity throws(CacheError) in
                if kind == .memory { return InMemoryNormalizedCache() }
                return try SQLiteNormalizedCache(in: folder, identity: identity)
            }
            let server = Server()
            let client = GraphQLClient(transport: server, store: store)
            let query = EmployeeRowQuery(id: "1")
            var arrivals = server.arrivals.makeAsyncIterator()
            var tasks: [Task<Void, any Error>] = []

            /// Starts an operation, and waits until its request arrives.
            func start(_ body: @escaping @Sendable (String?) async throws -> [String?]) async {
                let identity = caller.identity
                tasks.append(
                    Task {
                        do {
                            let names = try await body(identity)
                            let owner = identity ?? "anonymous"
                            #expect(names.allSatisfy { $0 == owner || $0 == "guess of \(owner)" }, "\(names)")
                        } catch let error as GraphQLClientError {
                            #expect(error.code == .callerChanged)
                        }
                    })
                await arrivals.next()
            }

            for _ in 0..<40 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    await start { _ in
                        [try await client.fetch(query, policy: .fetchIgnoringCacheData).data?.employee?.lastName]
                    }
                case 1:
                    await start { identity in
                        let result = try await client.perform(Rename()) { transaction in
                            try transaction.updateObject("Employee:1") {
                                $0["lastName"] = .string("guess of \(identity ?? "anonymous")")
                            }
                        }
                        return [result.data?.employee?.lastName]
                    }
                case 2:
                    await start { _ in
                        var results = client.watch(query, policy: .fetchIgnoringCacheData).makeAsyncIterator()
                        guard let result = try await results.next() else { return [] }
                        return [result.data?.employee?.lastName]
                    }
                case 3: caller.change(to: identities.randomElement(using: &random) ?? nil)
                default:
                    guard server.count > 0 else { continue }
                    server.respond(Int.random(in: 0..<server.count, using: &random))
                }
                let owner = caller.identity ?? "anonymous"
                let shown = try? await client.fetch(query, policy: .cacheDontFetch).data?.employee?.lastName
                #expect(shown == nil || shown == owner || shown == "guess of \(owner)")
            }
            while server.count > 0 { server.respond(0) }
            for task in tasks { try await task.value }
        }
    }
}
