import DuetSQLDatabase
import TestSupport
import Testing

/// The defaults of the tests' MariaDB server change the meaning of statements (`scripts/with-mariadb.sh --odd`).
@Suite("Sessions of MariaDB", .enabled(if: TestBackend.available.contains(.mariaDB), "needs MariaDB"))
struct SessionTests {
    @Test(
        "A result does not depend on the defaults of the server",
        arguments: [
            ("SELECT COUNT(*) FROM (SELECT 1 AS n UNION ALL SELECT 2) AS t", "2"),
            ("SELECT \"a\"", "a"), ("SELECT ''", ""), ("SELECT 'a' || 'b'", "0"),
            ("SELECT NOT 1 BETWEEN -5 AND 5", "0"),
            ("SELECT 1 / 3", "0.3333"), ("SELECT GROUP_CONCAT(n ORDER BY n) FROM t", "1,2,3"),
            ("SELECT WEEK('2008-02-20')", "7"), ("SELECT DATE_FORMAT('2024-01-31', '%M')", "January"),
            ("SELECT FROM_UNIXTIME(0)", "1970-01-01 00:00:00"), ("SELECT YEAR(NOW()) > 2000", "1"),
            ("SELECT CONVERT('é' USING utf8) REGEXP '^é#$'", "0"), ("SELECT 'a' REGEXP 'a #'", "0"),
            ("WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 9) SELECT MAX(n) FROM s", "9"),
            ("SELECT CONCAT(c, '.') FROM t WHERE n = 1", "a."),
            ("SELECT n FROM t ORDER BY long_text DESC LIMIT 1", "3"),
            ("SELECT COUNT(*) FROM t WHERE n IS NULL", "0"), ("SELECT COUNT(*) FROM t AS a, t AS b", "9"),
        ])
    func results(sql: String, expected: String) async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE t (n INT AUTO_INCREMENT PRIMARY KEY, c CHAR(5), long_text VARCHAR(255));
                    INSERT INTO t (c, long_text) VALUES ('a', CONCAT(REPEAT('é', 200), '1')), ('b', CONCAT(REPEAT('é', 200), '2')),
                      ('c', CONCAT(REPEAT('é', 200), '3'));
                    """)
            }
            let (limit, text) = try await database.read { connection in
                let limit = try connection.query("SELECT @@GLOBAL.sql_select_limit")
                _ = try limit.next()
                let rows = try connection.query("SELECT CAST((\(sql)) AS CHAR)")
                _ = try rows.next()
                defer {
                    limit.close()
                    rows.close()
                }
                return (limit.integer(at: 0), rows.text(at: 0))
            }
            #expect(limit == 1, "The server has the usual defaults, so this test proves nothing.")
            #expect(text == expected)
        }
    }

    @Test("All rows of a result are read, although the server's default is one row")
    func rows() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let count = try await database.read { connection in
                let rows = try connection.query("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3")
                var count = 0
                while try rows.next() { count += 1 }
                rows.close()
                return count
            }
            #expect(count == 3)
        }
    }
}
