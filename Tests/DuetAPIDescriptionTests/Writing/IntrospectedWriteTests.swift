import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import Synchronization
import TestSupport
import Testing

@Suite("Introspected descriptions with writes") struct IntrospectedWriteTests {
    /// A table with an automatic key, defaults, a generated column and a hidden required column, and tables that cannot
    /// be written.
    private static func script(_ backend: TestBackend) -> String {
        let key = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY"
        return """
            CREATE TABLE orders (id \(key), state VARCHAR(10) NOT NULL DEFAULT 'open', note VARCHAR(20),
                place VARCHAR(10) DEFAULT 'shop', net INTEGER NOT NULL, gross INTEGER GENERATED ALWAYS AS (net * 2));
            CREATE TABLE accounts (id \(key), password VARCHAR(20) NOT NULL, name VARCHAR(10));
            CREATE TABLE events (happened INTEGER, what VARCHAR(10));
            CREATE VIEW open_orders AS SELECT * FROM orders WHERE state = 'open';
            """
    }

    @Test(
        "Tables with a key can be written, and values of the database are marked", arguments: TestBackend.available)
    func writes(_ backend: TestBackend) async throws {
        let schema = try await schema(backend, Self.script(backend))
        let described = try IntrospectedDescription(of: schema, writes: true)
        let catalogue = described.api.catalogue
        let kinds = Dictionary(uniqueKeysWithValues: catalogue.resources.map { ($0.name, $0.writes.kinds) })
        #expect(
            kinds == [
                "orders": [.create, .update, .delete], "accounts": [.update, .delete], "events": [], "openOrders": [],
            ])
        let orders = try #require(catalogue["orders"])
        #expect(orders.fields.filter { !$0.isWritable }.map(\.name) == ["gross"])
        #expect(orders.field("id")?.databaseValue == .automatic)
        #expect(orders.field("state")?.databaseValue == .default)
        #expect(orders.field("place")?.databaseValue == .default)
        #expect(orders.field("note")?.databaseValue == nil && orders.field("net")?.databaseValue == nil)
        let yaml = described.yaml
        #expect(yaml.contains("writes: all\n") && yaml.contains("writes: [update, delete]\n"))
        #expect(yaml.contains("the column password, which no writable field exposes"))
        #expect(try APIDescription(reading: yaml, file: "api.yaml").catalogue.resources == catalogue.resources)
        // The constraints have no influence without writes.
        let readOnly = try IntrospectedDescription(of: schema)
        #expect(!readOnly.yaml.contains("writes:") && !readOnly.yaml.contains("absent:"))
        #expect(readOnly.api.catalogue.resources.allSatisfy { $0.writes.isEmpty })
    }

    @Test("Only with writes, columns with the names of arguments and of the entity tag are renamed")
    func renamedColumns() async throws {
        let schema = try await schema(
            .sqlite,
            "CREATE TABLE versions (major INTEGER NOT NULL, patch INTEGER NOT NULL, entity_tag TEXT, PRIMARY KEY (major, patch))"
        )
        func names(writes: Bool) throws -> [String] {
            let described = try IntrospectedDescription(of: schema, writes: writes)
            return described.api.catalogue["versions"]?.fields.map(\.name) ?? []
        }
        #expect(try names(writes: false) == ["major", "patch", "entityTag"])
        let renamed = try names(writes: true)
        #expect(renamed.count == 3 && !renamed.contains("patch") && !renamed.contains("entityTag"))
    }

    @Test("The database sets automatic keys, defaults and generated columns", arguments: TestBackend.available)
    func stored(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.script(backend)) { shop in
            let created = try await shop.send("POST", "/orders?fields=state,note,place,net,gross", ["net": 5])
            #expect(created.status == 201)
            #expect(created.body == #"{"state":"open","note":null,"place":"shop","net":5,"gross":10}"#)
            // 0 is a value of a key, and not a request for a new number.
            let zero = try await shop.send("POST", "/orders?fields=id,place", ["id": 0, "net": 1, "place": nil])
            #expect(zero.body == #"{"id":0,"place":null}"#)
            let generated = try await shop.send("POST", "/orders", ["net": 5, "gross": 10])
            #expect(try WritableShop.problem(generated) == .init(422, "validation-failed", ["gross"]))
            #expect(try await shop.send("POST", "/accounts", ["name": "Ada"]).status == 405)
            #expect(try await shop.send("DELETE", "/events").status == 405)
        }
    }

    @Test("A number of a sequence is an automatic key")
    func sequence() async throws {
        guard TestBackend.available.contains(.mariaDB) else { return }
        let schema = try await schema(
            .mariaDB,
            """
            CREATE SEQUENCE numbers;
            CREATE TABLE things (id BIGINT NOT NULL DEFAULT NEXTVAL(numbers) PRIMARY KEY, name VARCHAR(10) NOT NULL);
            CREATE TABLE volatile_things (id INTEGER NOT NULL PRIMARY KEY) ENGINE = MyISAM;
            """)
        let described = try IntrospectedDescription(of: schema, writes: true)
        #expect(described.api.catalogue["things"]?.field("id")?.databaseValue == .automatic)
        #expect(described.api.catalogue["volatileThings"]?.writes.isEmpty == true)
        #expect(described.yaml.contains("The rows cannot be written: volatile_things has the storage engine MyISAM"))
    }

    @Test("A table is renamed if the types of writes would have the names of its types")
    func names() async throws {
        let names = ["orders", "order_payloads", "create_order_inputs", "user_errors"]
        let tables = names.map { "CREATE TABLE \($0) (id INTEGER PRIMARY KEY, name TEXT)" }
        let schema = try await schema(.sqlite, tables.joined(separator: ";"))
        let types = try IntrospectedDescription(of: schema, writes: true).api.catalogue.resources.map(\.type)
        // The tables are described in the order of their names.
        #expect(types == ["CreateOrderInput", "OrderPayload", "Order2", "UserError2"])
        let readOnly = try IntrospectedDescription(of: schema).api.catalogue.resources.map(\.type)
        #expect(readOnly == ["CreateOrderInput", "OrderPayload", "Order", "UserError"])
    }

    @Test("The constraints of a schema are read with their names and actions", arguments: TestBackend.available)
    func constraints(_ backend: TestBackend) async throws {
        let schema = try await schema(
            backend,
            """
            CREATE TABLE one (id INTEGER NOT NULL PRIMARY KEY, a INTEGER NOT NULL, b INTEGER, CONSTRAINT small CHECK (a < 9));
            CREATE UNIQUE INDEX pair ON one (b, a);
            CREATE TABLE two (id INTEGER NOT NULL PRIMARY KEY, one_id INTEGER, other_id INTEGER NOT NULL,
                CONSTRAINT first_key FOREIGN KEY (one_id) REFERENCES one (id) ON DELETE SET NULL ON UPDATE CASCADE,
                CONSTRAINT second_key FOREIGN KEY (other_id) REFERENCES one (id) ON DELETE CASCADE);
            """)
        let one = schema["one"].constraints
        #expect(one.checks == ["small"])
        #expect(one.unique.map(\.name) == ["PRIMARY", "pair"])
        #expect(one.unique.map(\.columns) == [["id"], ["b", "a"]])
        let references = schema["two"].constraints.references.sorted { $0.columns[0] < $1.columns[0] }
        #expect(references.map(\.parent) == ["one", "one"])
        #expect(references.map(\.parentColumns) == [["id"], ["id"]])
        #expect(references.map(\.onDelete) == [.setNull, .cascade])
        #expect(references.map(\.onUpdate) == [.cascade, backend == .sqlite ? .noAction : .restrict])
        #expect(references.map(\.name) == (backend == .sqlite ? [nil, nil] : ["first_key", "second_key"]))
    }

    @Test("SQLite's deferred foreign keys and named checks are found in the statement of the table")
    func createTable() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE TABLE p (id INTEGER PRIMARY KEY);
            CREATE TABLE t (a INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED, b INTEGER REFERENCES p,
                c INTEGER CONSTRAINT "a check" CHECK (c <> ')') CHECK (c > 0),
                d INTEGER REFERENCES p (id) NOT DEFERRABLE INITIALLY DEFERRED DEFAULT 5, -- CHECK
                CONSTRAINT key_of_c FOREIGN KEY (c) REFERENCES p (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
            """)
        let constraints = schema["t"].constraints
        let deferred = constraints.references.filter(\.isDeferred).flatMap(\.columns)
        #expect(deferred.sorted() == ["a", "c"])
        #expect(constraints.checks == ["a check"])
    }

    /// A rule whose check fails as if another transaction had locked the table.
    private final class LockedTable: ChangeHook {
        private let failures: Int
        private let attemptCount = Mutex(0)
        var attempts: Int { attemptCount.withLock(\.self) }

        init(failures: Int) { self.failures = failures }

        func check(_ change: Change, in transaction: ChangeTransaction) throws {
            let attempt = attemptCount.withLock { count in
                count += 1
                return count
            }
            guard attempt <= failures else { return }
            throw DatabaseError(.busy, "Deadlock found", backendCode: "40001/1213")
        }
    }

    @Test("A transaction that another one has stopped is repeated at most three times")
    func repetition() async throws {
        let tables = "CREATE TABLE things (id INTEGER PRIMARY KEY)"
        for (failures, status, attempts) in [(3, 201, 4), (4, 503, 4)] {
            let hook = LockedTable(failures: failures)
            try await WritableShop.with(.sqlite, tables: tables, hooks: ["things": hook]) {
                (shop: WritableShop) async throws in
                #expect(try await shop.send("POST", "/things", ["id": 1]).status == status)
            }
            #expect(hook.attempts == attempts)
        }
    }
}
