import DuetJSON
import ProcessTesting
import TestSupport
import Testing

@Suite("The contract of writes") struct WriteContractTests {
    @Test("The contract has the response without a body of each write that can have it")
    func minimal() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let contract = try await shop.send("GET", "/openapi.json").json
            let body: JSONValue = ["name": "Eve"]
            let requests: [(method: String, path: String, template: String, body: JSONValue?)] = [
                ("PUT", "/customers/7", "/customers/{id}", body), ("PATCH", "/customers/7", "/customers/{id}", body),
                ("PATCH", "/customers?id=7", "/customers", body), ("DELETE", "/customers?id=7", "/customers", nil),
                ("POST", "/customers", "/customers", ["id": 8, "name": "Eve"]),
                (
                    "POST", "/batch", "/batch",
                    ["requests": [["method": "PATCH", "path": "/customers/1", "body": body]]]
                ),
            ]
            for request in requests {
                let operation = contract["paths"]?[request.template]?[request.method.lowercased()]
                let answer = try await shop.server.send(
                    request.method, request.path, ["Prefer": "return=minimal"], body: request.body?.compactText)
                #expect(answer.body.isEmpty, "\(request.method) \(request.path): \(answer.body)")
                #expect(
                    operation?["responses"]?["\(answer.status)"] != nil,
                    "\(request.method) \(request.path): \(answer.status)")
            }
        }
    }

    @Test("All successful responses to writes have the header fields of preferences and idempotency keys")
    func headers() async throws {
        try await PlaylistShop.with(.sqlite) { shop in
            let contract = try await shop.send("GET", "/openapi.json").json
            let writes = [
                ("/playlists", "post", "201"), ("/playlists/{id}", "delete", "204"),
                ("/playlists/{id}/tracks/{trackId}", "put", "201"),
                ("/playlists/{id}/tracks/{trackId}", "put", "204"),
                ("/playlists/{id}/tracks/{trackId}", "delete", "204"),
            ]
            for (path, method, status) in writes {
                guard
                    case .string(let reference)? = contract["paths"]?[path]?[method]?["responses"]?[status]?["$ref"],
                    let name = reference.split(separator: "/").last
                else {
                    Issue.record("\(method) \(path) has no response \(status)")
                    continue
                }
                let headers = contract["components"]?["responses"]?[String(name)]?["headers"]
                #expect(headers?["Idempotency-Replayed"] != nil, "\(method) \(path) \(status)")
                #expect(headers?["Preference-Applied"] != nil, "\(method) \(path) \(status)")
            }
        }
    }
}
