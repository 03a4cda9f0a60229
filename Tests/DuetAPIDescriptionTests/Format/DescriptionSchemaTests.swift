import DuetJSON
import DuetResourceService
import Foundation
import ProcessTesting
import Testing

@testable import DuetAPIDescription

@Suite("JSON Schema of API descriptions")
struct DescriptionSchemaTests {
    /// A description with every member of the format.
    static let complete =
        withoutRoles.replacing("    maxAge: 60", with: "    maxAge: 60\n    aggregates: false\n    writes: all")
        .replacing("    pageSize: 30", with: "    pageSize: 30\n    writes: [create]")
        .replacing("single: true}", with: "single: true, writable: false}")
        .replacing("maxLength: 10}", with: "maxLength: 10, absent: default}")
        .replacing("stored: iso}", with: "stored: iso, aggregates: false}") + """

            roles:
              visitor:
                resources:
                  products: {read: {fields: [name]}, create: none}
              customer:
                includes: [visitor]
                resources:
                  "*": {read: {except: [code]}, create: {except: [code]}, update: {except: [state]}}
                  orders:
                    read:
                      except: [number]
                      where: {or: [{id: {eq: {claim: customer}}}, {code: {in: {claim: [app, codes.old]}}}]}
                      order: [id desc]
                      relations: {product: {order: [{through: 2, column: price, descending: true}]}}
                      aggregate: true
                    create: {fields: [id, state], set: {code: {claim: [codes.new]}, weight: 1.5}, check: {state: {eq: OPEN}}}
                    update: {where: {state: {eq: OPEN}}, fields: [state], set: {weight: 2.5}, check: {weight: {gt: 1.5}}}
                    delete: {where: {state: {eq: OPEN}}}
                  customers: {read: none}
            """

    /// A description with every member of the format, except those of roles and writes.
    static let withoutRoles = """
        duet: 1
        $schema: api.schema.json
        description: A shop.
        formats: {dates: milliseconds, timeZone: Europe/Paris}
        maxQueryCost: 70000
        resources:
          orders:
            table: ORDERS
            singular: order
            type: Order
            description: An order.
            key: [id]
            fields:
              id: {type: int, minimum: 1, maximum: 1000, example: 7}
              number: {column: NUMBER, type: decimal, scale: 2, as: number, nullable: true, mismatch: null, description: The number.}
              state: {type: enum, name: State, values: {OPEN: Not paid., PAID: Paid.}, about: The state of an order.}
              code: {type: key, maxLength: 10}
              weight: {type: number, single: true}
              placed: {type: dateTime, stored: iso}
              customerName: {of: customer, column: name, type: text, nullable: true}
            hidden: [SECRET]
            defaultFields: [id, state]
            sort: [id, placed]
            order: [placed desc]
            relations:
              customer: {to: customers, one: optional, columns: {customer_id: id}, collations: {customer_id: NOCASE}, equality: bytes, description: The customer.}
              products:
                to: products
                few: 3
                through: [{table: LINES, columns: {id: order_id}, collations: {id: NOCASE}, where: {kind: 1}, enforced: false}]
                columns: {product_id: id}
              product:
                to: products
                one: optional
                through:
                  - {table: LINES, columns: {id: order_id}}
                  - {table: OFFERS, columns: {line_id: line_id}, differs: {product_id: product_id}}
                columns: {product_id: id}
                order: [{through: 2, column: price, descending: true}, name]
            filters:
              placedAfter: {compare: placed, operator: gt, description: Orders after a moment.}
              open: {whenTrue: {state: {eq: OPEN}}, whenFalse: {state: {ne: OPEN}}}
              product: {some: products, field: name, and: {name: {ne: none}}}
            list: whole
            typicalSize: 30
            items: false
            entities: {Order: [id], Sale: [id]}
            maxAge: 60
            maxScan: 5000
          customers:
            singular: customer
            type: Customer
            key: id
            fields: {id: {type: int}, name: {type: text}}
            relations: {orders: {to: orders, many: 10, columns: {id: customer_id}, order: placed}}
          products:
            singular: product
            type: Product
            fields: {name: {type: text, ordinal: true}, title: {type: text, charset: utf8}}
            pageSize: 30
        """
        .replacing("      product: {some", with: "      withProduct: {some")

    private static func json(_ text: String) throws -> JSONValue {
        DescriptionReader(file: "api.yaml").json(try DescriptionReader(file: "api.yaml").root(of: text))
    }

    private static func check() throws -> JSONSchemaCheck {
        JSONSchemaCheck(root: try JSONValue(parsing: DescriptionSchema.text.utf8))
    }

    @Test("The JSON Schema that duet validate --print-schema prints equals the file openapi/api.schema.json")
    func file() throws {
        let file = try Checkout.text("openapi/api.schema.json")
        #expect(file == DescriptionSchema.text, "make contracts prints it anew")
    }

    @Test("The schema accepts a description with every member, before and after it is read and written")
    func completeDescription() throws {
        let check = try Self.check()
        #expect(check.failures(of: try Self.json(Self.complete)) == [])
        let api = try APIDescription(reading: Self.complete, file: "api.yaml")
        #expect(check.failures(of: try Self.json(api.yaml)) == [], "\(api.yaml)")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(again.catalogue.resources == api.catalogue.resources)
        #expect(again.roles == api.roles)
        #expect(again.yaml == api.yaml)
        // The text contains every member of every mapping.
        for mapping in DescriptionSchema.mappings(in: RootMapping.members.definition) {
            for member in mapping.members {
                #expect(Self.has(member, Self.complete), "\(mapping.name).\(member.name)")
                // The written description omits `$schema`, the URL of the schema, which only editors read.
                #expect(member.name == "$schema" || Self.has(member, api.yaml), "\(mapping.name).\(member.name)")
            }
        }
    }

    @Test("A written description has the members of each mapping in a fixed order, and omits defaults")
    func written() throws {
        let text = try APIDescription(reading: Self.complete, file: "api.yaml").yaml
        #expect(text == Self.written)
    }

    /// ``complete``, after it is read and written.
    private static let written = """
        duet: 1
        description: A shop.
        formats: {dates: milliseconds, timeZone: Europe/Paris}
        maxQueryCost: 70000
        resources:

          orders:
            table: ORDERS
            singular: order
            type: Order
            description: An order.
            key: [id]
            fields:
              id: {type: int, minimum: 1, maximum: 1000, example: 7}
              number:
                column: NUMBER
                type: decimal
                scale: 2
                as: number
                nullable: true
                mismatch: null
                description: The number.
              state: {type: enum, name: State, values: {OPEN: Not paid., PAID: Paid.}, about: The state of an order.}
              code: {type: key, maxLength: 10, absent: default}
              weight: {type: number, single: true, writable: false}
              placed: {type: dateTime, stored: iso, aggregates: false}
              customerName: {column: name, of: customer, type: text, nullable: true}
            hidden: [SECRET]
            defaultFields: [id, state]
            sort: [id, placed]
            order: [placed desc]
            relations:
              customer:
                to: customers
                one: optional
                columns: {customer_id: id}
                collations: {customer_id: NOCASE}
                equality: bytes
                description: The customer.
              products:
                to: products
                few: 3
                through: [{table: LINES, columns: {id: order_id}, collations: {id: NOCASE}, where: {kind: 1}, enforced: false}]
                columns: {product_id: id}
              product:
                to: products
                one: optional
                through: [{table: LINES, columns: {id: order_id}}, {table: OFFERS, columns: {line_id: line_id}, differs: {product_id: product_id}}]
                columns: {product_id: id}
                order: [{through: 2, column: price, descending: true}, name]
            filters:
              placedAfter: {compare: [placed], operator: gt, description: Orders after a moment.}
              open: {whenTrue: {"state":{"eq":"OPEN"}}, whenFalse: {"state":{"ne":"OPEN"}}, description: The filter open.}
              withProduct: {some: products, field: name, and: {"name":{"ne":"none"}}, description: The filter withProduct.}
            list: whole
            typicalSize: 30
            items: false
            entities: {Order: [id], Sale: [id]}
            maxAge: 60
            aggregates: false
            maxScan: 5000
            writes: all

          customers:
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}
            relations:
              orders: {to: orders, many: 10, columns: {id: customer_id}, order: [placed]}

          products:
            singular: product
            type: Product
            fields:
              name: {type: text, ordinal: true}
              title: {type: text, charset: utf8}
            pageSize: 30
            writes: [create]

        roles:

          visitor:
            resources:
              products: {read: {fields: [name]}, create: none}

          customer:
            includes: [visitor]
            resources:
              "*": {read: {except: [code]}, create: {except: [code]}, update: {except: [state]}}
              orders:
                read: {except: [number], where: {"or":[{"id":{"eq":{"claim":"customer"}}},{"code":{"in":{"claim":["app","codes.old"]}}}]}, order: [id desc], relations: {product: {order: [{through: 2, column: price, descending: true}]}}, aggregate: true}
                create: {fields: [id, state], set: {code: {"claim":["codes.new"]}, weight: 1.5}, check: {"state":{"eq":"OPEN"}}}
                update: {where: {"state":{"eq":"OPEN"}}, fields: [state], set: {weight: 2.5}, check: {"weight":{"gt":1.5}}}
                delete: {where: {"state":{"eq":"OPEN"}}}
              customers: {read: none}

        """

    private static func has(_ member: MemberDefinition, _ text: String) -> Bool {
        text.contains("\(member.name): ") || text.contains("\(member.name):\n")
    }

    @Test("The reader and the schema reject a wrong value of each member", arguments: wrongValues)
    func wrongValue(mapping: String, member: String, text: String) throws {
        let error = #expect(throws: DescriptionError.self, "\(mapping).\(member)") {
            _ = try APIDescription(reading: text, file: "api.yaml")
        }
        #expect(error?.description.contains("api.yaml:") == true)
        #expect(try Self.check().failures(of: try Self.json(text)) != [], "\(mapping).\(member): \(text)")
    }

    /// For each member of the format: the complete description, with a value of a wrong type for this member.
    static let wrongValues: [(String, String, String)] = DescriptionSchema.mappings(in: RootMapping.members.definition)
        .flatMap {
            mapping in
            mapping.members.compactMap { member in
                let lines = Self.complete.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                guard let json = try? Self.json(lines.joined(separator: "\n")) else { return nil }
                var isFound = false
                let changed = Self.replacing(
                    member, of: mapping, in: json, .mapping(RootMapping.members.definition), &isFound)
                return isFound ? (mapping.name, member.name, changed.compactText) : nil
            }
        }

    @Test("Every member of the format has a test with a wrong value")
    func count() {
        #expect(
            Self.wrongValues.count
                == DescriptionSchema.mappings(in: RootMapping.members.definition).map(\.members.count).reduce(0, +))
    }

    /// Returns the value with the first occurrence of the member replaced by a value of another type.
    private static func replacing(
        _ member: MemberDefinition, of mapping: MappingDefinition, in json: JSONValue, _ value: MemberDefinition.Value,
        _ isFound: inout Bool
    ) -> JSONValue {
        guard !isFound else { return json }
        switch (value, json) {
        case (.mapping(let here), .object(var object)), (.mappingOrChoice(let here, _), .object(var object)):
            if here.name == mapping.name, object[member.name] != nil {
                isFound = true
                object[member.name] = [[["wrong": 1]]]
                return .object(object)
            }
            for inner in here.members {
                guard let old = object[inner.name] else { continue }
                object[inner.name] = replacing(member, of: mapping, in: old, inner.value, &isFound)
            }
            return .object(object)
        case (.named(let inner, _), .object(let object)):
            return .object(
                JSONObject(
                    object.members.map { ($0.key, replacing(member, of: mapping, in: $0.value, inner, &isFound)) }))
        case (.list(let inner), .array(let values)), (.orders(let inner), .array(let values)):
            return .array(values.map { replacing(member, of: mapping, in: $0, .mapping(inner), &isFound) })
        default: return json
        }
    }

    @Test(
        "The schema rejects combinations of members that the reader rejects",
        arguments: [
            ("state: {type: enum, name: State, ", "state: {type: enum, "),
            ("code: {type: key, maxLength: 10", "code: {type: key, scale: 10"),
            ("one: optional, columns: {customer_id", "one: optional, few: 3, columns: {customer_id"),
            ("to: customers, one: optional,", "to: customers,"), ("list: whole", "list: pages"),
            ("    list: whole\n", ""),
            ("some: products, field: name,", "some: products,"), ("operator: gt,", ""),
            ("singular: order\n", "singular: an-order\n"),
            ("field: name, and", "field: name, compare: id, and"), ("  orders:", "  my_orders:"), ("duet: 1\n", ""),
            ("values: {OPEN: Not paid., PAID: Paid.}", "values: []"), ("many: 10", "many: 0"),
            ("column: NUMBER", "column: 7"), ("{fields: [name]}", "{fields: [name], except: [title]}"),
            ("  visitor:", "  the visitor:"), ("read: none", "read: all"), ("{read: none}", "{}"),
            ("\"*\":", "\"**\":"), ("create: {fields", "create: {except: [code], fields"),
            ("{weight: 2.5}", "{weight: {claims: 2}}"),
            ("writes: [create]", "writes: []"), ("writes: [create]", "writes: [read]"),
        ])
    func combinations(text: String, mistake: String) throws {
        let description = Self.complete.replacing(text, with: mistake)
        #expect(description != Self.complete)
        #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: description, file: "api.yaml") }
        #expect(try Self.check().failures(of: try Self.json(description)) != [], "\(mistake)")
    }
}
