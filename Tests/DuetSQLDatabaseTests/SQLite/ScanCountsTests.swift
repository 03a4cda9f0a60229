import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("The limit of examined rows of SQLite") struct ScanCountsTests {
    /// 1,000 rows. The columns `g` and `h` have indexes, and `v` has none.
    private func with(_ body: @Sendable @escaping (Connection) throws -> Void) async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript(
                    """
                    CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, h INTEGER, v INTEGER);
                    CREATE INDEX t_g ON t (g);
                    CREATE INDEX t_h ON t (h);
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    INSERT INTO t SELECT i, i % 10, i % 2, i * 7919 % 1009 FROM n;
                    CREATE TABLE u (t INTEGER, w INTEGER);
                    INSERT INTO u SELECT id, v FROM t;
                    """)
            }
            try await database.read { try body($0) }
        }
    }

    /// Returns true if the statement exceeds a limit. Three executions must have the same result.
    private static func isRefused(_ sql: String, _ limit: Int, _ connection: Connection) throws -> Bool {
        connection.limitScans(to: limit)
        let verdicts = try (1...3).map { _ in
            do {
                try connection.execute(sql)
                return false
            } catch let error as DatabaseError where error.code == .scanTooLarge {
                return true
            }
        }
        #expect(Set(verdicts).count == 1, "\(sql)")
        return verdicts[0]
    }

    @Test(
        "A full scan is refused beyond the exact limit; rows that are returned do not count",
        arguments: [
            ("SELECT count(*) FROM t WHERE v = 5", 998), ("SELECT id FROM t ORDER BY v LIMIT 10", 998),
            ("SELECT id FROM t WHERE v < 0", 998), ("SELECT id FROM t", 0), ("SELECT id FROM t LIMIT 10", 0),
            ("SELECT v, count(*) FROM t GROUP BY v LIMIT 1", 998), ("SELECT min(v) FROM t", 998),
            ("SELECT t.id FROM t WHERE v < 0 AND EXISTS (SELECT 1 FROM u WHERE u.t = t.id)", 998),
            ("SELECT count(*) FROM u AS a JOIN u AS b ON b.t = a.t", 1997), ("SELECT count(*) FROM t", 0),
            ("SELECT max(g) FROM t", 0), ("SELECT id FROM t WHERE id = 7", 0), ("SELECT id FROM t WHERE g = 3", 0),
        ])
    func exact(_ sql: String, _ limit: Int) async throws {
        try await with { connection in
            let (below, at) = (
                try limit > 0 && Self.isRefused(sql, limit - 1, connection), try Self.isRefused(sql, limit, connection)
            )
            #expect(!at)
            #expect(below == (limit > 0))
        }
    }

    @Test("The rows of an index range are limited by their number of instructions, also in sorts and subqueries")
    func ranges() async throws {
        try await with { connection in
            for (sql, examined) in [
                ("SELECT id FROM t WHERE h = 1 ORDER BY v LIMIT 1", 500),
                ("SELECT count(*) FROM t WHERE h = 1 AND v > 0", 500),
                ("SELECT count(*) FROM t AS a JOIN t AS b ON b.g = a.g WHERE a.h = 1", 50_000),
            ] {
                let refusedAtTenth = try Self.isRefused(sql, examined / 40, connection)
                let refusedAtAll = try Self.isRefused(sql, examined, connection)
                #expect(refusedAtTenth && !refusedAtAll, "\(sql)")
            }
        }
    }

    @Test("A transaction without a limit, and a write transaction, examine all rows")
    func unlimited() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (1), (2), (3), (4), (5)")
                connection.limitScans(to: 1)
                try connection.execute("SELECT count(*) FROM t WHERE v < 0")
            }
            try await database.read { connection in
                connection.limitScans(to: 1)
                let error = #expect(throws: DatabaseError.self) {
                    try connection.execute("SELECT count(*) FROM t WHERE v < 0")
                }
                #expect(error?.code == .scanTooLarge)
                connection.limitScans(to: nil)
                try connection.execute("SELECT count(*) FROM t WHERE v < 0")
                connection.limitScans(to: 1)
            }
            _ = try await database.read { try $0.execute("SELECT count(*) FROM t WHERE v < 0") }
        }
    }

    @Test("The rows of open statements are counted separately")
    func interleaved() async throws {
        try await with { connection in
            connection.limitScans(to: 5)
            let (first, second) = (try connection.query("SELECT id FROM t"), try connection.query("SELECT id FROM t"))
            var rows = 0
            while try first.next(), try second.next() { rows += 1 }
            #expect(rows == 1000)
        }
    }

    @Test("The explanation of a statement says if it sorts or scans a table")
    func explanation() async throws {
        try await with { connection in
            #expect(
                connection.explain("SELECT id FROM t ORDER BY v LIMIT ?")
                    == ScanExplanation(sorts: true, scansTables: true))
            #expect(
                connection.explain("SELECT id FROM t WHERE g = ? ORDER BY v")
                    == ScanExplanation(sorts: true, scansTables: false))
            #expect(connection.explain("SELECT id FROM t WHERE id = ?") == ScanExplanation())
        }
    }
}
