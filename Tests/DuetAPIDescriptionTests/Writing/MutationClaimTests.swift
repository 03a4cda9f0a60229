import DuetAPIDescription
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import ProcessTesting
import TestSupport
import Testing

@Suite("Claims of mutations") struct MutationClaimTests {
    /// A role whose orders need no claim, but whose customers, details and categories do.
    private static let role = Role(
        "clerk",
        reads: [
            "customers": .init(where: .compare("id", .equal, [.parameter("customer")])), "products": .init(),
            "orders": .init(), "orderDetails": .init(), "categories": .init(),
        ],
        writes: [
            "customers": .init(update: .init()),
            "orders": .init(create: .init(), update: .init(), delete: .init()),
            "orderDetails": .init(
                create: .init(check: .compare("quantity", .less, [.parameter("limit")])), update: .init()),
            "categories": .init(create: .init(set: ["name": .parameter("category")])),
        ])

    @Test(
        "A claim that any part of a mutation needs is checked before the first change", arguments: TestBackend.available
    )
    func missing(_ backend: TestBackend) async throws {
        let fields = [
            // The rules of the changed rows, of nested rows, and of the rows to which they refer.
            #"createCategory(input: {}) { errors { message } }"#,
            #"createOrder(input: {orderDetails: [{productId: 11, quantity: 1}]}) { errors { message } }"#,
            #"updateOrder(id: 10, patch: {orderDetails: {create: [{productId: 13, quantity: 1}]}}) { errors { message } }"#,
            #"createOrders(inputs: [{customerId: 1}]) { errors { message } }"#,
            #"updateOrder(id: 10, patch: {customerId: 2}) { errors { message } }"#,
            #"updateOrder(id: 10, patch: {customer: {name: "x"}}) { errors { message } }"#,
            // The payload.
            #"updateOrder(id: 10, patch: {note: "n"}) { order { customer { name } } }"#,
            #"updateOrder(id: 10, patch: {note: "n"}) { order { orderDetails { nodes { order { customer { id } } } } } }"#,
            // The filter.
            #"deleteOrders(filter: {customer: {name: {eq: "x"}}}) { count }"#,
        ]
        try await NestedShop.with(backend, roles: [Self.role]) { shop in
            for field in fields {
                let first = #"a: updateOrder(id: 20, patch: {note: "changed"}) { errors { message } }"#
                let answer = try await shop.send(
                    "POST", "/graphql", ["query": .string("mutation { \(first) b: \(field) }")],
                    caller: ["role": "clerk"])
                let code = try answer.json["errors"]?.first?["extensions"]?["code"]
                #expect(code == "CLAIM_MISSING", "\(field): \(answer.body)")
                #expect(try answer.json["data"] == nil)
                let message = try answer.json["errors"]?.first?["message"]?.compactText ?? ""
                #expect(message.contains("the rules of your role use the claim"))
            }
            let stored = try await shop.send("GET", "/orders/20?fields=note", caller: ["role": "clerk"])
            #expect(stored.body == #"{"note":"gift"}"#)
            // Other fields do not need the claims.
            let valid = try await shop.execute(
                #"mutation { a: updateOrder(id: 20, patch: {note: "a"}) { order { note } } b: deleteOrder(id: 99) { deletedId } }"#,
                caller: ["role": "clerk"])
            #expect(valid["data"]?.compactText == #"{"a":{"order":{"note":"a"}},"b":{"deletedId":null}}"#)
        }
    }

    @Test("The claims of all fields are checked once, so the inputs of each field are read twice")
    func reads() async throws {
        try await NestedShop.with(.sqlite) { shop in
            let api = try APIDescription(reading: NestedShop.description, file: "shop.yaml")
            var service = try ResourceService(
                api.catalogue, database: shop.database, encoding: ValueEncoding(dates: .iso)
            ).restricted(to: Self.role)
            let fields = (0..<20).map {
                "f\($0): createOrders(inputs: [{customerId: 1}, {note: \"n\"}]) { errors { message } }"
            }
            let document = "mutation { \(fields.joined(separator: " ")) }"
            for (claims, reads) in [(["customer": 1], 40), ([:], 1)] as [([String: JSONValue], Int)] {
                service.parameters = claims
                let style = try GraphQLStyle(service)
                let execution = try await style.execute(
                    try style.schema.prepare(document), variables: [:], namesEntities: false, deadline: .never)
                #expect(execution.response.errors.isEmpty == !claims.isEmpty, "\(execution.response.errors)")
                // A missing claim is found in the first field, and the other fields are not read.
                #expect(execution.inputReads == reads)
            }
        }
    }
}

extension JSONValue {
    /// The first element of an array.
    fileprivate var first: JSONValue? { if case .array(let elements) = self { elements.first } else { nil } }
}
