import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("POST of related rows") struct ChildTests {
    @Test("A new row refers to the row in the path", arguments: TestBackend.available)
    func create(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let created = try await shop.send("POST", "/orders/10/orderDetails", ["productId": 13, "quantity": 4])
            #expect(created.status == 201, "\(created.body)")
            #expect(created.headers.first(name: "Location") == "/orderDetails/10,13")
            #expect(created.body == #"{"orderId":10,"productId":13,"quantity":4}"#)
            let read = try await shop.send("GET", "/orderDetails/10,13")
            #expect(created.headers.first(name: "ETag") == read.headers.first(name: "ETag"))
            let tags = created.headers.first(name: "Surrogate-Key")?.split(separator: " ").map(String.init) ?? []
            #expect(tags == ["Order", "Order:10", "OrderDetail", "OrderDetail:10/13"])
            // The key of the path can be repeated, and related rows can be nested.
            let order = try await shop.send(
                "POST", "/customers/2/orders?fields=customerId&details=orderDetails&orderDetails.fields=quantity",
                ["customerId": 2, "orderDetails": [["productId": 11, "quantity": 1]]])
            #expect(order.status == 201)
            #expect(order.body == #"{"customerId":2,"orderDetails":[{"quantity":1}]}"#)
            let location = order.headers.first(name: "Location") ?? ""
            #expect(location == "/orders/21")
            #expect(
                order.headers.first(name: "Content-Location")?.hasPrefix("/orders/21?fields=customerId") == true)
            let list = try await shop.send(
                "POST", "/orders/20/orderDetails?fields=quantity",
                [["productId": 12, "quantity": 2], ["productId": 13, "orderId": 20, "quantity": 3]])
            #expect(list.status == 201)
            #expect(list.body == #"[{"quantity":2},{"quantity":3}]"#)
            #expect(list.headers.first(name: "Location") == nil)
            let minimal = try await shop.server.send(
                "POST", "/customers/1/orders",
                ["Content-Type": "application/json", "Prefer": "return=minimal, tx=rollback"], body: #"{"note":"n"}"#)
            #expect(minimal.status == 201 && minimal.body.isEmpty)
        }
    }

    @Test("A member that differs from the path is an error with its pointer", arguments: TestBackend.available)
    func difference(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let path = "/orders/10/orderDetails"
            func send(_ body: JSONValue) async throws -> (WritableShop.Problem, [String]) {
                let answer = try await shop.send("POST", path, body)
                return (try WritableShop.problem(answer), try answer.pointers)
            }
            let one = try await send(["orderId": 20, "productId": 13, "quantity": 1])
            #expect(one == (.init(422, "key-differs", ["orderId"]), ["/orderId"]))
            let list = try await send([
                ["productId": 13, "quantity": 1], ["orderId": 20, "productId": 13, "quantity": 1],
            ])
            #expect(list == (.init(422, "key-differs", ["orderId"]), ["/1/orderId"]))
            let several = try await send([["orderId": 20, "productId": 13, "quantity": 1], ["productId": "x"]])
            #expect(several.0.code == "validation-failed")
            #expect(several.1 == ["/1/productId", "/1/quantity", "/0/orderId"])
            let parent = try await send(["order": ["note": "n"], "productId": 13, "quantity": 1])
            #expect(parent == (.init(422, "validation-failed", ["order"]), ["/order"]))
            let row = try await send([["productId": 13, "quantity": 1], ["productId": 11, "quantity": 1]])
            #expect(row == (.init(409, "conflict", ["orderId", "productId"]), ["/1/orderId", "/1/productId"]))
            let missing = try await shop.problem("POST", "/orders/11/orderDetails", ["productId": 13, "quantity": 1])
            #expect(missing == .init(404, "unknown-order"))
            let replaced = try await shop.problem("PUT", "/orders/20", ["id": 21])
            #expect(replaced == .init(422, "key-differs", ["id"]))
            #expect(try await shop.send("GET", "/orders/10/orderDetails?fields=productId").body.contains("13") == false)
        }
    }

    @Test("A batch creates the related rows of an earlier row", arguments: TestBackend.available)
    func batch(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let requests: JSONValue = [
                ["id": "a", "method": "POST", "path": "/orders?fields=id", "body": ["customerId": 1]],
                [
                    "id": "d", "method": "POST", "path": "/orders/{a}/orderDetails",
                    "body": ["productId": 11, "quantity": 2],
                ],
                ["method": "POST", "path": "/orders/10/orderDetails", "body": ["productId": 13, "quantity": 3]],
                ["method": "PATCH", "path": "/orderDetails/{d}?fields=quantity", "body": ["quantity": 5]],
            ]
            let answer = try await shop.send("POST", "/batch", ["requests": requests])
            #expect(answer.status == 200, "\(answer.body)")
            guard case .array(let responses)? = try answer.json["responses"] else { return }
            #expect(responses.map { $0["status"] } == [201, 201, 201, 200])
            #expect(responses[1]["body"] == ["orderId": 21, "productId": 11, "quantity": 2])
            #expect(
                responses.map { $0["headers"]?["Location"] }[1...2] == ["/orderDetails/21,11", "/orderDetails/10,13"])
            #expect(responses[3]["body"] == ["quantity": 5])
            let differing: JSONValue = [
                ["id": "a", "method": "POST", "path": "/orders", "body": ["customerId": 1]],
                [
                    "method": "POST", "path": "/orders/{a}/orderDetails",
                    "body": ["orderId": 10, "productId": 12, "quantity": 2],
                ],
            ]
            let failure = try await shop.send("POST", "/batch", ["requests": differing])
            #expect(failure.status == 422)
            #expect(try failure.json["code"] == "key-differs")
            #expect(try failure.json["request"] == 1)
            #expect(try await shop.send("GET", "/orders/22").status == 404)
        }
    }

    @Test("A role needs the right to create the related rows", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend, roles: [NestedShop.clerk, NestedShop.visitor]) { shop in
            let clerk: JSONObject = ["role": "clerk", "customer": 1]
            func problem(_ path: String, _ quantity: Int64, _ caller: JSONObject) async throws -> WritableShop.Problem {
                try await shop.problem(
                    "POST", path, ["productId": 13, "quantity": .integer(quantity)], caller: caller)
            }
            #expect(try await problem("/orders/10/orderDetails", 9, clerk).status == 201)
            #expect(try await problem("/orders/20/orderDetails", 10, clerk) == .init(403, "write-not-permitted"))
            #expect(try await problem("/orders/20/orderDetails", 1, ["role": "visitor"]).status == 405)
            // The parent row is hidden, so it does not exist.
            let hidden = try await shop.send("POST", "/customers/2/orders", ["note": "n"], caller: clerk)
            let missing = try await shop.send("POST", "/customers/3/orders", ["note": "n"], caller: clerk)
            #expect(hidden.status == 404)
            #expect(hidden.body == missing.body.replacing("customer 3", with: "customer 2"))
            let contract = try await shop.send("GET", "/openapi.json", caller: clerk).json
            #expect(contract["paths"]?["/orders/{id}/orderDetails"]?["post"] != nil)
            // The visitor may not set the reference to the customer.
            let visitor = try await shop.send("GET", "/openapi.json", caller: ["role": "visitor"]).json
            #expect(visitor["paths"]?["/customers/{id}/orders"]?["post"] == nil)
        }
    }

    @Test("A payload has the entity tag of the row, and a conflict names its fields", arguments: TestBackend.available)
    func payloads(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let answer = try await shop.execute(
                #"mutation { createOrder(input: {note: "n"}) { order { id entityTag } entityTag errors { message } } }"#
            )
            let payload = answer["data"]?["createOrder"]
            let tag = try await shop.send("GET", "/orders/21").headers.first(name: "ETag")
            #expect(tag != nil && payload?["entityTag"] == tag.map { .string($0) }, "\(answer.compactText)")
            #expect(payload?["order"]?["entityTag"] == payload?["entityTag"])
            let conflict = try await shop.execute(
                """
                mutation {
                    a: createOrderDetail(input: {orderId: 10, productId: 11, quantity: 1}) {
                        entityTag errors { field ... on ConflictError { fields } } }
                    b: createOrderDetails(inputs: [{orderId: 10, productId: 11, quantity: 1}]) {
                        errors { field ... on ConflictError { fields } } }
                    c: deleteOrder(id: 10) { errors { field ... on ConflictError { fields } } }
                }
                """)
            #expect(
                conflict["data"]?.compactText == """
                    {"a":{"entityTag":null,"errors":[{"field":null,"fields":["orderId","productId"]}]},\
                    "b":{"errors":[{"field":["inputs","0","orderId"],"fields":["orderId","productId"]}]},\
                    "c":{"errors":[{"field":null,"fields":null}]}}
                    """)
            let contract = try await shop.send("GET", "/openapi.json").json
            #expect(contract["components"]?["schemas"]?["Problem"]?["properties"]?["relation"] != nil)
        }
    }
}
