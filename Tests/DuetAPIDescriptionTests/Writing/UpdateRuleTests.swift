import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Values that rules set") struct UpdateRuleTests {
    @Test(
        "Each update sets the values of its rules, also without values of the request", arguments: TestBackend.available
    )
    func everyUpdate(_ backend: TestBackend) async throws {
        let editor = Role(
            "editor", reads: ["customers": .init(), "orders": .init()],
            writes: [
                "customers": .init(update: .init(set: ["email": .parameter("sub")])),
                "orders": .init(update: .init(fields: .only(["note"]), set: ["createdBy": .parameter("sub")])),
            ])
        let plain = Role(
            "plain", reads: ["customers": .init(), "orders": .init()],
            writes: ["customers": .init(update: .init()), "orders": .init(update: .init())])
        try await WritableShop.with(backend, roles: [editor, plain]) { shop in
            func change(_ path: String, _ body: JSONValue, _ caller: String) async throws -> String {
                let caller: JSONObject = ["role": "editor", "sub": .string(caller)]
                return try await shop.send("PATCH", path, body, caller: caller).body
            }
            #expect(
                try await change("/orders/10?fields=note,createdBy", [:], "eve") == #"{"note":null,"createdBy":"eve"}"#)
            let related: JSONValue = ["orders": ["update": [["id": 10, "note": "n"]]]]
            #expect(
                try await change("/customers/1?fields=email&details=orders&orders.fields=createdBy", related, "max")
                    == #"{"email":"max","orders":[{"createdBy":"max"}]}"#)
            #expect(try await change("/orders?customerId=2", [:], "sam") == #"{"updated":1}"#)
            let mutation = try await shop.execute(
                "mutation { updateCustomer(id: 2, patch: {}) { customer { email orders { nodes { createdBy } } } } }",
                caller: ["role": "editor", "sub": "zoe"])
            #expect(
                mutation["data"]?["updateCustomer"]?["customer"]?.compactText
                    == #"{"email":"zoe","orders":{"nodes":[{"createdBy":"sam"}]}}"#)
            // Without such values, an empty update changes nothing.
            let unchanged = try await shop.send("PATCH", "/customers/2?fields=email", [:], caller: ["role": "plain"])
            #expect(unchanged.status == 200 && unchanged.body == #"{"email":"zoe"}"#)
        }
    }

    @Test(
        "A reference that a rule sets can lead to a hidden row, but not to a missing one",
        arguments: TestBackend.available)
    func references(_ backend: TestBackend) async throws {
        func role(_ name: String, _ customer: Int64) -> Role {
            let set: [String: Operand] = ["customerId": .value(.integer(customer))]
            return Role(
                name,
                reads: [
                    "customers": .init(where: .compare("id", .equal, [.value(.integer(1))])), "orders": .init(),
                ], writes: ["orders": .init(create: .init(set: set), update: .init(fields: .only(["note"]), set: set))])
        }
        try await WritableShop.with(backend, roles: [role("hidden", 2), role("missing", 99)]) { shop in
            let order: JSONValue = ["id": 12, "total": "1"]
            let created = try await shop.send("POST", "/orders?fields=customerId", order, caller: ["role": "hidden"])
            #expect(created.status == 201 && created.body == #"{"customerId":2}"#)
            #expect(try await shop.send("PATCH", "/orders/10", ["note": "n"], caller: ["role": "hidden"]).status == 200)
            for (method, path) in [("POST", "/orders"), ("PATCH", "/orders/10"), ("PATCH", "/orders?id=10")] {
                let body: JSONValue = method == "POST" ? ["id": 13, "total": "1"] : ["note": "m"]
                let problem = try await shop.problem(method, path, body, caller: ["role": "missing"])
                #expect(problem == .init(422, "reference-missing", ["customerId"]))
            }
        }
    }
}
