import DuetJSON
import DuetResourceService
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Invalid input of writes") struct BadInputTests {
    private static let script = """
        CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, code INTEGER,
            price DECIMAL(10,2), doubled INTEGER GENERATED ALWAYS AS (code * 2) STORED, secret VARCHAR(20),
            parent_id INTEGER, FOREIGN KEY (parent_id) REFERENCES things (id));
        INSERT INTO things (id, name) VALUES (1, 'one');
        """

    private static let description = """
        duet: 1
        description: Things.
        resources:
          things:
            singular: thing
            type: Thing
            key: [id]
            writes: all
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              code: {type: int, nullable: true}
              price: {type: decimal, scale: 2, nullable: true}
              doubled: {type: int, nullable: true, writable: false}
              secret: {type: text, maxLength: 20, nullable: true}
              parentId: {type: int, column: parent_id, nullable: true}
            relations:
              children: {to: things, many: 20, columns: {id: parent_id}}

        """

    private static let role = Role(
        "writer", reads: ["things": .init(fields: .except(["secret"]))],
        writes: ["things": .init(create: .init(), update: .init(), delete: .init())])

    /// A request over REST with an invalid body.
    private struct Case {
        let method: String
        let path: String
        let body: String
        let status: Int
        let code: String
        let pointers: [String]

        init(
            _ method: String, _ path: String, _ body: String, _ status: Int, _ code: String, _ pointers: [String]
        ) {
            self.method = method
            self.path = path
            self.body = body
            self.status = status
            self.code = code
            self.pointers = pointers
        }

        init(
            _ method: String, _ path: String, _ body: String, _ status: Int, _ code: String, _ pointers: String...
        ) {
            self.init(method, path, body, status, code, pointers)
        }

        init(_ body: String, _ status: Int, _ code: String, _ pointers: String...) {
            self.init("POST", "/things", body, status, code, pointers)
        }
    }

    private static let digits = String(repeating: "9", count: 400)

    private static func cases() -> [Case] {
        let invalid = "validation-failed"
        func children(_ depth: Int) -> String {
            (0..<depth).reversed().reduce("") { inner, level in
                #"{"id":\#(100 + level),"name":"n"\#(inner.isEmpty ? "" : #","children":[\#(inner)]"#)}"#
            }
        }
        let deepest = String(repeating: "/children/0", count: 8) + "/children"
        return [
            // Lists.
            Case("[" + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]", 422, invalid),
            Case(
                #"[{"id":2,"name":"a"},5,[],null,"x",{"id":3,"name":7}]"#, 422, invalid, "/1", "/2", "/3", "/4",
                "/5/name"),
            Case(#"[{"id":2,"name":"a"},{"id":2,"name":"b"}]"#, 409, "conflict", "/1/id"),
            Case(#"{"id":2,"name":"a"},"#, 400, "malformed-body"),
            Case(#"[{"id":2,"name":"a"}"#, 400, "malformed-body"),
            // Depth.
            Case(children(20), 422, invalid, deepest),
            Case(children(50), 400, "malformed-body"),
            // Keys.
            Case("PATCH", "/things/1", #"{"id":2}"#, 422, invalid, "/id"),
            Case("PUT", "/things/1", #"{"id":2,"name":"a"}"#, 422, "key-differs", "/id"),
            Case("POST", "/things/1/children", #"{"id":2,"parentId":3,"name":"a"}"#, 422, "key-differs", "/parentId"),
            Case(#"{"id":2,"name":"a","id":3}"#, 400, "malformed-body"),
            // Members.
            Case(#"{"id":2,"name":"a","secret":"s"}"#, 422, invalid, "/secret"),
            Case(#"{"id":2,"name":"a","doubled":2}"#, 422, invalid, "/doubled"),
            Case(#"{"id":2,"name":"a","a~b/c":2}"#, 422, invalid, "/a~0b~1c"),
            Case("PATCH", "/things?id=1", #"{"secret":"s"}"#, 422, invalid, "/secret"),
            // Texts.
            Case(#"{"id":2,"name":"a\u0000b"}"#, 422, invalid, "/name"),
            Case(#"{"id":2,"name":"\ud800"}"#, 400, "malformed-body"),
            Case(#"{"id":2,"name":"\udc00\ud800"}"#, 400, "malformed-body"),
            Case(#"{"id":2,"name":"\#(String(repeating: "😀", count: 21))"}"#, 422, invalid, "/name"),
            // Numbers.
            Case(#"{"id":\#(digits),"name":"a"}"#, 400, "malformed-body"),
            Case(#"{"id":2,"name":"a","code":1e400}"#, 400, "malformed-body"),
            Case(
                #"{"id":2,"name":"a","code":12345678901234567890,"price":"\#(digits)"}"#, 422, invalid, "/code",
                "/price"),
            Case(#"{"id":2,"name":"a","code":2.5}"#, 422, invalid, "/code"),
            Case(#"{"id":2,"name":"a","price":"0x10"}"#, 422, invalid, "/price"),
        ]
    }

    @Test("The error of an invalid body says where it is, and nothing is written", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await WritableShop.with(
            backend, roles: [Self.role], script: Self.script, description: Self.description
        ) { shop in
            let caller: JSONObject = ["role": "writer"]
            let before = try await shop.send("GET", "/things", caller: caller)
            for test in Self.cases() {
                let fields = TestToken(caller).field
                let answer = try await shop.server.send(test.method, test.path, fields, body: test.body)
                let start = test.body.prefix(100)
                #expect(answer.status == test.status, "\(start): \(answer.body.prefix(500))")
                guard answer.status >= 400 else { continue }
                #expect(try answer.json["code"] == .string(test.code), "\(start): \(answer.body.prefix(500))")
                #expect(try answer.pointers == test.pointers, "\(start): \(answer.body.prefix(500))")
            }
            let after = try await shop.send("GET", "/things", caller: caller)
            #expect(after.body == before.body)
        }
    }

    @Test("The same input is an error of its argument in GraphQL", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        let cases = [
            (#"{"id":2,"name":"a\u0000b"}"#, #"["input","name"]"#),
            (#"{"id":2,"name":"\#(String(repeating: "a", count: 21))"}"#, #"["input","name"]"#),
            (#"{"id":2,"name":"a","price":"\#(Self.digits)"}"#, #"["input","price"]"#),
            (#"{"id":1,"name":"a"}"#, "null"),
            (#"{"id":2,"name":"a","parentId":9}"#, #"["input","parentId"]"#),
            // Errors of the variables.
            (#"{"id":2,"name":"a","secret":"s"}"#, nil),
            (#"{"id":2,"name":"a","doubled":2}"#, nil),
            (#"{"id":2,"name":"a","code":\#(Self.digits)}"#, nil),
            (#"{"id":2,"name":"\ud800"}"#, nil),
            ("[]", nil), ("null", nil),
        ]
        try await WritableShop.with(
            backend, roles: [Self.role], script: Self.script, description: Self.description
        ) { shop in
            let fields = TestToken(["role": "writer"]).field
            let query =
                "mutation($i: CreateThingInput!) { t: createThing(input: $i) { thing { id } errors { field } } }"
            for (input, field) in cases {
                let answer = try await shop.server.send(
                    "POST", "/graphql", fields, body: #"{"query":"\#(query)","variables":{"i":\#(input)}}"#)
                let json = try answer.json
                guard let field else {
                    #expect(
                        json["errors"] != nil && json["data"] == nil,
                        "\(input.prefix(80)): \(answer.body.prefix(300))")
                    continue
                }
                #expect(
                    json["data"]?["t"]?.compactText == #"{"thing":null,"errors":[{"field":\#(field)}]}"#,
                    "\(input.prefix(80)): \(answer.body.prefix(300))")
            }
            let things = try await shop.send("GET", "/things?fields=id", caller: ["role": "writer"])
            #expect(things.body == #"[{"id":1}]"#)
        }
    }

    @Test("A list that is too large is refused with the advice to import it")
    func size() async throws {
        var settings = ServerSettings()
        settings.maximumBodySize = 1_000
        try await WritableShop.with(.sqlite, settings: settings) { shop in
            let rows = (100..<150).map { #"{"id":\#($0),"name":"nobody"}"# }.joined(separator: ",")
            let refused = try await shop.server.send("POST", "/customers", [:], body: "[\(rows)]")
            #expect(refused.status == 413)
            let detail = try refused.json["detail"]
            let advice = "send the rows as an import (application/x-ndjson or text/csv)"
            #expect(detail == .string("the body has more than 1000 bytes; \(advice)"))
        }
    }

    @Test("The response to a write of many rows has a short list of cache tags")
    func tags() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let rows = (100..<3_000).map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ",")
            let created = try await shop.server.send("POST", "/customers?fields=id", [:], body: "[\(rows)]")
            #expect(created.status == 201)
            #expect(created.headers.first(name: "Surrogate-Key") == "Customer")
            let changed = try await shop.send("PATCH", "/customers?id.gte=100&max=10000", ["name": "m"])
            #expect(changed.body == #"{"updated":2900}"#)
            #expect(changed.headers.first(name: "Surrogate-Key") == "Customer")
            let few = try await shop.send("PATCH", "/customers?id.gte=2998", ["name": "k"])
            #expect(few.headers.first(name: "Surrogate-Key") == "Customer Customer:2998 Customer:2999")
        }
    }
}
