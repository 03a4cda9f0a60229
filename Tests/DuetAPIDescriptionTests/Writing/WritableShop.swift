import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import ProcessTesting
import ServerTestSupport
import TestSupport

/// A shop whose API permits writes, served over HTTP in this process.
struct WritableShop {
    let server: ServiceServer
    let database: Database

    static let script = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10) NOT NULL, email VARCHAR(60),
            state VARCHAR(10) NOT NULL DEFAULT 'open', CHECK (name <> 'nobody'));
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
            note VARCHAR(20), total DECIMAL(9,2) NOT NULL, created_by VARCHAR(20),
            FOREIGN KEY (customer_id) REFERENCES customers (id));
        INSERT INTO customers VALUES (1, 'Ada', 'ada@example.org', 'open'), (2, 'Bob', NULL, 'closed');
        INSERT INTO orders VALUES (10, 1, NULL, 5.5, NULL), (11, 2, 'gift', 20, 'bob');
        """

    /// The description, whose last line can be followed by roles.
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
              id: {type: int}
              name: {type: text, maxLength: 10}
              email: {type: text, maxLength: 60, nullable: true}
              state: {type: text, maxLength: 10, absent: default}
            sort: [id, name]
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
          orders:
            singular: order
            type: Order
            key: [id]
            writes: all
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id}
              note: {type: text, maxLength: 20, nullable: true}
              total: {type: decimal, scale: 2}
              createdBy: {type: text, column: created_by, nullable: true, writable: false}
            sort: [id]
            relations:
              customer: {to: customers, one: required, columns: {customer_id: id}}

        """

    /// Serves the shop while the closure runs.
    /// - Parameter roles: The roles. Without roles, every caller may write.
    static func with(
        _ backend: TestBackend, roles: [Role] = [], script: String = script, description: String = description,
        settings: ServerSettings = ServerSettings(),
        _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let api = try APIDescription(reading: description, file: "shop.yaml")
                .fitted(to: try await database.read { try DatabaseSchema.read($0) })
            let service = ResourceService(
                api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            let access = roles.isEmpty ? nil : try AccessSettings(roles: roles)
            try await ServiceServer.with(service, access: access, settings: settings) { server in
                try await body(WritableShop(server: server, database: database))
            }
        }
    }

    /// Sends a request.
    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, caller claims: JSONObject? = nil
    ) async throws -> HTTPAnswer {
        // The identifier is a part of problems.
        let fields = ["X-Request-ID": "the-same"].merging(claims.map { TestToken($0).field } ?? [:]) { $1 }
        return try await server.send(method, path, fields, body: body?.compactText)
    }

    /// Executes a GraphQL operation.
    func execute(_ document: String, caller claims: JSONObject? = nil) async throws -> JSONValue {
        try await send("POST", "/graphql", ["query": .string(document)], caller: claims).json
    }
}
