import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

/// A transport that loses responses after the server has sent them.
private final class LossyTransport: HTTPTransport {
    private let base = AsyncHTTPClientTransport()
    private let remaining = Mutex(0)

    /// Loses the next responses.
    func lose(_ count: Int) { remaining.withLock { $0 = count } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await base.send(request)
        let isLost = remaining.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        guard isLost else { return response }
        _ = try await response.body.collect(upTo: 1 << 20)
        throw TransportError(.connectionLost, "The test has lost the response.")
    }
}

private struct NotedOrder: Codable, Sendable {
    var customerId = 1
    var orderedOn = "2026-03-05"
    var total = "1"
    var note: String
}

private struct NotedRow: WritableModel {
    static let typeName: String? = "Order"
    let note: String?

    init(from decoder: DynamicDecoder) throws(ModelError) { note = try decoder.value("note") }
}

@Suite("Pending writes to a server with keys", .enabled(if: Shop.isAvailable, "needs sqlite3"))
struct LiveKeyTests {
    @Test("If responses are lost, each write of both styles is performed once, also across a restart")
    func once() async throws {
        try await Shop.with(keys: true) { url in
            try await PendingStoreKind.sqlite.withStore { open in
                let transport = LossyTransport()
                func start(attempts: Int) throws -> (WebServiceProxy, GraphQLClient) {
                    let pending = PendingWrites.test(try open(), attempts: attempts)
                    return (
                        WebServiceProxy(baseURL: url, transport: transport, pendingWrites: pending),
                        GraphQLClient(
                            transport: GraphQLEndpoint(
                                url: url.appending(path: "graphql"), persistedQueries: .off, transport: transport),
                            pendingWrites: pending)
                    )
                }
                var (service, client) = try start(attempts: 3)
                func count(_ note: String) async throws -> Int {
                    let orders: [NotedOrder] = try await service.invoke(.get, "orders", arguments: ["note": note])
                    return orders.count
                }

                transport.lose(2)
                let created: WebServiceResponse<NotedOrder> = try await service.create(
                    NotedOrder(note: "rest"), in: "orders")
                #expect(created.isReplayed)
                #expect(created.location != nil)
                #expect(try await count("rest") == 1)
                transport.lose(2)
                let row = try await client.create(NotedRow.self, input: Self.input("graphql")).row
                #expect(row?.note == "graphql")
                #expect(try await count("graphql") == 1)

                (service, client) = try start(attempts: 1)
                transport.lose(1)
                let first: NotedOrder? = try? await service.create(NotedOrder(note: "later rest"), in: "orders")
                transport.lose(1)
                let second = try? await client.create(NotedRow.self, input: Self.input("later graphql"))
                #expect(first == nil)
                #expect(second == nil)
                (service, client) = try start(attempts: 1)
                try await service.resumePendingWrites()
                try await client.resumePendingWrites()
                #expect(try await count("later rest") == 1)
                #expect(try await count("later graphql") == 1)
                #expect(try await service.pendingWrites?.writes().isEmpty == true)

                let key = IdempotencyKey()
                let _: NotedOrder = try await service.create(NotedOrder(note: "a"), in: "orders", idempotencyKey: key)
                let reused = await #expect(throws: WebServiceError.self) {
                    let _: NotedOrder = try await service.create(
                        NotedOrder(note: "b"), in: "orders", idempotencyKey: key)
                }
                #expect(reused?.problem?.code == "idempotency-key-reused")
                #expect(reused?.pendingKey == nil)
            }
        }
    }

    private static func input(_ note: String) -> JSONObject {
        ["customerId": 1, "orderedOn": "2026-03-05", "total": "1", "note": .string(note)]
    }
}
