import DuetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetAPIDescription

@Suite("Notes about missing indexes") struct MissingIndexTests {
    private static let tables = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, city VARCHAR(20),
            code VARCHAR(10) NOT NULL UNIQUE);
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, placed DATE NOT NULL,
            total INTEGER NOT NULL, state VARCHAR(10) NOT NULL);
        CREATE TABLE parts (order_id INTEGER NOT NULL, place INTEGER NOT NULL, product VARCHAR(20) NOT NULL,
            PRIMARY KEY (order_id, place));
        """

    private static let description = """
        duet: 1
        resources:
          customers:
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              city: {type: text, maxLength: 20, nullable: true}
              code: {type: text, maxLength: 10}
            sort: [id, name, code]
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}, order: [placed desc]}
              products: {to: parts, few: 20, through: [{table: orders, columns: {id: customer_id}}], columns: {id: order_id}}
            filters:
              near: {compare: [city], operator: eq}
              notNear: {compare: [city], operator: ne}
              coded: {compare: [code], operator: eq}
              ordered: {some: orders, field: state}
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id}
              customerName: {type: text, maxLength: 20, column: name, of: customer}
              placed: {type: date}
              total: {type: int}
              state: {type: text, maxLength: 10}
            order: [placed desc]
            sort: [customerName, total]
            relations:
              customer: {to: customers, one: required, columns: {customer_id: id}}
              parts: {to: parts, few: 20, columns: {id: order_id}}
          parts:
            singular: part
            type: Part
            key: [orderId, place]
            fields:
              orderId: {type: int, column: order_id}
              place: {type: int}
              product: {type: text, maxLength: 20}
            order: [orderId, place desc]
            sort: [orderId]

        """

    private static func notes(_ backend: TestBackend, _ indexes: [String]) async throws -> [SchemaFinding] {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript(tables + indexes.map { $0 + ";" }.joined())
            }
            let api = try APIDescription(reading: description, file: "shop.yaml")
            return try await database.read { connection in
                let schema = try DatabaseSchema.read(connection)
                return api.missingIndexes(schema, try DatabaseIndexes.read(connection, of: schema))
            }
        }
    }

    @Test(
        "Each sort, order, filter and relation without an index has a note with the statement that creates the index, and none after it",
        arguments: TestBackend.available)
    func notes(_ backend: TestBackend) async throws {
        let notes = try await Self.notes(backend, [])
        // SQLite sorts only the parts of one order, whose numbers the key has in order.
        let ofLines =
            backend == .sqlite
            ? [] : ["CREATE INDEX parts_order_id_place ON parts (order_id, place DESC)"]
        #expect(
            notes.flatMap(\.statements).sorted()
                == ([
                    "CREATE INDEX customers_city ON customers (city)",
                    "CREATE INDEX customers_name ON customers (name)",
                    "CREATE INDEX customers_name_id ON customers (name, id)",
                    "CREATE INDEX orders_customer_id ON orders (customer_id)",
                    "CREATE INDEX orders_placed_id ON orders (placed DESC, id)",
                    "CREATE INDEX orders_state ON orders (state)",
                    "CREATE INDEX orders_total_id ON orders (total, id)",
                ] + ofLines).sorted())
        #expect(notes.allSatisfy { $0.severity == .note && $0.kind == .missingIndex && $0.line != nil })
        let sorts = notes.filter { $0.resource == "orders" && $0.member == "sort" }
        #expect(
            sorts.map(\.message) == [
                "no index serves orders sorted by customerName, total, so a request can read all rows; to add indexes: CREATE INDEX customers_name ON customers (name); CREATE INDEX orders_total_id ON orders (total, id)"
            ])
        let statements: JSONValue = [
            "CREATE INDEX customers_name ON customers (name)", "CREATE INDEX orders_total_id ON orders (total, id)",
        ]
        #expect(sorts.first?.json["statements"] == statements)
        let rest = try await Self.notes(backend, notes.flatMap(\.statements))
        // With an index for the relation, its order needs a longer one.
        let longer = "CREATE INDEX orders_customer_id_placed_id ON orders (customer_id, placed DESC, id)"
        #expect(rest.flatMap(\.statements) == [longer])
        let none = try await Self.notes(backend, notes.flatMap(\.statements) + [longer])
        #expect(none.isEmpty)
    }
}
