import DuetJSON
import DuetPersistedDocuments
import DuetResourceService
import NIOHTTP1
import TestSupport
import Testing

@Suite("Idempotency keys of the writes of employees") struct EmployeeIdempotencyTests {
    @Test("The same key again has the same response and no effect", arguments: TestBackend.available)
    func replay(backend: TestBackend) async throws {
        let writes: [(method: HTTPMethod, target: String, body: String?)] = [
            (
                .POST, "/employees",
                #"{"firstName":"Ada","lastName":"Okonkwo","birthDate":"1970-03-01","gender":"F","hireDate":"2001-09-17"}"#
            ),
            (.PATCH, "/employees/20001?fields=lastName", #"{"lastName":"Brown"}"#),
            (.POST, "/employees/20001/titles", #"{"title":"Chief","fromDate":"2000-01-01"}"#),
            (.POST, "/employees/20001/salaries", #"{"salary":50000,"fromDate":"2002-06-01"}"#),
            (.PUT, "/employees/20012/departments/d005", #"{"fromDate":"2002-06-01"}"#),
            (.DELETE, "/employees/20001", nil),
        ]
        try await withServer(backend) { server in
            let early = try await server.client.send(
                .PATCH, "/employees/20001", json: "{}", ["Idempotency-Key": "\"k\""])
            #expect(early.status == 400 && early.code == "idempotency-unavailable")
            #expect(try await server.client.get("/problems/idempotency-unavailable").status == 200)
            try await IdempotencyTable.create(in: server.database)
            for write in writes {
                func send() async throws -> TestResponse {
                    let fields: HTTPHeaders = ["Idempotency-Key": "\"k\""]
                    guard let body = write.body else {
                        return try await server.client.send(write.method, write.target, fields)
                    }
                    return try await server.client.send(write.method, write.target, json: body, fields)
                }
                let first = try await send()
                #expect(first.status < 300, "\(write.target): \(first.text)")
                #expect(first["Idempotency-Replayed"] == nil)
                let second = try await send()
                #expect(second.status == first.status && second.body == first.body, "\(write.target): \(second.text)")
                #expect(second["Idempotency-Replayed"] == "true")
                #expect(second["Location"] == first["Location"] && second["ETag"] == first["ETag"])
            }
        }
    }

    @Test("A request with the hash of a registered mutation has a key, too", arguments: [TestBackend.sqlite])
    func persistedMutation(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            try await IdempotencyTable.create(in: server.database)
            let mutation =
                #"mutation { updateEmployee(input: {id: 20001, lastName: "Mine"}) { employee { lastName } } }"#
            let hash = DocumentHash(of: mutation).description
            var operation: JSONObject = [
                "query": .string(mutation),
                "extensions": [
                    "persistedQuery": ["version": 1, "sha256Hash": .string(hash)], "idempotencyKey": "k",
                ],
            ]
            let first = try await server.client.send(.POST, "/graphql", json: JSONValue.object(operation).compactText)
            #expect(first.status == 200 && first.text.contains("Mine"), "\(first.text)")
            operation["query"] = nil
            let second = try await server.client.send(.POST, "/graphql", json: JSONValue.object(operation).compactText)
            #expect(second.body == first.body, "\(second.text)")
            #expect(second["Idempotency-Replayed"] == "true")
        }
    }
}
