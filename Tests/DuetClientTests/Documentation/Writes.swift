import DuetClient
import Foundation

extension ArticleCode {
    struct ShopOrder: Codable, Sendable {
        var id: Int?
        var customerId: Int
        var orderedOn: String
        var total: String
        var note: String?
    }

    static func write(_ order: ShopOrder, to service: WebServiceProxy, show: (String) -> Void) async throws {
        let created: WebServiceResponse<ShopOrder> = try await service.create(order, in: "orders")
        show("\(created.location?.path() ?? "") has the tag \(created.entityTag?.description ?? "")")

        let read: WebServiceResponse<ShopOrder> = try await service.invoke(.get, "orders/\(8)")
        var changed = read.content
        changed.note = nil
        try await service.update("orders/\(8)", from: read.content, to: changed, precondition: read.unchanged)

        let replaced: ShopOrder = try await service.upsert("orders/\(20)", with: order)
        try await service.delete("orders/\(7)")
        let count = try await service.updateAll(
            "orders", matching: ["orderedOn": "2026-03-05"], with: ["note": "late"], maximumCount: 10)
        _ = (replaced, count)
    }

    static func showErrors(_ service: WebServiceProxy, show: (String) -> Void) async {
        do {
            let _: ShopOrder = try await service.update("orders/\(8)", with: ["total": "many"])
        } catch {
            for error in error.problem?.errors ?? [] { show("\(error.pointer ?? error.field): \(error.message)") }
        }
    }

    struct OrderRow: WritableModel {
        static let typeName: String? = "Order"
        let id: String
        let total: String
        let entityTag: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            total = try decoder.value("total")
            entityTag = try decoder.value("entityTag")
        }
    }

    static func writeRows(_ client: some GraphQLService, show: (String) -> Void) async throws {
        let created = try await client.create(
            OrderRow.self, input: ["customerId": 1, "orderedOn": "2026-03-05", "total": "9.95"])
        for error in created.errors { show("\(error.field ?? []): \(error.message)") }
        let order = try created.get()
        let changed = try await client.update(
            OrderRow.self, key: RowKey(order.id), patch: ["total": "10"], ifMatch: order.entityTag)
        if changed.errors.contains(where: { $0.kind == .preconditionFailed }) { show("Another user was faster.") }
        _ = try await client.delete(OrderRow.self, key: RowKey(order.id))
    }

    static func makeWriters(
        base: URL, folder: URL, transport: any HTTPTransport, caller: CurrentCaller
    ) throws -> (WebServiceProxy, GraphQLClient) {
        let pending = PendingWrites(
            service: "shop", store: try SQLitePendingWriteStore(at: folder.appending(path: "writes.sqlite")))
        let service = WebServiceProxy(baseURL: base, transport: transport, caller: caller, pendingWrites: pending)
        let client = GraphQLClient(
            transport: GraphQLEndpoint(url: base.appending(path: "graphql"), transport: transport),
            store: GraphQLStore(caller: caller), pendingWrites: pending)
        return (service, client)
    }

    static func resume(_ service: WebServiceProxy, _ client: GraphQLClient, show: (String) -> Void) async throws {
        try await service.resumePendingWrites { settled in
            switch settled.outcome {
            case .answered: break
            case .refused(let error): show(error.message)
            case .expired, .unreadable: show("The server may not have your change. Look at the data.")
            }
        }
        try await client.resumePendingWrites(
            of: [CreateMutation<OrderRow>.self, UpdateMutation<OrderRow>.self, DeleteMutation<OrderRow>.self])
    }

    static func logOut(_ caller: CurrentCaller, _ pending: PendingWrites) async throws {
        let former = caller.identity
        caller.change(to: nil)
        if former != nil { try await pending.removeWrites(ofCaller: former) }
    }
}
