import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

private struct Order: Codable, Sendable, Equatable {
    var id: Int?
    var customerId: Int?
    var orderedOn = "2026-03-05"
    var total: String
    var note: String?
}

private struct Customer: Codable, Sendable, Equatable {
    var id: Int?
    var name: String
    var orders: [Order]?
}

private struct OrderRow: WritableModel, Hashable {
    static let typeName: String? = "Order"
    let id: String
    let total: String
    let note: String?
    let entityTag: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        total = try decoder.value("total")
        note = try decoder.value("note")
        entityTag = try decoder.value("entityTag")
    }
}

@Suite("Writes of a described database", .enabled(if: Shop.isAvailable, "needs sqlite3"))
struct ShopWriteTests {
    @Test("WebServiceProxy creates, changes, replaces and removes resources")
    func service() async throws {
        try await Shop.with { url in
            let service = WebServiceProxy(baseURL: url)
            let created: WebServiceResponse<Order> = try await service.create(
                Order(customerId: 1, total: "9.5", note: "new"), in: "orders")
            #expect(created.head.status == .created)
            #expect(created.location?.path() == "/orders/9")
            #expect(created.content == Order(id: 9, customerId: 1, total: "9.50", note: "new"))
            let many: [Order] = try await service.create(
                [Order(customerId: 1, total: "1"), Order(customerId: 2, total: "2")], in: "orders",
                arguments: ["fields": ["total", "orderedOn"]])
            #expect(many.map(\.total) == ["1.00", "2.00"])
            let minimal: WebServiceResponse<Order?> = try await service.create(
                Order(customerId: 1, total: "3"), in: "orders", preferences: .minimalResponse)
            #expect(minimal.content == nil)
            #expect(minimal.appliedPreferences == .minimalResponse)
            #expect(minimal.location?.path() == "/orders/12")
            let customer: Customer = try await service.create(
                Customer(name: "Cleo", orders: [Order(total: "4")]), in: "customers",
                arguments: ["fields": "name", "details": "orders", "orders.fields": ["total", "orderedOn"]])
            #expect(customer.orders?.map(\.total) == ["4.00"])

            let read: WebServiceResponse<Order> = try await service.invoke(.get, "orders/9")
            var order = read.content
            order.note = nil
            let changed = try await service.update(
                "orders/9", from: read.content, to: order, precondition: read.unchanged)
            #expect(changed.content.note == nil)
            let stale = await #expect(throws: WebServiceError.self) {
                _ = try await service.update("orders/9", from: read.content, to: order, precondition: read.unchanged)
            }
            #expect(stale?.problem?.code == "precondition-failed")
            let nested: Customer = try await service.update(
                "customers/3", with: ["orders": ["create": [["orderedOn": "2026-03-06", "total": "5"]]]],
                type: "application/json",
                arguments: ["fields": "name", "details": "orders", "orders.fields": ["total", "orderedOn"]])
            #expect(nested.orders?.map(\.total) == ["4.00", "5.00"])

            let new: WebServiceResponse<Order> = try await service.upsert(
                "orders/20", with: Order(customerId: 2, total: "6"), precondition: .ifNoneMatchAny)
            #expect(new.head.status == .created)
            let replaced: WebServiceResponse<Order> = try await service.upsert(
                "orders/20", with: Order(customerId: 1, total: "7"), precondition: .ifMatchAny)
            #expect(replaced.head.status == .ok)
            #expect(replaced.content.customerId == 1)

            let tried: Order = try await service.update("orders/20", with: ["note": "tried"], preferences: .rollback)
            #expect(tried.note == "tried")
            try await service.update("orders/20", with: ["note": "short"])
            let short: Order = try await service.invoke(.get, "orders/20")
            #expect(short.note == "short")
            let late = ["note": "late"]
            let updated = try await service.updateAll(
                "orders", matching: ["orderedOn": "2026-03-05"], with: late, maximumCount: 10)
            #expect(updated == 6)
            let tooMany = await #expect(throws: WebServiceError.self) {
                try await service.deleteAll("orders", matching: ["note": "late"], maximumCount: 1)
            }
            #expect(tooMany?.problem?.code == "too-many-rows")
            let removed = try await service.deleteAll("orders", matching: ["note": "late"])
            #expect(removed == 6)
            try await service.delete("orders/8")
            let gone = await #expect(throws: WebServiceError.self) { try await service.delete("orders/8") }
            #expect(gone?.status == .notFound)
        }
    }

    @Test("The errors of REST writes name the members, the relation and the key")
    func problems() async throws {
        try await Shop.with { url in
            let service = WebServiceProxy(baseURL: url)
            func problem(_ body: () async throws -> Void) async -> Problem? {
                do { try await body() } catch { return (error as? WebServiceError)?.problem }
                return nil
            }
            let invalid = await problem {
                let _: Customer = try await service.create(
                    ["name": 5, "color": "red", "orders": [["total": "x", "orderedOn": "2026-03-05"]]] as JSONValue,
                    in: "customers")
            }
            #expect(invalid?.code == "validation-failed")
            let pointers = invalid?.errors.compactMap(\.pointer) ?? []
            #expect(pointers.contains("/orders/0/total"))
            let fields = Set(invalid?.fields ?? [])
            #expect(fields.isSuperset(of: ["name", "color"]))
            let conflict = await problem {
                let _: Customer = try await service.create(
                    ["name": "Eve", "email": "ada@example.com"], in: "customers")
            }
            #expect(conflict?.code == "conflict")
            #expect(conflict?.fields == ["email"])
            let used = await problem { try await service.delete("customers/1") }
            #expect(used?.code == "row-in-use")
            #expect(used?.relation == "orders")
        }
    }

    @Test("The client creates mutations from a model, and returns user errors as values")
    func models() async throws {
        try await Shop.with { url in
            let client = GraphQLClient(
                transport: GraphQLEndpoint(url: url.appending(path: "graphql")),
                store: GraphQLStore(policies: CachePolicies(keyFields: ["Order": ["id"]])))
            let created = try await client.create(
                OrderRow.self,
                input: ["customer": ["name": "Cleo"], "orderedOn": "2026-03-05", "total": "9.5"])
            let order = try created.get()
            #expect(order.total == "9.50")
            let changed = try await client.update(
                OrderRow.self, key: RowKey(order.id), patch: ["note": "x"], ifMatch: order.entityTag)
            #expect(changed.row?.note == "x")
            let stale = try await client.update(
                OrderRow.self, key: RowKey(order.id), patch: ["note": nil], ifMatch: order.entityTag)
            #expect(stale.row == nil)
            #expect(stale.errors.map(\.kind) == [.preconditionFailed])
            #expect(stale.errors.map(\.field) == [["ifMatch"]])
            #expect(throws: WriteRefusal.self) { _ = try stale.get() }
            let upserted = try await client.upsert(
                OrderRow.self,
                input: ["id": 20, "customerId": 1, "orderedOn": "2026-03-05", "total": "1"],
                ifNoneMatch: "*")
            #expect(upserted.row?.id == "20")
            let conflict = try await client.create(
                OrderRow.self,
                input: ["id": 20, "customerId": 1, "orderedOn": "2026-03-05", "total": "1"])
            #expect(conflict.errors.map(\.kind) == [.conflict])
            let invalid = try await client.create(
                OrderRow.self, input: ["customerId": 99, "orderedOn": "2026-03-05", "total": "1"])
            #expect(invalid.errors.map(\.field) == [["input", "customerId"]])
            #expect(try await client.delete(OrderRow.self, key: 20).get() == "20")
            #expect(try await client.delete(OrderRow.self, key: 20).errors.map(\.kind) == [.notFound])
        }
    }

    @Test("Generated mutations have nested inputs, references and user errors")
    func generated() async throws {
        try await Shop.with { url in
            let client = GraphQLClient(
                transport: GraphQLEndpoint(url: url.appending(path: "graphql")),
                store: GraphQLStore(policies: CachePolicies(types: ShopAPI.AbstractTypes.conditions)))
            let created = try await client.perform(
                ShopAPI.CreateCustomerMutation(
                    input: .init(
                        name: "Cleo",
                        orders: [
                            .init(orderedOn: "2026-03-05", total: "1.5"), .init(orderedOn: "2026-03-06", total: "2"),
                        ]))
            ).data?.createCustomer
            let customer = try #require(created?.customer)
            #expect(created?.errors == [])
            #expect(customer.orders.nodes.map(\.orderParts.total) == ["1.50", "2.00"])
            #expect(customer.customerParts.state == "open")
            let ids = customer.orders.nodes.map(\.orderParts.id)

            let nested = try await client.perform(
                ShopAPI.UpdateCustomerMutation(
                    id: "\(customer.customerParts.id)",
                    patch: .init(
                        orders: .init(
                            create: [.init(orderedOn: "2026-03-07", total: "3")],
                            update: [.init(id: ids[0], note: "first")], delete: [.init(id: ids[1])]),
                        nulls: [.email]))
            ).data?.updateCustomer
            #expect(nested?.customer?.orders.nodes.map(\.orderParts.total) == ["1.50", "3.00"])
            #expect(nested?.customer?.orders.nodes.first?.orderParts.note == "first")

            let tag = customer.orders.nodes.first?.orderParts.entityTag
            let stale = try await client.perform(
                ShopAPI.UpdateOrderMutation(id: "\(ids[0])", patch: .init(nulls: [.note]), ifMatch: tag)
            ).data?.updateOrder
            #expect(stale?.errors.map(\.errorParts.__typename) == ["PreconditionFailedError"])
            let cleared = try await client.perform(
                ShopAPI.UpdateOrderMutation(id: "\(ids[0])", patch: .init(nulls: [.note]))
            ).data?.updateOrder
            #expect(cleared?.order?.orderParts.note == nil)

            let upserted = try await client.perform(
                ShopAPI.UpsertOrderMutation(
                    input: .init(id: 20, customerId: 1, orderedOn: "2026-03-05", total: "4"), ifNoneMatch: "*")
            ).data?.upsertOrder
            #expect(upserted?.order?.orderParts.id == 20)
            let updated = try await client.perform(
                ShopAPI.UpdateOrdersMutation(
                    filter: .init(orderedOn: .init(eq: "2026-03-05")), patch: .init(note: "late"))
            ).data?.updateOrders
            #expect(updated?.count == 2)
            let deleted = try await client.perform(ShopAPI.DeleteOrderMutation(id: "20")).data?.deleteOrder
            #expect(deleted?.deletedId == "20")

            let both = try await client.perform(
                ShopAPI.OrderOfNewCustomerMutation(
                    customer: .init(name: "Dora"),
                    order: .init(orderedOn: "2026-03-08", total: "5", customer: .init(ref: "made")))
            ).data
            #expect(both?.order?.order?.customer.customerParts.name == "Dora")
            let undone = try await client.perform(
                ShopAPI.OrderOfNewCustomerMutation(
                    customer: .init(name: "Emil"), order: .init(customerId: 99, orderedOn: "2026-03-08", total: "5")))
            #expect(undone.errors.compactMap(\.code) == ["TRANSACTION_UNDONE"])
            #expect(undone.data?.order?.errors.map(\.errorParts.field) == [["input", "customerId"]])
        }
    }
}
