import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import TestSupport
import Testing

@Suite("The errors of changes that the database rejects") struct ConstraintTests {
    private typealias Problem = WritableShop.Problem

    private static let tables = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, email VARCHAR(20) NOT NULL, code VARCHAR(8),
            area INTEGER, number INTEGER, rating INTEGER, note VARCHAR(40),
            CONSTRAINT rating_range CHECK (rating BETWEEN 1 AND 5), CHECK (note <> 'forbidden'));
        CREATE UNIQUE INDEX email_of_customer ON customers (email);
        CREATE UNIQUE INDEX place ON customers (area, number);
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, note VARCHAR(20),
            FOREIGN KEY (customer_id) REFERENCES customers (id));
        CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, orders_id INTEGER,
            FOREIGN KEY (customer_id) REFERENCES customers (id), FOREIGN KEY (orders_id) REFERENCES orders (id));
        INSERT INTO customers (id, email, area, number) VALUES (1, 'ada@x.org', 1, 1), (2, 'bob@x.org', 1, 2),
            (3, 'cleo@x.org', 1, 3);
        INSERT INTO orders VALUES (10, 1, NULL), (11, 2, NULL);
        INSERT INTO visits VALUES (20, 3, NULL);
        """

    private static func trigger(_ backend: TestBackend) -> String {
        backend == .sqlite
            ? """
            CREATE TRIGGER no_late_order BEFORE INSERT ON orders WHEN NEW.note = 'tardy'
            BEGIN SELECT RAISE(ABORT, 'the shop is closed'); END
            """
            : """
            CREATE TRIGGER no_late_order BEFORE INSERT ON orders FOR EACH ROW
            IF NEW.note = 'tardy' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the shop is closed'; END IF
            """
    }

    @Test("A violation names the fields, and no values", arguments: TestBackend.available)
    func fields(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables, Self.trigger(backend)) { shop in
            func expect(_ method: String, _ path: String, _ body: JSONValue?, _ problem: Problem) async throws {
                let answer = try await shop.send(method, path, body)
                #expect(try WritableShop.problem(answer) == problem, "\(answer.body)")
                for value in ["ada@x.org", "tardy", "forbidden", "977"] { #expect(!answer.body.contains(value)) }
            }
            try await expect("POST", "/customers", ["id": 1, "email": "new"], Problem(409, "conflict", ["id"]))
            try await expect(
                "POST", "/customers", ["id": 4, "email": "ada@x.org"], Problem(409, "conflict", ["email"]))
            try await expect("PATCH", "/customers/2", ["number": 1], Problem(409, "conflict", ["area", "number"]))
            try await expect(
                "PATCH", "/customers/2", ["rating": 977], Problem(422, "constraint-violated"))
            try await expect(
                "PATCH", "/customers/2", ["note": "forbidden"], Problem(422, "constraint-violated"))
            try await expect(
                "POST", "/orders", ["id": 12, "customerId": 977], Problem(422, "reference-missing", ["customerId"]))
            try await expect(
                "POST", "/orders", ["id": 12, "customerId": 1, "note": "tardy"], Problem(422, "constraint-violated"))
            try await expect(
                "DELETE", "/customers/1", nil, Problem(409, "row-in-use", relation: "orders"))
            try await expect(
                "DELETE", "/customers/3", nil, Problem(409, "row-in-use", relation: "visits"))
            let rating = try await shop.send("PATCH", "/customers/2", ["rating": 6])
            #expect(rating.body.contains("rating_range"))
            let late = try await shop.send("POST", "/orders", ["id": 12, "customerId": 1, "note": "tardy"])
            #expect(late.body.contains("the shop is closed"))
            let orders = try await shop.send("GET", "/orders?fields=id,customerId")
            #expect(orders.body == #"[{"id":10,"customerId":1},{"id":11,"customerId":2}]"#)
        }
    }

    @Test("A violation reveals only fields and relations that the role sees", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let hidden: [String] = ["email", "number"]
        let role = Role(
            "clerk",
            reads: [
                "customers": .init(fields: .except(hidden), where: .compare("id", .notEqual, [.integer(3)])),
                "orders": .init(),
            ],
            writes: [
                "customers": .init(
                    create: .init(set: ["email": .parameter("mail")]), update: .init(), delete: .init()),
                "orders": .init(create: .init(), update: .init(), delete: .init()),
            ])
        try await WritableShop.with(backend, tables: Self.tables, Self.trigger(backend), roles: [role]) { shop in
            let caller: JSONObject = ["role": "clerk", "mail": "ada@x.org"]
            func problem(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Problem {
                try await shop.problem(method, path, body, caller: caller)
            }
            // The address is that of another row, in a field that the role does not see.
            #expect(try await problem("POST", "/customers", ["id": 4]) == Problem(409, "conflict"))
            // The row exists, but the caller does not see it.
            #expect(try await problem("POST", "/customers", ["id": 3]) == Problem(409, "conflict", ["id"]))
            #expect(try await problem("PATCH", "/customers/3", ["area": 2]) == Problem(404, "unknown-customer"))
            #expect(try await problem("DELETE", "/customers/3") == problem("DELETE", "/customers/4"))
            #expect(
                try await problem("DELETE", "/customers/1") == Problem(409, "row-in-use", relation: "orders"))
            let hidden = try await shop.send("POST", "/orders", ["id": 12, "customerId": 3], caller: caller)
            let missing = try await shop.send("POST", "/orders", ["id": 12, "customerId": 99], caller: caller)
            #expect(try WritableShop.problem(hidden) == Problem(422, "reference-missing", ["customerId"]))
            #expect(hidden.body == missing.body)
            // A second error of the same row does not distinguish them.
            let both = try await shop.send("POST", "/orders", ["id": 10, "customerId": 3], caller: caller)
            let neither = try await shop.send("POST", "/orders", ["id": 10, "customerId": 99], caller: caller)
            #expect(both.body == neither.body)
            let late = try await shop.send(
                "POST", "/orders", ["id": 12, "customerId": 1, "note": "tardy"], caller: caller)
            #expect(late.status == 422 && !late.body.contains("closed"))
        }
    }

    @Test("A value that only the database rejects is an error of its field", arguments: TestBackend.available)
    func values(_ backend: TestBackend) async throws {
        let strict = backend == .sqlite ? " STRICT" : ""
        let tables = """
            CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, amount INTEGER)\(strict);
            INSERT INTO things VALUES (1, 'one', 1);
            """
        try await WritableShop.with(backend, tables: tables) { shop in
            // The trigger of another table's owner is not known to the service, which therefore permits the values.
            try await shop.database.write { connection in
                try connection.execute(
                    backend == .sqlite
                        ? """
                        CREATE TRIGGER a AFTER UPDATE ON things WHEN NEW.amount = 7
                        BEGIN UPDATE things SET name = NULL WHERE id = NEW.id; END
                        """
                        : """
                        CREATE TRIGGER a BEFORE UPDATE ON things FOR EACH ROW
                        IF NEW.amount = 7 THEN SET NEW.name = NULL; END IF
                        """)
            }
            let answer = try await shop.send("PATCH", "/things/1", ["amount": 7])
            #expect(
                try WritableShop.problem(answer) == Problem(422, "validation-failed", ["name"]), "\(answer.body)")
            #expect(try await shop.send("GET", "/things/1").body == #"{"id":1,"name":"one","amount":1}"#)
        }
    }

    @Test("A deferred foreign key of SQLite is violated at the end of the transaction")
    func deferred() async throws {
        let tables = """
            CREATE TABLE customers (id INTEGER PRIMARY KEY);
            CREATE TABLE orders (id INTEGER PRIMARY KEY,
                customer_id INTEGER NOT NULL REFERENCES customers DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO customers VALUES (1);
            INSERT INTO orders VALUES (10, 1);
            """
        try await WritableShop.with(.sqlite, tables: tables) { shop in
            let created = try await shop.problem("POST", "/orders", ["id": 11, "customerId": 2])
            #expect(created == Problem(422, "reference-missing"))
            #expect(try await shop.problem("DELETE", "/customers/1") == Problem(409, "row-in-use"))
            let imported = try await shop.importRows("/orders", .csv, "id,customerId\n11,1\n12,2")
            #expect(try WritableShop.problem(imported) == Problem(422, "reference-missing"))
            // The end of a transaction that is rolled back has the same checks.
            func rolledBack(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Problem {
                try WritableShop.problem(try await shop.send(method, path, body, prefer: "tx=rollback"))
            }
            let missing = try await rolledBack("POST", "/orders", ["id": 11, "customerId": 2])
            #expect(missing == Problem(422, "reference-missing"))
            #expect(try await rolledBack("DELETE", "/customers/1") == Problem(409, "row-in-use"))
            let refused = try await shop.importRows("/orders", .csv, "id,customerId\n12,2", prefer: "tx=rollback")
            #expect(try WritableShop.problem(refused) == Problem(422, "reference-missing"))
            #expect(try await rolledBack("POST", "/orders", ["id": 11, "customerId": 1]) == Problem(201, ""))
            #expect(try await shop.send("GET", "/customers").body == #"[{"id":1}]"#)
        }
    }
}
