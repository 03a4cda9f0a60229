import DuetJSON
import NIOHTTP1
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing

@Suite("GraphQL mutations with tx=rollback") struct GraphQLRollbackTests {
    private static let fields = ["Prefer": "tx=rollback"]

    private func execute(_ shop: WritableShop, _ document: String) async throws -> HTTPAnswer {
        let body = JSONValue.object(["query": .string(document)]).compactText
        return try await shop.server.send("POST", "/graphql", Self.fields, body: body)
    }

    @Test("The response is that of the mutation, and nothing is written", arguments: TestBackend.available)
    func rollback(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let before = try await shop.send("GET", "/orders").json
            let document = """
                mutation {
                  updateOrder(id: 10, patch: {total: "7"}) { order { total } errors { message } }
                  deleteOrder(id: 11) { deletedId errors { message } }
                  createOrder(input: {id: 12, customerId: 99, total: "1"}) { order { id } errors { field } }
                }
                """
            let answer = try await execute(shop, document)
            #expect(answer.headers.first(name: "Preference-Applied") == "tx=rollback")
            #expect(answer.headers.first(name: "Surrogate-Key") == nil)
            let data = try #require(try answer.json["data"])
            #expect(data["updateOrder"] == ["order": ["total": "7.00"], "errors": []])
            #expect(data["deleteOrder"] == ["deletedId": "11", "errors": []])
            #expect(data["createOrder"] == ["order": nil, "errors": [["field": ["input", "customerId"]]]])
            let after = try await shop.send("GET", "/orders").json
            #expect(after == before)
        }
    }

    @Test("With @transaction, later fields see the rows of earlier ones, and nothing is written")
    func transaction() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let document = """
                mutation @transaction {
                  a: createCustomer(input: {id: 3, name: "Cleo"}) { errors { message } }
                  b: createOrder(input: {id: 12, customer: {ref: "a"}, total: "1"}) {
                    order { customer { name } } errors { message }
                  }
                }
                """
            let answer = try await execute(shop, document)
            #expect(answer.headers.first(name: "Preference-Applied") == "tx=rollback")
            #expect(try answer.json["data"]?["b"]?["order"] == ["customer": ["name": "Cleo"]])
            let missing = try await shop.send("GET", "/customers/3")
            #expect(missing.status == 404)
        }
    }

    @Test("A query ignores the preference")
    func query() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let answer = try await execute(shop, "{ order(id: 10) { total } }")
            #expect(answer.headers.first(name: "Preference-Applied") == nil)
            #expect(try answer.json["data"]?["order"] == ["total": "5.50"])
        }
    }
}
