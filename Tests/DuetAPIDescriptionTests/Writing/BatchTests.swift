import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Several writes in one request") struct BatchTests {
    private static func batch(_ requests: JSONValue...) -> JSONValue { ["requests": .array(requests)] }

    @Test("The requests of a batch are performed in order, with keys of earlier rows", arguments: TestBackend.available)
    func references(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let body = Self.batch(
                ["id": "c", "method": "POST", "path": "/customers?fields=id", "body": ["name": "Cleo"]],
                [
                    "id": "o", "method": "POST", "path": "/orders?fields=customerId",
                    "body": ["customer": ["ref": "c"], "orderDetails": [["productId": 11, "quantity": 1]]],
                ],
                ["method": "PATCH", "path": "/orders/{o}?fields=note", "body": ["note": "n"]],
                [
                    "method": "POST", "path": "/orderDetails",
                    "body": ["order": ["ref": "o"], "productId": 12, "quantity": 3],
                ],
                ["method": "DELETE", "path": "/orderDetails/10,11"])
            let answer = try await shop.send("POST", "/batch", body)
            #expect(answer.status == 200, "\(answer.body)")
            guard case .array(let responses)? = try answer.json["responses"] else {
                Issue.record("\(answer.body)")
                return
            }
            #expect(responses.map { $0["id"] } == ["c", "o", .null, .null, .null])
            #expect(responses.map { $0["status"] } == [201, 201, 200, 201, 204])
            #expect(
                responses.map { $0["body"] } == [
                    ["id": 3], ["customerId": 3], ["note": "n"], ["orderId": 21, "productId": 12, "quantity": 3], .null,
                ])
            #expect(responses[1]["headers"]?["Location"] == "/orders/21")
            #expect(responses[3]["headers"]?["Location"] == "/orderDetails/21,12")
            #expect(responses[4]["headers"] == [:])
            // The entity tag is that of the same request without a batch.
            let read = try await shop.send("GET", "/orders/21?fields=note")
            #expect(responses[2]["headers"]?["ETag"].map { $0 } == read.headers.first(name: "ETag").map { .string($0) })
            let details = try await shop.send("GET", "/orders/21/orderDetails?fields=productId")
            #expect(details.body == #"[{"productId":11},{"productId":12}]"#)
        }
    }

    @Test("After an error, no request of a batch has an effect", arguments: TestBackend.available)
    func failure(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let first: JSONValue = ["id": "a", "method": "POST", "path": "/customers", "body": ["name": "Cleo"]]
            let failing: [(JSONValue, Int, JSONValue, JSONValue)] = [
                (["id": "b", "method": "DELETE", "path": "/orders/99"], 404, "unknown-order", "b"),
                (["method": "DELETE", "path": "/customers/1"], 409, "row-in-use", 1),
                (
                    ["id": "b", "method": "POST", "path": "/orders", "body": ["customerId": 99]], 422,
                    "reference-missing", "b"
                ),
                (
                    ["id": "b", "method": "POST", "path": "/customers", "body": ["nam": "x"]], 422, "validation-failed",
                    "b"
                ),
                (["id": "b", "method": "GET", "path": "/orders"], 400, "invalid-batch", "b"),
                (["id": "b", "method": "POST", "path": "/other", "body": [:]], 400, "invalid-batch", "b"),
                (["id": "b", "method": "POST", "path": "/graphql", "body": [:]], 400, "invalid-batch", "b"),
                (["id": "a", "method": "DELETE", "path": "/orders/10"], 400, "invalid-batch", "a"),
                (["id": "b", "method": "DELETE", "path": "/orders/{a}"], 400, "invalid-batch", "b"),
                (["id": "b", "method": "DELETE", "path": "/customers/{b}"], 400, "invalid-batch", "b"),
                (["id": "b/", "method": "DELETE", "path": "/orders/10"], 400, "invalid-batch", 1),
                (["id": "b", "method": "DELETE", "path": "/orders/10", "if": 1], 400, "invalid-batch", "b"),
                (["id": "b", "method": "DELETE", "path": "/orders/x"], 400, "invalid-parameter", "b"),
                (["id": "b", "method": "POST", "path": "/orders", "body": 5], 400, "malformed-body", "b"),
                (7, 400, "invalid-batch", 1),
            ]
            for (request, status, code, label) in failing {
                let answer = try await shop.send("POST", "/batch", Self.batch(first, request))
                #expect(answer.status == status, "\(request.compactText): \(answer.body)")
                #expect(try answer.json["code"] == code, "\(request.compactText)")
                #expect(try answer.json["request"] == label, "\(request.compactText)")
            }
            for body in [[:], ["requests": []], ["requests": [:]], []] as [JSONValue] {
                #expect(try await shop.send("POST", "/batch", body).status == 400)
            }
            let many = JSONValue.array(
                Array(repeating: ["method": "POST", "path": "/customers", "body": ["name": "x"]], count: 101))
            #expect(try await shop.send("POST", "/batch", ["requests": many]).status == 400)
            let reference = try await shop.send(
                "POST", "/batch",
                Self.batch(first, ["method": "POST", "path": "/orderDetails", "body": ["order": ["ref": "a"]]]))
            #expect(try reference.pointers == ["/productId", "/quantity", "/order/ref"])
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
        }
    }

    @Test("A request of a batch can have a precondition", arguments: TestBackend.available)
    func preconditions(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let tag = try #require(try await shop.send("GET", "/orders/10").headers.first(name: "ETag"))
            func patch(_ tag: String) async throws -> HTTPAnswer {
                try await shop.send(
                    "POST", "/batch",
                    Self.batch(
                        ["method": "POST", "path": "/customers", "body": ["name": "x"]],
                        [
                            "method": "PATCH", "path": "/orders/10", "headers": ["if-match": .string(tag)],
                            "body": ["note": "n"],
                        ]))
            }
            let failed = try await patch(#""other""#)
            #expect(failed.status == 412)
            #expect(try failed.json["request"] == 1)
            #expect(try await patch(tag).status == 200)
            #expect(try await patch(tag).status == 412)
            let unknown = Self.batch(["method": "DELETE", "path": "/orders/10", "headers": ["Accept": "x"]])
            #expect(try await shop.send("POST", "/batch", unknown).status == 400)
            #expect(try await shop.send("GET", "/customers").body.split(separator: "}").count == 4)
        }
    }

    @Test(
        "A batch has the rights of the caller, and exists only if the caller writes", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let reader = Role("reader", reads: ["orders": .init()])
        try await NestedShop.with(backend, roles: [NestedShop.clerk, reader]) { shop in
            let clerk: JSONObject = ["role": "clerk", "customer": 1]
            let order: JSONValue = [
                "id": "o", "method": "POST", "path": "/orders?fields=id", "body": ["customerId": 1],
            ]
            func detail(_ quantity: JSONValue) -> JSONValue {
                [
                    "method": "POST", "path": "/orderDetails",
                    "body": ["order": ["ref": "o"], "productId": 11, "quantity": quantity],
                ]
            }
            let refused = try await shop.send("POST", "/batch", Self.batch(order, detail(10)), caller: clerk)
            #expect(refused.status == 403)
            #expect(try refused.json["request"] == 1)
            let valid = try await shop.send("POST", "/batch", Self.batch(order, detail(9)), caller: clerk)
            #expect(valid.status == 200, "\(valid.body)")
            let removal = Self.batch(["method": "DELETE", "path": "/orders/10"])
            #expect(try await shop.send("POST", "/batch", removal, caller: clerk).status == 400)
            #expect(try await shop.send("POST", "/batch", removal, caller: ["role": "reader"]).status == 404)
            #expect(try await shop.send("POST", "/batch", removal).status == 401)
            let contract = try await shop.send("GET", "/openapi.json", caller: clerk)
            #expect(try contract.json["paths"]?["/batch"]?["post"] != nil)
            let orders = try await shop.send("GET", "/orders?fields=id", caller: clerk)
            #expect(orders.body.split(separator: ",").count == 3)
        }
    }
}
