import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Preferences of writes") struct PreferTests {
    @Test("With return=minimal, the response has no body", arguments: TestBackend.available)
    func minimal(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let created = try await shop.send(
                "POST", "/customers", ["id": 7, "name": "Cleo"], prefer: "return=minimal")
            #expect(created.status == 201)
            #expect(created.body == "")
            #expect(created.headers.first(name: "Location") == "/customers/7")
            #expect(created.headers.first(name: "ETag") == nil)
            #expect(created.headers.first(name: "Preference-Applied") == "return=minimal")
            let changed = try await shop.send(
                "PATCH", "/customers/7?fields=name", ["name": "Dan"], prefer: "respond-async, Return=minimal; x=1")
            #expect(changed.status == 204)
            #expect(changed.headers.first(name: "Preference-Applied") == "return=minimal")
            let whole = try await shop.send(
                "PATCH", "/customers/7", ["state": "closed"], prefer: "return=representation, return=minimal")
            #expect(whole.status == 200)
            #expect(whole.body == #"{"id":7,"name":"Dan","email":null,"state":"closed"}"#)
            #expect(whole.headers.first(name: "Preference-Applied") == "return=representation")
            let unknown = try await shop.send(
                "PATCH", "/customers/7", ["state": "open"], prefer: "return=nothing, tx=commit")
            #expect(unknown.status == 200)
            #expect(unknown.headers.first(name: "Preference-Applied") == nil)
            #expect(try await shop.send("DELETE", "/customers/7", prefer: "return=minimal").status == 204)
        }
    }

    @Test(
        "With tx=rollback, the response is that of the write, and nothing is written", arguments: TestBackend.available)
    func rollback(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            func send(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> HTTPAnswer {
                let answer = try await shop.send(method, path, body, prefer: "tx=rollback")
                #expect(answer.headers.first(name: "Preference-Applied") == (answer.status < 300 ? "tx=rollback" : nil))
                #expect(answer.headers.first(name: "Surrogate-Key") == nil)
                return answer
            }
            let before = try await shop.send("GET", "/customers?details=orders").body
            let created = try await send("POST", "/customers", ["id": 7, "name": "Cleo"])
            #expect(created.status == 201)
            #expect(created.headers.first(name: "Location") == "/customers/7")
            #expect(created.body == #"{"id":7,"name":"Cleo","email":null,"state":"open"}"#)
            let changed = try await send("PATCH", "/customers/1?fields=name", ["name": "Eve"])
            #expect(changed.body == #"{"name":"Eve"}"#)
            #expect(try await send("DELETE", "/orders/10").status == 204)
            #expect(try await send("DELETE", "/customers/1").status == 409)
            #expect(try await send("POST", "/customers", ["id": 1, "name": "Cleo"]).status == 409)
            let imported = try await shop.importRows(
                "/customers", .csv, "id,name\n8,Dan\n9,Eve", prefer: "TX=rollback, return=representation")
            #expect(imported.body == #"{"created":2}"#)
            #expect(imported.headers.first(name: "Preference-Applied") == "return=representation, tx=rollback")
            #expect(try await shop.send("GET", "/customers?details=orders").body == before)
            // The connection of the transaction can be used again.
            #expect(try await shop.send("POST", "/customers", ["id": 7, "name": "Cleo"]).status == 201)
        }
    }

    @Test("The OpenAPI document contains the preferences and the media types of imports")
    func document() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let document = try await shop.send("GET", "/openapi.json").json
            let paths = try #require(document["paths"])
            let prefer: JSONValue = ["$ref": "#/components/parameters/Prefer"]
            for (path, method) in [("/customers", "post"), ("/customers/{id}", "patch"), ("/customers/{id}", "delete")]
            {
                let operation = paths[path]?[method]
                #expect(operation?["parameters"]?.elements.contains(prefer) == true, "\(path)")
            }
            let read = paths["/customers"]?["get"]?["parameters"]?.elements
            #expect(read?.contains(prefer) == false)
            let create = paths["/customers"]?["post"]
            #expect(create?["requestBody"]?["content"]?["text/csv"] != nil)
            let imported = create?["responses"]?["200"]?["$ref"]
            #expect(imported == "#/components/responses/ImportOfRows")
            for reference in document.references {
                let target = reference.split(separator: "/").dropFirst().reduce(document as JSONValue?) {
                    $0?[String($1)]
                }
                #expect(target != nil, "\(reference)")
            }
        }
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The values of all members `$ref`.
    fileprivate var references: Set<String> {
        switch self {
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.references) }
        case .object(let object):
            object.members.reduce(into: []) { references, member in
                if member.key == "$ref", case .string(let text) = member.value { references.insert(text) }
                references.formUnion(member.value.references)
            }
        default: []
        }
    }
}

extension WritableShop {
    /// Sends a request with preferences.
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil, prefer: String) async throws -> HTTPAnswer {
        try await server.send(method, path, ["Prefer": prefer], body: body?.compactText)
    }
}
