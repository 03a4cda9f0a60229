import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Changes of all rows that match a filter") struct BulkTests {
    /// Adds the orders 20 to 24 of the customer 1, with the total 1.
    private static func addOrders(_ shop: WritableShop) async throws {
        try await shop.database.write { connection in
            for id in 20..<25 {
                try connection.executeScript(
                    "INSERT INTO orders VALUES (\(id), 1, \(id == 24 ? "'late'" : "NULL"), 1, NULL)")
            }
        }
    }

    @Test("The rows that match the filter are changed and removed", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            try await Self.addOrders(shop)
            let changed = try await shop.send("PATCH", "/orders?total.lt=5&note.null=true", ["note": "cheap"])
            #expect(changed.status == 200, "\(changed.body)")
            #expect(changed.body == #"{"updated":4}"#)
            #expect(changed.headers.first(name: "ETag") == nil)
            let none = try await shop.send(
                "PATCH", "/orders?filter=%7B%22id%22%3A%7B%22gt%22%3A99%7D%7D", ["note": "x"])
            #expect(none.body == #"{"updated":0}"#)
            let related = "%7B%22customer%22%3A%7B%22name%22%3A%7B%22eq%22%3A%22Bob%22%7D%7D%7D"
            #expect(
                try await shop.send("PATCH", "/orders?filter=\(related)", ["note": "bob"]).body == #"{"updated":1}"#)
            let removed = try await shop.send("DELETE", "/orders?note=cheap&id.gte=21")
            #expect(removed.status == 200)
            #expect(removed.body == #"{"deleted":3}"#)
            let rest = try await shop.send("GET", "/orders?fields=id,note")
            #expect(
                rest.body == """
                    [{"id":10,"note":null},{"id":11,"note":"bob"},{"id":20,"note":"cheap"},{"id":24,"note":"late"}]
                    """)
        }
    }

    @Test("A change needs a condition, and changes at most max rows", arguments: TestBackend.available)
    func limits(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            try await Self.addOrders(shop)
            let before = try await shop.send("GET", "/orders").body
            for (query, status, code): (String, Int, JSONValue) in [
                ("", 400, "filter-required"), ("?max=5", 400, "filter-required"),
                ("?filter=%7B%7D", 400, "filter-required"),
                ("?filter=%7B%22and%22%3A%5B%5D%7D", 400, "filter-required"),
                ("?filter=%7B%22or%22%3A%5B%5D%7D", 400, "filter-required"),
                ("?filter=%7B%22not%22%3A%7B%22id%22%3A%7B%22in%22%3A%5B%5D%7D%7D%7D", 400, "filter-required"),
                ("?customerId=1&max=5", 409, "too-many-rows"), ("?customerId=1&max=0", 400, "invalid-parameter"),
                ("?customerId=1&max=10001", 400, "invalid-parameter"), ("?first=3", 400, "unknown-parameter"),
                ("?customerId=1&fields=id", 400, "unknown-parameter"),
                ("?customer.name=Ada", 400, "unknown-parameter"), ("?customerId=x", 400, "invalid-parameter"),
            ] {
                for method in ["PATCH", "DELETE"] {
                    let answer = try await shop.send(
                        method, "/orders\(query)", method == "PATCH" ? ["note": "x"] : nil)
                    #expect(answer.status == status, "\(method) \(query)")
                    #expect(try answer.json["code"] == code, "\(method) \(query)")
                }
            }
            #expect(try await shop.send("PATCH", "/orders?id=10", ["id": 9]).status == 422)
            #expect(try await shop.send("DELETE", "/customers?id.gt=0").status == 409)
            let guarded = try await shop.server.send("DELETE", "/orders?customerId=1", ["If-Match": "*"])
            #expect(guarded.status == 412)
            #expect(try await shop.send("GET", "/orders").body == before)
            #expect(try await shop.send("GET", "/orders?max=1").status == 400)
            #expect(try await shop.send("DELETE", "/orders?customerId=1&max=6").body == #"{"deleted":6}"#)
        }
    }

    @Test("A mutation makes the same change", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            try await Self.addOrders(shop)
            func execute(_ field: String) async throws -> String {
                try await shop.execute(
                    "mutation { \(field) { count errors { __typename message field } } }"
                ).compactText
            }
            #expect(
                try await execute(#"updateOrders(filter: {total: {lt: "5"}}, patch: {note: "cheap"})"#)
                    == #"{"data":{"updateOrders":{"count":5,"errors":[]}}}"#)
            let empty = try await execute("deleteOrders(filter: {}, max: 5)")
            #expect(
                empty == """
                    {"data":{"deleteOrders":{"count":null,"errors":[{"__typename":"InvalidInputError","message":\
                    "a change of all rows that match a filter needs a condition; set filter, or compare a field",\
                    "field":["filter"]}]}}}
                    """)
            let tooMany = try await execute("deleteOrders(filter: {customerId: {eq: 1}}, max: 5)")
            #expect(tooMany.contains(#""count":null,"errors":[{"__typename":"ConflictError""#))
            #expect(tooMany.contains(#""field":["max"]"#))
            let wrong = try await execute("deleteOrders(filter: {customerId: {eq: 1}}, max: 0)")
            #expect(wrong.contains(#""errors":[{"__typename":"InvalidInputError""#))
            #expect(
                try await execute(#"deleteOrders(filter: {note: {eq: "cheap"}})"#)
                    == #"{"data":{"deleteOrders":{"count":5,"errors":[]}}}"#)
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":11}]"#)
        }
    }

    @Test("A visible row that a role cannot change makes the change fail", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let role = Role(
            "clerk",
            reads: [
                "customers": .init(), "orders": .init(where: .compare("customerId", .equal, [.parameter("customer")])),
            ],
            writes: [
                "orders": .init(
                    update: .init(
                        where: .isNull("note", true), fields: .only(["note", "total"]),
                        check: .compare("total", .less, [10])),
                    delete: .init(where: .isNull("note", true)))
            ])
        try await WritableShop.with(backend, roles: [role, Role("reader", reads: ["orders": .init()])]) { shop in
            try await Self.addOrders(shop)
            let caller: JSONObject = ["role": "clerk", "customer": 1]
            func status(_ method: String, _ query: String, _ body: JSONValue? = nil) async throws -> Int {
                try await shop.send(method, "/orders?\(query)", body, caller: caller).status
            }
            let before = try await shop.send("GET", "/orders", caller: ["role": "reader"]).body
            // The order 24 has a note.
            #expect(try await status("PATCH", "id.gte=20", ["note": "x"]) == 403)
            #expect(try await status("DELETE", "id.gte=20") == 403)
            #expect(try await status("PATCH", "note.null=true", ["total": "11"]) == 403)
            #expect(try await shop.send("GET", "/orders", caller: ["role": "reader"]).body == before)
            // The order 11 is hidden.
            let changed = try await shop.send("PATCH", "/orders?id.lt=24", ["total": "2"], caller: caller)
            #expect(changed.body == #"{"updated":5}"#)
            let removed = try await shop.send("DELETE", "/orders?total=2", caller: caller)
            #expect(removed.body == #"{"deleted":5}"#)
            let rest = try await shop.send("GET", "/orders?fields=id", caller: ["role": "reader"])
            #expect(rest.body == #"[{"id":11},{"id":24}]"#)
            #expect(
                try await shop.send("DELETE", "/orders?id=11", caller: ["role": "reader"]).status == 405)
        }
    }

    @Test("The OpenAPI document describes the writes, and all its references exist")
    func contract() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let document = try await shop.send("GET", "/openapi.json").json
            func references(_ value: JSONValue) -> [String] {
                switch value {
                case .object(let object):
                    object.members.flatMap { member -> [String] in
                        if member.key == "$ref", case .string(let reference) = member.value { return [reference] }
                        return references(member.value)
                    }
                case .array(let elements): elements.flatMap(references)
                default: []
                }
            }
            for reference in Set(references(document)) {
                var target: JSONValue? = document
                for name in reference.split(separator: "/").dropFirst() { target = target?[String(name)] }
                #expect(target != nil, "\(reference)")
            }
            let paths = try #require(document["paths"])
            #expect(paths["/orders"]?["patch"]?["operationId"] == "updateOrders")
            #expect(paths["/orders"]?["delete"]?["operationId"] == "deleteOrders")
            #expect(paths["/orders/{id}"]?["put"]?["operationId"] == "putOrder")
            let schemas = try #require(document["components"]?["schemas"])
            #expect(schemas["OrderChanges"]?["properties"]?["note"]?["type"] == ["string", "null"])
            #expect(schemas["OrderReplacement"]?["required"] == ["customerId", "total"])
            let problems = try await shop.send("GET", "/problems").body
            #expect(problems.contains("too-many-rows") && problems.contains("filter-required"))
        }
    }
}
