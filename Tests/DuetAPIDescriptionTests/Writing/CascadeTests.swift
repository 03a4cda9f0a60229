import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import TestSupport
import Testing

@Suite("Deletes whose cascade reaches other rows") struct CascadeTests {
    private typealias Problem = WritableShop.Problem

    /// A customer has orders with lines, and visits that survive the customer. A category has further categories.
    private static let tables = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10));
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, state VARCHAR(10) NOT NULL,
            FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE);
        CREATE TABLE line_items (order_id INTEGER NOT NULL, line INTEGER NOT NULL, article VARCHAR(10) NOT NULL,
            PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE);
        CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL, line INTEGER NOT NULL,
            FOREIGN KEY (order_id, line) REFERENCES line_items (order_id, line));
        CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER, place VARCHAR(10) NOT NULL,
            FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL);
        CREATE TABLE categories (id INTEGER NOT NULL PRIMARY KEY, parent_id INTEGER, name VARCHAR(10) NOT NULL,
            FOREIGN KEY (parent_id) REFERENCES categories (id) ON DELETE CASCADE);
        INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cleo'), (4, 'Dora'), (5, 'Eve');
        INSERT INTO orders VALUES (10, 1, 'open'), (11, 1, 'open'), (20, 2, 'open'), (21, 2, 'sent'), (30, 3, 'open');
        INSERT INTO line_items VALUES (10, 1, 'tea'), (10, 2, 'cup'), (11, 1, 'tea'), (20, 1, 'cup'), (30, 1, 'gun'),
            (30, 2, 'tea');
        INSERT INTO notes VALUES (1, 20, 1);
        INSERT INTO visits VALUES (50, 4, 'Rome'), (51, 5, 'Oslo');
        INSERT INTO categories VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, NULL, 'a'),
            (6, 5, 'secret');
        """

    private static func role(
        reads: [String: Role.Read] = [:], writes: [String: Role.Writes] = [:]
    ) -> Role {
        let all: Set = ["customers", "orders", "lineItems", "notes", "visits", "categories"]
        let whole = Dictionary(uniqueKeysWithValues: all.map { ($0, Role.Read()) })
        let deletes = Role.Writes(delete: .init())
        return Role(
            "clerk", reads: whole.merging(reads) { $1 }, writes: ["customers": deletes].merging(writes) { $1 })
    }

    private static let caller: JSONObject = ["role": "clerk"]

    @Test("The database decides about a cascade if there are no roles", arguments: TestBackend.available)
    func withoutRoles(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables) { (shop: WritableShop) async throws in
            #expect(try await shop.send("DELETE", "/customers/1").status == 204)
            #expect(try await shop.send("DELETE", "/customers/4").status == 204)
            #expect(try await shop.send("DELETE", "/categories/1").status == 204)
            // The note of a line prevents the cascade.
            #expect(
                try await shop.problem("DELETE", "/customers/2")
                    == Problem(409, "row-in-use", relation: "lineItems.notes"))
            #expect(
                try await shop.send("GET", "/orders?fields=id").body == #"[{"id":20},{"id":21},{"id":30}]"#)
            #expect(
                try await shop.send("GET", "/visits/50").body == #"{"id":50,"customerId":null,"place":"Rome"}"#)
            #expect(try await shop.send("GET", "/categories?fields=id").body == #"[{"id":5},{"id":6}]"#)
        }
    }

    @Test("A role removes only rows that it may remove, in each step of a cascade", arguments: TestBackend.available)
    func removal(_ backend: TestBackend) async throws {
        let open = Filter.compare("state", .equal, [.text("open")])
        let harmless = Filter.compare("article", .notEqual, [.text("gun")])
        let role = Self.role(writes: [
            "orders": .init(delete: .init(where: open)), "lineItems": .init(delete: .init(where: harmless)),
            "notes": .init(delete: .init()), "categories": .init(delete: .init()),
        ])
        try await WritableShop.with(backend, tables: Self.tables, roles: [role]) { shop in
            func problem(_ path: String) async throws -> Problem {
                try await shop.problem("DELETE", path, caller: Self.caller)
            }
            // An order has been sent.
            #expect(try await problem("/customers/2") == Problem(409, "row-in-use", relation: "orders"))
            // A line of the order cannot be removed.
            #expect(try await problem("/customers/3") == Problem(409, "row-in-use", relation: "orders.lineItems"))
            // The database itself rejects this, because of the note.
            #expect(try await problem("/orders/20") == Problem(409, "row-in-use", relation: "lineItems.notes"))
            #expect(try await problem("/customers/1") == Problem(204, ""))
            #expect(try await problem("/categories/1") == Problem(204, ""))
            let orders = try await shop.send("GET", "/orders?fields=id", caller: Self.caller)
            #expect(orders.body == #"[{"id":20},{"id":21},{"id":30}]"#)
        }
    }

    @Test("A row that a role does not see prevents a cascade", arguments: TestBackend.available)
    func hiddenRows(_ backend: TestBackend) async throws {
        let plain = Filter.compare("name", .notEqual, [.text("secret")])
        var role = Self.role(
            reads: ["categories": .init(where: plain)],
            writes: ["orders": .init(delete: .init()), "categories": .init(delete: .init())])
        role.reads["lineItems"] = nil
        role.reads["notes"] = nil
        try await WritableShop.with(backend, tables: Self.tables, roles: [role]) { (shop: WritableShop) async throws in
            func problem(_ path: String) async throws -> Problem {
                try await shop.problem("DELETE", path, caller: Self.caller)
            }
            // The role sees the orders, but not their lines, so the answer does not name them.
            #expect(try await problem("/customers/1") == Problem(409, "row-in-use"))
            // An order without lines can be removed.
            #expect(try await problem("/orders/21") == Problem(204, ""))
            #expect(try await problem("/categories/5").status == 409)
            #expect(try await problem("/categories/1") == Problem(204, ""))
        }
    }

    @Test("A role sets references only in rows and fields that it may change", arguments: TestBackend.available)
    func setNull(_ backend: TestBackend) async throws {
        let rome = Filter.compare("place", .equal, [.text("Rome")])
        let clerk = Self.role(writes: ["visits": .init(update: .init(where: rome))])
        var guest = Self.role(writes: ["visits": .init(update: .init(fields: .only(["place"])))])
        guest.name = "guest"
        var chief = Self.role(writes: ["visits": .init(update: .init(check: .isNull("customerId", false)))])
        chief.name = "chief"
        try await WritableShop.with(backend, tables: Self.tables, roles: [clerk, guest, chief]) { shop in
            let used = Problem(409, "row-in-use", relation: "visits")
            let guestProblem = try await shop.problem("DELETE", "/customers/4", caller: ["role": "guest"])
            #expect(guestProblem == used)
            // The row without a customer would not satisfy the condition for changed rows.
            let chiefProblem = try await shop.problem("DELETE", "/customers/4", caller: ["role": "chief"])
            #expect(chiefProblem == used)
            #expect(try await shop.problem("DELETE", "/customers/5", caller: Self.caller) == used)
            #expect(try await shop.problem("DELETE", "/customers/4", caller: Self.caller) == Problem(204, ""))
            #expect(
                try await shop.send("GET", "/visits/50", caller: Self.caller).body
                    == #"{"id":50,"customerId":null,"place":"Rome"}"#)
        }
    }

    @Test("A changed key that other rows repeat needs the right to change these rows", arguments: TestBackend.available)
    func changedKey(_ backend: TestBackend) async throws {
        let tables = """
            CREATE TABLE countries (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(3) NOT NULL UNIQUE);
            CREATE TABLE cities (id INTEGER NOT NULL PRIMARY KEY, country_code VARCHAR(3) NOT NULL,
                FOREIGN KEY (country_code) REFERENCES countries (code) ON UPDATE CASCADE);
            INSERT INTO countries VALUES (1, 'at'), (2, 'nz');
            INSERT INTO cities VALUES (10, 'at');
            """
        let updates = Role.Writes(update: .init())
        let reads: [String: Role.Read] = ["countries": .init(), "cities": .init()]
        let clerk = Role("clerk", reads: reads, writes: ["countries": updates])
        let chief = Role("chief", reads: reads, writes: ["countries": updates, "cities": updates])
        try await WritableShop.with(backend, tables: tables, roles: [clerk, chief]) { shop in
            let refused = try await shop.problem("PATCH", "/countries/1", ["code": "a"], caller: ["role": "clerk"])
            #expect(refused == Problem(409, "row-in-use", relation: "cities"))
            let free = try await shop.problem("PATCH", "/countries/2", ["code": "n"], caller: ["role": "clerk"])
            #expect(free == Problem(200, ""))
            let made = try await shop.problem("PATCH", "/countries/1", ["code": "a"], caller: ["role": "chief"])
            #expect(made == Problem(200, ""))
            let city = try await shop.send("GET", "/cities/10", caller: ["role": "chief"])
            #expect(city.body == #"{"id":10,"countryCode":"a"}"#)
        }
    }

    @Test("A removed row can refer to another removed row", arguments: TestBackend.available)
    func removedTogether(_ backend: TestBackend) async throws {
        let tables = """
            CREATE TABLE tasks (id INTEGER NOT NULL PRIMARY KEY, previous_id INTEGER, state VARCHAR(10) NOT NULL,
                FOREIGN KEY (previous_id) REFERENCES tasks (id) ON DELETE SET NULL);
            INSERT INTO tasks VALUES (1, NULL, 'done'), (2, 1, 'done'), (3, 2, 'open'), (4, NULL, 'late'),
                (5, 4, 'open');
            """
        let check = Filter.isNull("previousId", false)
        let clerk = Role(
            "clerk", reads: ["tasks": .init()],
            writes: ["tasks": .init(update: .init(check: check), delete: .init())])
        try await WritableShop.with(backend, tables: tables, roles: [clerk]) { shop in
            // Task 3 remains, and its reference would be missing.
            let refused = try await shop.problem("DELETE", "/tasks?state=done", caller: Self.caller)
            #expect((refused.status, refused.code) == (409, "row-in-use"))
            let removed = try await shop.send("DELETE", "/tasks?id.lte=3", caller: Self.caller)
            #expect(removed.body == #"{"deleted":3}"#)
            #expect(try await shop.send("GET", "/tasks?fields=id", caller: Self.caller).body == #"[{"id":4},{"id":5}]"#)
        }
    }
}
