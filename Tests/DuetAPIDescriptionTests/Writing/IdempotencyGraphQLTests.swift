import DuetJSON
import DuetResourceService
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Idempotency keys in GraphQL") struct IdempotencyGraphQLTests {
    private static let mutations = [
        #"mutation { createCustomer(input: {name: "Cleo"}) { customer { id entityTag } errors { message } } }"#,
        #"mutation { createCustomers(inputs: [{name: "Dan"}, {name: "Eve"}]) { customers { id name } errors { message } } }"#,
        """
        mutation { createOrder(input: {customer: {name: "Fay"}, orderDetails: [{productId: 11, quantity: 2}]}) {
            order { id customer { name } orderDetails { nodes { productId } } } errors { message } } }
        """,
        #"mutation { updateCustomer(id: 1, patch: {name: "Gus"}) { customer { name } __typename errors { message } } }"#,
        #"mutation { upsertCustomer(input: {id: 60, name: "Hal"}) { customer { id } errors { message } } }"#,
        #"mutation { deleteOrderDetail(orderId: 20, productId: 11) { deletedId errors { message } } }"#,
        #"mutation { updateCustomers(filter: {name: {eq: "Bob"}}, patch: {name: "Ida"}) { count errors { message } } }"#,
        """
        mutation @transaction {
            c: createCustomer(input: {name: "Jim"}) { customer { name } errors { message } }
            o: createOrder(input: {customer: {ref: "c"}}) { order { id customer { name } } errors { message } }
            __typename
        }
        """,
        // A later field removes the row of an earlier one.
        """
        mutation @transaction {
            u: updateOrder(id: 20, patch: {note: "x"}) { order { id } }
            l: deleteOrderDetails(filter: {orderId: {eq: 20}}) { count }
            d: deleteOrders(filter: {note: {eq: "x"}}) { count }
        }
        """,
    ]

    @Test("The same key again has the same response and no effect", arguments: TestBackend.available)
    func replay(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            for (index, mutation) in Self.mutations.enumerated() {
                let first = try await shop.mutate(mutation, key: .string("key-\(index)"))
                #expect(first.status == 200 && !first.body.contains("message"), "\(mutation): \(first.body)")
                #expect(first.headers.first(name: "Idempotency-Replayed") == nil)
                let rows = try await shop.rows
                let second = try await shop.mutate(mutation, key: .string("key-\(index)"))
                #expect(second.status == 200 && second.body == first.body, "\(mutation): \(second.body)")
                #expect(second.headers.first(name: "Idempotency-Replayed") == "true")
                #expect(second.headers.first(name: "Surrogate-Key") == first.headers.first(name: "Surrogate-Key"))
                #expect(try await shop.rows == rows, "\(mutation)")
            }
        }
    }

    @Test("A key with other variables, and an invalid key, are refused", arguments: TestBackend.available)
    func refusals(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let mutation = """
                mutation($name: String!) {
                    createCustomer(input: {name: $name}) { customer { name } errors { __typename } } }
                """
            func mutate(_ name: String, key: JSONValue) async throws -> HTTPAnswer {
                try await shop.mutate(mutation, ["name": .string(name)], key: key)
            }
            func refusal(_ answer: HTTPAnswer) throws -> String {
                guard case .array(let errors)? = try answer.json["errors"],
                    case .string(let code)? = errors.first?["extensions"]?["code"]
                else { return answer.body }
                return "\(answer.status) \(code)"
            }
            #expect(try refusal(try await mutate("A", key: "k")) == "400 IDEMPOTENCY_UNAVAILABLE")
            try await IdempotencyTable.create(in: shop.database)
            // A payload with errors is not recorded.
            let failed = try await mutate("nobody", key: "k")
            #expect(failed.body.contains("InvalidInputError"), "\(failed.body)")
            #expect(try await mutate("A", key: "k").body.contains(#""name":"A""#))
            #expect(try refusal(try await mutate("B", key: "k")) == "422 IDEMPOTENCY_KEY_REUSED")
            for key in ["", "a b", 5, ["k"], "ä"] as [JSONValue] {
                #expect(try refusal(try await mutate("B", key: key)) == "400 IDEMPOTENCY_KEY_INVALID", "\(key)")
            }
            let several = """
                mutation {
                    a: createCustomer(input: {name: "B"}) { errors { message } }
                    b: createCustomer(input: {name: "C"}) { errors { message } }
                }
                """
            let refused = try await shop.mutate(several, key: "s")
            #expect(try refusal(refused) == "400 IDEMPOTENCY_KEY_INVALID")
            #expect(refused.body.contains("@transaction"))
            let field = try await shop.server.send(
                "POST", "/graphql",
                ["Idempotency-Key": "\"k\"", "Accept": "application/graphql-response+json"],
                body: JSONValue(["query": .string(mutation), "variables": ["name": "B"]]).compactText)
            #expect(try refusal(field) == "400 IDEMPOTENCY_KEY_INVALID")
            #expect(field.body.contains("extensions.idempotencyKey"))
            // A key has no effect on a query.
            #expect(try await shop.mutate("{ customers { nodes { name } } }", key: "k").status == 200)
            #expect(
                try await shop.server.get("/customers?fields=name").body
                    == #"[{"name":"Ada"},{"name":"Bob"},{"name":"A"}]"#)
        }
    }

    @Test("A key belongs to a caller in a role, and the row must be visible", arguments: TestBackend.available)
    func callers(_ backend: TestBackend) async throws {
        let manager = Role(
            "manager", reads: ["customers": .init(), "orders": .init(), "orderDetails": .init()],
            writes: ["customers": .init(update: .init()), "orders": .init(create: .init())])
        try await NestedShop.with(backend, roles: [NestedShop.clerk, manager]) { shop in
            try await IdempotencyTable.create(in: shop.database)
            func create(_ claims: JSONObject) async throws -> HTTPAnswer {
                try await shop.send(
                    "POST", "/orders?fields=note&details=customer", #"{"customerId":1,"note":"n"}"#, key: "k",
                    caller: claims)
            }
            func patch(_ claims: JSONObject) async throws -> HTTPAnswer {
                try await shop.send("PATCH", "/customers/1", #"{"name":"Ann"}"#, key: "k", caller: claims)
            }
            func isReplayed(_ answer: HTTPAnswer) -> Bool { answer.headers.first(name: "Idempotency-Replayed") != nil }
            let clerk: JSONObject = ["role": "clerk", "customer": 1, "sub": "c"]
            let first = try await create(clerk)
            #expect(first.status == 201 && !isReplayed(first), "\(first.body)")
            #expect(try await create(clerk).body == first.body)
            // Another subject, another role, and no subject.
            let others: [JSONObject] = [
                ["role": "clerk", "customer": 1, "sub": "d"], ["role": "manager", "sub": "c"],
            ]
            for claims in others {
                let other = try await create(claims)
                #expect(other.status == 201 && !isReplayed(other), "\(other.body)")
            }
            for claims: JSONObject in [["role": "clerk", "customer": 1], ["role": "manager", "sub": ""]] {
                #expect(try WritableShop.problem(try await create(claims)) == .init(400, "subject-missing"))
            }
            let mutation = try await shop.mutate(
                #"mutation { updateCustomer(id: 1, patch: {name: "Ann"}) { customer { name } } }"#, key: "k",
                caller: ["role": "manager"])
            #expect(mutation.status == 400 && mutation.body.contains("SUBJECT_MISSING"))
            // With other claims, the caller may not see the row, or only another part of the response.
            #expect(try await patch(clerk).status == 200)
            let moved: JSONObject = ["role": "clerk", "customer": 2, "sub": "c"]
            #expect(try await patch(moved).status == 404)
            let again = try await create(moved)
            #expect(again.status == 201 && isReplayed(again))
            #expect(again.body == #"{"note":"n","customer":null}"#)
            let count = try await shop.send("GET", "/orders?note=n&fields=note", caller: clerk).body
            #expect(count == #"[{"note":"n"},{"note":"n"},{"note":"n"}]"#)
        }
    }
}

extension WritableShop {
    /// Executes a GraphQL operation with an idempotency key.
    func mutate(
        _ document: String, _ variables: JSONValue = [:], key: JSONValue, caller claims: JSONObject? = nil
    ) async throws -> HTTPAnswer {
        let fields = ["Accept": "application/graphql-response+json"]
        let body: JSONValue = [
            "query": .string(document), "variables": variables, "extensions": ["idempotencyKey": key],
        ]
        return try await server.send(
            "POST", "/graphql", fields.merging(claims.map { TestToken($0).field } ?? [:]) { $1 },
            body: body.compactText)
    }
}
