import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Changes with a filter in a batch") struct BatchFilterTests {
    private static func batch(_ requests: String...) -> JSONValue? {
        try? JSONValue(parsing: "{\"requests\":[\(requests.joined(separator: ","))]}".utf8)
    }

    @Test(
        "A batch changes and removes all rows that match a filter, with the bodies of the single requests",
        arguments: TestBackend.available)
    func effects(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let body = Self.batch(
                #"{"id":"a","method":"POST","path":"/orders?fields=id","body":{"id":12,"customerId":1,"total":"1"}}"#,
                #"{"method":"PATCH","path":"/orders?customerId=1&max=2","body":{"note":"late"}}"#,
                #"{"id":"d","method":"DELETE","path":"/orders?note=late&id.lt=12"}"#,
                #"{"method":"PATCH","path":"/orders/{a}?fields=note","body":{"total":"2"}}"#,
                #"{"method":"DELETE","path":"/orders?note=none"}"#)
            let answer = try await shop.send("POST", "/batch", body)
            #expect(answer.status == 200, "\(answer.body)")
            guard case .array(let responses)? = try answer.json["responses"] else { return }
            #expect(responses.map { $0["status"] } == [201, 200, 200, 200, 200])
            #expect(
                responses.map { $0["body"] } == [
                    ["id": 12], ["updated": 2], ["deleted": 1], ["note": "late"], ["deleted": 0],
                ])
            #expect(responses[1]["headers"] == [:] && responses[2]["headers"] == [:])
            let rows = try await shop.send("GET", "/orders?fields=id,note,total")
            #expect(
                rows.body
                    == #"[{"id":11,"note":"gift","total":"20.00"},{"id":12,"note":"late","total":"2.00"}]"#)
        }
    }

    @Test("The errors are those of the single requests, and nothing is changed", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let first = #"{"id":"a","method":"DELETE","path":"/orders?id=10"}"#
            let failing: [(String, Int, String)] = [
                (#""method":"DELETE","path":"/orders""#, 400, "filter-required"),
                (#""method":"PATCH","path":"/orders?max=5","body":{"note":"x"}"#, 400, "filter-required"),
                (#""method":"DELETE","path":"/customers?id.gt=0&max=1""#, 409, "too-many-rows"),
                (#""method":"DELETE","path":"/customers?id=2""#, 409, "row-in-use"),
                (#""method":"DELETE","path":"/orders?colour=red""#, 400, "unknown-parameter"),
                (#""method":"DELETE","path":"/orders?id=10","body":{}"#, 400, "invalid-batch"),
                (#""method":"PATCH","path":"/orders?id=11","body":{"total":"x"}"#, 422, "validation-failed"),
                (#""method":"PATCH","path":"/orders?id=11","body":{"customer":{"ref":"a"}}"#, 422, "validation-failed"),
                (
                    #""method":"PATCH","path":"/orders?id=11","body":{"note":"x"},"headers":{"If-Match":"*"}"#, 412,
                    "precondition-failed"
                ),
                (#""method":"DELETE","path":"/orders/{a}""#, 400, "invalid-batch"),
            ]
            let created = #"{"id":"a","method":"POST","path":"/orders","body":{"id":12,"customerId":1,"total":"1"}}"#
            let inQuery = Self.batch(created, #"{"id":"b","method":"DELETE","path":"/orders?note={a}"}"#)
            let refused = try await shop.send("POST", "/batch", inQuery)
            #expect(refused.status == 400 && refused.body.contains("only a segment of the path"), "\(refused.body)")
            let large = Self.batch(
                #"{"method":"DELETE","path":"/orders?id=10&max=6000"}"#,
                #"{"method":"DELETE","path":"/orders?id=11&max=6000"}"#)
            let together = try await shop.send("POST", "/batch", large)
            #expect(together.status == 400 && together.body.contains("at most 10000"), "\(together.body)")
            for (request, status, code) in failing {
                let answer = try await shop.send("POST", "/batch", Self.batch(first, "{\"id\":\"b\",\(request)}"))
                #expect(answer.status == status, "\(request): \(answer.body)")
                let problem = try answer.json
                #expect(problem["code"] == .string(code), "\(request): \(answer.body)")
                #expect(problem["request"] == "b", "\(request): \(answer.body)")
            }
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":11}]"#)
        }
    }

    @Test("The rights of the caller apply to the rows that match", arguments: TestBackend.available)
    func rights(_ backend: TestBackend) async throws {
        let role = Role(
            "clerk", reads: ["orders": .init(where: .compare("id", .less, [.value(.integer(11))]))],
            writes: ["orders": .init(update: .init(fields: .only(["note"])))])
        try await WritableShop.with(backend, roles: [role]) { shop in
            let caller: JSONObject = ["role": "clerk"]
            let change = Self.batch(#"{"method":"PATCH","path":"/orders?id.gt=0&max=1","body":{"note":"n"}}"#)
            let changed = try await shop.send("POST", "/batch", change, caller: caller)
            #expect(changed.status == 200 && changed.body.contains(#"{"updated":1}"#), "\(changed.body)")
            let removal = Self.batch(#"{"method":"DELETE","path":"/orders?id=10"}"#)
            #expect(try await shop.send("POST", "/batch", removal, caller: caller).status == 400)
            let hidden = try await shop.database.read { connection in
                let rows = try connection.query("SELECT note FROM orders WHERE id = 11")
                defer { rows.close() }
                return try rows.next() ? rows.text(at: 0) : ""
            }
            #expect(hidden == "gift")
        }
    }

    @Test("A repetition with an idempotency key has the same numbers", arguments: TestBackend.available)
    func repetition(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            try await IdempotencyTable.create(in: shop.database)
            let body = #"""
                {"requests":[{"method":"PATCH","path":"/orders?id.gt=0","body":{"note":"n"}},
                {"method":"DELETE","path":"/orders?note=n"}]}
                """#
            let first = try await shop.send("POST", "/batch", body, key: "k")
            let second = try await shop.send("POST", "/batch", body, key: "k")
            #expect(first.body.contains(#"{"updated":2}"#) && first.body.contains(#"{"deleted":2}"#), "\(first.body)")
            #expect(second.body == first.body)
            #expect(second.headers.first(name: "Idempotency-Replayed") == "true")
        }
    }
}
