import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Writes of any described table") struct DerivedWriteTests {
    @Test("A row is created, changed and removed over REST", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let created = try await shop.send("POST", "/customers", ["id": 7, "name": "Cleo"])
            #expect(created.status == 201)
            #expect(created.headers.first(name: "Location") == "/customers/7")
            #expect(created.body == #"{"id":7,"name":"Cleo","email":null,"state":"open"}"#)
            let changed = try await shop.send("PATCH", "/customers/7", ["email": "c@example.org", "state": "closed"])
            #expect(changed.status == 200)
            #expect(changed.body == #"{"id":7,"name":"Cleo","email":"c@example.org","state":"closed"}"#)
            let cleared = try await shop.send("PATCH", "/customers/7?fields=email", ["email": nil])
            #expect(cleared.body == #"{"email":null}"#)
            #expect(try await shop.send("DELETE", "/customers/7").status == 204)
            #expect(try await shop.send("GET", "/customers/7").status == 404)
        }
    }

    @Test("A row is created, changed and removed over GraphQL", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let created = try await shop.execute(
                """
                mutation { createOrder(input: {id: 12, customerId: 2, total: "1.5"}) {
                    order { id total customer { name } } errors { message } } }
                """)
            #expect(
                created.compactText == """
                    {"data":{"createOrder":{"order":{"id":12,"total":"1.50","customer":{"name":"Bob"}},"errors":[]}}}
                    """)
            let changed = try await shop.execute(
                #"mutation { updateOrder(id: 12, patch: {note: "soon"}) { order { note } errors { message } } }"#)
            #expect(
                changed.compactText == #"{"data":{"updateOrder":{"order":{"note":"soon"},"errors":[]}}}"#)
            let removed = try await shop.execute(
                "mutation { deleteOrder(id: 12) { deletedId errors { message } } }")
            #expect(removed.compactText == #"{"data":{"deleteOrder":{"deletedId":"12","errors":[]}}}"#)
            let missing = try await shop.execute(
                "mutation { deleteOrder(id: 12) { deletedId errors { __typename field } } }")
            #expect(
                missing.compactText == """
                    {"data":{"deleteOrder":{"deletedId":null,"errors":[{"__typename":"NotFoundError","field":["id"]}]}}}
                    """)
        }
    }

    @Test("Invalid members are reported together, and nothing is written", arguments: TestBackend.available)
    func validation(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let body: JSONValue = ["id": 8, "name": "a name of twelve", "email": 5, "state": nil, "other": 1]
            let answer = try await shop.send("POST", "/customers", body)
            #expect(answer.status == 422)
            guard case .array(let errors)? = try answer.json["errors"] else {
                Issue.record("\(answer.body)")
                return
            }
            #expect(errors.map { $0["field"] } == ["name", "email", "state", "other"])
            let created = try await shop.send("PATCH", "/orders/10", ["createdBy": "me"])
            #expect(created.status == 422)
            #expect(try await shop.send("GET", "/customers/8").status == 404)
        }
    }

    @Test("Violations of constraints are client errors", arguments: TestBackend.available)
    func constraints(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func code(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> (Int, JSONValue?) {
                let answer = try await shop.send(method, path, body)
                return (answer.status, try answer.json["code"])
            }
            #expect(try await code("POST", "/customers", ["id": 1, "name": "Eve"]) == (409, "conflict"))
            #expect(
                try await code("POST", "/orders", ["id": 20, "customerId": 99, "total": "1"])
                    == (422, "reference-missing"))
            #expect(try await code("PATCH", "/orders/10", ["customerId": 99]) == (422, "reference-missing"))
            #expect(try await code("DELETE", "/customers/1") == (409, "row-in-use"))
            #expect(
                try await code("POST", "/customers", ["id": 9, "name": "nobody"]) == (422, "constraint-violated"))
            let orders = try await shop.send("GET", "/orders?fields=id,customerId")
            #expect(orders.body == #"[{"id":10,"customerId":1},{"id":11,"customerId":2}]"#)
        }
    }

    @Test("A role writes what its permissions contain, and nothing else", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let own = Filter.compare("customerId", .equal, [.parameter("customer")])
        let role = Role(
            "customer",
            reads: [
                "customers": .init(where: .compare("id", .equal, [.parameter("customer")])),
                "orders": .init(fields: .except(["createdBy"]), where: own),
            ],
            writes: [
                "orders": .init(
                    create: .init(set: ["createdBy": .parameter("sub")]),
                    update: .init(where: .isNull("note", true), fields: .only(["note"])))
            ])
        let clerk = Role("clerk", reads: ["orders": .init()])
        try await WritableShop.with(backend, roles: [role, clerk]) { shop in
            let caller: JSONObject = ["role": "customer", "customer": 1, "sub": "ada"]
            let created = try await shop.send(
                "POST", "/orders", ["id": 12, "customerId": 1, "total": "3"], caller: caller)
            #expect(created.status == 201, "\(created.body)")
            let stored = try await shop.send("GET", "/orders/12?fields=createdBy", caller: ["role": "clerk"])
            #expect(stored.body == #"{"createdBy":"ada"}"#)
            // The customer exists, but the caller does not see it.
            let hidden = try await shop.send(
                "POST", "/orders", ["id": 13, "customerId": 2, "total": "3"], caller: caller)
            let missing = try await shop.send(
                "POST", "/orders", ["id": 13, "customerId": 99, "total": "3"], caller: caller)
            #expect(hidden.status == 422)
            #expect(hidden.body == missing.body)
            #expect(try await shop.send("PATCH", "/orders/11", ["note": "x"], caller: caller).status == 404)
            #expect(try await shop.send("PATCH", "/orders/10", ["note": "x"], caller: caller).status == 200)
            #expect(try await shop.send("PATCH", "/orders/10", ["note": "y"], caller: caller).status == 403)
            #expect(try await shop.send("PATCH", "/orders/12", ["total": "1"], caller: caller).status == 422)
            #expect(try await shop.send("DELETE", "/orders/10", caller: caller).status == 405)
            let schema = try await shop.send("GET", "/schema.graphql", caller: caller).body
            #expect(
                schema.contains("createOrder(") && !schema.contains("deleteOrder") && !schema.contains("createCustomer")
            )
        }
    }
}
