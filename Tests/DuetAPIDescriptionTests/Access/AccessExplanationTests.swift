import DuetAPIDescription
import DuetJSON
import DuetResourceService
import Testing

@Suite("The explanation of a request") struct AccessExplanationTests {
    private static let claims: JSONObject = ["customer": 7, "regions": ["EU"]]

    private static func place(_ part: String) -> String { "api.yaml:\(AccessShop.line(part))" }

    // MARK: Allowed requests

    @Test("An allowed REST request names the rule, the fields and the rows of each resource")
    func rest() async throws {
        let explanation = try await AccessShop.rest(
            "/orders/7", [("details", "customer,products"), ("fields", "region")], as: "customer", Self.claims)
        // The relation products leads through the table of lines, which the role does not see.
        #expect(!explanation.isAllowed)
        let allowed = try await AccessShop.rest(
            "/orders/7", [("details", "customer"), ("fields", "region")], as: "customer", Self.claims)
        #expect(allowed.isAllowed)
        #expect(
            allowed.text == """
                REQUEST
                as customer with the claims {"customer":7,"regions":["EU"]}

                orders: read, by \(Self.place("orders: {read"))
                  fields: id, region
                  rows: rows whose customerId equals the claim customer (7) or whose region is in the claim regions (["EU"])
                customers: read, by \(Self.place("customers: {read"))
                  fields: name, email
                  rows: rows whose id equals the claim customer (7)

                allowed

                """)
    }

    @Test("Both styles read the same resources and fields")
    func styles() async throws {
        let rest = try await AccessShop.rest(
            "/orders",
            [("fields", "id"), ("details", "customer"), ("customer.fields", "name"), ("region.ne", "US")],
            as: "customer", Self.claims)
        let graphQL = try await AccessShop.graphQL(
            #"query ($region: String) { orders(filter: {region: {ne: $region}}) { nodes { id customer { name } } } }"#,
            ["region": "US"], as: "customer", Self.claims)
        #expect(rest.isAllowed)
        #expect(rest.text == graphQL.text)
    }

    @Test("A clerk is allowed everything without claims, and the rule is that for all resources")
    func clerk() async throws {
        let explanation = try await AccessShop.rest(
            "/orders/7/lines", [("details", "product")], as: "clerk")
        #expect(explanation.isAllowed)
        #expect(explanation.text.contains("products: read, by \(Self.place("\"*\"")) (*)\n"))
        let introspection = try await AccessShop.graphQL("{ __schema { queryType { name } } }", as: "clerk")
        #expect(introspection.isAllowed)
    }

    @Test("Default fields that the role does not see are not part of the request")
    func defaults() async throws {
        let explanation = try await AccessShop.rest("/products", as: "visitor")
        #expect(explanation.isAllowed)
        #expect(explanation.text.contains("  fields: name, price\n"), "\(explanation.text)")
        let refused = try await AccessShop.rest("/products", [("details", "lines")], as: "visitor")
        #expect(!refused.isAllowed && !refused.text.contains("purchasePrice"), "\(refused.text)")
    }

    // MARK: Refused requests

    @Test(
        "A request for a hidden field, relation, resource or path is refused, and the explanation says what is hidden",
        arguments: [
            (
                "/products", [("fields", "name,purchasePrice")], "visitor", "400 invalid-parameter",
                "field products.purchasePrice"
            ),
            (
                "/products", [("purchasePrice.gt", "3")], "visitor", "400 unknown-parameter",
                "field products.purchasePrice"
            ),
            ("/products", [("sort", "purchasePrice")], "visitor", "400", "field products.purchasePrice"),
            (
                "/products", [("filter", #"{"not":{"purchasePrice":{"lt":"1"}}}"#)], "visitor", "400 invalid-parameter",
                "field products.purchasePrice"
            ),
            ("/products/1", [("details", "lines")], "visitor", "400", "relation products.lines"),
            ("/products", [("details", "lines.product")], "visitor", "400", "has lines, but visitor"),
            ("/orders", [], "visitor", "404 unknown-path", "has orders, but visitor does not see it"),
            ("/orders/1/lines", [], "customer", "404 unknown-path", "relation orders.lines"),
            ("/customers/7", [], "customer", "404 unknown-path", "field customers.id"),
            ("/orders/7", [("details", "products")], "customer", "400", "has lines, but customer"),
        ] as [(String, [(String, String)], String, String, String)])
    func hidden(
        _ path: String, _ query: [(String, String)], _ role: String, _ refusal: String, _ reason: String
    ) async throws {
        let explanation = try await AccessShop.rest(
            path, query.map { (name: $0.0, value: $0.1) }, as: role, Self.claims)
        #expect(!explanation.isAllowed)
        #expect(explanation.text.contains("\nrefused: \(refusal)"), "\(explanation.text)")
        #expect(explanation.text.contains(reason), "\(explanation.text)")
        #expect(!explanation.text.contains("without roles"), "\(explanation.text)")
    }

    @Test("A GraphQL document with a hidden field or type is refused, and the explanation says what is hidden")
    func hiddenInGraphQL() async throws {
        let field = try await AccessShop.graphQL("{ products { nodes { name purchasePrice } } }", as: "visitor")
        #expect(!field.isAllowed)
        #expect(field.text.contains("refused: 400 GRAPHQL_VALIDATION_FAILED: "), "\(field.text)")
        #expect(
            field.text.contains(
                "the description has the field products.purchasePrice, but visitor does not see it (\(Self.place("products: {read")))"
            ), "\(field.text)")
        let resource = try await AccessShop.graphQL("{ orders { nodes { id } } }", as: "visitor")
        #expect(resource.text.contains("the description has orders, but visitor does not see it"), "\(resource.text)")
    }

    @Test("A request that is also refused without roles says so")
    func independent() async throws {
        for explanation in [
            try await AccessShop.rest("/nowhere", as: "visitor"),
            try await AccessShop.rest("/products", [("fields", "nothing")], as: "visitor"),
            try await AccessShop.rest("/products/x", as: "visitor"),
            try await AccessShop.graphQL("{ nothing }", as: "visitor"),
            try await AccessShop.graphQL("{ products(first: 0) { nodes { id } } }", as: "visitor"),
            try await AccessShop.graphQL("{", as: "visitor"),
        ] {
            #expect(!explanation.isAllowed)
            #expect(explanation.text.contains("\n  the request is refused without roles, too\n"), "\(explanation.text)")
        }
        let write = try await AccessShop.rest("/products/1", as: "clerk", method: "PATCH")
        #expect(!write.isAllowed && write.text.contains("refused: 405 method-not-allowed"))
    }

    @Test("A missing claim and a claim of a wrong type refuse the request in both styles, and name the rule")
    func claims() async throws {
        for (claims, code, refusal, value) in [
            (["customer": 7], "claim-missing", "regions", "regions (missing)"),
            (["customer": 7, "regions": .null], "claim-missing", "regions", "regions (null)"),
            (["customer": "7", "regions": ["EU"]], "claim-mismatch", "customer", #"customer ("7")"#),
            (["customer": 7, "regions": "EU"], "claim-mismatch", "regions", #"regions ("EU")"#),
        ] as [(JSONObject, String, String, String)] {
            let reason = "\n  the rows of orders depend on the claim \(refusal) (\(Self.place("orders: {read")))\n"
            for (explanation, code) in [
                (try await AccessShop.rest("/orders/7", as: "customer", claims), code),
                (
                    try await AccessShop.graphQL("{ order(id: 7) { region } }", as: "customer", claims),
                    code.uppercased().replacing("-", with: "_")
                ),
            ] {
                #expect(!explanation.isAllowed)
                #expect(explanation.text.contains("\nrefused: 403 \(code): "), "\(explanation.text)")
                #expect(explanation.text.contains(reason), "\(explanation.text)")
                #expect(explanation.text.contains("the claim \(value)"), "\(explanation.text)")
            }
        }
        // The rows of products depend on no claim.
        #expect(try await AccessShop.rest("/products", as: "customer").isAllowed)
    }

    @Test("The JSON has the resources with their rules, and the refusals with their reasons")
    func json() async throws {
        let report = try await AccessShop.rest("/orders", [("fields", "region")], as: "customer", ["customer": 7]).json
        #expect(report["allowed"] == false && report["role"] == "customer" && report["claims"] == ["customer": 7])
        guard case .array(let resources)? = report["resources"], case .array(let refusals)? = report["refusals"] else {
            Issue.record("\(report)")
            return
        }
        #expect(resources.count == 1 && refusals.count == 1)
        #expect(resources.first?["resource"] == "orders" && resources.first?["fields"] == ["region"])
        #expect(resources.first?["rule"]?["line"] == .integer(Int64(AccessShop.line("orders: {read"))))
        #expect(refusals.first?["claim"] == "regions" && refusals.first?["status"] == 403)
    }
}
