import DuetAPIDescription
import DuetJSON
import Testing

@Suite("The overview of the roles") struct AccessOverviewTests {
    @Test("A table has the fields, the rows and the line of the rule for each role and resource")
    func table() throws {
        let (products, customers, orders, any) = (
            AccessShop.line("products: {read"), AccessShop.line("customers: {read"), AccessShop.line("orders: {read"),
            AccessShop.line("\"*\"")
        )
        #expect(
            try AccessOverview(of: AccessShop.description()).markdown == """
                | role | resource | action | fields | rows | rule |
                |---|---|---|---|---|---|
                | visitor | products | read | all except purchasePrice | all rows | api.yaml:\(products) |
                | visitor | customers, orders, lines | read | none | no rows | not given |
                | customer | products | read | all except purchasePrice | all rows | api.yaml:\(products) (visitor) |
                | customer | customers | read | name, email | rows whose id equals the claim customer | api.yaml:\(customers) |
                | customer | orders | read | all | rows whose customerId equals the claim customer or whose region is in the claim regions | api.yaml:\(orders) |
                | customer | lines | read | none | no rows | not given |
                | clerk | products | read | all | all rows | api.yaml:\(any) (*) |
                | clerk | customers | read | all | all rows | api.yaml:\(any) (*) |
                | clerk | orders | read | all | all rows | api.yaml:\(any) (*) |
                | clerk | lines | read | all | all rows | api.yaml:\(any) (*) |

                """)
    }

    @Test("The table for a terminal is not wider than the terminal", arguments: [80, 100, 200])
    func width(_ width: Int) throws {
        let text = try AccessOverview(of: AccessShop.description(), role: "customer").text(width: width)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width && !$0.hasSuffix(" ") }, "\(text)")
        #expect(lines[0].hasPrefix("role      resource"))
        #expect(!text.contains("clerk"))
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("purchasePrice") && words.contains("not given"))
    }

    @Test("The JSON has the hidden fields and resources, the claims, and the origin of each rule")
    func json() throws {
        let report = try AccessOverview(of: AccessShop.description(), role: "customer").json
        guard case .array(let roles)? = report["roles"], let role = roles.first,
            case .array(let resources)? = role["resources"]
        else {
            Issue.record("\(report)")
            return
        }
        #expect(roles.count == 1 && role["role"] == "customer")
        #expect(role["claims"] == ["customer", "regions"] && role["hiddenResources"] == ["lines"])
        #expect(
            resources.first == [
                "resource": "products", "action": "read", "fields": ["id", "name", "price"],
                "hiddenFields": ["purchasePrice"], "rows": "all rows",
                "rule": [
                    "role": "visitor", "entry": "products", "file": "api.yaml",
                    "line": .integer(Int64(AccessShop.line("products: {read"))),
                ],
            ])
    }

    @Test("An unknown role is an error with a similar name or with all names")
    func unknown() throws {
        let description = try AccessShop.description()
        let similar = #expect(throws: UnknownRole.self) { try AccessOverview(of: description, role: "custmer") }
        #expect(similar?.description == "the description has no role custmer; did you mean customer?")
        let other = #expect(throws: UnknownRole.self) { try description.knownRole("x") }
        #expect(other?.description == "the description has no role x; its roles are visitor, customer, clerk")
    }
}
