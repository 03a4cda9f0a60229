import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The first columns of an attached query are the columns that it compares with the key")
struct FirstColumnTests {
    /// Each `id` of an item is also the `id` of an order. The column name `key` needs quotes.
    private static let schema = """
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, region INTEGER NOT NULL);
        CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, orderID INTEGER NOT NULL, region INTEGER NOT NULL, name VARCHAR(20));
        CREATE TABLE notes (`key` INTEGER NOT NULL, id INTEGER NOT NULL, note VARCHAR(20));
        CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, oid INTEGER NOT NULL);
        INSERT INTO orders VALUES (1, 1), (2, 1), (3, 2);
        INSERT INTO items VALUES (1, 2, 1, 'Pen'), (2, 3, 2, 'Ink'), (3, 1, 1, 'Paper');
        INSERT INTO notes VALUES (1, 2, 'a'), (2, 1, 'b');
        INSERT INTO parts VALUES (1, 2), (2, 1);
        """

    private func with(_ backend: TestBackend, _ body: (Database) async throws -> Void) async throws {
        try await TestDatabase.with(backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1)) {
            try await $0.write { try $0.executeScript(Self.schema) }
            try await body($0)
        }
    }

    /// The ways to write rows with attached rows: as a list, as an object, and as an object whose key is known.
    enum Way: CaseIterable {
        case list, object, known
    }

    private func json(
        _ database: Database, _ sql: String, for keys: [String] = ["id"], _ way: Way = .list
    ) async throws -> String {
        try await database.read { connection in
            let orders = try connection.query("SELECT id, region FROM orders ORDER BY id")
            let adapter = ResultSetAdapter(orders, on: connection, known: way == .known ? ["id": 1, "region": 1] : [:])
            try adapter.attach("items", for: keys, sql)
            return try way == .list ? adapter.text() : adapter.objectText() ?? ""
        }
    }

    private func message(
        _ database: Database, _ sql: String, for keys: [String] = ["id"], _ way: Way = .list
    ) async -> String {
        let error = await #expect(throws: DatabaseError.self, "\(sql)") {
            try await json(database, sql, for: keys, way)
        }
        #expect(error?.statement == sql)
        return error?.message ?? ""
    }

    @Test(
        "A wrong first column with matching values is an error that names the right column",
        arguments: TestBackend.available, Way.allCases)
    func otherColumn(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let sql = "SELECT id, orderID, name FROM items WHERE orderID IN (:id) ORDER BY id"
            // Each run fails, including runs after the first one.
            for _ in 1...2 {
                let message = await message(database, sql, way)
                #expect(
                    message
                        == "the attached member items: its rows must begin with the key: orderID is compared with :id, but the query "
                        + "selects id first; select orderID first, then the other columns")
            }
        }
    }

    @Test(
        "The compared column is recognized even if the query has quotes, table names, aliases or other conditions",
        arguments: TestBackend.available,
        [
            "SELECT DISTINCT id, name FROM items WHERE orderID IN (:id) ORDER BY id",
            "SELECT `id`, name FROM items WHERE items.`orderID` IN (:id) ORDER BY id",
            "SELECT i.id AS number, i.name FROM items AS i WHERE i.orderID in ( :id ) ORDER BY 1",
            "SELECT id number, name FROM items WHERE name <> ')' AND (region = 9 OR orderID IN (:id)) ORDER BY id",
            "SELECT id, name FROM items WHERE (orderID) IN (:id) ORDER BY id",
            "/* id, */ SELECT id, -- orderID\n name FROM items WHERE orderID /* : */ IN (:id) ORDER BY id",
            "SELECT i.id, i.name FROM items i JOIN orders o ON o.id = i.orderID WHERE o.id IN (:id) ORDER BY i.id",
            "SELECT id, note FROM notes WHERE `key` IN (:id) ORDER BY id",
            "SELECT (id), name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT (items.id) AS number, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT id, id AS number FROM parts WHERE oid IN (:id) ORDER BY id",
            "SELECT id + 0, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT 1 AS one, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT id, name FROM items WHERE orderID + 0 IN (:id) ORDER BY 1",
            "SELECT CAST(id AS CHAR), name FROM items WHERE CAST(orderID AS CHAR) IN (:id) ORDER BY 1",
            "SELECT CASE WHEN id > 0 THEN id END AS id, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT id, name FROM items WHERE orderID IN (:id) OR orderID IN (:id) ORDER BY id",
            "SELECT id, name FROM items WHERE orderID IN (:id) AND region IN (SELECT id FROM orders WHERE id IN (:id))",
            "SELECT id, name FROM items WHERE orderID IN (:id) UNION SELECT 1, 'a' FROM items WHERE 1 = 0 ORDER BY 1",
            "SELECT orderID, name FROM items WHERE orderID IN (:id) UNION ALL "
                + "SELECT id, note FROM notes WHERE `key` IN (:id) ORDER BY 1",
            "WITH t AS (SELECT id, name, orderID FROM items) SELECT id, name FROM t WHERE orderID IN (:id) "
                + "UNION SELECT 1, 'a' FROM t WHERE 1 = 0 ORDER BY 1",
            "WITH one AS (SELECT 1 AS value) SELECT id, name FROM items WHERE orderID IN (:id) ORDER BY id",
            "WITH one AS (SELECT orderID FROM items), two (a, b) AS (SELECT id, orderID FROM items UNION SELECT 9, 9) "
                + "SELECT a, b AS number FROM two WHERE b IN (:id) ORDER BY a",
        ])
    func spellings(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let message = await message(database, sql)
            #expect(message.contains("its rows must begin with the key: "), "\(sql)")
            #expect(message.contains("is compared with :id"), "\(sql)")
        }
    }

    @Test(
        "SELECT * is an error if the first declared column of the table is not the compared column",
        arguments: TestBackend.available,
        [
            "SELECT * FROM items WHERE orderID IN (:id) ORDER BY id",
            "SELECT DISTINCT * FROM items AS i WHERE i.`orderID` IN (:id) ORDER BY id",
            "SELECT * FROM (SELECT id, orderID FROM items) t WHERE t.orderID IN (:id) ORDER BY id",
            "WITH t AS (SELECT id, orderID FROM items) SELECT * FROM t WHERE orderID IN (:id) ORDER BY id",
        ])
    func allColumns(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            for _ in 1...2 {
                let message = await message(database, sql)
                #expect(message.contains("orderID is compared with :id, but the query selects id first; "), "\(sql)")
            }
        }
    }

    /// Queries whose first column is a column of the table before `.*`, or of the first table after FROM. In all
    /// queries except the first four, the compared column has the same name, but is in a different table.
    private static let firstOfTable: [(sql: String, compared: String, selected: String)] = [
        ("SELECT items.* FROM items WHERE orderID IN (:id) ORDER BY id", "orderID", "items.id"),
        ("SELECT `items` . * FROM items WHERE items.orderID IN (:id) ORDER BY id", "items.orderID", "items.id"),
        ("SELECT i.*, 1 AS one FROM items i WHERE orderID IN (:id) ORDER BY id", "orderID", "i.id"),
        (
            "SELECT t.* FROM (SELECT id, name FROM items) t JOIN items ON items.id = t.id WHERE orderID IN (:id) ORDER BY 1",
            "orderID", "t.id"
        ),
        (
            "SELECT i.* FROM orders o JOIN items i ON i.orderID = o.id WHERE o.id IN (:id) ORDER BY i.id",
            "o.id", "i.id"
        ),
        (
            "SELECT * FROM items i JOIN orders o ON o.id = i.orderID WHERE o.id IN (:id) ORDER BY i.id",
            "o.id", "i.id"
        ),
        (
            "SELECT * FROM items AS i LEFT JOIN orders AS o ON o.id = i.orderID WHERE o.id IN (:id) ORDER BY i.id",
            "o.id", "i.id"
        ),
        (
            "SELECT *, 1 AS one FROM items, orders WHERE orders.id = orderID AND orders.id IN (:id) ORDER BY items.id",
            "orders.id", "items.id"
        ),
    ]

    @Test(
        "For table.*, and for * in a join, the error names the first column together with its table",
        arguments: TestBackend.available)
    func allColumnsOfOneTable(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for (sql, compared, selected) in Self.firstOfTable {
                let message = await message(database, sql)
                #expect(
                    message.contains("\(compared) is compared with :id, but the query selects \(selected) first; "),
                    "\(sql)")
            }
        }
    }

    @Test(
        "A query that selects * is valid if the first column of its table is the compared column",
        arguments: TestBackend.available,
        [
            "SELECT * FROM notes WHERE `key` IN (:id) ORDER BY `key`",
            "SELECT * FROM notes AS n WHERE n.`KEY` IN (:id) ORDER BY n.`key`",
            "SELECT notes.* FROM notes WHERE (`key`) IN (:id) ORDER BY 1",
            "SELECT n.* FROM orders o JOIN notes n ON n.`key` = o.id WHERE o.id IN (:id) ORDER BY 1",
        ])
    func allColumnsWithKey(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let text = try await json(database, sql)
            #expect(
                text
                    == #"[{"id":1,"region":1,"items":[{"id":2,"note":"a"}]},"#
                    + #"{"id":2,"region":1,"items":[{"id":1,"note":"b"}]},{"id":3,"region":2,"items":[]}]"#,
                "\(sql)")
        }
    }

    @Test(
        "In a join, a first column that the join condition equates with the compared column is valid",
        arguments: TestBackend.available,
        [
            "SELECT * FROM orders o JOIN parts p ON p.oid = o.id WHERE o.id IN (:id) ORDER BY o.id",
            "SELECT * FROM orders JOIN parts ON parts.oid = orders.id WHERE orders.id IN (:id) ORDER BY orders.id",
            "SELECT * FROM orders AS o INNER JOIN parts AS p ON p.oid = o.id WHERE p.oid IN (:id) ORDER BY o.id",
            "SELECT * FROM orders o, parts WHERE oid = o.id AND o.id IN (:id) ORDER BY o.id",
            "SELECT * FROM (orders o JOIN parts p ON p.oid = o.id) WHERE o.id IN (:id) ORDER BY o.id",
            "SELECT * FROM (SELECT id, region FROM orders) AS o JOIN parts p ON p.oid = o.id WHERE o.id IN (:id) "
                + "ORDER BY 1",
        ])
    func join(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let text = try await json(database, sql)
            #expect(
                text
                    == #"[{"id":1,"region":1,"items":[{"region":1,"id":2,"oid":1}]},"#
                    + #"{"id":2,"region":1,"items":[{"region":1,"id":1,"oid":2}]},{"id":3,"region":2,"items":[]}]"#,
                "\(sql)")
        }
    }

    @Test(
        "A column that USING or NATURAL merges can be compared through each of its tables",
        arguments: TestBackend.available,
        [
            "SELECT * FROM parts JOIN notes USING (id) WHERE notes.id IN (:id) ORDER BY 1",
            "SELECT * FROM parts p NATURAL JOIN notes n WHERE n.id IN (:id) ORDER BY 1",
        ])
    func mergedColumns(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let text = try await json(database, sql)
            #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[{"oid":2,"key":2,"note":"b"}]}"#), "\(sql)")
        }
    }

    @Test(
        "With SELECT *, only MariaDB places the columns that USING merges before all other columns",
        arguments: TestBackend.available)
    func mergedColumnsFirst(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let sql = "SELECT * FROM notes n JOIN parts p USING (id) WHERE p.id IN (:id) ORDER BY n.id"
            switch backend {
            case .sqlite:
                let message = await message(database, sql)
                #expect(message.contains("p.id is compared with :id, but the query selects key first"))
            case .mariaDB:
                let text = try await json(database, sql)
                #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[{"key":2,"note":"b","oid":2}]}"#))
            }
        }
    }

    private static let right =
        #"[{"id":1,"region":1,"items":[{"name":"Paper"}]},{"id":2,"region":1,"items":[{"name":"Pen"}]},"#
        + #"{"id":3,"region":2,"items":[{"name":"Ink"}]}]"#

    @Test(
        "A query that selects the compared column first is valid in any spelling", arguments: TestBackend.available,
        [
            "SELECT orderID, name FROM items WHERE orderID IN (:id) ORDER BY orderID",
            "SELECT ORDERID, name FROM items WHERE `orderid` IN (:id) ORDER BY orderID",
            "SELECT items.orderID, name FROM items WHERE orderID IN (:id) ORDER BY orderID",
            "SELECT i.orderID AS id, name FROM items i WHERE (i.orderID) IN (:id) ORDER BY 1",
            "SELECT i.orderID, name FROM items i JOIN orders o ON o.id = i.orderID WHERE o.id IN (:id) ORDER BY 1",
            "SELECT o.id, name FROM orders o JOIN items i ON i.orderID = o.id WHERE i.orderID IN (:id) ORDER BY 1",
            "SELECT o.id, name FROM items i JOIN orders o ON (i.orderID) IN (o.id) AND o.id = i.orderID AND o.region > 0 "
                + "WHERE i.orderID IN (:id) ORDER BY 1",
            "SELECT p.id, i.name FROM orders p JOIN orders o ON o.id = p.id JOIN items i ON i.orderID = o.id "
                + "WHERE i.orderID IN (:id) ORDER BY 1",
            "SELECT t.orderID, t.name FROM (SELECT id, orderID, name FROM items WHERE orderID IN (:id)) AS t ORDER BY 1",
            "SELECT o.id, i.name FROM items i JOIN orders o ON o.id = i.orderID "
                + "WHERE i.orderID IN (SELECT id FROM orders WHERE id IN (:id)) ORDER BY 1",
            "WITH t AS (SELECT orderID, name FROM items WHERE orderID IN (:id)) SELECT orderID, name FROM t ORDER BY 1",
            "WITH t AS (SELECT orderID, name FROM items) SELECT * FROM t WHERE t.orderID IN (:id) ORDER BY 1",
            "SELECT * FROM (SELECT orderID AS number, name FROM items) AS t WHERE number IN (:id) ORDER BY 1",
            "SELECT number, name FROM (SELECT o.id AS number, i.orderID, i.name FROM items i JOIN orders o "
                + "ON o.id = i.orderID) t WHERE orderID IN (:id) ORDER BY 1",
            "WITH t AS (SELECT orderID number, orderID, name FROM items) "
                + "SELECT number, name FROM t WHERE orderID IN (:id) ORDER BY 1",
            "WITH t AS (SELECT orderID AS number, orderID, name FROM items) "
                + "SELECT number, name FROM t WHERE orderID IN (:id) ORDER BY 1",
            "SELECT o.id + 0, i.name FROM items i JOIN orders o ON o.id = i.orderID "
                + "WHERE i.orderID IN (:id) ORDER BY 1",
            "SELECT orderID AS o, MAX(name) AS name FROM items GROUP BY orderID HAVING o IN (:id) ORDER BY 1",
            "SELECT orderID + 0 AS o, MAX(name) AS name FROM items GROUP BY orderID + 0 HAVING o IN (:id) ORDER BY 1",
            "SELECT orderID + 0, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            "SELECT ABS(i.orderID) AS id, name FROM items AS i WHERE orderID + 0 IN (:id) ORDER BY 1",
            "SELECT orderID, name FROM items WHERE orderID IN (:id) AND id < 3 UNION ALL "
                + "SELECT orderID, name FROM items WHERE orderID IN (:id) AND id >= 3 ORDER BY 1",
        ])
    func rightColumn(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            for _ in 1...2 {
                let text = try await json(database, sql)
                #expect(text == Self.right, "\(sql)")
            }
        }
    }

    @Test(
        "A query whose text does not show the columns is not checked", arguments: TestBackend.available,
        [
            "WITH t AS (SELECT id, name FROM items WHERE orderID IN (:id)) SELECT * FROM t ORDER BY id",
            "SELECT t.id, t.name FROM (SELECT id, name FROM items WHERE orderID IN (:id)) AS t ORDER BY 1",
        ])
    func unclear(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let text = try await json(database, sql)
            #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[{"name":"Pen"}]}"#), "\(sql)")
        }
    }

    @Test("Equivalent spellings that only one database accepts are valid")
    func dialects() async throws {
        try await with(.sqlite) { database in
            for sql in [
                "SELECT o.id, name FROM items i JOIN orders o ON o.id == i.orderID WHERE i.orderID IN (:id) ORDER BY 1",
                "SELECT o.id, name FROM items i JOIN orders o ON o.id IS i.orderID WHERE i.orderID IN (:id) ORDER BY 1",
                "SELECT o.id, name FROM orders o JOIN items i ON i.orderID = o.id WHERE o.rowid IN (:id) ORDER BY 1",
                "SELECT o.rowid, name FROM orders o JOIN items i ON i.orderID = o.id WHERE o.rowid IN (:id) ORDER BY 1",
                "SELECT (i.orderID) AS number, name FROM items i WHERE i.orderID IN (:id) ORDER BY 1",
                "SELECT orderID + 0 AS number, name FROM items WHERE number IN (:id) ORDER BY 1",
            ] {
                let text = try await json(database, sql)
                #expect(text == Self.right, "\(sql)")
            }
            for sql in [
                "SELECT * FROM orders FULL JOIN parts ON oid = orders.id WHERE orders.id IN (:id) ORDER BY 1",
                "SELECT * FROM (orders o JOIN parts p ON oid = o.id) x JOIN (SELECT 1 AS one) y WHERE o.id IN (:id) "
                    + "ORDER BY 1",
            ] {
                let text = try await json(database, sql)
                #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[{"region":1,"#), "\(sql)")
            }
        }
        guard TestBackend.available.contains(.mariaDB) else { return }
        try await with(.mariaDB) { database in
            for sql in [
                "SELECT SQL_NO_CACHE orderID, name FROM items WHERE orderID IN (:id) ORDER BY orderID",
                "SELECT o.id, name FROM items i JOIN orders o ON o.id <=> i.orderID WHERE i.orderID IN (:id) ORDER BY 1",
                "SELECT # an order's number, not id LIMIT 1\n orderID, name FROM items WHERE orderID IN (:id) ORDER BY 1",
            ] {
                let text = try await json(database, sql)
                #expect(text == Self.right, "\(sql)")
            }
        }
    }

    @Test(
        "Another column whose alias is the name of the compared column is an error", arguments: TestBackend.available,
        ["id AS orderID", "id orderID"])
    func alias(_ backend: TestBackend, _ column: String) async throws {
        try await with(backend) { database in
            let message = await message(
                database, "SELECT \(column), name FROM items WHERE orderID IN (:id) ORDER BY items.id")
            #expect(message.contains("orderID is compared with :id, but the query selects id first"))
        }
    }

    @Test("The columns of a key are compared individually", arguments: TestBackend.available)
    func severalColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let keys = ["id", "region"]
            let right = """
                SELECT orderID, region, name FROM items
                WHERE (orderID, region) IN (:id_region) ORDER BY orderID, region
                """
            let text = try await json(database, right, for: keys)
            #expect(text == Self.right)
            let swapped = await message(
                database,
                "SELECT region, orderID, name FROM items WHERE (orderID, region) IN (:id_region) ORDER BY 1, 2",
                for: keys)
            #expect(
                swapped.contains(
                    "orderID, region is compared with :id_region, but the query selects region, orderID first; select orderID, region"
                ))
            let second = await message(
                database,
                "SELECT orderID, id, name FROM items WHERE (orderID, region) IN (:id_region) ORDER BY 1, 2", for: keys)
            #expect(second.contains("select orderID, region first"))
        }
    }

    @Test("A key of several columns is checked if the query selects *", arguments: TestBackend.available)
    func severalOfAllColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for (list, first) in [
                ("*", "id, orderID"), ("items.*", "items.id, items.orderID"), ("orderID, items.*", "orderID, items.id"),
                // The second column could have the label zone, because the query does not show how many columns the
                // table has.
                ("items.*, region AS zone", "items.id"),
            ] {
                let message = await message(
                    database, "SELECT \(list) FROM items WHERE (orderID, region) IN (:id_region) ORDER BY id",
                    for: ["id", "region"])
                #expect(message.contains("but the query selects \(first) first"), "\(list)")
            }
        }
    }

    @Test(
        "A key of several columns is valid if * begins with it", arguments: TestBackend.available,
        [
            "SELECT * FROM (SELECT orderID, region, name FROM items) t "
                + "WHERE (orderID, region) IN (:id_region) ORDER BY 1, 2",
            "SELECT t.* FROM (SELECT orderID, region, name FROM items) t "
                + "WHERE (t.orderID, t.region) IN (:id_region) ORDER BY 1, 2",
            "SELECT i.orderID, r.*, name FROM (SELECT region FROM orders GROUP BY region) r "
                + "JOIN items i ON i.region = r.region WHERE (i.orderID, r.region) IN (:id_region) ORDER BY 1, 2",
            "SELECT t.*, i.region AS zone, name FROM (SELECT id AS number FROM orders) t "
                + "JOIN items i ON i.orderID = t.number WHERE (t.number, i.region) IN (:id_region) ORDER BY 1, 2",
            "SELECT *, name AS label FROM (SELECT id AS number FROM orders) t "
                + "JOIN (SELECT region, name, orderID FROM items) i ON i.orderID = t.number "
                + "WHERE (t.number, i.region) IN (:id_region) ORDER BY 1, 2",
        ])
    func severalOfAllColumnsWithKey(_ backend: TestBackend, _ sql: String) async throws {
        try await with(backend) { database in
            let text = try await json(database, sql, for: ["id", "region"])
            #expect(text.contains(#""region":1,"items":[{"name":"Paper""#), "\(sql)")
        }
    }
}
