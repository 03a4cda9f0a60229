import Testing

@testable import DuetSQLDatabase

@Suite("Transactions in a binary log")
struct BinaryLogTransactionsTests {
    typealias Event = BinaryLogTransactions.Event

    private static func tables(_ events: [Event], after earlier: [Event] = []) -> [Set<String>?] {
        var transactions = BinaryLogTransactions(
            database: "Shop", tables: ["orders", "Items"], definitions: DefinitionChanges())
        for event in earlier { _ = transactions.add(event) }
        return events.compactMap { transactions.add($0) }.map(\.tables)
    }

    private static func begin(isStandalone: Bool = false, isDefinition: Bool = false) -> Event {
        .begin(
            GlobalTransactionID(domain: 0, number: 7), isStandalone: isStandalone, isDefinition: isDefinition)
    }

    private static let rows = Event.rows(database: "shop", table: "orders")

    @Test("The tables of a transaction are those of its rows and simple statements in the database")
    func tables() {
        #expect(
            Self.tables([
                Self.begin(), Self.rows, .rows(database: "other", table: "x"),
                .statement("DELETE FROM ITEMS", database: "shop"), .statement("SAVEPOINT `s`", database: "shop"), .end,
            ]) == [["orders", "items"]])
        #expect(Self.tables([Self.begin(), .rows(database: "other", table: "x"), .end]) == [[]])
        #expect(Self.tables([Self.begin(), Self.rows, .statement("COMMIT", database: "shop")]) == [["orders"]])
        #expect(
            Self.tables([Self.begin(isStandalone: true), .statement("UPDATE orders SET x = 1", database: "shop")])
                == [["orders"]])
    }

    @Test("The tables of a transaction are unknown after a statement in another database, on a view or of another form")
    func unknown() {
        for event: Event in [
            .unknown, .statement("UPDATE orders SET x = 1", database: "other"),
            .statement("UPDATE totals SET x = 1", database: "shop"), .statement("SELECT f()", database: "shop"),
        ] {
            #expect(Self.tables([Self.begin(), Self.rows, event, .end]) == [nil], "\(event)")
        }
        // A transaction without an end
        #expect(Self.tables([Self.begin(), Self.rows, Self.begin()]) == [nil])
    }

    @Test("After a definition in the database, the tables of all transactions are unknown")
    func definitions() {
        for (event, isKnown) in [
            (.statement("CREATE TRIGGER t …", database: "shop"), false),
            (.statement("create view `SHOP`.v AS SELECT 1", database: "other"), false),
            // The log marks a definition, so a comment does not hide it.
            (.statement("/* x */ ALTER TABLE x ADD y INT", database: "shop"), false),
            (.statement("ALTER TABLE x ADD y INT", database: "other"), true),
            (.statement("TRUNCATE TABLE orders", database: "shop"), true),
            (.statement("DROP /*!40005 TEMPORARY */ TABLE IF EXISTS x", database: "shop"), true),
        ] as [(Event, Bool)] {
            let definition = [Self.begin(isStandalone: true, isDefinition: true), event]
            #expect(Self.tables(definition) == [nil], "\(event)")
            #expect(
                Self.tables([Self.begin(), Self.rows, .end], after: definition) == [isKnown ? ["orders"] : nil],
                "\(event)")
        }
    }

    @Test("A change of definitions remains in effect until the definitions have been read again")
    func reading() {
        let definitions = DefinitionChanges()
        func tables(_ events: Event...) -> [Set<String>?] {
            var transactions = BinaryLogTransactions(
                database: "shop", tables: ["orders"], definitions: definitions)
            return events.compactMap { transactions.add($0) }.map(\.tables)
        }
        // A compressed statement
        #expect(tables(Self.begin(isStandalone: true, isDefinition: true), .unknown) == [nil])
        let before = definitions.count
        #expect(tables(Self.begin(), Self.rows, .end) == [nil])
        #expect(tables(Self.begin(isDefinition: true), .statement("CREATE VIEW …", database: "shop"), .end) == [nil])
        definitions.setKnown(upTo: before)
        #expect(tables(Self.begin(), Self.rows, .end) == [nil])
        definitions.setKnown(upTo: definitions.count)
        #expect(tables(Self.begin(), Self.rows, .end) == [["orders"]])
    }

    @Test(
        "A statement names the table that it changes only if it cannot call a stored function",
        arguments: [
            ("INSERT INTO orders (id, x) VALUES (1, NOW())", "orders"),
            ("insert into `orders`(`id`) values(1),(2)", "orders"),
            ("INSERT INTO orders VALUES (1) ON DUPLICATE KEY UPDATE x = VALUES(x)", "orders"),
            ("REPLACE INTO orders VALUES (1)", "orders"),
            ("UPDATE orders SET x = (y + 1) WHERE id IN (1, 2)", "orders"),
            ("DELETE FROM orders WHERE x = 'a'", "orders"), ("UPDATE orders SET x = f(1)", nil),
            ("UPDATE orders SET x = `f` (1)", nil), ("UPDATE orders SET x = \"f\"(1)", nil),
            ("UPDATE orders SET x = f/**/(1)", nil), ("UPDATE orders SET x = shop.round(1)", nil),
            ("UPDATE orders SET x = f -- x\n(1)", nil), ("INSERT INTO orders SET x = orders(1)", nil),
            ("INSERT INTO orders VALUES (orders(1))", nil),
            ("INSERT INTO orders SELECT * FROM v", nil), ("DELETE FROM orders WHERE x IN (SELECT x FROM v)", nil),
            ("UPDATE orders, items SET x = 1", nil), ("UPDATE other.orders SET x = 1", nil),
            ("CALL p()", nil), ("LOAD DATA INFILE 'x' INTO TABLE orders", nil), ("", nil),
        ] as [(String, String?)])
    func statements(_ text: String, _ table: String?) {
        #expect(LoggedStatement(text, isDefinition: false) == (table.map { .changesRows(of: $0) } ?? .other))
    }
}
