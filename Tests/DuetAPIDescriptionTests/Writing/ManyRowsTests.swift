import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Lists of new rows") struct ManyRowsTests {
    private static func errors(_ answer: HTTPAnswer) throws -> [JSONValue] {
        guard case .array(let errors)? = try answer.json["errors"] else { return [] }
        return errors
    }

    @Test("A list creates all rows, in both styles", arguments: TestBackend.available)
    func rows(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let created = try await shop.send(
                "POST", "/orders?fields=id,note&details=customer&customer.fields=name",
                [
                    ["id": 20, "customerId": 1, "total": "1"],
                    ["total": "2", "note": "b", "customerId": 2, "id": 21],
                ])
            #expect(created.status == 201, "\(created.body)")
            #expect(
                created.body == """
                    [{"id":20,"note":null,"customer":{"name":"Ada"}},{"id":21,"note":"b","customer":{"name":"Bob"}}]
                    """)
            #expect(created.headers.first(name: "Location") == nil)
            #expect(created.headers.first(name: "ETag") == nil)
            let empty = try await shop.send("POST", "/orders", [])
            #expect(empty.status == 201 && empty.body == "[]")

            let payload = try await shop.execute(
                """
                mutation { createOrders(inputs: [{id: 22, customerId: 1, total: "3"}, {id: 23, customerId: 1, total: "4"}]) {
                    orders { id total } again: orders { id } errors { message } }
                    none: createOrders(inputs: []) { orders { id } errors { message } } }
                """)
            #expect(
                payload.compactText == """
                    {"data":{"createOrders":{"orders":[{"id":22,"total":"3.00"},{"id":23,"total":"4.00"}],\
                    "again":[{"id":22},{"id":23}],"errors":[]},"none":{"orders":[],"errors":[]}}}
                    """)
        }
    }

    @Test("The errors of all rows are reported together, and nothing is written", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let invalid = try await shop.send(
                "POST", "/customers",
                [["id": 5, "name": "Eve"], ["id": "x", "other": 1], 7, ["name": "a name of twelve", "id": 6]])
            #expect(invalid.status == 422)
            #expect(
                try Self.errors(invalid).map { $0["pointer"] } == ["/1/id", "/1/name", "/1/other", "/2", "/3/name"])
            let many = try await shop.send("POST", "/customers", .array(Array(repeating: [:], count: 200)))
            #expect(try Self.errors(many).count == 100)
            #expect(try Self.errors(many).last?["pointer"] == "/49/name")
            let tooMany = try await shop.send("POST", "/customers", .array(Array(repeating: [:], count: 10_001)))
            #expect(tooMany.status == 422)
            #expect(tooMany.body.contains("NDJSON"))

            let payload = try await shop.execute(
                """
                mutation { createCustomers(inputs: [{id: 5, name: "Eve"}, {id: 6, name: "a name of twelve"}]) {
                    customers { id } errors { __typename field } } }
                """)
            #expect(
                payload.compactText == """
                    {"data":{"createCustomers":{"customers":null,"errors":[{"__typename":"InvalidInputError",\
                    "field":["inputs","1","name"]}]}}}
                    """)
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
        }
    }

    @Test("An error of the database names the row, and nothing is written", arguments: TestBackend.available)
    func violations(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            for (rows, status, code, pointer): (JSONValue, Int, JSONValue, JSONValue) in [
                ([["id": 5, "name": "Eve"], ["id": 5, "name": "Eva"]], 409, "conflict", "/1/id"),
                ([["id": 5, "name": "Eve"], ["id": 6, "name": "nobody"]], 422, "constraint-violated", "/1"),
            ] {
                let answer = try await shop.send("POST", "/customers", rows)
                #expect(answer.status == status)
                #expect(try answer.json["code"] == code)
                #expect(try Self.errors(answer).map { $0["pointer"] } == [pointer])
            }
            let missing = try await shop.send(
                "POST", "/orders",
                [["id": 20, "customerId": 1, "total": "1"], ["id": 21, "customerId": 99, "total": "1"]])
            #expect(missing.status == 422)
            #expect(try missing.json["code"] == "reference-missing")
            #expect(try Self.errors(missing).map { $0["pointer"] } == ["/1/customerId"])
            let payload = try await shop.execute(
                """
                mutation { createCustomers(inputs: [{id: 5, name: "Eve"}, {id: 5, name: "Eva"}]) {
                    customers { id } errors { __typename field } } }
                """)
            #expect(
                payload.compactText == """
                    {"data":{"createCustomers":{"customers":null,"errors":[{"__typename":"ConflictError",\
                    "field":["inputs","1","id"]}]}}}
                    """)
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":11}]"#)
        }
    }

    @Test("The rules of a role apply to each row", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let role = Role(
            "clerk", reads: ["customers": .init(where: .compare("id", .equal, [1])), "orders": .init()],
            writes: [
                "orders": .init(
                    create: .init(
                        fields: .except(["note"]), set: ["createdBy": .parameter("sub")],
                        check: .compare("total", .less, [10])))
            ])
        try await WritableShop.with(backend, roles: [role]) { shop in
            let caller: JSONObject = ["role": "clerk", "sub": "ada"]
            func order(_ id: Int64, _ customer: Int64, _ total: JSONValue) -> JSONValue {
                ["id": .integer(id), "customerId": .integer(customer), "total": total]
            }
            for (rows, status, pointer): (JSONValue, Int, JSONValue) in [
                ([order(20, 1, "1"), order(21, 1, "11")], 403, "/1"),
                ([order(20, 1, "1"), order(21, 1, "2"), order(22, 2, "3")], 422, "/2/customerId"),
                ([["id": 20, "customerId": 1, "total": "1", "note": "x"]], 422, "/0/note"),
            ] {
                let answer = try await shop.send("POST", "/orders", rows, caller: caller)
                #expect(answer.status == status)
                #expect(try Self.errors(answer).map { $0["pointer"] } == [pointer])
            }
            #expect(
                try await shop.send("GET", "/orders?fields=id", caller: caller).body == #"[{"id":10},{"id":11}]"#)
            let created = try await shop.send(
                "POST", "/orders?fields=createdBy", [order(20, 1, "1"), order(21, 1, "2")], caller: caller)
            #expect(created.body == #"[{"createdBy":"ada"},{"createdBy":"ada"}]"#)
        }
    }
}
