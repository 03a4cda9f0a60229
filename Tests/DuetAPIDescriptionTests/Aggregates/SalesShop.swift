import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport

/// A shop with sales in several countries, for aggregates.
enum SalesShop {
    static let script = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, country VARCHAR(2));
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER, note VARCHAR(20),
            total DECIMAL(9,2) NOT NULL, amount INTEGER, is_paid BOOLEAN NOT NULL, ordered_on DATE NOT NULL,
            placed_at DATETIME,
            FOREIGN KEY (customer_id) REFERENCES customers (id));
        INSERT INTO customers VALUES (1, 'Ada', 'FR'), (2, 'Bob', 'DE'), (3, 'Cleo', NULL), (4, 'Dan', 'FR');
        INSERT INTO orders VALUES
            (10, 1, 'gift', 0.10, 1, 1, '2024-01-31', '2024-01-31 23:30:00'), (11, 1, NULL, 0.20, 2, 0, '2024-02-01', '2024-02-01 10:00:00'),
            (12, 2, 'soon', 20, NULL, 1, '2024-02-29', '2024-02-29 23:59:59'), (13, 2, 'gift', 1000.5, 4, 1, '2024-12-30', '2024-12-30 12:00:00'),
            (14, 3, NULL, 7, 5, 0, '2025-01-01', '2024-12-31 23:00:00'), (15, NULL, NULL, 8, 6, 1, '2025-01-02', NULL),
            (16, 4, 'late', 1.05, 7, 0, '2025-03-31', '2025-03-30 00:59:59');
        """

    static let description = """
        duet: 1
        description: Sales.
        resources:
          customers:
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              country: {type: text, maxLength: 2, nullable: true}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id, nullable: true}
              note: {type: text, maxLength: 20, nullable: true}
              total: {type: decimal, scale: 2}
              amount: {type: int, nullable: true}
              isPaid: {type: boolean, column: is_paid}
              orderedOn: {type: date, column: ordered_on}
              placedAt: {type: timestamp, column: placed_at, nullable: true}
            sort: [id]
            relations:
              customer: {to: customers, one: optional, columns: {customer_id: id}}

        """

    static func with(
        _ backend: TestBackend, roles: [Role] = [], _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await WritableShop.with(backend, roles: roles, script: script, description: description, body)
    }
}
