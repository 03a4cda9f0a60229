import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
    @Test("Values of every kind are read back unchanged", arguments: TestBackend.available)
    func roundTrip(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE kinds (id INTEGER NOT NULL PRIMARY KEY, i \(backend.integerType), d DOUBLE,
                        t \(backend.textType), day DATE, b \(backend.blobType))
                    """)
            }
            func date(_ text: String) throws -> SQLValue { .date(try #require(CalendarDate(iso: text))) }
            let rows: [[SQLValue]] = [
                [1, nil, nil, nil, nil, nil],
                [2, 0, 0.5, "", try date("1000-01-01"), .blob([])],
                [
                    3, .integer(.max), .double(.greatestFiniteMagnitude), "O'Brien \"quoted\" `tick` \\ % _",
                    try date("9999-12-31"), .blob([0, 1, 255]),
                ],
                [
                    4, .integer(.min), -1e-300, "Grüße, 東京, 👩🏽‍🚀, e\u{301}", try date("2000-02-29"),
                    .blob(Array(repeating: 7, count: 5_000)),
                ],
                [5, -1, 0.1, .text("before\u{0}after"), try date("1970-01-01"), .blob(Array("text".utf8))],
                [6, 42, 1e15, .text(String(repeating: "é", count: 5_000)), try date("9999-01-01"), .blob([])],
                [
                    7, 42, 2.5, .text(String(repeating: "long", count: 30_000)), try date("9999-01-01"),
                    .blob(Array(repeating: 0, count: 100_000)),
                ],
                [8, 7, 3.5, "short", try date("1999-12-31"), .blob([1])],
                [9, 7, 3.5, .text(String(repeating: "x", count: 70_000)), try date("1999-12-31"), .blob([1])],
            ]
            try await database.write { connection in
                for row in rows {
                    try connection.execute(
                        "INSERT INTO kinds VALUES (:id, :i, :d, :t, :day, :b)",
                        [
                            "id": .value(row[0]), "i": .value(row[1]), "d": .value(row[2]), "t": .value(row[3]),
                            "day": .value(row[4]), "b": .value(row[5]),
                        ])
                }
            }
            let read = try await database.read { try $0.query("SELECT * FROM kinds ORDER BY id").rows() }
            #expect(read == rows)
            // Buffered rows use a different code path in the client library.
            let kept = try await database.read { connection in
                let first = try connection.query("SELECT * FROM kinds ORDER BY id")
                let second = try connection.query("SELECT * FROM kinds ORDER BY id DESC")
                try connection.start([first, second])
                let last = try second.rows()
                return try first.rows() + last
            }
            #expect(kept == rows + rows.reversed())
            let backwards = try await database.read { try $0.query("SELECT * FROM kinds ORDER BY id DESC").rows() }
            #expect(backwards == rows.reversed())
        }
    }

    @Test("A result set has the name and the kind of each column", arguments: TestBackend.available)
    func columns(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (a INTEGER, b DOUBLE, c VARCHAR(10), d DATE, e BOOLEAN, f bool)")
            }
            try await database.read { connection in
                let rows = try connection.query("SELECT a AS x, b, c, d FROM t")
                #expect(rows.columns.map(\.name) == ["x", "b", "c", "d"])
                #expect(rows.columns.map(\.kind) == [.integer, .double, .text, .date])
                #expect(try connection.query("SELECT e, f FROM t").columns.map(\.kind) == [.boolean, .boolean])
                #expect(try rows.index(of: "d") == 3)
                let error = #expect(throws: DatabaseError.self) { try rows.index(of: "e") }
                #expect(error?.message.contains("x, b, c, d") == true)
            }
        }
    }

    @Test(
        "A typed getter returns 0, an empty text or nil for a value of another kind. date(at:) also reads texts",
        arguments: TestBackend.available)
    func getters(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            // The test runs twice, because the types of an expression can change with each execution.
            for integer in [5, 6] as [SQLValue] {
                let seen = try await database.read { connection in
                    let rows = try connection.query(
                        "SELECT :i AS i, :t AS t, :n AS n, :d AS d",
                        ["i": .value(integer), "t": "text", "n": nil, "d": "1999-12-31"])
                    var seen = "\(try rows.next())"
                    seen += " \(rows.integer(at: 0)) \(rows.text(at: 1)) \(rows.integer(at: 1)) <\(rows.text(at: 0))>"
                    seen += " \(rows.isNull(at: 2)) \(rows.isNull(at: 0))"
                    seen += " \(rows.date(at: 3)?.description ?? "-") \(rows.date(at: 1)?.description ?? "-")"
                    return seen + " \(try rows.next()) \(try rows.next())"
                }
                #expect(seen == "true \(integer == 5 ? 5 : 6) text 0 <> true false 1999-12-31 - false false")
            }
        }
    }

    @Test(
        "MariaDB's additional types are read as numbers or as texts",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func mariaDBNumbers() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE n (u BIGINT UNSIGNED, big BIGINT UNSIGNED, t TINYINT, su SMALLINT UNSIGNED, y YEAR,
                        de DECIMAL(10, 2), f FLOAT, ti TIME, dt DATETIME);
                    INSERT INTO n VALUES (9223372036854775807, 18446744073709551615, -128, 65535, 1999, 12.30, 0.5,
                        '-12:34:56', '2001-02-03 04:05:06');
                    """)
            }
            let rows = try await database.read { try $0.query("SELECT * FROM n").rows() }
            #expect(
                rows == [
                    [
                        .integer(.max), .unsigned(.max), -128, 65_535, 1999, "12.30", 0.5,
                        "-12:34:56",
                        "2001-02-03 04:05:06",
                    ]
                ])
        }
    }

    @Test("Texts with different bytes are different values, even if they look the same")
    func textIdentity() {
        #expect(SQLValue.text("\u{E9}") != SQLValue.text("e\u{301}"))
        #expect(SQLValue.text("a") == SQLValue.text("a"))
        #expect(Set<SQLValue>(["\u{E9}", "e\u{301}", "\u{E9}"]).count == 2)
    }
}
