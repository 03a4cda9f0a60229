import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("References to read-only rows") struct ReadOnlyReferenceTests {
    @Test("The related row is no member of an input if the caller cannot change it, in both styles")
    func members() async throws {
        let role = Role(
            "clerk", reads: ["customers": .init(), "orders": .init()],
            writes: ["orders": .init(create: .init(), update: .init())])
        try await NestedShop.with(.sqlite, roles: [role]) { shop in
            let caller: JSONObject = ["role": "clerk"]
            let rest = try await shop.send("PATCH", "/orders/10", ["customer": .null], caller: caller)
            #expect(rest.status == 422, "\(rest.body)")
            let graphQL = try await shop.execute(
                "mutation { updateOrder(id: 10, patch: {customer: null}) { errors { message } } }", caller: caller)
            #expect(graphQL.compactText.contains("GRAPHQL_VALIDATION_FAILED"), "\(graphQL.compactText)")
            let contract = try await shop.send("GET", "/openapi.json", caller: caller).json
            let update = contract["components"]?["schemas"]?["OrderChanges"]?["properties"]
            #expect(update?["customerId"] != nil && update?["customer"] == nil)
            let cleared = try await shop.send(
                "PATCH", "/orders/10?fields=customerId", ["customerId": .null], caller: caller)
            #expect(cleared.body == #"{"customerId":null}"#)
        }
    }
}
