import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The statement of an attached query selects, compares and sorts by its key columns")
struct AttachedQueryTests {
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

    private func with(
        _ backend: TestBackend, observer: DatabaseObserver? = nil, _ body: (Database) async throws -> Void
    ) async throws {
        try await TestDatabase.with(
            backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1), observer: observer
        ) {
            try await $0.write { try $0.executeScript(Self.schema) }
            try await body($0)
        }
    }

    /// The ways to write rows with attached rows: as a list, as an object, and as an object whose key is known.
    enum Way: CaseIterable {
        case list, object, known
    }

    private func json(
        _ database: Database, _ query: AttachedQuery, for keys: [String] = ["id"], _ way: Way = .list
    ) async throws -> String {
        try await database.read { connection in
            let orders = try connection.query("SELECT id, region FROM orders ORDER BY id")
            let adapter = ResultSetAdapter(orders, on: connection, known: way == .known ? ["id": 1, "region": 1] : [:])
            try adapter.attach("items", for: keys, query)
            return try way == .list ? adapter.text() : adapter.objectText() ?? ""
        }
    }

    private func message(
        _ database: Database, _ query: AttachedQuery, for keys: [String] = ["id"], _ way: Way = .list,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let error = await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) {
            try await json(database, query, for: keys, way)
        }
        #expect(error?.statement != nil, sourceLocation: sourceLocation)
        return error?.message ?? ""
    }

    private static let right =
        #"[{"id":1,"region":1,"items":[{"name":"Paper"}]},{"id":2,"region":1,"items":[{"name":"Pen"}]},"#
        + #"{"id":3,"region":2,"items":[{"name":"Ink"}]}]"#

    // MARK: The statement

    @Test("The statement consists of the parts, and the key columns are in three clauses")
    func statement() async throws {
        let statements = Statements()
        try await with(.sqlite, observer: statements.observer) { database async throws in
            func sql(_ query: AttachedQuery, for keys: [String] = ["id"], _ way: Way = .list) async throws -> String {
                _ = statements.take()
                _ = try await json(database, query, for: keys, way)
                return statements.take().last ?? ""
            }
            #expect(
                try await sql(AttachedQuery(select: "name", from: "items", key: "orderID"))
                    == "SELECT orderID, name FROM (items) WHERE (orderID) BETWEEN ? AND ? ORDER BY 1")
            #expect(
                try await sql(
                    AttachedQuery(
                        select: "name, i.id", from: "items AS i", key: ["i.orderID", "region"],
                        where: "i.id > :least OR i.id = 0", orderBy: ["name", .descending("i.id")],
                        arguments: ["least": 0]),
                    for: ["id", "region"])
                    == "SELECT i.orderID, region, name, i.id FROM (items AS i) WHERE (i.orderID, region) "
                    + "IN (VALUES (?, ?), (?, ?), (?, ?), (?, ?)) AND (i.id > ? OR i.id = 0) "
                    + "ORDER BY 1, 2, (name), (i.id) DESC")
            #expect(
                try await sql(
                    AttachedQuery(select: "name", from: "items", key: "orderID", orderBy: ["id"], limit: 2),
                    for: ["id"], .object)
                    == "SELECT orderID, name FROM (items) WHERE (orderID) = ? ORDER BY 1, (id) LIMIT 2")
        }
    }

    // MARK: Rows

    @Test(
        "A row is attached by the compared column, also if it is selected first under a different name or not at all",
        arguments: TestBackend.available, Way.allCases)
    func otherColumns(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for (columns, members) in [
                ("id, orderID, name", #""id":3,"orderID":1,"name":"Paper""#), ("name", #""name":"Paper""#),
                ("id AS orderID, name", #""orderID":3,"name":"Paper""#), ("id orderID", #""orderID":3"#),
                ("id + 70 AS p, orderID", #""p":73,"orderID":1"#), ("NULL AS missing, id", #""missing":null,"id":3"#),
                ("items.*", #""id":3,"orderID":1,"region":1,"name":"Paper""#),
            ] {
                let query = AttachedQuery(select: columns, from: "items", key: "orderID", orderBy: ["items.id"])
                // The second run uses the cached statement.
                for _ in 1...2 {
                    let text = try await json(database, query, for: ["id"], way)
                    let first = #"{"id":1,"region":1,"items":[{\#(members)}]}"#
                    #expect(way == .list ? text.hasPrefix("[\(first),") : text == first, "\(columns): \(text)")
                }
            }
        }
    }

    /// A query whose rows are the items of each order.
    private static func names(
        _ select: String = "name", from tables: String, _ key: String = "orderID", where condition: String? = nil
    ) -> AttachedQuery {
        AttachedQuery(select: select, from: tables, key: key, where: condition)
    }

    @Test(
        "The parts can have quotes, comments, table names, aliases, joins, derived tables and expressions",
        arguments: TestBackend.available,
        [
            names(from: "items", "ORDERID"), names(from: "items", "`orderID`"), names(from: "items", "items.`orderID`"),
            names(from: "items", "(orderID)"), names("i.name", from: "items AS i", "i.orderID"),
            names(from: "/* id, */ items -- orderID\n", "orderID /* : */"),
            names(from: "items", where: "name <> ')' AND (region = 9 OR orderID > 0)"),
            names(from: "items", where: "region IN (SELECT id FROM orders)"),
            names(from: "items", "orderID + 0"), names(from: "items AS i", "ABS(i.orderID)"),
            names(from: "items", "CASE WHEN id > 0 THEN orderID END"),
            names(from: "items i JOIN orders o ON o.id = i.orderID", "o.id"),
            names(from: "items i JOIN orders o ON o.id = i.orderID", "i.orderID"),
            names(from: "orders o LEFT JOIN items i ON i.orderID = o.id", "o.id"),
            names(from: "orders o LEFT JOIN items i ON i.orderID = o.id", "o.id + 0"),
            names(from: "orders o, items", "o.id", where: "o.id = orderID"),
            names(from: "(orders o JOIN items i ON i.orderID = o.id)", "o.id"),
            names("i.name", from: "orders p JOIN orders o ON o.id = p.id JOIN items i ON i.orderID = o.id", "p.id"),
            names(from: "(SELECT DISTINCT orderID, name FROM items) AS t"),
            names("t.name", from: "(SELECT id, orderID, name FROM items WHERE orderID IN (:keys)) AS t", "t.orderID"),
            names(from: "(SELECT orderID AS number, name FROM items) AS t", "number"),
            names(from: "(SELECT orderID, MAX(name) AS name FROM items GROUP BY orderID) AS t"),
            names(from: "(WITH t AS (SELECT id, name, orderID FROM items) SELECT * FROM t) AS u"),
            names(
                "a AS name",
                from: "(WITH two (a, b) AS (SELECT name, orderID FROM items) SELECT a, b FROM two) AS t", "b"),
            names(
                from: "(SELECT orderID, name FROM items WHERE id < 3 UNION ALL "
                    + "SELECT orderID, name FROM items WHERE id >= 3) AS t"),
        ])
    func spellings(_ backend: TestBackend, _ query: AttachedQuery) async throws {
        try await with(backend) { database in
            let text = try await json(database, query)
            #expect(text == Self.right, "\(query)")
        }
    }

    private static let joins: [(query: AttachedQuery, isOwn: Bool)] = [
        (AttachedQuery(select: "i.*", from: "orders o JOIN items i ON i.orderID = o.id", key: "o.id"), true),
        (AttachedQuery(select: "i.*", from: "items i JOIN orders o ON o.id = i.orderID", key: "o.id"), true),
        (AttachedQuery(select: "i.*", from: "items AS i LEFT JOIN orders AS o ON o.id = orderID", key: "o.id"), true),
        (AttachedQuery(select: "items.*", from: "items, orders", key: "orders.id", where: "orders.id = orderID"), true),
        (AttachedQuery(select: "i.*", from: "orders o JOIN items i ON i.orderID = o.id", key: "i.id"), false),
    ]

    @Test(
        "In a join, the key column belongs to the stated table, also if another table has a column of this name",
        arguments: TestBackend.available, joins)
    func joinedTables(_ backend: TestBackend, _ join: (query: AttachedQuery, isOwn: Bool)) async throws {
        try await with(backend) { database in
            let text = try await json(database, join.query)
            let item =
                join.isOwn
                ? #"{"id":3,"orderID":1,"region":1,"name":"Paper"}"# : #"{"id":1,"orderID":2,"region":1,"name":"Pen"}"#
            #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[\#(item)]},"#), "\(text)")
        }
    }

    private static let merged = [
        (tables: "parts JOIN notes USING (id)", key: "notes.id"),
        (tables: "parts p NATURAL JOIN notes n", key: "n.id"), (tables: "notes n JOIN parts p USING (id)", key: "p.id"),
        (tables: "notes JOIN parts USING (id)", key: "id"),
    ]

    @Test(
        "A key column can be a column that USING or NATURAL merges", arguments: TestBackend.available, merged)
    func mergedColumns(_ backend: TestBackend, _ parts: (tables: String, key: String)) async throws {
        try await with(backend) { database async throws in
            let query = AttachedQuery(select: "oid, `key`, note", from: parts.tables, key: parts.key)
            #expect(
                try await json(database, query)
                    == #"[{"id":1,"region":1,"items":[{"oid":2,"key":2,"note":"b"}]},"#
                    + #"{"id":2,"region":1,"items":[{"oid":1,"key":1,"note":"a"}]},{"id":3,"region":2,"items":[]}]"#)
        }
    }

    @Test("A union of tables with different columns is a derived table", arguments: TestBackend.available)
    func union(_ backend: TestBackend) async throws {
        try await with(backend) { database async throws in
            let query = AttachedQuery(
                select: "name", from: "(SELECT orderID, name FROM items UNION ALL SELECT `key`, note FROM notes) AS t",
                key: "orderID", orderBy: ["LENGTH(name)"])
            #expect(
                try await json(database, query)
                    == #"[{"id":1,"region":1,"items":[{"name":"a"},{"name":"Paper"}]},"#
                    + #"{"id":2,"region":1,"items":[{"name":"b"},{"name":"Pen"}]},"#
                    + #"{"id":3,"region":2,"items":[{"name":"Ink"}]}]"#)
        }
    }

    @Test(
        "The rows of one key are consecutive for any order, and have this order in each list",
        arguments: TestBackend.available)
    func order(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for (order, names) in [
                (["name"], ["Ink", "Paper", "Pen"]), ([.descending("name")], ["Pen", "Paper", "Ink"]),
                ([.descending("items.region"), "items.id"], ["Ink", "Pen", "Paper"]),
                // The label of a selected column.
                (["orderID"], ["Pen", "Ink", "Paper"]),
            ] as [([AttachedQuery.Order], [String])] {
                let query = AttachedQuery(
                    select: "name, items.id AS orderID", from: "items, orders", key: "orders.id", orderBy: order)
                let text = try await json(database, query)
                let found = text.split(separator: #""name":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
                #expect(found == names + names + names)
            }
        }
    }

    @Test("A condition cannot remove the condition on the keys", arguments: TestBackend.available)
    func conditionWithOr(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let query = AttachedQuery(select: "name", from: "items", key: "orderID", where: "1 = 1 OR 1 = 1")
            try await database.write { try $0.execute("INSERT INTO items VALUES (4, 99, 1, 'Other')") }
            #expect(try await json(database, query) == Self.right)
        }
    }

    @Test("The columns of a key are compared individually and in their order", arguments: TestBackend.available)
    func severalColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for (tables, key) in [
                ("items", ["orderID", "region"]), ("items AS i", ["i.orderID", "i.region"]),
                ("(SELECT orderID, region, name FROM items) t", ["t.orderID", "region"]),
                ("items i JOIN orders o ON o.id = i.orderID", ["o.id", "i.region"]),
                ("items", ["orderID + 0", "ABS(region)"]),
            ] {
                let query = AttachedQuery(select: "name", from: tables, key: key)
                #expect(try await json(database, query, for: ["id", "region"]) == Self.right, "\(tables)")
            }
            let all = AttachedQuery(select: "items.*", from: "items", key: ["orderID", "region"])
            let text = try await json(database, all, for: ["id", "region"])
            #expect(text.hasPrefix(#"[{"id":1,"region":1,"items":[{"id":3,"orderID":1,"region":1,"name":"Paper"}]},"#))
            let swapped = AttachedQuery(select: "name", from: "items", key: ["region", "orderID"])
            #expect(
                try await json(database, swapped, for: ["id", "region"])
                    == #"[{"id":1,"region":1,"items":[{"name":"Paper"}]},{"id":2,"region":1,"items":[]},"#
                    + #"{"id":3,"region":2,"items":[]}]"#)
        }
    }

    @Test("Expressions that only one database accepts are valid parts")
    func dialects() async throws {
        try await with(.sqlite) { database async throws in
            for query in [
                Self.names(from: "items i JOIN orders o ON o.id IS i.orderID", "i.orderID"),
                Self.names(from: "orders o JOIN items i ON i.orderID == o.id", "o.rowid"),
                Self.names(from: "items", "[orderID]"), Self.names(from: "items", "\"orderID\""),
            ] {
                #expect(try await json(database, query) == Self.right, "\(query)")
            }
        }
        guard TestBackend.available.contains(.mariaDB) else { return }
        try await with(.mariaDB) { database async throws in
            for query in [
                Self.names(from: "items i JOIN orders o ON o.id <=> i.orderID", "i.orderID"),
                Self.names(from: "# an order's number, not id LIMIT 1\n items"),
                Self.names(from: "items", "orderID DIV 1"),
            ] {
                #expect(try await json(database, query) == Self.right, "\(query)")
            }
        }
    }

    // MARK: Mistakes

    @Test(
        "A query that does not state one key column for each column of the key is an error with the columns of the key",
        arguments: TestBackend.available, Way.allCases)
    func keyColumns(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for (keys, columns, reason) in [
                (["id"], [], "no key columns, but the parent rows have the key id;"),
                (
                    ["id"], ["orderID", "region"],
                    "the key columns orderID, region, but the parent rows have the key id;"
                ),
                (
                    ["id", "region"], ["orderID"],
                    "the key columns orderID, but the parent rows have the key id, region;"
                ),
                (["id", "region"], [], "no key columns, but the parent rows have the key id, region;"),
            ] {
                let query = AttachedQuery(select: "name", from: "items", key: columns)
                let message = await message(database, query, for: keys, way)
                #expect(
                    message
                        == "the attached member items: its query has \(reason) they need the same number of columns")
            }
            let none = await message(database, AttachedQuery(select: "name", from: "items", key: []), for: [], way)
            #expect(none == "the attached member items: its key has no columns; specify at least one column")
        }
    }

    @Test(
        "A key column that the tables do not have is an error that names the column", arguments: TestBackend.available,
        Way.allCases)
    func missingKeyColumn(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            // The first alias is not a column of the table, so a condition cannot refer to it.
            for (columns, key) in [("id AS number", "number"), ("name", "i.number"), ("name", "items.number")] {
                let query = AttachedQuery(select: columns, from: "items", key: key)
                let message = await message(database, query, for: ["id"], way)
                #expect(message.hasPrefix("the attached member items: ") && message.contains("number"), "\(message)")
            }
        }
    }

    @Test(
        "A part that contains more than its clause is an error of the database, and no rows are omitted",
        arguments: TestBackend.available, Way.allCases)
    func moreThanAClause(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for query in [
                AttachedQuery(select: "name LIMIT 1", from: "items", key: "orderID"),
                AttachedQuery(select: "name", from: "items LIMIT 1", key: "orderID"),
                AttachedQuery(select: "name", from: "items UNION ALL SELECT id, name FROM items", key: "orderID"),
                AttachedQuery(
                    select: "name", from: "items", key: "orderID", where: "1 = 1 UNION ALL SELECT id, name FROM items"),
                AttachedQuery(select: "name", from: "items WHERE id < 3", key: "orderID"),
                AttachedQuery(select: "name", from: "items", key: "orderID", where: "id > 0 LIMIT 1"),
                AttachedQuery(select: "name", from: "items", key: "orderID", orderBy: ["name LIMIT 1"]),
                AttachedQuery(select: "name", from: "items", key: "orderID", orderBy: ["id FETCH FIRST ROW ONLY"]),
                AttachedQuery(select: "DISTINCT name", from: "items", key: "orderID"),
                AttachedQuery(select: "name", from: "items", key: "orderID AS number"),
                AttachedQuery(select: "name", from: "items", key: "*"),
            ] {
                let message = await message(database, query, for: ["id"], way)
                #expect(message.hasPrefix("the attached member items: "), "\(query): \(message)")
            }
            let columns = AttachedQuery(select: "name", from: "items", key: "orderID, id")
            await #expect(throws: DatabaseError.self) { try await json(database, columns, for: ["id"], way) }
        }
    }

    @Test("A comment that hides the condition on the keys is an error", arguments: TestBackend.available)
    func comment(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await message(database, AttachedQuery(select: "name", from: "items --", key: "orderID"))
            #expect(
                message
                    == "the attached member items: the statement has no parameter for the argument :keys; "
                    + "it has no parameters")
        }
    }
}
