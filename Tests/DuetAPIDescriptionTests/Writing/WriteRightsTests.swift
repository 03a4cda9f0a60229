import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Rights of writes") struct WriteRightsTests {
    private static func role(_ writes: [String: Role.Writes], orders: Role.Read? = .init()) -> Role {
        var reads: [String: Role.Read] = ["customers": .init()]
        reads["orders"] = orders
        return Role("clerk", reads: reads, writes: writes)
    }

    private static let caller: JSONObject = ["role": "clerk", "sub": "ann"]

    @Test("The rules for writes consider rows that the caller does not see", arguments: TestBackend.available)
    func hiddenRows(_ backend: TestBackend) async throws {
        let withoutOrders = Filter.related("orders", exists: false, .everything)
        let role = Self.role(
            ["customers": .init(update: .init(where: withoutOrders), delete: .init(where: withoutOrders))],
            orders: nil)
        try await WritableShop.with(backend, roles: [role]) { (shop: WritableShop) async throws in
            #expect(try await shop.send("PATCH", "/customers/1", ["name": "x"], caller: Self.caller).status == 403)
            #expect(try await shop.send("DELETE", "/customers/1", caller: Self.caller).status == 403)
            let changed = try await shop.send("PATCH", "/customers?id=1", ["name": "x"], caller: Self.caller)
            #expect(changed.status == 403)
        }
    }

    @Test("ifMatch and references apply in a GraphQL transaction, too", arguments: TestBackend.available)
    func transaction(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { (shop: WritableShop) async throws in
            let stale = try await shop.execute(
                """
                mutation @transaction { updateOrder(id: 10, patch: {note: "x"}, ifMatch: "stale") {
                    errors { __typename } } }
                """)
            #expect(
                stale.compactText
                    == #"{"data":{"updateOrder":{"errors":[{"__typename":"PreconditionFailedError"}]}}}"#)
            let lists = try await shop.execute(
                """
                mutation @transaction { a: createCustomer(input: {id: 5, name: "Eve"}) { errors { message } }
                    b: createOrders(inputs: [{id: 20, customer: {ref: "a"}, total: "1"}]) {
                        orders { customerId } errors { message } } }
                """)
            #expect(
                lists.compactText
                    == #"{"data":{"a":{"errors":[]},"b":{"orders":[{"customerId":5}],"errors":[]}}}"#)
        }
    }

    @Test("tx=rollback applies to batches and to changes of all rows that match a filter")
    func rollback() async throws {
        try await WritableShop.with(.sqlite) { (shop: WritableShop) async throws in
            let fields = ["Prefer": "tx=rollback"]
            let deleted = try await shop.server.send("DELETE", "/orders?id.gt=0", fields)
            #expect(deleted.body == #"{"deleted":2}"#)
            #expect(deleted.headers.first(name: "Preference-Applied") == "tx=rollback")
            let batch = #"{"requests":[{"method":"DELETE","path":"/orders/10"}]}"#
            let answer = try await shop.server.send("POST", "/batch", fields, body: batch)
            #expect(answer.status == 200)
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":11}]"#)
        }
    }

    @Test("PUT in a batch has the key of its path", arguments: TestBackend.available)
    func replacement(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { (shop: WritableShop) async throws in
            func put(_ body: JSONValue) -> JSONValue {
                ["requests": [["method": "PUT", "path": "/customers/50", "body": body]]]
            }
            #expect(try await shop.send("POST", "/batch", put(["id": 7, "name": "Eve"])).status == 422)
            #expect(try await shop.send("POST", "/batch", put(["name": "Eve"])).status == 200)
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2},{"id":50}]"#)
        }
    }

    @Test("If a claim for the second field of a mutation is missing, the first field is not performed, either")
    func claims() async throws {
        let role = Self.role([
            "customers": .init(create: .init()),
            "orders": .init(create: .init(set: ["createdBy": .parameter("author")])),
        ])
        try await WritableShop.with(.sqlite, roles: [role]) { (shop: WritableShop) async throws in
            let document = """
                mutation { createCustomer(input: {id: 5, name: "Eve"}) { errors { message } }
                    createOrder(input: {id: 20, customerId: 1, total: "1"}) { errors { message } } }
                """
            let answer = try await shop.execute(document, caller: Self.caller)
            #expect(answer.compactText.contains("CLAIM_MISSING"))
            #expect(try await shop.send("GET", "/customers/5", caller: Self.caller).status == 404)
        }
    }

    @Test(
        "An import reports a reference to a hidden row like a reference to a missing row",
        arguments: TestBackend.available)
    func importedReferences(_ backend: TestBackend) async throws {
        let role = Role(
            "clerk",
            reads: ["customers": .init(where: .compare("id", .equal, [1])), "orders": .init()],
            writes: ["orders": .init(create: .init())])
        try await WritableShop.with(backend, roles: [role]) { (shop: WritableShop) async throws in
            func lines(_ customer: Int) -> String {
                [1, customer, 99].enumerated().map { "{\"id\":\(30 + $0),\"customerId\":\($1),\"total\":\"1\"}\n" }
                    .joined()
            }
            let fields = ["X-Request-ID": "the-same", "Content-Type": "application/x-ndjson"]
                .merging(TestToken(Self.caller).field) { $1 }
            let hidden = try await shop.server.send("POST", "/orders", fields, body: lines(2))
            let missing = try await shop.server.send("POST", "/orders", fields, body: lines(98))
            #expect(hidden.status == 422)
            #expect(hidden.body == missing.body)
        }
    }
}
