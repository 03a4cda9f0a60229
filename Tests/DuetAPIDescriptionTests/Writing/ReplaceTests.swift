import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Replacements of rows") struct ReplaceTests {
    /// Sends a PUT request.
    private static func put(
        _ shop: WritableShop, _ path: String, _ body: JSONValue, _ fields: [String: String] = [:],
        caller: JSONObject? = nil
    ) async throws -> HTTPAnswer {
        let fields = ["X-Request-ID": "the-same"].merging(fields) { $1 }
            .merging(caller.map { TestToken($0).field } ?? [:]) { $1 }
        return try await shop.server.send("PUT", path, fields, body: body.compactText)
    }

    @Test("PUT creates a row, and replaces all values of an existing row", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let cleo: JSONValue = ["name": "Cleo", "email": "c@example.org", "state": "closed"]
            let created = try await Self.put(shop, "/customers/7", cleo)
            #expect(created.status == 201, "\(created.body)")
            #expect(created.headers.first(name: "Location") == "/customers/7")
            #expect(created.body == #"{"id":7,"name":"Cleo","email":"c@example.org","state":"closed"}"#)
            let read = try await shop.send("GET", "/customers/7")
            #expect(created.headers.first(name: "ETag") == read.headers.first(name: "ETag"))

            let replaced = try await Self.put(shop, "/customers/7", ["id": 7, "name": "Cle"])
            #expect(replaced.status == 200)
            #expect(replaced.body == #"{"id":7,"name":"Cle","email":null,"state":"open"}"#)
            #expect(replaced.headers.first(name: "Location") == nil)
            // The body does not contain the default value, so the stored row differs from the body.
            #expect(replaced.headers.first(name: "ETag") == nil)
            let complete = try await Self.put(shop, "/customers/7", ["name": "Cle", "state": "open"])
            #expect(complete.headers.first(name: "ETag") != nil)
            let shown = try await Self.put(shop, "/customers/7?fields=email", ["name": "Cle", "state": "open"])
            #expect(shown.body == #"{"email":null}"#)
            #expect(shown.headers.first(name: "ETag") == nil)
        }
    }

    @Test("If-None-Match only creates a row, and If-Match only replaces it", arguments: TestBackend.available)
    func preconditions(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func status(_ path: String, _ fields: [String: String]) async throws -> Int {
                try await Self.put(shop, path, ["name": "Cleo", "state": "open"], fields).status
            }
            let read = try await shop.send("GET", "/customers/1")
            let tag = try #require(read.headers.first(name: "ETag"))
            #expect(try await status("/customers/1", ["If-None-Match": "*"]) == 412)
            #expect(try await status("/customers/7", ["If-Match": "*"]) == 412)
            #expect(try await status("/customers/7", ["If-Match": tag]) == 412)
            #expect(try await shop.send("GET", "/customers/1").body == read.body)
            #expect(try await shop.send("GET", "/customers/7").status == 404)
            #expect(try await status("/customers/1", ["If-Match": tag]) == 200)
            #expect(try await status("/customers/1", ["If-Match": tag]) == 412)
            #expect(try await status("/customers/7", ["If-None-Match": "*"]) == 201)
        }
    }

    @Test("A key in the body equals the key in the path", arguments: TestBackend.available)
    func key(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let answer = try await Self.put(shop, "/customers/7", ["id": 8, "state": nil, "other": 1])
            #expect(answer.status == 422)
            guard case .array(let errors)? = try answer.json["errors"] else {
                Issue.record("\(answer.body)")
                return
            }
            #expect(errors.map { $0["pointer"] } == ["/name", "/state", "/other", "/id"])
            #expect(errors.last?["message"] == "must be 7, as in the path, or be absent")
        }
    }

    @Test("A mutation makes the same change", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func upsert(_ input: String, _ condition: String = "") async throws -> String {
                try await shop.execute(
                    """
                    mutation { upsertCustomer(input: {\(input)}\(condition)) {
                        customer { id name email state } errors { message field } } }
                    """
                ).compactText
            }
            let created = try await upsert(#"id: 7, name: "Cleo", email: "c@example.org", state: "closed""#)
            #expect(
                created == """
                    {"data":{"upsertCustomer":{"customer":{"id":7,"name":"Cleo","email":"c@example.org",\
                    "state":"closed"},"errors":[]}}}
                    """)
            let replaced = try await upsert(#"id: 7, name: "Cle""#)
            #expect(
                replaced == """
                    {"data":{"upsertCustomer":{"customer":{"id":7,"name":"Cle","email":null,"state":"open"},\
                    "errors":[]}}}
                    """)
            let invalid = try await upsert(#"id: 7, name: "a name of twelve""#)
            #expect(
                invalid == """
                    {"data":{"upsertCustomer":{"customer":null,"errors":[{"message":"name must have at most 10 \
                    characters, not 16","field":["input","name"]}]}}}
                    """)
            for condition in [#", ifNoneMatch: "*""#, #", ifMatch: "stale""#] {
                let refused = try await upsert(#"id: 7, name: "Cleo""#, condition)
                #expect(
                    refused.hasPrefix(#"{"data":{"upsertCustomer":{"customer":null,"errors":[{"message":"the state"#))
            }
            let absent = try await upsert(#"id: 8, name: "Dan""#, #", ifMatch: "*""#)
            #expect(absent.contains(#""customer":null"#))
            let new = try await upsert(#"id: 8, name: "Dan""#, #", ifNoneMatch: "*""#)
            #expect(new.contains(#""name":"Dan""#))
        }
    }

    @Test("The right depends on the existence of the row", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let own = Filter.compare("customerId", .equal, [.parameter("customer")])
        let reads: [String: Role.Read] = ["customers": .init(), "orders": .init(where: own)]
        let roles = [
            Role("creator", reads: reads, writes: ["orders": .init(create: .init())]),
            Role("editor", reads: reads, writes: ["orders": .init(update: .init(fields: .only(["note"])))]),
            Role(
                "both", reads: reads,
                writes: [
                    "orders": .init(
                        create: .init(), update: .init(where: .isNull("note", true), fields: .only(["note"])))
                ]),
            Role("clerk", reads: ["orders": .init()]),
        ]
        try await WritableShop.with(backend, roles: roles) { shop in
            func put(_ role: String, _ id: Int, _ body: JSONValue) async throws -> HTTPAnswer {
                try await Self.put(
                    shop, "/orders/\(id)", body, caller: ["role": .string(role), "customer": 1, "sub": "ada"])
            }
            let order: JSONValue = ["customerId": 1, "total": "7.00", "note": "soon"]
            // The order 11 belongs to another customer.
            for (role, visible, hidden, missing) in [
                ("creator", 403, 409, 201), ("editor", 200, 404, 404), ("both", 200, 409, 201),
            ] {
                let new = role == "creator" ? 20 : 21
                let body: JSONValue = role == "editor" ? ["note": nil] : order
                #expect(try await put(role, 10, body).status == visible, "\(role)")
                let conflict = try await put(role, 11, body)
                #expect(conflict.status == hidden, "\(role)")
                #expect(!conflict.body.contains("gift"))
                #expect(try await put(role, new, body).status == missing, "\(role)")
            }
            // The note of the order is no longer null.
            #expect(try await put("both", 10, order).status == 403)
            let read = try await shop.send("GET", "/orders/10", caller: ["role": "clerk"])
            #expect(read.body == #"{"id":10,"customerId":1,"note":"soon","total":"5.50","createdBy":null}"#)
            let others = try await shop.send("GET", "/orders/11?fields=note", caller: ["role": "clerk"])
            #expect(others.body == #"{"note":"gift"}"#)
            let schema = try await shop.send(
                "GET", "/schema.graphql", caller: ["role": "clerk", "customer": 1]
            ).body
            #expect(!schema.contains("upsertOrder"))
        }
    }
}
