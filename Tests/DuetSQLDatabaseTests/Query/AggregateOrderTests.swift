import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The order of texts and numbers of groups")
struct AggregateOrderTests {
    @Test(
        "A group of texts is represented by the least one, by the bytes of its UTF-8", arguments: TestBackend.available)
    func representatives(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let dialect = database.dialect
            let type = backend == .sqlite ? "TEXT COLLATE NOCASE" : "VARCHAR(50) COLLATE utf8mb4_general_nopad_ci"
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE n (t \(type));
                    INSERT INTO n VALUES ('zoë'), ('ZOë'), ('Zoë'), (NULL), ('ab'), ('Ab'), ('AB '), ('ab ');
                    """)
            }
            let groups = try await AggregateTests.texts(
                database,
                "SELECT \(dialect.representative("t")), COUNT(DISTINCT t), COUNT(*) FROM n GROUP BY t ORDER BY t")
            #expect(
                groups == [[nil, "0", "1"], ["Ab", "1", "2"], ["AB ", "1", "2"], ["ZOë", "1", "3"]])
        }
    }

    @Test("The order of texts does not depend on the encoding of a SQLite file")
    func encodings() async throws {
        for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
            let database = Database(try DatabaseURL("sqlite::memory:"))
            try await database.write {
                try $0.executeScript(
                    """
                    PRAGMA encoding = '\(encoding)';
                    CREATE TABLE n (t TEXT);
                    INSERT INTO n VALUES ('😀'), ('～'), ('～～');
                    """)
            }
            let least = try await AggregateTests.texts(
                database, "SELECT \(database.dialect.representative("t")) FROM n")
            #expect(least == [["～"]], "\(encoding)")
            let sum = try await AggregateTests.texts(
                database,
                """
                SELECT duet_sum(x, '', 1), duet_order(1.5) < duet_order('12')
                FROM (SELECT '1.5' AS x UNION ALL SELECT '2')
                """
            )
            #expect(sum == [["3.5", "1"]], "\(encoding)")
            #expect(try await AggregateTests.texts(database, "PRAGMA encoding") == [[encoding]])
            await database.close()
        }
    }

    @Test("The order of numbers of SQLite is exact")
    func order() async throws {
        let numbers = [
            "-123456789012345678901234567890.5", "-9007199254740993", "-9007199254740992", "-10", "-1.25", "-1.2",
            "-0.05",
            "-0.0001", "0", "0.0001", "0.05", "1.2", "1.25", "9", "10", "9007199254740992", "9007199254740993",
            "123456789012345678901234567890.5",
        ]
        try await TestDatabase.with(.sqlite, schema: false) { database in
            let rows = numbers.reversed().map { "SELECT '\($0)' AS x" }.joined(separator: " UNION ALL ")
            let ordered = try await AggregateTests.texts(database, "SELECT x FROM (\(rows)) ORDER BY duet_order(x)")
            #expect(ordered == numbers.map { [$0] })
            let equal = try await AggregateTests.texts(
                database,
                """
                SELECT duet_order('1.50') = duet_order(1.5), duet_order(10) = duet_order('+10.0'),
                    duet_order('-0.0') = duet_order(0), duet_order(1e22) = duet_order('10000000000000000000000'),
                    duet_order(NULL)
                """)
            #expect(equal == [["1", "1", "1", "1", nil]])
        }
    }
}
