import DuetAPIDescription
import DuetResourceService
import Testing

@Suite("Resolved roles")
struct RoleResolutionTests {
    /// Returns what a role sees: each resource with its fields, and the origin of the permission.
    private func resolved(_ name: String, _ roles: String) throws -> [String] {
        let api = try RoleShop.description(roles)
        let resolved = try #require(try api.resolvedRole(name))
        #expect(Set(resolved.origins.keys) == Set(resolved.role.reads.keys))
        return resolved.role.reads.sorted { $0.key < $1.key }.map { name, read in
            let fields =
                switch read.fields {
                case .all: "all"
                case .only(let names): names.joined(separator: " ")
                case .except(let names): "except \(names.joined(separator: " "))"
                }
            let origin = resolved.origins[name]
            let line = (origin?.line ?? 0) - RoleShop.lines
            return "\(name): \(fields) (\(origin?.role ?? "").\(origin?.entry ?? ""), \(origin?.file ?? "") \(line))"
        }
    }

    @Test("A role has the entries of the roles that it includes, with the places of these entries")
    func includes() throws {
        let roles = """
            roles:
              customer:
                includes: [visitor, reader]
                resources:
                  orders: {read: {fields: [id, placed]}}
              visitor:
                includes: [base]
                resources:
                  products: {read: {except: [purchasePrice]}}
              reader: {resources: {customers: {read: {fields: [name]}}}}
              base: {resources: {lines: {read: {}}}}
            """
        #expect(
            try resolved("customer", roles) == [
                "customers: name (reader.customers, api.yaml 10)", "lines: all (base.lines, api.yaml 11)",
                "orders: id placed (customer.orders, api.yaml 5)",
                "products: except purchasePrice (visitor.products, api.yaml 9)",
            ])
        #expect(try resolved("base", roles) == ["lines: all (base.lines, api.yaml 11)"])
    }

    @Test("An own entry replaces an included entry, and read: none takes it away")
    func replacement() throws {
        let roles = """
            roles:
              a:
                resources: {products: {read: {}}, orders: {read: {}}, lines: {read: {}}}
              b:
                includes: [a]
                resources:
                  products: {read: {fields: [id, name]}}
                  orders: {read: none}
              c:
                includes: [b]
                resources: {orders: {read: {fields: [placed]}}}
            """
        #expect(
            try resolved("b", roles) == [
                "lines: all (a.lines, api.yaml 3)", "products: id name (b.products, api.yaml 7)",
            ])
        #expect(
            try resolved("c", roles) == [
                "lines: all (a.lines, api.yaml 3)", "orders: placed (c.orders, api.yaml 11)",
                "products: id name (b.products, api.yaml 7)",
            ])
    }

    @Test("The entry * is for all resources without an entry, and an included entry for a resource precedes it")
    func all() throws {
        let roles = """
            roles:
              a:
                resources:
                  "*": {read: {fields: [id, orderId, position]}}
                  orders: {read: none}
                  products: {read: {fields: [id, name]}}
              b:
                includes: [a]
                resources: {"*": {read: {except: [purchasePrice, email]}}}
            """
        #expect(
            try resolved("a", roles) == [
                "customers: id (a.*, api.yaml 4)", "lines: orderId position (a.*, api.yaml 4)",
                "products: id name (a.products, api.yaml 6)",
            ])
        #expect(
            try resolved("b", roles) == [
                "customers: except email (b.*, api.yaml 9)", "lines: except  (b.*, api.yaml 9)",
                "products: id name (a.products, api.yaml 6)",
            ])
    }

    @Test("A role without entries sees nothing")
    func nothing() throws {
        #expect(try resolved("a", "roles: {a: {}}") == [])
        #expect(try RoleShop.description("roles: {a: {}}").resolvedRole("b") == nil)
    }

    @Test("An entry that two included roles have in common arrives once, and equal entries are no conflict")
    func diamond() throws {
        let roles = """
            roles:
              base: {resources: {orders: {read: {fields: [id, placed]}}}}
              a: {includes: [base]}
              b: {includes: [base]}
              c: {resources: {orders: {read: {fields: [placed, id]}}}}
              all: {includes: [a, b, c, a]}
            """
        #expect(try resolved("all", roles) == ["orders: id placed (base.orders, api.yaml 2)"])
    }

    @Test("Two included roles with different entries for a resource are an error with both places")
    func conflict() throws {
        let roles = """
            roles:
              base: {resources: {orders: {read: {}}}}
              a:
                resources:
                  orders: {read: {fields: [id]}}
                  products: {read: {}}
              b:
                includes: [base]
                resources:
                  products: {read: none}
              all:
                includes: [a, b]
            """
        #expect(
            RoleShop.errors(roles) == [
                "12:19: roles.all includes different permissions to read orders, from a (api.yaml:\(RoleShop.lines + 5)) and from base (api.yaml:\(RoleShop.lines + 2)); add an own entry for orders to the role",
                "12:19: roles.all includes different permissions to read products, from a (api.yaml:\(RoleShop.lines + 6)) and from b (api.yaml:\(RoleShop.lines + 10)); add an own entry for products to the role",
            ])
        let own = roles + "\n    resources: {orders: {read: {fields: [region]}}, products: {read: none}}"
        #expect(try resolved("all", own) == ["orders: region (all.orders, api.yaml 13)"])
    }

    @Test("Two included roles with different entries for all resources are an error")
    func conflictOfAll() {
        let roles = """
            roles:
              a: {resources: {"*": {read: {}}}}
              b: {resources: {"*": {read: {except: [purchasePrice]}}}}
              c: {includes: [b, a]}
            """
        let errors = RoleShop.errors(roles)
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("4:21: roles.c includes different permissions to read *, from b (") == true)
    }

    @Test("Roles that are created in Swift are resolved, and their errors have no places")
    func created() throws {
        var api = try RoleShop.description("")
        api.roles = [
            RoleDefinition("a", entries: [RoleEntry("orders", read: .init(fields: .only(["id"])))]),
            RoleDefinition("b", includes: ["a"], entries: [RoleEntry(RoleEntry.anyResource, read: .init())]),
        ]
        let roles = try api.resolvedRoles()
        #expect(roles.map(\.role.name) == ["a", "b"])
        #expect(roles[1].role.reads["orders"] == .init(fields: .only(["id"])))
        #expect(roles[1].role.reads["lines"] == .init())
        #expect(roles[1].origins["lines"]?.line == nil)
        api.roles[0].includes = ["b"]
        api.roles[1].entries.append(RoleEntry("others", read: nil))
        let error = #expect(throws: DescriptionError.self) { _ = try api.resolvedRoles() }
        #expect(error?.findings.count == 2)
    }
}
