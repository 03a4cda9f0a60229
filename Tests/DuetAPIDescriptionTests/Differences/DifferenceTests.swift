import DuetAPIDescription
import DuetSQLDatabase
import Testing

@Suite("Differences of API descriptions")
struct DifferenceTests {
    private static let old = DescriptionSchemaTests.withoutRoles

    private static func differences(_ changes: [(String, String)]) throws -> [String] {
        var text = old
        for (old, new) in changes {
            let changed = text.replacing(old, with: new)
            #expect(changed != text, "\(old)")
            text = changed
        }
        return try APIDescription(reading: text, file: "new.yaml")
            .differences(from: try APIDescription(reading: old, file: "old.yaml")).map(\.description)
    }

    @Test("A description has no differences from itself")
    func none() throws {
        #expect(try Self.differences([]) == [])
    }

    @Test(
        "A change that breaks existing clients is reported as breaking",
        arguments: [
            ("dates: milliseconds, ", "", "breaking: the format of dates is iso, not milliseconds"),
            ("Europe/Paris", "UTC", "breaking: the time zone of dates is UTC, not Europe/Paris"),
            ("Cost: 70000", "Cost: 5000", "breaking: the maximum cost of a query is 5000, not 70000"),
            ("type: Order\n", "type: Purchase\n", "orders: breaking: the GraphQL type Order was renamed to Purchase"),
            (
                "singular: customer\n", "singular: client\n",
                "customers: breaking: the GraphQL field customer was renamed to client"
            ),
            ("key: id", "key: name", "customers: breaking: the key is (name), not (id): addresses and cursors change"),
            (
                "    key: id\n", "    key: id\n    items: false\n",
                "customers: breaking: single rows no longer have an address"
            ),
            ("    key: id\n", "    key: id\n    list: none\n", "customers: breaking: the list of all rows was removed"),
            (
                "list: whole\n    typicalSize: 30", "list: pages",
                "orders: breaking: the GraphQL list has pages, not all rows"
            ),
            ("      code: {type: key, maxLength: 10}\n", "", "orders: breaking: the field code was removed"),
            (
                "maxLength: 10", "maxLength: 9",
                "orders: breaking: the field code has at most 9 characters, not at most 10 characters"
            ),
            (
                "maximum: 1000", "maximum: 999",
                "orders: breaking: the field id has numbers from 1 to 999, not from 1 to 1000"
            ),
            ("as: number, ", "", "orders: breaking: the field number is a JSON string, not a number"),
            (
                "name: {type: text}}\n    relations", "name: {type: date}}\n    relations",
                "customers: breaking: the field name is a date, not a text"
            ),
            (
                "{id: {type: int}, name: {type: text}}", "{id: {type: int}, name: {type: text, nullable: true}}",
                "customers: breaking: the field name can be null"
            ),
            (
                "OPEN: Not paid., PAID", "OPEN: Not paid., DUE",
                "orders: breaking: the field state no longer has the value PAID"
            ),
            ("name: State", "name: OrderState", "orders: breaking: the field state is the enum OrderState, not State"),
            (
                "      code: {type", "      mark: {column: code, type",
                "orders: breaking: the field code was renamed to mark"
            ),
            ("sort: [id, placed]", "sort: [id]", "orders: breaking: the sort field placed was removed"),
            ("[id, state]", "[id]", "orders: breaking: REST returns the field state only if a request selects it"),
            (
                "    relations: {orders: {to: orders, many: 10, columns: {id: customer_id}, order: placed}}\n", "",
                "customers: breaking: the relation orders was removed"
            ),
            ("many: 10", "few: 10", "customers: breaking: the relation orders is a list, not pages"),
            (
                "placedAfter: {compare", "placedBy: {compare",
                "orders: breaking: the filter placedAfter was renamed to placedBy"
            ),
            ("operator: gt", "operator: lt", "orders: breaking: the filter placedAfter has a different meaning"),
        ])
    func breaking(old: String, new: String, expected: String) throws {
        let found = try Self.differences([(old, new)])
        #expect(found.contains(expected), "\(found)")
    }

    @Test(
        "An addition, a changed cache time or a changed size is not breaking",
        arguments: [
            ("maxQueryCost: 70000\n", "", "the maximum cost of a query is 100000, not 70000"),
            ("pageSize: 30", "pageSize: 40", "products: the list has pages of 40 rows, not 30"),
            ("maxAge: 60", "maxAge: 90", "orders: responses can be cached for 90 s, not 60 s"),
            ("many: 10", "many: 20", "customers: the relation orders has pages of 20 rows, not 10"),
            (
                "maxLength: 10", "maxLength: 11",
                "orders: the field code has at most 11 characters, not at most 10 characters"
            ),
            ("PAID: Paid.", "PAID: Paid., LATE: Late.", "orders: the field state has the new value LATE"),
            ("hidden: [SECRET]\n    ", "", ""), ("description: A shop.", "description: Two shops.", ""),
            ("as: number, nullable: true, mismatch: null", "as: number", "orders: the field number is never null"),
            ("items: false", "items: true", "orders: single rows have an address"),
            (", charset: utf8", "", "products: the field title is stored as text, not as bytes"),
            ("table: ORDERS", "table: SALES", "orders: the rows are from SALES, not ORDERS"),
        ])
    func harmless(old: String, new: String, expected: String) throws {
        #expect(try Self.differences([(old, new)]) == (expected.isEmpty ? [] : [expected]))
    }

    @Test("Making a to-one relation optional is breaking, and making it required is not")
    func optional() throws {
        let optional = try APIDescription(reading: Self.old, file: "a.yaml")
        let required = try APIDescription(
            reading: Self.old.replacing("to: customers, one: optional", with: "to: customers, one: required"),
            file: "b.yaml")
        #expect(
            required.differences(from: optional).map(\.description) == ["orders: the relation customer is never null"])
        #expect(
            optional.differences(from: required).map(\.description) == [
                "orders: breaking: the relation customer can be null"
            ])
    }

    @Test("Differences are grouped by resource in the order of the old description, with breaking differences first")
    func order() throws {
        let changes = [
            ("      code: {type: key, maxLength: 10}\n", "      added: {type: int}\n"), ("maxAge: 60", "maxAge: 61"),
            (
                "  products:\n    singular: product\n    type: Product",
                "  goods:\n    table: products\n    singular: product\n    type: Product"
            ),
            ("to: products", "to: goods"), ("many: 10", "few: 10"),
        ]
        #expect(
            try Self.differences(changes) == [
                "orders: breaking: the field code was removed",
                "orders: breaking: the relation products refers to goods, not products",
                "orders: breaking: the relation product refers to goods, not products",
                "orders: the field added was added",
                "orders: responses can be cached for 61 s, not 60 s",
                "customers: breaking: the relation orders is a list, not pages",
                "products: breaking: the resource was renamed to goods, which changes its path and its lists",
            ])
    }

    @Test("A removed resource is breaking, and a new resource is not")
    func resources() throws {
        let small = try APIDescription(
            reading: "{duet: 1, resources: {a: {singular: b, type: B, fields: {c: {type: int}}}}}", file: "a.yaml")
        let large = try APIDescription(
            reading:
                "{duet: 1, resources: {a: {singular: b, type: B, fields: {c: {type: int}}}, x: {singular: y, type: Y, fields: {c: {type: int}}}}}",
            file: "b.yaml")
        #expect(large.differences(from: small).map(\.description) == ["x: the resource was added (table x)"])
        #expect(small.differences(from: large).map(\.description) == ["x: breaking: the resource was removed"])
    }

    @Test("A description and a database are compared by tables and columns, not by the names of resources and fields")
    func database() throws {
        let integer = ColumnType.integer(bits: 32, isUnsigned: false)
        func column(_ name: String, _ type: ColumnType = integer) -> TableColumn {
            TableColumn(
                name: name, declaredType: "\(type == integer ? "int(11)" : "other")", type: type, isNullable: false)
        }
        let orders = SchemaTable(
            name: "t_orders", columns: [column("id"), column("c_id"), column("note", .text(maximumLength: nil))],
            primaryKey: ["id"],
            foreignKeys: [ForeignKey(columns: ["c_id"], table: "t_customers", referencedColumns: ["id"])])
        let customers = SchemaTable(
            name: "t_customers", columns: [column("id"), column("name", .text(maximumLength: 9))], primaryKey: ["id"])
        let text = """
            duet: 1
            resources:
              sales:
                {table: t_orders, singular: sale, type: Sale, key: [number],
                 fields: {number: {column: id, type: int}, remark: {column: note, type: text}},
                 relations: {buyer: {to: people, one: required, columns: {c_id: id}}}}
              people:
                {table: t_customers, singular: person, type: Person, key: [id],
                 fields: {id: {type: int}, called: {column: name, type: text}},
                 relations: {sales: {to: sales, few: 3, columns: {id: c_id}}}}
            """
        let api = try APIDescription(reading: text, file: "api.yaml")
        #expect(try api.differences(to: DatabaseSchema(.mariaDB, [orders, customers])) == [])
        var changed = orders
        changed.columns[0].isNullable = true
        changed.columns[2] = column("comment", .json)
        changed.primaryKey = nil
        changed.uniqueKeys = [["id"]]
        let found = try api.differences(
            to: DatabaseSchema(
                .mariaDB, [changed, customers, SchemaTable(name: "extra", columns: [column("id")])]))
        #expect(
            found.map(\.description) == [
                "sales: breaking: number is never null, but the column can be NULL (t_orders.id); declare the column NOT NULL, or choose another key",
                "sales: breaking: remark: t_orders has no column note; correct the name, or remove its uses",
                "sales: the column comment is not described (json)", "extras: the table extra is not described",
            ], "\(found)")
    }
}
