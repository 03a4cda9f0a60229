import DuetAPIDescription
import DuetJSON
import Testing

@Suite("Differences of roles")
struct RoleDifferenceTests {
    private static let old = """
        roles:
          visitor:
            resources:
              products: {read: {except: [purchasePrice]}}
          customer:
            includes: [visitor]
            resources:
              customers: {read: {where: {id: {eq: {claim: customer}}, region: {ne: {claim: region}}}, fields: [id, name, email]}}
              orders: {read: {where: {or: [{customerId: {eq: {claim: customer}}}, {region: {in: {claim: regions}}}]}}}
              lines: {read: {}}

        """

    private static func differences(_ changes: [(String, String)], back: Bool = false) throws -> [String] {
        var text = RoleShop.resources + old
        let before = text
        for (old, new) in changes {
            let changed = text.replacing(old, with: new)
            #expect(changed != text, "\(old)")
            text = changed
        }
        let descriptions = try [before, text].map { try APIDescription(reading: $0, file: "api.yaml") }
        return
            (back
            ? descriptions[0].differences(from: descriptions[1]) : descriptions[1].differences(from: descriptions[0]))
            .map(\.description)
    }

    @Test("Roles that give the same have no differences")
    func none() throws {
        #expect(try Self.differences([]) == [])
        #expect(
            try Self.differences([
                ("products: {read: {except: [purchasePrice]}}", "products: {read: {fields: [price, name, id]}}"),
                ("lines: {read: {}}", "\"*\": {read: {}}\n      products: {read: {fields: [price, id, name]}}"),
            ]) == [])
    }

    @Test(
        "A change of roles is reported as more or less access, and less access is breaking",
        arguments: [
            (
                "lines: {read: {}}", "lines: {read: none}",
                ["lines: breaking: less access: the role customer no longer sees the resource"],
                ["lines: more access: the role customer sees the resource"]
            ),
            (
                "fields: [id, name, email]", "fields: [id, name]",
                ["customers: breaking: less access: the role customer no longer sees the field email"],
                ["customers: more access: the role customer also sees the field email"]
            ),
            (
                "fields: [id, name, email]", "fields: [id, photo, region]",
                [
                    "customers: breaking: less access: the role customer no longer sees the fields name, email",
                    "customers: more access: the role customer also sees the fields region, photo",
                ],
                [
                    "customers: breaking: less access: the role customer no longer sees the fields region, photo",
                    "customers: more access: the role customer also sees the fields name, email",
                ]
            ),
            (
                "products: {read: {except: [purchasePrice]}}", "products: {read: {}}",
                [
                    "products: more access: the role visitor also sees the field purchasePrice",
                    "products: more access: the role customer also sees the field purchasePrice",
                ],
                [
                    "products: breaking: less access: the role visitor no longer sees the field purchasePrice",
                    "products: breaking: less access: the role customer no longer sees the field purchasePrice",
                ]
            ),
            (
                "    includes: [visitor]\n", "",
                ["products: breaking: less access: the role customer no longer sees the resource"],
                ["products: more access: the role customer sees the resource"]
            ),
            (
                "where: {id: {eq: {claim: customer}}, region: {ne: {claim: region}}}, ", "",
                ["customers: more access: the role customer sees all rows"],
                ["customers: breaking: less access: the role customer sees only the rows that satisfy a condition"]
            ),
            (
                ", region: {ne: {claim: region}}", "",
                ["customers: more access: the role customer sees more rows, because its condition requires less"],
                [
                    "customers: breaking: less access: the role customer sees fewer rows, because its condition requires more"
                ]
            ),
            (
                ", {region: {in: {claim: regions}}}", "",
                [
                    "orders: breaking: less access: the role customer sees fewer rows, because its condition requires more"
                ],
                ["orders: more access: the role customer sees more rows, because its condition requires less"]
            ),
            (
                "{claim: regions}", "{claim: app.regions}",
                [
                    "orders: breaking: changed access: the role customer sees other rows, because its condition is different"
                ],
                [
                    "orders: breaking: changed access: the role customer sees other rows, because its condition is different"
                ]
            ),
            (
                "lines: {read: {}}", "lines: {read: {order: [cost]}}",
                ["lines: the default order of lists is different for the role customer"],
                ["lines: the default order of lists is different for the role customer"]
            ),
            (
                "regions}}}]}}}", "regions}}}]}, relations: {lines: {order: [cost]}}}}",
                ["orders: the relation lines has a different order for the role customer"],
                ["orders: the relation lines has a different order for the role customer"]
            ),
            (
                "  customer:\n    includes", "  buyer:\n    includes",
                ["breaking: less access: the role customer was removed", "more access: the role buyer was added"],
                ["breaking: less access: the role buyer was removed", "more access: the role customer was added"]
            ),
        ] as [(String, String, [String], [String])])
    func change(old: String, new: String, forward: [String], back: [String]) throws {
        #expect(try Self.differences([(old, new)]) == forward)
        #expect(try Self.differences([(old, new)], back: true) == back)
    }

    @Test("A role that sees all fields but some also sees a new field, and a removed field is reported once")
    func fields() throws {
        let change = (
            "price: {type: decimal, scale: 2}\n", "price: {type: decimal, scale: 2}\n      stock: {type: int}\n"
        )
        #expect(
            try Self.differences([change]) == [
                "products: the field stock was added",
                "products: more access: the role visitor also sees the field stock",
                "products: more access: the role customer also sees the field stock",
            ])
        #expect(try Self.differences([change], back: true) == ["products: breaking: the field stock was removed"])
    }

    @Test("A renamed field in a condition is the same condition, and a field with another column is a different one")
    func columns() throws {
        #expect(
            try Self.differences([
                ("customerId: {column: customer_id,", "buyerId: {column: customer_id,"),
                ("{customerId: {eq", "{buyerId: {eq"),
            ]) == ["orders: breaking: the field customerId was renamed to buyerId"])
        #expect(
            try Self.differences([("customerId: {column: customer_id,", "customerId: {column: agent_id,")]) == [
                "orders: breaking: changed access: the role customer sees other rows, because its condition is different",
                "orders: the field customerId shows the column agent_id, not customer_id",
            ])
    }

    @Test("The first roles of a description give less, and without roles every caller sees more")
    func firstRoles() throws {
        let without = try RoleShop.description("")
        let with = try RoleShop.description(Self.old)
        #expect(
            with.differences(from: without).map(\.description) == [
                "breaking: less access: there are roles, so callers see only what a role gives to them"
            ])
        #expect(
            without.differences(from: with).map(\.description) == [
                "more access: there are no roles, so every caller sees all resources"
            ])
    }

    @Test("The JSON of a difference has the role and the effect")
    func json() throws {
        let old = try RoleShop.description(Self.old)
        let new = try RoleShop.description(Self.old.replacing(", email]", with: "]"))
        #expect(
            new.differences(from: old).map(\.json.compactText) == [
                #"{"breaking":true,"kind":"removed","resource":"customers","member":"email","role":"customer","access":"less","message":"the role customer no longer sees the field email"}"#
            ])
    }
}
