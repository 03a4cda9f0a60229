import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Related rows in one body") struct NestedWriteTests {
    @Test("A new row is created with the rows that refer to it", arguments: TestBackend.available)
    func create(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let order = try await shop.send(
                "POST", "/orders?details=orderDetails",
                [
                    "customerId": 1,
                    "orderDetails": [["productId": 12, "quantity": 2], ["productId": 11, "quantity": 3]],
                ])
            #expect(order.status == 201)
            #expect(order.headers.first(name: "Location") == "/orders/21")
            #expect(
                order.body == """
                    {"id":21,"customerId":1,"note":null,"orderDetails":[\
                    {"productId":11,"quantity":3},{"productId":12,"quantity":2}]}
                    """)
            // Rows of rows, and a row without related rows.
            let customer = try await shop.send(
                "POST", "/customers",
                [
                    "name": "Cleo",
                    "orders": [["note": "a", "orderDetails": [["productId": 13, "quantity": 1]]], ["note": "b"]],
                ])
            #expect(customer.status == 201, "\(customer.body)")
            let orders = try await shop.send("GET", "/customers/3/orders?fields=note&details=orderDetails")
            #expect(
                orders.body == """
                    [{"note":"a","orderDetails":[{"productId":13,"quantity":1}]},{"note":"b","orderDetails":[]}]
                    """)
            let empty = try await shop.send("POST", "/orders?fields=note", ["orderDetails": []])
            #expect(empty.body == #"{"note":null}"#)
        }
    }

    @Test("A new row is created with the row to which it refers", arguments: TestBackend.available)
    func reference(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let order = try await shop.send(
                "POST", "/orders?fields=customerId&details=customer", ["customer": ["name": "Dora"]])
            #expect(order.body == #"{"customerId":3,"customer":{"id":3,"name":"Dora"}}"#)
            let both = try await shop.send("POST", "/orders", ["customerId": 1, "customer": ["name": "Eve"]])
            #expect(both.status == 422)
            #expect(try both.pointers == ["/customer"])
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2},{"id":3}]"#)
            let none = try await shop.send("POST", "/orders?fields=customerId", ["customer": nil])
            #expect(none.body == #"{"customerId":null}"#)
        }
    }

    @Test("The errors of a whole body are reported together, with JSON pointers", arguments: TestBackend.available)
    func validation(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let body: JSONValue = [
                "nope": 1, "customer": ["nam/e": "x"],
                "orderDetails": [["quantity": "two"], ["productId": 11, "quantity": 1, "orderId": 5], 7],
            ]
            let answer = try await shop.send("POST", "/orders", body)
            #expect(answer.status == 422)
            #expect(
                try answer.pointers == [
                    "/nope", "/customer/name", "/customer/nam~1e", "/orderDetails/0/productId",
                    "/orderDetails/0/quantity", "/orderDetails/1/orderId", "/orderDetails/2",
                ])
            #expect(try await shop.send("POST", "/orders", ["orderDetails": ["productId": 1]]).status == 422)
            #expect(try await shop.send("POST", "/orders", ["orderDetails": nil]).status == 422)
            let reference = try await shop.send("POST", "/orders", ["customer": ["ref": "a"]])
            #expect(try reference.pointers == ["/customer/ref"])
        }
    }

    @Test("If a related row violates a constraint, no row is written", arguments: TestBackend.available)
    func constraints(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let missing = try await shop.send(
                "POST", "/orders",
                [
                    "customer": ["name": "Eve"],
                    "orderDetails": [["productId": 11, "quantity": 1], ["productId": 99, "quantity": 1]],
                ])
            #expect(missing.status == 422)
            #expect(try missing.json["code"] == "reference-missing")
            #expect(try missing.pointers == ["/orderDetails/1/productId"])
            let twice = try await shop.send(
                "POST", "/orders",
                ["orderDetails": [["productId": 11, "quantity": 1], ["productId": 11, "quantity": 1]]])
            #expect(twice.status == 409)
            #expect(try twice.json["pointer"] == "/orderDetails/1")
            let violated = try await shop.send("POST", "/orders", ["customer": ["name": "nobody"]])
            #expect(violated.status == 422)
            #expect(try violated.json["pointer"] == "/customer")
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":20}]"#)
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
        }
    }

    @Test("The related rows of an existing row are created, changed and removed", arguments: TestBackend.available)
    func update(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let path = "/orders/10?fields=note&details=orderDetails,customer"
            let changes: JSONValue = [
                "note": "n", "customer": ["name": "Ada L."],
                "orderDetails": [
                    "create": [["productId": 12, "quantity": 7]], "update": [["productId": 11, "quantity": 9]],
                    "delete": [["productId": 12]],
                ],
            ]
            let changed = try await shop.send("PATCH", path, changes)
            #expect(changed.status == 200)
            #expect(
                changed.body == """
                    {"note":"n","orderDetails":[{"productId":11,"quantity":9},{"productId":12,"quantity":7}],\
                    "customer":{"id":1,"name":"Ada L."}}
                    """)
            // A row of another order, or no row at all.
            for product in [13, 12] as [JSONValue] {
                let other = try await shop.send(
                    "PATCH", "/orders/20",
                    ["note": "z", "orderDetails": ["update": [["productId": product, "quantity": 1]]]])
                #expect(other.status == 404)
                #expect(try other.json["code"] == "unknown-orderDetail")
                #expect(try other.json["pointer"] == "/orderDetails/update/0")
            }
            #expect(try await shop.send("GET", "/orders/20?fields=note").body == #"{"note":"gift"}"#)
            // Other members than the key, and other kinds of changes.
            let invalid = try await shop.send(
                "PATCH", "/orders/10",
                ["orderDetails": ["delete": [["productId": 12, "quantity": 1], [:]], "set": []]])
            #expect(
                try invalid.pointers
                    == ["/orderDetails/delete/0/quantity", "/orderDetails/delete/1/productId", "/orderDetails/set"])
            let cleared = try await shop.send("PATCH", "/orders/10?fields=customerId", ["customer": nil])
            #expect(cleared.body == #"{"customerId":null}"#)
            let missing = try await shop.send("PATCH", "/orders/10", ["customer": ["name": "x"]])
            #expect(missing.status == 422)
            #expect(try missing.pointers == ["/customer"])
            // A merge patch describes the row after the change, and not changes.
            let merged = try await shop.server.send(
                "PATCH", "/orders/10", ["Content-Type": "application/merge-patch+json"],
                body: #"{"orderDetails":{"delete":[{"productId":12}]}}"#)
            #expect(merged.status == 415)
            let plain = try await shop.server.send(
                "PATCH", "/orders/10?fields=note", ["Content-Type": "application/merge-patch+json"],
                body: #"{"note":"m"}"#)
            #expect(plain.body == #"{"note":"m"}"#)
        }
    }

    @Test(
        "GraphQL has the same members, and the paths of errors begin with the argument",
        arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let created = try await shop.execute(
                """
                mutation { createOrder(input: {customer: {name: "Fay"}, orderDetails: [{productId: 11, quantity: 4}]}) {
                    order { id customer { name } orderDetails { nodes { productId quantity } } } errors { message } } }
                """)
            #expect(
                created.compactText == """
                    {"data":{"createOrder":{"order":{"id":21,"customer":{"name":"Fay"},\
                    "orderDetails":{"nodes":[{"productId":11,"quantity":4}]}},"errors":[]}}}
                    """)
            let changed = try await shop.execute(
                """
                mutation { updateOrder(id: 21, patch: {customer: {name: "Gus"}, orderDetails: {
                    create: [{productId: 12, quantity: 1}], update: [{productId: 11, quantity: 5}]}}) {
                    order { customer { name } orderDetails { nodes { productId quantity } } } errors { message } } }
                """)
            #expect(
                changed.compactText == """
                    {"data":{"updateOrder":{"order":{"customer":{"name":"Gus"},"orderDetails":{"nodes":[\
                    {"productId":11,"quantity":5},{"productId":12,"quantity":1}]}},"errors":[]}}}
                    """)
            let failed = try await shop.execute(
                """
                mutation {
                    a: createOrder(input: {orderDetails: [{productId: 99, quantity: 4}]}) { errors { field } }
                    b: updateOrder(id: 21, patch: {orderDetails: {delete: [{productId: 13}]}}) {
                        errors { __typename field } }
                    c: createOrder(input: {note: "123456789012345678901", customer: {}}) { errors { field } }
                }
                """)
            #expect(
                failed.compactText == """
                    {"data":{"a":{"errors":[{"field":["input","orderDetails","0","productId"]}]},\
                    "b":{"errors":[{"__typename":"NotFoundError","field":["patch","orderDetails","delete","0"]}]},\
                    "c":{"errors":[{"field":["input","note"]},{"field":["input","customer","name"]}]}}}
                    """)
            let schema = try await shop.send("GET", "/schema.graphql").body
            for type in [
                "CreateOrderOrderDetailInput", "ChangeOrderOrderDetailInput", "UpdateOrderOrderDetailInput",
                "DeleteOrderOrderDetailInput", "CreateOrderCustomerInput", "CreateCustomerOrderInput",
            ] {
                #expect(schema.contains("input \(type) {"), "\(type)")
            }
            let contract = try await shop.send("GET", "/openapi.json")
            #expect(try contract.json["components"]?["schemas"]?["CreateOrderOrderDetailInput"] != nil)
        }
    }

    @Test("The rules of a role apply to each row of a body", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend, roles: [NestedShop.clerk, NestedShop.visitor]) { shop in
            let clerk: JSONObject = ["role": "clerk", "customer": 1]
            func create(_ body: JSONValue) async throws -> HTTPAnswer {
                try await shop.send("POST", "/orders", body, caller: clerk)
            }
            let valid = try await create(["customerId": 1, "orderDetails": [["productId": 11, "quantity": 9]]])
            #expect(valid.status == 201, "\(valid.body)")
            // `check` of the details, and the customer, whom the caller does not see.
            let checked = try await create(["customerId": 1, "orderDetails": [["productId": 11, "quantity": 10]]])
            #expect(checked.status == 403)
            #expect(try checked.json["pointer"] == "/orderDetails/0")
            #expect(
                try await create(["customerId": 2, "orderDetails": [["productId": 11, "quantity": 1]]]).status == 422)
            // The role creates no customers, and removes no details.
            #expect(try await create(["customer": ["name": "x"]]).pointers == ["/customer"])
            func change(_ details: JSONValue) async throws -> HTTPAnswer {
                try await shop.send("PATCH", "/orders/20", ["orderDetails": details], caller: clerk)
            }
            #expect(try await change(["delete": [["productId": 11]]]).pointers == ["/orderDetails/delete"])
            let forbidden = try await change(["update": [["productId": 11, "quantity": 1]]])
            #expect(forbidden.status == 403)
            #expect(try await change(["create": [["productId": 12, "quantity": 1]]]).status == 200)
            #expect(try await change(["update": [["productId": 12, "quantity": 2]]]).status == 200)
            // The order 20 refers to a customer whom the caller does not see.
            for (order, status) in [(10, 200), (20, 422)] {
                let renamed = try await shop.send(
                    "PATCH", "/orders/\(order)", ["customer": ["name": "New"]], caller: clerk)
                #expect(renamed.status == status, "\(renamed.body)")
                #expect(try renamed.pointers == (status == 200 ? [] : ["/customer"]))
            }
            let schema = try await shop.send("GET", "/schema.graphql", caller: clerk).body
            #expect(schema.contains("CreateOrderOrderDetailInput") && schema.contains("UpdateOrderOrderDetailInput"))
            #expect(!schema.contains("DeleteOrderOrderDetailInput") && !schema.contains("CreateOrderCustomerInput"))
            let visitor: JSONObject = ["role": "visitor"]
            let hidden = try await shop.send(
                "POST", "/orders", ["orderDetails": [["productId": 11, "quantity": 1]]], caller: visitor)
            #expect(try hidden.pointers == ["/orderDetails"])
            let plain = try await shop.send("GET", "/schema.graphql", caller: visitor).body
            #expect(plain.contains("createOrder(") && !plain.contains("OrderDetailInput"))
        }
    }

    @Test("A body has at most 8 levels of related rows, and at most 10,000 rows")
    func limits() async throws {
        try await NestedShop.with(.sqlite) { shop in
            func tree(_ levels: Int) -> JSONValue {
                levels == 0 ? ["name": "x"] : ["name": "x", "children": [tree(levels - 1)]]
            }
            #expect(try await shop.send("POST", "/categories", tree(8)).status == 201)
            let deep = try await shop.send("POST", "/categories", tree(9))
            #expect(deep.status == 422)
            #expect(try deep.pointers.first?.count == 8 * "/children/0".count + "/children".count)
            let row: JSONValue = ["name": "x"]
            let long = try await shop.send(
                "POST", "/categories", ["name": "x", "children": .array(Array(repeating: row, count: 10_000))])
            #expect(long.status == 422)
            #expect(try long.pointers == ["/children/9999"])
            #expect(try await shop.send("GET", "/categories?fields=id").body.split(separator: ",").count == 9)
            let answer = try await shop.execute(
                """
                mutation { createCategory(input: {name: "a", parent: {name: "b", children: [{name: "c"}]}}) {
                    category { parent { name children { nodes { name } } } } errors { message } } }
                """)
            #expect(
                answer.compactText == """
                    {"data":{"createCategory":{"category":{"parent":{"name":"b","children":{"nodes":[\
                    {"name":"c"},{"name":"a"}]}}},"errors":[]}}}
                    """)
        }
    }
}
