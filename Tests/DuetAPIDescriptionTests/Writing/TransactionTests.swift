import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("The directive @transaction") struct TransactionTests {
    @Test("All fields of a mutation are one transaction, and refer to earlier rows", arguments: TestBackend.available)
    func references(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let answer = try await shop.execute(
                """
                mutation @transaction {
                    c: createCustomer(input: {name: "Cleo"}) { customer { id } errors { message } }
                    o: createOrder(input: {customer: {ref: "c"}}) { order { id customer { name } } }
                    createOrderDetail(input: {order: {ref: "o"}, productId: 11, quantity: 2}) {
                        orderDetail { orderId } errors { message } }
                    updateOrder(id: 10, patch: {customer: {ref: "c"}}) { order { customerId } }
                    deleteOrderDetail(orderId: 10, productId: 11) { deletedId __typename }
                    __typename
                }
                """)
            #expect(
                answer.compactText == """
                    {"data":{"c":{"customer":{"id":3},"errors":[]},"o":{"order":{"id":21,"customer":{"name":"Cleo"}}},\
                    "createOrderDetail":{"orderDetail":{"orderId":21},"errors":[]},\
                    "updateOrder":{"order":{"customerId":3}},\
                    "deleteOrderDetail":{"deletedId":"10/11","__typename":"DeleteOrderDetailPayload"},\
                    "__typename":"Mutation"}}
                    """)
        }
    }

    @Test("After an error in any field, no field has an effect", arguments: TestBackend.available)
    func failure(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let failing = [
                // A user error before the transaction, one of the rules and one of the database.
                (
                    #"createOrder(input: {note: "123456789012345678901"}) { errors { field } }"#,
                    #"{"errors":[{"field":["input","note"]}]}"#
                ),
                (
                    #"createOrder(input: {customer: {ref: "x"}}) { errors { field } }"#,
                    #"{"errors":[{"field":["input","customer","ref"]}]}"#
                ),
                (#"deleteOrder(id: 99) { errors { field } }"#, #"{"errors":[{"field":["id"]}]}"#),
                (
                    #"createOrder(input: {customerId: 99}) { errors { field } }"#,
                    #"{"errors":[{"field":["input","customerId"]}]}"#
                ),
            ]
            for (field, expected) in failing {
                for position in 0..<3 {
                    var fields = ["a", "b"].map { name in
                        #"\#(name): createCustomer(input: {name: "\#(name)"}) { customer { id } }"#
                    }
                    fields.insert("f: \(field)", at: position)
                    let answer = try await shop.execute(
                        "mutation @transaction { \(fields.joined(separator: " ")) }")
                    #expect(answer["data"]?["f"]?.compactText == expected, "\(answer.compactText)")
                    #expect(answer["data"]?["a"] == .null && answer["data"]?["b"] == .null)
                    guard case .array(let errors)? = answer["errors"] else {
                        Issue.record("\(answer.compactText)")
                        continue
                    }
                    #expect(errors.map { $0["path"] } == [["a"], ["b"]])
                    #expect(errors.allSatisfy { $0["extensions"]?["code"] == "TRANSACTION_UNDONE" })
                }
            }
            // A GraphQL error in an argument.
            let invalid = try await shop.send(
                "POST", "/graphql",
                [
                    "query": """
                    mutation($n: String = "b") @transaction {
                        a: createCustomer(input: {name: "a"}) { customer { id } }
                        b: createCustomer(input: {name: $n}) { customer { id } }
                    }
                    """, "variables": ["n": nil],
                ]
            ).json
            #expect(invalid["data"]?.compactText == #"{"a":null,"b":null}"#, "\(invalid.compactText)")
            guard case .array(let errors)? = invalid["errors"] else { return }
            #expect(errors.map { $0["extensions"]?["code"] == "TRANSACTION_UNDONE" } == [true, false])
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
            // Without the directive, each field is a transaction of its own.
            let separate = try await shop.execute(
                #"mutation { a: createCustomer(input: {name: "a"}) { customer { id } } deleteOrder(id: 99) { deletedId } }"#
            )
            #expect(separate["data"]?["a"]?["customer"]?["id"] != nil)
        }
    }

    @Test("The directive exists only if the caller writes, and only on mutations", arguments: [TestBackend.sqlite])
    func roles(_ backend: TestBackend) async throws {
        let reader = Role("reader", reads: ["orders": .init()])
        try await NestedShop.with(backend, roles: [NestedShop.clerk, reader]) { shop in
            let clerk: JSONObject = ["role": "clerk", "customer": 1]
            let answer = try await shop.execute(
                """
                mutation @transaction {
                    o: createOrder(input: {customerId: 1}) { order { id } }
                    createOrderDetail(input: {order: {ref: "o"}, productId: 11, quantity: 10}) {
                        errors { __typename } }
                }
                """, caller: clerk)
            #expect(
                answer["data"]?.compactText
                    == #"{"o":null,"createOrderDetail":{"errors":[{"__typename":"NotPermittedError"}]}}"#)
            let schema = try await shop.send("GET", "/schema.graphql", caller: clerk).body
            #expect(schema.contains("directive @transaction on MUTATION"))
            let other = try await shop.send("GET", "/schema.graphql", caller: ["role": "reader"]).body
            #expect(!other.contains("@transaction"))
            let query = try await shop.execute("query @transaction { orders { nodes { id } } }", caller: clerk)
            #expect(query["errors"] != nil)
        }
    }
}
