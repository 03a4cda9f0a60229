import DuetAPIDescription
import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Entity tags in both styles") struct EntityTagTests {
    @Test("The tag of a row in GraphQL is the ETag of its path in REST", arguments: TestBackend.available)
    func equality(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            // A long text is compressed, and its ETag has the suffix of the coding.
            let rest = try await shop.send("GET", "/orders/11")
            let tag = try #require(rest.headers.first(name: "ETag"))
            let answer = try await shop.execute(
                """
                { order(id: 11) { tag: entityTag note customer { entityTag } }
                  orders(filter: {id: {eq: 11}}) { nodes { entityTag } edges { node { id entityTag } } }
                  customer(id: 2) { entityTag orders { nodes { entityTag } } } }
                """)
            let data = try #require(answer["data"])
            #expect(data["order"]?["tag"] == .string(tag), "\(answer.compactText)")
            #expect(data["order"]?["note"] == "gift")
            #expect(data["orders"]?["nodes"]?.first?["entityTag"] == .string(tag))
            #expect(data["orders"]?["edges"]?.first?["node"]?["entityTag"] == .string(tag))
            #expect(data["customer"]?["orders"]?["nodes"]?.first?["entityTag"] == .string(tag))
            let customer = try await shop.send("GET", "/customers/2").headers.first(name: "ETag")
            #expect(data["customer"]?["entityTag"] == customer.map { .string($0) })
            #expect(data["order"]?["customer"]?["entityTag"] == customer.map { .string($0) })
            // The field needs no further statement.
            let schema = try await shop.send("GET", "/schema.graphql").body
            #expect(schema.contains("entityTag: String!"))
        }
    }

    @Test(
        "A change of a row changes its tag, and a mutation with an old tag changes nothing",
        arguments: TestBackend.available)
    func mutations(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func change(_ note: String, _ tag: String) async throws -> JSONValue? {
                let answer = try await shop.execute(
                    """
                    mutation { updateOrder(id: 10, patch: {note: "\(note)"}, ifMatch: "\(tag.replacing("\"", with: "\\\""))") {
                        order { note entityTag } errors { __typename field } } }
                    """)
                return answer["data"]?["updateOrder"] ?? answer
            }
            let failure: JSONValue = [
                "order": nil, "errors": [["__typename": "PreconditionFailedError", "field": ["ifMatch"]]],
            ]
            let old = try #require(try await shop.send("GET", "/orders/10").headers.first(name: "ETag"))
            let first = try await change("a", old)
            guard case .string(let new)? = first?["order"]?["entityTag"] else {
                Issue.record("\(first?.compactText ?? "")")
                return
            }
            #expect(new != old)
            #expect(try await shop.send("GET", "/orders/10").headers.first(name: "ETag") == new)
            #expect(try await change("b", old) == failure)
            #expect(try await change("b", "nonsense") == failure)
            #expect(try await change("b", "") == failure)
            #expect(try await change("c", "\(old), \(new.dropLast())-gzip\"")?["order"]?["note"] == "c")
            #expect(try await change("d", "*")?["order"]?["note"] == "d")
            let current = try #require(try await shop.send("GET", "/orders/10").headers.first(name: "ETag"))
            // The quotes can be omitted.
            #expect(try await change("e", current.replacing("\"", with: ""))?["order"]?["note"] == "e")
            func remove(_ tag: String) async throws -> String {
                try await shop.execute(
                    """
                    mutation { deleteOrder(id: 10, ifMatch: \(JSONValue.string(tag).compactText)) {
                        deletedId errors { __typename message } } }
                    """
                ).compactText
            }
            let refused = try await remove(current)
            #expect(
                refused.contains(#""deletedId":null,"errors":[{"__typename":"PreconditionFailedError""#), "\(refused)")
            let latest = try #require(try await shop.send("GET", "/orders/10").headers.first(name: "ETag"))
            let removed = try await remove(latest)
            #expect(removed.contains(#""deletedId":"10","errors":[]"#), "\(removed)")
            let missing = try await remove(latest)
            #expect(missing.contains("NotFoundError"), "\(missing)")
        }
    }

    @Test(
        "REST takes the tag of the row, and the tag of the representation of the same query",
        arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func tag(_ query: String = "") async throws -> String {
                try #require(try await shop.send("GET", "/customers/1\(query)").headers.first(name: "ETag"))
            }
            func status(_ method: String, _ query: String, _ tag: String, _ body: String? = nil) async throws -> Int {
                try await shop.server.send(method, "/customers/1\(query)", ["If-Match": tag], body: body).status
            }
            let whole = try await tag()
            let names = try await tag("?fields=name")
            #expect(try await status("PATCH", "?fields=name", whole, #"{"state":"a"}"#) == 200)
            #expect(try await status("PATCH", "?fields=name", whole, #"{"state":"b"}"#) == 412)
            // The representation with the name has not changed.
            #expect(try await status("PATCH", "?fields=name", names, #"{"state":"c"}"#) == 200)
            #expect(try await status("PATCH", "", names, #"{"state":"d"}"#) == 412)
            let details = try await tag("?details=orders")
            #expect(try await status("PATCH", "?details=orders", details, #"{"state":"e"}"#) == 200)
            let current = try await tag()
            let compressed = "\(current.dropLast())-gzip\""
            #expect(try await status("PATCH", "", "W/\(current)", #"{"state":"f"}"#) == 412)
            #expect(try await status("PATCH", "", "\"x\", \(compressed)", #"{"state":"f"}"#) == 200)
            #expect(try await status("DELETE", "", current) == 412)
        }
    }

    @Test(
        "The tags of callers with different permissions differ, and each caller can use its own",
        arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let own = Filter.compare("customerId", .equal, [.parameter("customer")])
        let role = Role(
            "customer", reads: ["orders": .init(fields: .except(["createdBy"]), where: own)],
            writes: ["orders": .init(update: .init(fields: .only(["note"])), delete: .init())])
        let clerk = Role("clerk", reads: ["orders": .init()])
        try await WritableShop.with(backend, roles: [role, clerk]) { shop in
            let callers: [JSONObject] = [["role": "customer", "customer": 1], ["role": "customer", "customer": 2]]
            var tags: [String] = []
            for (caller, id) in zip(callers, [10, 11]) {
                let rest = try await shop.send("GET", "/orders/\(id)", caller: caller)
                let tag = try #require(rest.headers.first(name: "ETag"))
                tags.append(tag)
                let answer = try await shop.execute("{ order(id: \(id)) { entityTag } }", caller: caller)
                #expect(answer["data"]?["order"]?["entityTag"] == .string(tag), "\(answer.compactText)")
            }
            func change(_ tag: String) async throws -> String {
                try await shop.execute(
                    """
                    mutation { updateOrder(id: 10, patch: {note: "x"}, ifMatch: \(JSONValue.string(tag).compactText)) {
                        order { note } errors { __typename } } }
                    """, caller: callers[0]
                ).compactText
            }
            #expect(try await change(tags[1]).contains("PreconditionFailedError"))
            #expect(try await change(tags[0]).contains(#""note":"x""#))
            // A role that cannot write has no tags in GraphQL.
            let schema = try await shop.send("GET", "/schema.graphql", caller: ["role": "clerk"]).body
            #expect(!schema.contains("entityTag"))
        }
    }

    @Test("The name entityTag is reserved for writable resources")
    func name() throws {
        let renamed = WritableShop.description.replacing("note:", with: "entityTag:")
        #expect {
            _ = try APIDescription(reading: renamed, file: "shop.yaml")
        } throws: {
            "\($0)".contains("no member of a writable resource can be called entityTag")
        }
        let readable = renamed.replacing("    writes: all\n", with: "")
        _ = try APIDescription(reading: readable, file: "shop.yaml")
    }
}

extension JSONValue {
    fileprivate var first: JSONValue? { if case .array(let elements) = self { elements.first } else { nil } }
}
