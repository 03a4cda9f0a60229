import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Idempotency keys") struct IdempotencyTests {
    /// A write: the method, the path, the body and the header fields.
    private typealias Write = (method: String, path: String, body: String?, fields: [String: String])

    private static let writes: [Write] = [
        ("POST", "/customers", #"{"name":"Cleo"}"#, [:]),
        ("POST", "/customers?fields=name", #"[{"name":"Dan"},{"name":"Eve"}]"#, [:]),
        ("POST", "/customers", #"{"name":"Fay"}"#, ["Prefer": "return=minimal"]),
        ("POST", "/customers", "name\nGus\nHal\n", ["Content-Type": "text/csv"]),
        ("POST", "/customers", #"{"name":"Ida"}"#, ["Content-Type": "application/x-ndjson"]),
        (
            "POST", "/orders?fields=id,note&details=orderDetails",
            #"{"customer":{"name":"Jim"},"note":"new","orderDetails":[{"productId":11,"quantity":3}]}"#, [:]
        ),
        ("PUT", "/customers/50", #"{"name":"Kim"}"#, [:]),
        ("PUT", "/customers/50", #"{"name":"Kay"}"#, ["If-Match": "*"]),
        ("PATCH", "/customers/1", #"{"name":"Lea"}"#, ["Content-Type": "application/merge-patch+json"]),
        ("PATCH", "/customers?name=Bob", #"{"name":"Max"}"#, ["Content-Type": "application/merge-patch+json"]),
        ("DELETE", "/orderDetails/20,11", nil, [:]),
        ("DELETE", "/orderDetails?orderId=20", nil, [:]),
        (
            "POST", "/batch",
            """
            {"requests":[{"id":"a","method":"POST","path":"/customers","body":{"name":"Ned"}},
             {"id":"b","method":"POST","path":"/orders","body":{"customer":{"ref":"a"}}},
             {"id":"c","method":"POST","path":"/customers","body":{"name":"Ola"}},
             {"method":"DELETE","path":"/customers/{c}"}]}
            """, [:]
        ),
    ]

    @Test("The same key again has the same response and no effect", arguments: TestBackend.available)
    func replay(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            for (index, write) in Self.writes.enumerated() {
                let key = ["Idempotency-Key": "\"key-\(index)\""]
                func send() async throws -> HTTPAnswer {
                    try await shop.server.send(
                        write.method, write.path, write.fields.merging(key) { $1 }, body: write.body)
                }
                let first = try await send()
                #expect(first.status < 300, "\(write.path): \(first.body)")
                #expect(first.headers.first(name: "Idempotency-Replayed") == nil)
                let rows = try await shop.rows
                let second = try await send()
                #expect(second.status == first.status && second.body == first.body, "\(write.path): \(second.body)")
                #expect(second.headers.first(name: "Idempotency-Replayed") == "true")
                for name in ["Location", "Content-Location", "ETag", "Preference-Applied", "Surrogate-Key"] {
                    #expect(
                        second.headers.first(name: name) == first.headers.first(name: name), "\(write.path) \(name)")
                }
                #expect(try await shop.rows == rows, "\(write.path)")
            }
        }
    }

    @Test("A key with another payload, or an invalid key, is refused", arguments: TestBackend.available)
    func refusals(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let early = try await shop.send("POST", "/customers", #"{"name":"A"}"#, key: "k")
            #expect(try WritableShop.problem(early) == .init(400, "idempotency-unavailable"))
            #expect(early.body.contains("duet prepare --database URL"))
            try await IdempotencyTable.create(in: shop.database)
            try await IdempotencyTable.create(in: shop.database)
            // An error is not recorded.
            let failed = try await shop.send("POST", "/customers", #"{"name":"nobody"}"#, key: "k")
            #expect(failed.status == 422)
            #expect(try await shop.send("POST", "/customers", #"{"name":"A"}"#, key: "k").status == 201)
            let others: [(path: String, body: String, fields: [String: String])] = [
                ("/customers", #"{"name": "A"}"#, [:]), ("/customers?fields=name", #"{"name":"A"}"#, [:]),
                ("/customers", #"{"name":"A"}"#, ["Prefer": "return=minimal"]),
                ("/customers", #"{"name":"A"}"#, ["If-None-Match": "*"]),
                ("/customers", #"{"name":"A"}"#, ["Content-Type": "application/x-ndjson"]),
            ]
            for other in others {
                let answer = try await shop.send("POST", other.path, other.body, key: "k", other.fields)
                #expect(try WritableShop.problem(answer) == .init(422, "idempotency-key-reused"), "\(other)")
            }
            // The key belongs to the method and the path.
            #expect(try await shop.send("POST", "/orders", #"{"customerId":1}"#, key: "k").status == 201)
            for text in [
                "k", "\"\"", "\"a b\"", "\"a", "\"ä\"", "\"a\";x=1", "\"a\", \"b\"",
                "\"\(String(repeating: "k", count: 256))\"",
            ] {
                let answer = try await shop.server.send(
                    "POST", "/customers", ["Idempotency-Key": text], body: #"{"name":"A"}"#)
                #expect(try WritableShop.problem(answer) == .init(400, "idempotency-key-invalid"), "\(text)")
            }
            let escaped = try await shop.server.send(
                "POST", "/customers", ["Idempotency-Key": #""a\"\\b""#], body: #"{"name":"B"}"#)
            #expect(escaped.status == 201)
            // A key has no effect on a read, and if nothing is stored.
            #expect(try await shop.server.get("/customers?fields=name", ["Idempotency-Key": "x"]).status == 200)
            for _ in 0..<2 {
                let tried = try await shop.send(
                    "POST", "/customers", #"{"name":"C"}"#, key: "t", ["Prefer": "tx=rollback"])
                #expect(tried.status == 201 && tried.headers.first(name: "Idempotency-Replayed") == nil)
            }
            #expect(
                try await shop.server.get("/customers?fields=name").body
                    == #"[{"name":"Ada"},{"name":"Bob"},{"name":"A"},{"name":"B"}]"#)
        }
    }

    @Test("The OpenAPI document and the list of problems contain idempotency keys")
    func document() async throws {
        try await NestedShop.with(.sqlite) { shop in
            let document = try await shop.send("GET", "/openapi.json").json
            let parameters = document["paths"]?["/orders"]?["post"]?["parameters"]?.compactText
            #expect(parameters?.contains("#/components/parameters/IdempotencyKey") == true)
            let read = document["paths"]?["/orders"]?["get"]?["parameters"]?.compactText
            #expect(read?.contains("IdempotencyKey") == false)
            let problems = try await shop.server.get("/problems").body
            for code in ["idempotency-key-invalid", "idempotency-key-in-use", "idempotency-key-reused"] {
                #expect(problems.contains(code))
                #expect(try await shop.server.get("/problems/\(code)").status == 200)
            }
        }
    }

    @Test("A response that is too large for a record is read again", arguments: TestBackend.available)
    func large(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            // A body that can be compressed too well would be refused by the client.
            let rows = (0..<900).map { #"{"customerId":1,"note":"note \#(String($0 * 4_294_967_291, radix: 36))"}"# }
                .joined(separator: ",")
            let first = try await shop.send("POST", "/orders?details=customer", "[\(rows)]", key: "k")
            #expect(first.status == 201 && first.body.utf8.count > 65_536)
            let second = try await shop.send("POST", "/orders?details=customer", "[\(rows)]", key: "k")
            #expect(second.status == 201)
            #expect(second.body == first.body)
            let sizes = try await shop.database.read { connection in
                let row = try connection.query("SELECT COUNT(*), COUNT(answers) FROM duet_idempotency_keys")
                return try row.next() ? [row.integer(at: 0), row.integer(at: 1)] : []
            }
            #expect(sizes == [1, 0])
        }
    }

    @Test("The record of a row that no longer exists is a 404, and expires", arguments: TestBackend.available)
    func lifetime(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            let first = try await shop.send("POST", "/customers", #"{"name":"A"}"#, key: "k")
            #expect(try await shop.server.send("DELETE", "/customers/3").status == 204)
            let second = try await shop.send("POST", "/customers", #"{"name":"A"}"#, key: "k")
            #expect(first.status == 201 && second.status == 404, "\(second.body)")
            #expect(second.body.contains("the write took effect when it was first sent"))
            // A record of another version of the server is not performed again.
            try await shop.database.write {
                try $0.execute("UPDATE duet_idempotency_keys SET result = '{\"steps\":1}'")
            }
            let unreadable = try await shop.send("POST", "/customers", #"{"name":"A"}"#, key: "k")
            #expect(try WritableShop.problem(unreadable) == .init(409, "idempotency-key-in-use"))
            // Records that are older than a day, and a few of them are removed now and then.
            try await shop.database.write { connection in
                try connection.execute("UPDATE duet_idempotency_keys SET created_at = created_at - 86400000")
                for index in 0..<150 {
                    try connection.execute(
                        "INSERT INTO duet_idempotency_keys (hash, payload, created_at) VALUES (:hash, :hash, 0)",
                        ["hash": .value(.blob([UInt8](repeating: UInt8(index), count: 32)))])
                }
            }
            #expect(try await shop.send("POST", "/customers", #"{"name":"B"}"#, key: "k").status == 201)
            for index in 0..<60 {
                _ = try await shop.send("DELETE", "/orderDetails?orderId=99", nil, key: "d\(index)")
            }
            let count = try await shop.database.read { connection in
                let row = try connection.query("SELECT COUNT(*) FROM duet_idempotency_keys WHERE created_at = 0")
                return try row.next() ? row.integer(at: 0) : -1
            }
            #expect(count == 50)
        }
    }

    @Test("Concurrent requests with one key write once", arguments: TestBackend.available)
    func concurrency(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            for round in 0..<5 {
                let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            try await shop.send(
                                "POST", "/orders?details=orderDetails",
                                #"{"customerId":1,"note":"\#(round)","orderDetails":[{"productId":11,"quantity":1}]}"#,
                                key: "k\(round)")
                        }
                    }
                    // Other keys do not wait for this one, and are not refused.
                    for index in 0..<4 {
                        group.addTask {
                            try await shop.send("PATCH", "/customers/2", #"{"name":"Bob"}"#, key: "o\(round)-\(index)")
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let statuses = answers.map(\.status)
                #expect(statuses.allSatisfy { [200, 201, 409].contains($0) }, "\(answers.map(\.body))")
                #expect(statuses.count { $0 == 200 } == 4)
                if backend == .sqlite { #expect(statuses.count { $0 == 201 } == 16) }
                #expect(Set(answers.filter { $0.status == 201 }.map(\.body)).count == 1)
                let firsts = answers.filter {
                    $0.status == 201 && $0.headers.first(name: "Idempotency-Replayed") == nil
                }
                #expect(firsts.count == 1)
                let rows = try await shop.server.get("/orders?note=\(round)&fields=note").body
                #expect(rows == #"[{"note":"\#(round)"}]"#)
            }
        }
    }
}

extension WritableShop {
    /// Sends a request with an idempotency key.
    func send(
        _ method: String, _ path: String, _ body: String?, key: String, _ fields: [String: String] = [:],
        caller claims: JSONObject? = nil
    ) async throws -> HTTPAnswer {
        let own = ["Idempotency-Key": "\"\(key)\"", "X-Request-ID": "the-same"]
        let fields = own.merging(fields) { $1 }.merging(claims.map { TestToken($0).field } ?? [:]) { $1 }
        return try await server.send(method, path, fields, body: body)
    }

    /// The rows of the tables of the nested shop.
    var rows: [String] {
        get async throws {
            var rows: [String] = []
            for name in ["customers", "orders", "orderDetails"] {
                rows.append(try await server.get("/\(name)?first=1000").body)
            }
            return rows
        }
    }
}
