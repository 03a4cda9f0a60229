import DuetAPIDescription
import Testing

@Suite("Validation of roles")
struct RoleValidationTests {
    /// Returns the findings with line numbers that start at the roles.
    private func findings(_ roles: String) throws -> [String] {
        try RoleShop.description(roles).validateRoles().map {
            "\(($0.line ?? 0) - RoleShop.lines): \($0.severity.rawValue): \($0.kind.rawValue): \($0.message)"
        }
    }

    @Test("Roles of which each part has an effect have no findings")
    func fits() throws {
        #expect(try findings("") == [])
        #expect(
            try findings(
                """
                roles:
                  visitor:
                    resources:
                      products: {read: {except: [purchasePrice]}}
                  customer:
                    includes: [visitor]
                    resources:
                      customers: {read: {where: {id: {eq: {claim: customer}}}}}
                      orders: {read: {where: {or: [{customerId: {eq: {claim: customer}}}, {region: {in: {claim: app.regions}}}]}}}
                      products: {read: none}
                  clerk:
                    resources: {"*": {read: {}}, lines: {read: none}}
                """) == [])
    }

    @Test("A role that sees no resource, and an entry without effect, are warnings")
    func unused() throws {
        let found = try findings(
            """
            roles:
              nobody: {}
              none:
                includes: [nobody]
                resources: {orders: {read: none}}
              all:
                resources:
                  "*": {read: {}}
                  products: {read: {}}
                  customers: {read: {}}
                  orders: {read: {}}
                  lines: {read: {}}
            """)
        #expect(
            found == [
                "2: warning: unused-role: roles.nobody sees no resource; give it one, or remove it",
                "3: warning: unused-role: roles.none sees no resource; give it one, or remove it",
                "5: warning: unused-rule: roles.none.orders: read: none has no effect, because the role does not include a permission; remove the entry",
                "8: warning: unused-rule: roles.all: the entry \"*\" has no effect, because each resource has an entry; remove it",
            ], "\(found)")
    }

    @Test(
        "A condition that no row or no token can satisfy is a warning, once for all roles that include it",
        arguments: [
            (
                "{id: {in: []}}", "{}",
                "5: warning: impossible-rule: roles.a: the condition on orders matches no row; to hide the resource, write read: none"
            ),
            ("{or: [{id: {in: []}}, {id: {eq: 1}}]}", "{}", nil),
            (
                "{customer: {photo: {eq: {claim: photo}}}}", "{}",
                "5: warning: impossible-rule: roles.a: the claim photo is compared with customers.photo, which is binary; a token has no binary values"
            ),
            (
                "{customerId: {eq: {claim: user}}}", "{where: {region: {eq: {claim: user}}}}",
                "5: warning: impossible-rule: roles.a: the claim user is compared with orders.customerId (an int) and with customers.region (a text), but no value has both types"
            ),
            (
                "{region: {in: {claim: user}}}", "{where: {region: {eq: {claim: user}}}}",
                "5: warning: impossible-rule: roles.a: the claim user is compared with orders.region (a list, each value a text) and with customers.region (a text), but no value has both types"
            ),
            ("{reference: {eq: {claim: user}}}", "{where: {region: {eq: {claim: user}}}}", nil),
            (
                "{reference: {eq: {claim: user}}, placed: {lt: {claim: user}}}", "{}",
                "5: warning: impossible-rule: roles.a: the claim user is compared with orders.placed (a date) and with orders.reference (a uuid), but no value has both types"
            ),
            (
                "{customerId: {eq: {claim: user.id}}}", "{where: {region: {eq: {claim: user}}}}",
                "5: warning: impossible-rule: roles.a: orders.customerId is compared with the claim user.id, but customers.region with user, so user would need to be a value and an object"
            ),
        ] as [(String, String, String?)])
    func impossible(orders: String, customers: String, expected: String?) throws {
        let roles = """
            roles:
              a:
                resources:
                  customers: {read: \(customers)}
                  orders: {read: {where: \(orders)}}
              b: {includes: [a]}
            """
        #expect(try findings(roles) == (expected.map { [$0] } ?? []))
    }
}
