import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import TestSupport

/// A shop whose orders have details, for writes of several rows in one request.
enum NestedShop {
    private static func script(_ backend: TestBackend) -> String {
        let automatic = backend == .mariaDB ? "AUTO_INCREMENT" : ""
        return """
            CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY \(automatic), name VARCHAR(20) NOT NULL,
                CHECK (name <> 'nobody'));
            CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY \(automatic), customer_id INTEGER, note VARCHAR(20),
                FOREIGN KEY (customer_id) REFERENCES customers (id));
            CREATE TABLE order_details (order_id INTEGER NOT NULL, product_id INTEGER NOT NULL,
                quantity INTEGER NOT NULL, PRIMARY KEY (order_id, product_id),
                FOREIGN KEY (order_id) REFERENCES orders (id), FOREIGN KEY (product_id) REFERENCES products (id));
            CREATE TABLE categories (id INTEGER NOT NULL PRIMARY KEY \(automatic), name VARCHAR(20) NOT NULL,
                parent_id INTEGER, FOREIGN KEY (parent_id) REFERENCES categories (id));
            INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob');
            INSERT INTO products VALUES (11, 'tea'), (12, 'salt'), (13, 'rice');
            INSERT INTO orders VALUES (10, 1, NULL), (20, 2, 'gift');
            INSERT INTO order_details VALUES (10, 11, 1), (10, 12, 2), (20, 11, 5);
            """
    }

    static let description = """
        duet: 1
        description: A shop.
        resources:
          customers:
            singular: customer
            type: Customer
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              name: {type: text, maxLength: 20}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
          products:
            singular: product
            type: Product
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
          orders:
            singular: order
            type: Order
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              customerId: {type: int, column: customer_id, nullable: true}
              note: {type: text, maxLength: 20, nullable: true}
            relations:
              customer: {to: customers, one: optional, columns: {customer_id: id}}
              orderDetails: {to: orderDetails, many: 20, columns: {id: order_id}}
          orderDetails:
            singular: orderDetail
            type: OrderDetail
            table: order_details
            key: [orderId, productId]
            writes: all
            fields:
              orderId: {type: int, column: order_id}
              productId: {type: int, column: product_id}
              quantity: {type: int}
            relations:
              order: {to: orders, one: required, columns: {order_id: id}}
              product: {to: products, one: required, columns: {product_id: id}}
          categories:
            singular: category
            type: Category
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              name: {type: text, maxLength: 20}
              parentId: {type: int, column: parent_id, nullable: true}
            relations:
              parent: {to: categories, one: optional, columns: {parent_id: id}}
              children: {to: categories, many: 20, columns: {id: parent_id}}

        """

    /// Serves the shop while the closure runs.
    static func with(
        _ backend: TestBackend, roles: [Role] = [],
        _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await WritableShop.with(
            backend, roles: roles, script: script(backend), description: description, body)
    }

    /// A role that sees all orders but only one customer, and creates orders with their details.
    static let clerk = Role(
        "clerk",
        reads: [
            "customers": .init(where: .compare("id", .equal, [.parameter("customer")])), "products": .init(),
            "orders": .init(), "orderDetails": .init(),
        ],
        writes: [
            "customers": .init(update: .init()),
            "orders": .init(create: .init(), update: .init(fields: .only(["note"]))),
            "orderDetails": .init(
                create: .init(check: .compare("quantity", .less, [.value(.integer(10))])),
                update: .init(where: .compare("quantity", .less, [.value(.integer(5))]))),
        ])

    /// A role that creates orders, but no details.
    static let visitor = Role(
        "visitor", reads: ["customers": .init(), "orders": .init(), "orderDetails": .init()],
        writes: ["orders": .init(create: .init(fields: .only(["note"])), delete: .init())])
}

extension HTTPAnswer {
    /// The pointers of the invalid members of a problem.
    var pointers: [String] {
        get throws {
            guard case .array(let errors)? = try json["errors"] else { return [] }
            return errors.compactMap { if case .string(let pointer)? = $0["pointer"] { pointer } else { nil } }
        }
    }
}
