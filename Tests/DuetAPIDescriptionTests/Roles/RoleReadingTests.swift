import DuetAPIDescription
import DuetResourceService
import Testing

@Suite("Roles of an API description")
struct RoleReadingTests {
    @Test("A role has the fields, rows and orders of its entries")
    func entries() throws {
        let api = try RoleShop.description(
            """
            roles:
              visitor:
                resources:
                  products: {read: {except: purchasePrice}}
              shop/customer:
                includes: visitor
                resources:
                  customers:
                    read:
                      fields: [id, name]
                      where: {id: {eq: {claim: customer}}}
                      order: [name desc]
                      relations:
                        lastOrder: {order: {through: 1, column: day, descending: true}}
                        orders: {order: placed}
                  orders:
                    read:
                      where:
                        or:
                          - customerId: {eq: {claim: app.customer}}
                          - region: {in: {claim: [app, "all.regions"]}}
                            due: true
                  lines: {read: none}
            """)
        #expect(api.roles.map(\.name) == ["visitor", "shop/customer"])
        let role = try #require(api.roles.last)
        #expect(role.includes == ["visitor"])
        #expect(role.entries.map(\.resource) == ["customers", "orders", "lines"])
        #expect(
            role.entries[0].read
                == Role.Read(
                    fields: .only(["id", "name"]), where: .compare("id", .equal, [.parameter("customer")]),
                    order: [SortField("name", descending: true)],
                    relationOrders: [
                        "lastOrder": [.join(0, column: "day", descending: true)], "orders": [.field("placed")],
                    ]))
        let regions = ClaimPath(["app", "all.regions"]).parameter
        #expect(
            role.entries[1].read
                == Role.Read(
                    where: .any([
                        .compare("customerId", .equal, [.parameter("app.customer")]),
                        .all([
                            .compare("region", .in, [.parameter(regions)]), .compare("paid", .equal, [.integer(0)]),
                        ]),
                    ])))
        #expect(role.entries[2].read == nil)
    }

    @Test("A description without roles has none, and its text has no member roles")
    func none() throws {
        let api = try RoleShop.description("")
        #expect(api.roles.isEmpty)
        #expect(!api.yaml.contains("roles"))
    }

    @Test(
        "Roles that are written as YAML and read again are equal",
        arguments: [
            "{}", "{includes: [b]}", "{resources: {orders: {read: {}}}}", "{resources: {orders: {read: none}}}",
            "{resources: {orders: {read: {fields: [id, placed], order: []}}}}",
            "{resources: {orders: {read: {order: [id, placed desc], relations: {lines: {order: []}}}}}}",
            "{resources: {orders: {read: {except: [placed], where: {customerId: {ne: {claim: a}}}}}}}",
            "{resources: {orders: {read: {where: {customer: {region: {in: {claim: [a.b, '', '[c']}}}}}}}}",
            "{resources: {orders: {read: {where: {lines: {none: {cost: {gt: '12.5'}}}}}}}}",
            "{resources: {orders: {read: {where: {lines: {count: {gte: 2, lt: 9}, cost: {sum: {gt: '12.5'}}}}}}}}",
            "{resources: {orders: {read: {where: {lines: {filter: {cost: {gt: {claim: a}}}, count: {in: []}}}}}}}",
            "{resources: {orders: {read: {where: {not: {or: [{paid: {eq: true}}, {region: {like: {claim: a.b}}}]}}}}}}",
            "{resources: {orders: {read: {where: {due: false, placed: {gt: '2024-01-01'}}}}}}",
            "{resources: {'*': {read: {except: [purchasePrice, region]}}}}",
            "{resources: {'*': {read: {where: {id: {eq: {claim: a}}}}}, lines: {read: {}}}}",
            "{resources: {'*': {read: {where: {region: {eq: {claim: a}}}}}, products: {read: none}}}",
        ])
    func roundTrip(role: String) throws {
        let api = try RoleShop.description("roles: {b: {resources: {products: {read: {}}}}, a: \(role)}")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(again.roles == api.roles, "\(api.yaml)")
        #expect(again.yaml == api.yaml)
        let resolved = try [api, again].map { try $0.resolvedRoles().map(\.role) }
        #expect(resolved[0] == resolved[1])
    }

    @Test(
        "An error in a role has its line and column",
        arguments: [
            ("roles: []", "1:8: roles must be a mapping, not a list"),
            ("roles: {}", "1:1: roles has no roles; add one, or remove it to let every caller see all resources"),
            (
                "roles: {the visitor: {}}",
                "1:9: roles: \"the visitor\" is not a valid name of a role; it consists of ASCII letters, digits and the characters . _ : / @ + -"
            ),
            ("roles:\n  a: {include: [b]}", "2:7: roles.a has no member include; did you mean includes?"),
            (
                "roles:\n  a: {includes: []}",
                "2:7: roles.a.includes must name at least one role; add a role, or remove it"
            ),
            (
                "roles:\n  a: {includes: [visiter]}\n  visitor: {}",
                "2:18: roles.a includes visiter, which is not a role; did you mean visitor?"
            ),
            ("roles:\n  a: {includes: [b, a]}\n  b: {}", "2:21: roles.a includes itself"),
            (
                "roles:\n  d: {includes: [b]}\n  a: {includes: [c]}\n  b: {includes: [a]}\n  c: {includes: [b]}",
                "3:18: roles.a includes itself through c and b"
            ),
            (
                "roles: {a: {resources: {order: {read: {}}}}}",
                "1:25: roles.a: order is not a resource; did you mean orders?"
            ),
            (
                "roles: {a: {resources: {orders: {}}}}",
                "1:33: roles.a.orders needs at least one of the members read, create, update, delete"
            ),
            (
                "roles: {a: {resources: {orders: {raed: {}}}}}",
                "1:34: roles.a.orders has no member raed; did you mean read?"
            ),
            (
                "roles: {a: {resources: {orders: {read: all}}}}",
                "1:40: roles.a.orders.read must be a mapping, or none, not \"all\"; for all fields and rows, write {}"
            ),
            (
                "roles: {a: {resources: {orders: {read: }}}}",
                "1:40: roles.a.orders.read must be a mapping, or none, not null; for all fields and rows, write {}"
            ),
            (
                "roles: {a: {resources: {orders: {read: {feilds: [id]}}}}}",
                "1:41: roles.a.orders.read has no member feilds; did you mean fields?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {fields: [id], except: [placed]}}}}}",
                "1:55: roles.a.orders.read cannot have both except and fields; remove one of them"
            ),
            (
                "roles: {a: {resources: {orders: {read: {fields: [id, plased]}}}}}",
                "1:54: roles.a: orders has no field plased; did you mean placed?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {except: [plased]}}}}}",
                "1:50: roles.a: orders has no field plased; did you mean placed?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {fields: []}}}}}",
                "1:41: roles.a.orders: fields must name at least one field; to hide the resource, write read: none"
            ),
            (
                "roles: {a: {resources: {'*': {read: {except: [purchasePrize]}}}}}",
                "1:47: roles.a: no resource has a field purchasePrize; did you mean purchasePrice?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {order: [plased desc]}}}}}",
                "1:49: roles.a: orders has no field plased; did you mean placed?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {order: [placed down]}}}}}",
                "1:49: order must list fields, each optionally followed by asc or desc, not \"placed down\""
            ),
            (
                "roles: {a: {resources: {orders: {read: {relations: {line: {order: [position]}}}}}}}",
                "1:53: roles.a: orders has no relation line; did you mean lines?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {}}, lines: {read: {}}, '*': {read: {relations: {line: {order: []}}}}}}}",
                "1:89: roles.a: no resource has a relation line; did you mean lines?"
            ),
            (
                "roles: {a: {resources: {orders: {read: {relations: {lines: {order: [posision]}}}}, lines: {read: {}}}}}",
                "1:53: roles.a: lines has no field posision"
            ),
            (
                "roles: {a: {resources: {orders: {read: {relations: {lines: {order: [{through: 1, column: a}]}}}}, lines: {read: {}}}}}",
                "1:53: roles.a: the order of the relation orders.lines can have only fields, because it is a list"
            ),
            (
                "roles: {a: {resources: {customers: {read: {relations: {lastOrder: {order: [{through: 2, column: a}]}}}}, orders: {read: {}}}}}",
                "1:56: roles.a: the order of the relation customers.lastOrder uses the intermediate table 2, which does not exist"
            ),
            (
                "roles: {a: {resources: {orders: {read: {where: {}}}}}}",
                "1:48: roles.a.orders: where must be a filter such as {customerId: {eq: {claim: customer}}}; for all rows, omit it"
            ),
        ])
    func mistakes(roles: String, message: String) {
        #expect(RoleShop.errors(roles) == [message])
    }

    @Test(
        "An error in the condition of a role has its line and column",
        arguments: [
            ("{customer: 7}", "where.customer must be an object, not "),
            ("{custmer: {eq: 1}}", "where has no member custmer; valid members are and, or, not, "),
            ("{customerId: {equals: 1}}", "where.customerId has no operator equals; valid operators are eq, ne"),
            ("{customerId: {eq: A}}", "where.customerId.eq must be a whole number from "),
            (
                "{customerId: {eq: {claim: a..b}}}",
                "where.customerId.eq must be a value or a claim such as {claim: customer}"
            ),
            ("{customerId: {eq: {claim: ''}}}", "where.customerId.eq must be a value or a claim such as "),
            ("{customerId: {eq: {claim: []}}}", "where.customerId.eq must be a value or a claim such as "),
            ("{customerId: {eq: {claim: [a, 7]}}}", "where.customerId.eq must be a value or a claim such as "),
            ("{customerId: {eq: {claim: a, default: 7}}}", "where.customerId.eq must be a value or a claim such as "),
            ("{customerId: {eq: {clam: a}}}", "where.customerId.eq must be a value or a claim such as "),
            ("{customerId: {in: [{claim: a}]}}", "where.customerId.in must be a whole number from "),
            ("{customerId: {in: 7}}", "where.customerId.in must be a list, not "),
            ("{customerId: {eq: null}}", "where.customerId.eq must not be null"),
            ("{paid: {in: {claim: a}}}", "where.paid has no operator in"),
            ("{due: {claim: a}}", "where.due must be true or false, not "),
            ("{lines: {some: {}}}", "where.lines.some is empty; add a condition"),
            (
                "{lines: {count: {gte: {claim: a}}}}",
                "where.lines.count.gte must be a value; an aggregate has no claims"
            ),
            ("[a]", "where must be a filter such as {customerId: {eq: {claim: customer}}}; for all rows, omit it"),
        ])
    func conditions(condition: String, message: String) throws {
        let errors = RoleShop.errors("roles:\n  a:\n    resources:\n      orders:\n        read: {where: \(condition)}")
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("5:23: roles.a.orders: \(message)") == true, "\(errors)")
    }

    @Test("A hidden field in the order of a resource or a relation needs an own order of the role")
    func hiddenOrders() {
        let roles = """
            roles:
              buyer:
                resources:
                  products: {read: {except: [name]}}
                  customers: {read: {}}
                  orders: {read: {except: [placed]}}
              boss:
                includes: [buyer]
                resources:
                  lines: {read: {}}
            """
        #expect(
            RoleShop.errors(roles) == [
                "4:7: roles.buyer: the default order of products uses name, which the role does not see; give the role an order",
                "5:7: roles.buyer: the order of the relation customers.orders uses orders.placed, which the role does not see; give the role an order for this relation",
            ])
        let corrected = roles.replacing("{except: [name]}", with: "{except: [name], order: [price]}")
            .replacing("customers: {read: {}}", with: "customers: {read: {relations: {orders: {order: [id]}}}}")
        #expect(RoleShop.errors(corrected) == [])
        #expect(
            RoleShop.errors(corrected.replacing("order: [price]", with: "order: [name]")) == [
                "4:48: roles.buyer: the order of products uses name, which the role does not see"
            ])
    }

    @Test("A condition on all resources is an error for a resource that lacks the field and has no entry")
    func conditionOnAll() throws {
        let roles = """
            roles:
              tenant:
                resources:
                  "*": {read: {where: {region: {in: {claim: regions}}}}}
            """
        #expect(
            RoleShop.errors(roles).first?.hasPrefix(
                "4:27: roles.tenant: the condition of \"*\" cannot apply to products; add entries for these resources (products: where has no member region; "
            ) == true, "\(RoleShop.errors(roles))")
        let api = try RoleShop.description(roles + "\n      products: {read: {}}")
        let role = try #require(try api.resolvedRole("tenant")).role
        #expect(role.reads["products"]?.condition == .everything)
        for name in ["customers", "orders", "lines"] {
            #expect(role.reads[name]?.condition == .compare("region", .in, [.parameter("regions")]))
        }
        #expect(
            RoleShop.errors(roles.replacing("region:", with: "planet:")).first?.hasPrefix(
                "4:27: roles.tenant.*: the condition can apply to no resource: where has no member planet; ") == true)
    }

    @Test("A constant in a condition on all resources has the type of the field of each resource")
    func constantOnAll() throws {
        let api = try RoleShop.description(
            """
            roles:
              a:
                resources:
                  "*": {read: {where: {id: {lt: 100}}}}
                  lines: {read: none}
              b:
                resources:
                  "*": {read: {where: {or: [{cost: {lt: 100}}]}}}
                  products: {read: none}
                  customers: {read: none}
                  orders: {read: none}
            """)
        let roles = try api.resolvedRoles().map(\.role)
        #expect(roles[0].reads["orders"]?.condition == .compare("id", .less, [.integer(100)]))
        #expect(Set(roles[0].reads.keys) == ["products", "customers", "orders"])
        #expect(Set(roles[1].reads.keys) == ["lines"])
    }

    @Test("All errors of roles are reported together")
    func several() {
        let roles = """
            roles:
              customer:
                resources:
                  orders: {read: {where: {custmerId: {eq: 1}}}}
                  lines: {raed: {}}
              clerk: {includes: [custmer]}
            """
        let errors = RoleShop.errors(roles)
        #expect(errors.map { $0.prefix { $0 != " " } } == ["4:30:", "5:15:", "6:22:"], "\(errors)")
    }

    @Test("The errors of resources and of roles are reported together")
    func together() {
        let text = RoleShop.resources.replacing("name: {type: text}", with: "name: {type: txt}")
        let error = #expect(throws: DescriptionError.self) {
            _ = try APIDescription(reading: text + "roles: {a: {resources: {order: {read: {}}}}}", file: "api.yaml")
        }
        #expect(error?.findings.count == 3)
    }

    @Test("A description with a thousand roles for many tables is read")
    func manyRoles() throws {
        var text = "duet: 1\nresources:\n"
        for number in 1...100 {
            text += "  t\(number): {singular: u\(number), type: T\(number), key: id, fields: {id: {type: int}}}\n"
        }
        text += "roles:\n  base: {resources: {\"*\": {read: {where: {id: {eq: {claim: user}}}}}}}\n"
        for number in 1...1000 {
            text += "  r\(number): {includes: [\(number == 1 ? "base" : "r\(number - 1)")]}\n"
        }
        let api = try APIDescription(reading: text, file: "api.yaml")
        #expect(try api.resolvedRole("r1000")?.role.reads.count == 100)
        #expect(try api.resolvedRole("r1000")?.origins["t7"]?.role == "base")
    }
}
