import DuetAPIDescription
import DuetResourceService
import Testing

@Suite("Permissions of roles to make changes")
struct WritePermissionTests {
    // MARK: Reading

    @Test("An entry has the fields, values and conditions of its permissions")
    func entries() throws {
        let api = try WriteShop.description(
            """
            roles:
              clerk:
                resources:
                  customers:
                    read: {}
                    create:
                      except: [state]
                      set: {createdBy: {claim: sub}, state: open}
                      check: {name: {ne: nobody}}
                    update:
                      where: {state: {eq: open}}
                      fields: [name, state]
                      set: {createdBy: {claim: [app, user.id]}}
                      check: {createdBy: {eq: {claim: sub}}}
                    delete: {where: {state: {eq: closed}}}
                  orders: {create: {}, update: none}
            """)
        let entries = try #require(api.roles.first?.entries)
        #expect(
            entries[0].writes
                == Role.Writes(
                    create: .init(
                        fields: .except(["state"]), set: ["createdBy": .parameter("sub"), "state": "open"],
                        check: .compare("name", .notEqual, ["nobody"])),
                    update: .init(
                        where: .compare("state", .equal, ["open"]), fields: .only(["name", "state"]),
                        set: ["createdBy": .parameter(ClaimPath(["app", "user.id"]).parameter)],
                        check: .compare("createdBy", .equal, [.parameter("sub")])),
                    delete: .init(where: .compare("state", .equal, ["closed"]))))
        #expect(entries[1].read == nil && entries[1].writes == Role.Writes(create: .init()))
        #expect(entries[1].removed == [.update])
    }

    @Test(
        "Permissions that are written as YAML and read again are equal",
        arguments: [
            "{orders: {create: {}}}", "{orders: {create: none, update: none, delete: none, read: none}}",
            "{orders: {read: {}, create: {fields: [], set: {note: null, total: 12}}}}",
            "{customers: {read: {}, update: {where: {state: {eq: open}}, except: [state]}, delete: {}}}",
            "{customers: {read: {}, create: {set: {state: closed, createdBy: {claim: [app, user.id]}}, check: {or: [{id: {gt: 7}}]}}}}",
            "{'*': {read: {}, create: {fields: [name, total]}, update: {set: {note: x}}, delete: none}, customers: {update: {}}}",
            "{'*': {read: {}, update: {where: {id: {in: [1, 2]}}}, delete: {where: {id: {eq: {claim: a.b}}}}}}",
        ])
    func roundTrip(entries: String) throws {
        let api = try WriteShop.description(
            "roles: {b: {resources: {products: {read: {}}}}, a: {resources: \(entries)}}")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(again.roles == api.roles, "\(api.yaml)")
        #expect(again.yaml == api.yaml)
        let resolved = try [api, again].map { try $0.resolvedRoles().map(\.role) }
        #expect(resolved[0] == resolved[1])
    }

    @Test(
        "An error in a permission has its line and column",
        arguments: [
            (
                "{orders: {create: all}}",
                "3:34: roles.a.orders.create must be a mapping, or none, not \"all\"; for all that the resource permits, write {}"
            ),
            (
                "{customers: {delete: []}}",
                "3:37: roles.a.customers.delete must be a mapping, or none, not a list; for all visible rows, write {}"
            ),
            ("{orders: {}}", "3:25: roles.a.orders needs at least one of the members read, create, update, delete"),
            (
                "{orders: {create: {where: {id: {eq: 1}}}}}",
                "3:35: roles.a.orders.create has no member where; did you mean check?"
            ),
            (
                "{orders: {update: {fields: [note], except: [total]}}}",
                "3:51: roles.a.orders.update cannot have both except and fields; remove one of them"
            ),
            (
                "{orders: {read: {}, delete: {}}}",
                "3:36: roles.a: orders does not permit delete; add writes: all to the resource"
            ),
            (
                "{products: {create: {}}}",
                "3:28: roles.a: products does not permit create; add writes: [create] to the resource"
            ),
            ("{orders: {create: {fields: [notes]}}}", "3:44: roles.a: orders has no field notes; did you mean note?"),
            (
                "{orders: {read: {}, update: {fields: [id]}}}",
                "3:53: roles.a: update cannot set orders.id, because it is part of the key"
            ),
            (
                "{orders: {read: {}, create: {fields: [customerName]}}}",
                "3:53: roles.a: create cannot set orders.customerName, because it is a column of another resource"
            ),
            (
                "{customers: {read: {}, create: {fields: [createdBy]}}}",
                "3:56: roles.a: create cannot set customers.createdBy, because it is not writable"
            ),
            (
                "{orders: {read: {except: [note]}, update: {fields: [note]}}}",
                "3:67: roles.a: the role does not see orders.note, so a request cannot set it; give the role that field, or set it with the member set"
            ),
            (
                "{orders: {update: {fields: []}}}",
                "3:35: roles.a.orders: fields must name at least one field; to permit no change, write update: none"
            ),
            (
                "{customers: {create: {set: {createdBy: 5}}}}",
                "3:55: roles.a.customers.create: set.createdBy must be a text without the character U+0000"
            ),
            (
                "{customers: {create: {set: {name: a name of twelve}}}}",
                "3:50: roles.a.customers.create: set.name must have at most 10 characters"
            ),
            (
                "{customers: {update: {set: {state: paid}}}}",
                "3:51: roles.a.customers.update: set.state must be one of open, closed"
            ),
            (
                "{orders: {create: {set: {total: null}}}}",
                "3:48: roles.a.orders.create: set.total must not be null"
            ),
            (
                "{customers: {create: {set: {createdBy: {clam: sub}}}}}",
                "3:55: roles.a.customers.create: set.createdBy must be a value or a claim such as {claim: customer}, {claim: app.tenant} or {claim: [app, tenant]}"
            ),
            (
                "{orders: {create: {set: {totl: 1}}}}",
                "3:41: roles.a.orders.create: orders has no field totl; did you mean total?"
            ),
            (
                "{orders: {read: {}, create: {set: {customerName: x}}}}",
                "3:50: roles.a: orders.customerName is a column of another resource, so it cannot be set"
            ),
            (
                "{orders: {create: {fields: [note], set: {note: x}}}}",
                "3:57: roles.a.orders.create: note is in fields and in set; remove it from one of them"
            ),
            ("{orders: {create: {set: {}}}}", "3:35: roles.a.orders.create.set is empty; add a value, or remove it"),
            (
                "{orders: {create: {check: {}}}}",
                "3:42: roles.a.orders.create: check must be a filter such as {customerId: {eq: {claim: customer}}}; for no condition, omit it"
            ),
            (
                "{customers: {delete: {where: {id: {eq: A}}}}}",
                "3:45: roles.a.customers.delete: where.id.eq must be a whole number from -2147483648 to 2147483647"
            ),
            (
                "{'*': {read: {}, create: {set: {nothing: 1}}}}",
                "3:48: roles.a.*.create: no resource has a field nothing"
            ),
        ])
    func mistakes(entries: String, message: String) {
        let errors = WriteShop.errors("roles:\n  a:\n    resources: \(entries)")
        #expect(errors.first == message, "\(errors)")
    }

    // MARK: Resolution

    /// Returns the permissions of a role, with their origins.
    private func resolved(_ name: String, _ roles: String) throws -> [String] {
        let resolved = try #require(try WriteShop.description(roles).resolvedRole(name))
        return resolved.role.reads.keys.sorted().flatMap { resource in
            RoleAction.allCases.compactMap { action -> String? in
                guard let origin = resolved.origin(of: action, on: resource) else { return nil }
                let line = (origin.line ?? 0) - WriteShop.lines
                return "\(action.rawValue) \(resource) (\(origin.role).\(origin.entry) \(line))"
            }
        }
    }

    @Test("Each action of an entry replaces the included permission for this action only")
    func replacement() throws {
        let roles = """
            roles:
              base:
                resources:
                  orders:
                    read: {}
                    create: {}
                    update: {}
                  customers: {read: {}, update: {}, delete: {}}
              clerk:
                includes: [base]
                resources:
                  orders:
                    update: {fields: [note]}
                    create: none
                  customers:
                    delete: none
              auditor:
                includes: [clerk]
                resources: {customers: {read: none}}
            """
        #expect(
            try resolved("clerk", roles) == [
                "read customers (base.customers 8)", "update customers (base.customers 8)",
                "read orders (base.orders 4)", "update orders (clerk.orders 13)",
            ])
        let role = try #require(try WriteShop.description(roles).resolvedRole("clerk")).role
        #expect(role.writes["orders"] == .init(update: .init(fields: .only(["note"]))))
        // A role cannot change what it does not see.
        #expect(
            try resolved("auditor", roles) == ["read orders (base.orders 4)", "update orders (clerk.orders 13)"])
    }

    @Test("The entry * applies to the visible resources that permit the change, if no entry for them has the action")
    func all() throws {
        let roles = """
            roles:
              base: {resources: {orders: {update: {fields: [note, total]}}}}
              clerk:
                includes: [base]
                resources:
                  "*": {read: {}, create: {except: [note]}, update: {fields: [name, note]}, delete: {where: {id: {gt: 7}}}}
                  customers: {read: {where: {id: {ne: 3}}}, create: none}
            """
        #expect(
            try resolved("clerk", roles) == [
                "read customers (clerk.customers 7)", "update customers (clerk.* 6)", "delete customers (clerk.* 6)",
                "read orders (clerk.* 6)", "create orders (clerk.* 6)", "update orders (base.orders 2)",
                "read products (clerk.* 6)",
            ])
        let role = try #require(try WriteShop.description(roles).resolvedRole("clerk")).role
        #expect(role.writes["customers"]?.update?.fields == .only(["name"]))
        #expect(role.writes["customers"]?.delete?.condition == .compare("id", .greater, [.integer(7)]))
        #expect(role.writes["orders"]?.create?.fields == .except(["note"]))
    }

    @Test("Equal included permissions are one, and different ones are an error with both places for each action")
    func conflicts() throws {
        let roles = """
            roles:
              a: {resources: {orders: {read: {}, create: {fields: [note, total]}, update: {set: {note: x}}}}}
              b: {resources: {orders: {read: {}, create: {fields: [total, note]}, update: {set: {note: y}}}}}
              c:
                includes: [a, b]
            """
        #expect(
            WriteShop.errors(roles) == [
                "5:19: roles.c includes different permissions to update orders, from a (api.yaml:\(WriteShop.lines + 2)) and from b (api.yaml:\(WriteShop.lines + 3)); add update to an own entry for orders of the role"
            ])
        #expect(
            try resolved("c", roles + "\n    resources: {orders: {update: none}}") == [
                "read orders (a.orders 2)", "create orders (a.orders 2)",
            ])
    }

    @Test("Conditions and values of * are errors for a resource that lacks the field and has no own entry")
    func misfits() throws {
        let roles = """
            roles:
              a:
                resources:
                  "*":
                    read: {}
                    create: {set: {createdBy: {claim: sub}}}
                    update:
                      where: {state: {eq: open}}
            """
        #expect(
            WriteShop.errors(roles).map { $0.prefix(while: { $0 != "(" }) } == [
                "6:23: roles.a: set of create in \"*\" cannot apply to orders; add entries for these resources ",
                "8:18: roles.a: where of update in \"*\" cannot apply to orders; add entries for these resources ",
            ], "\(WriteShop.errors(roles))")
        #expect(WriteShop.errors(roles + "\n      orders: {create: {}, update: none}") == [])
        // The role does not see the resource.
        #expect(WriteShop.errors(roles + "\n      orders: {read: none}") == [])
    }

    @Test("The catalogue of a role has the rules of its permissions")
    func catalogue() throws {
        let api = try WriteShop.description(
            """
            roles:
              clerk:
                resources:
                  customers: {read: {except: [state]}, create: {set: {createdBy: {claim: sub}}}, update: {}}
                  orders: {read: {}, update: {fields: [note], check: {total: {lt: "100"}}}}
            """)
        let role = try #require(try api.resolvedRole("clerk")).role
        #expect(role.claims == [ClaimPath(["sub"])])
        let catalogue = try api.catalogue.restricted(to: role)
        let customers = try #require(catalogue["customers"]).writes
        #expect(
            customers.create?.fields == ["id", "name"] && customers.create?.set == ["createdBy": .parameter("sub")])
        #expect(customers.update?.fields == ["name"] && customers.delete == nil)
        #expect(catalogue["orders"]?.writes.update?.fields == ["note"])
        #expect(catalogue["orders"]?.writes.create == nil)
    }
}
