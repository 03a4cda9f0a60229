import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Column types")
struct ColumnTypeTests {
    private static var hasMariaDB: Bool { TestBackend.available.contains(.mariaDB) }

    private func rows(
        _ database: Database, _ sql: String, _ arguments: Arguments = [:]
    ) async throws -> [[SQLValue]] {
        try await database.read { try $0.query(sql, arguments).rows() }
    }

    /// Inserts literals into a MariaDB column of a type, and returns the values that are read from the column.
    private func values(_ type: String, _ literals: [String], lax: Bool = false) async throws -> [SQLValue] {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write { connection in
                if lax {
                    try connection.executeScript("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES,ALLOW_INVALID_DATES'")
                }
                try connection.executeScript("CREATE TABLE t (id INTEGER AUTO_INCREMENT PRIMARY KEY, v \(type))")
                for literal in literals { try connection.executeScript("INSERT INTO t (v) VALUES (\(literal))") }
            }
            return try await rows(database, "SELECT v FROM t ORDER BY id").map { $0[0] }
        }
    }

    /// Returns the name of the index that MariaDB uses for a query, or an empty text.
    private func key(_ database: Database, _ sql: String, _ arguments: Arguments) async throws -> String {
        try await database.read { connection in
            let rows = try connection.query("EXPLAIN \(sql)", arguments)
            let key = try rows.index(of: "key")
            return try rows.next() ? rows.text(at: key) : ""
        }
    }

    // MARK: Numbers

    @Test(
        "An unsigned integer above Int64.max is read and written unchanged, and a smaller integer becomes signed",
        .enabled(if: hasMariaDB))
    func unsigned() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let values: [SQLValue] = [
                0, .integer(.max), .unsigned(1 << 63), .unsigned((1 << 63) + 1), .unsigned(.max - 1), .unsigned(.max),
            ]
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (n BIGINT UNSIGNED PRIMARY KEY)")
                for value in values { try connection.execute("INSERT INTO t VALUES (:n)", ["n": .value(value)]) }
            }
            #expect(try await rows(database, "SELECT n FROM t ORDER BY n").map { $0[0] } == values)
            for value in values {
                #expect(try await rows(database, "SELECT n FROM t WHERE n = :n", ["n": .value(value)]) == [[value]])
            }
            let list: Arguments = ["n": .list([.unsigned(.max), .unsigned(1 << 63)])]
            #expect(
                try await rows(database, "SELECT n FROM t WHERE n IN (:n) ORDER BY n", list)
                    == [[.unsigned(1 << 63)], [.unsigned(.max)]])
            let less = try await rows(database, "SELECT n FROM t WHERE n < :n", ["n": .integer(UInt64.max - 1)])
            #expect(less.map { $0[0] } == values.dropLast(2))
            // The same parameter now has a negative integer. The value determines whether the parameter is signed.
            let more = try await rows(database, "SELECT n FROM t WHERE n < :n OR n = 0", ["n": -1])
            #expect(more == [[0]])
            // The type of an expression can change with each execution.
            for value: SQLValue in [.unsigned(.max), -1, .unsigned(1 << 63)] {
                #expect(try await rows(database, "SELECT :n AS n", ["n": .value(value)]) == [[value]])
            }
        }
    }

    @Test("A UInt64 value becomes a signed integer if the value fits into Int64")
    func unsignedValues() {
        #expect(SQLValue(5 as UInt64) == 5)
        #expect(SQLValue(UInt64(Int64.max)) == .integer(.max))
        #expect(SQLValue(UInt64.max) == .unsigned(.max))
        #expect(Arguments.Argument.integer(UInt64.max) == .value(.unsigned(.max)))
        #expect(Arguments.Argument.integer(7 as UInt8) == 7)
        #expect(SQLValue.unsigned(.max) != .unsigned(.max - 1))
        #expect(SQLValue.decimal("1.0") != .decimal("1"))
        #expect(Set<SQLValue>([.unsigned(.max), .unsigned(.max), .decimal("1"), .decimal("1")]).count == 2)
    }

    @Test("SQLite treats an integer above Int64.max as greater than all integers that it can store")
    func unsignedOnSQLite() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE t (i INTEGER, n NUMERIC, r REAL, x, s TEXT);
                    INSERT INTO t VALUES (9223372036854775807, 9223372036854775807, 1e30, 9223372036854775807,
                        '18446744073709551615');
                    """)
            }
            let argument: Arguments = ["v": .value(.unsigned(.max))]
            let conditions = [
                "i < :v", "n < :v", "x < :v", "i + 0 < :v", "r > :v", "s = :v", "NOT i = :v", "NOT x = :v",
                "NOT i > :v",
            ]
            for condition in conditions {
                #expect(
                    try await rows(database, "SELECT 1 FROM t WHERE \(condition)", argument) == [[1]], "\(condition)")
            }
            // A text column stores the digits, and a numeric column stores SQLite's converted number.
            try await database.write { try $0.execute("UPDATE t SET s = :v, n = :v, x = :v", argument) }
            #expect(
                try await rows(database, "SELECT s, n, x FROM t")
                    == [["18446744073709551615", .double(18_446_744_073_709_551_616), "18446744073709551615"]])
        }
    }

    /// Decimals in ascending order. Some neighbors are equal as doubles.
    private static let decimals = [
        "-12.50", "0.00", "9007199254740992.00", "9007199254740993.00", "9007199254740993.01",
        "1234567890123456789012345678.90", "1234567890123456789012345678.91", "1234567890123456789012345678.92",
    ]

    @Test("MariaDB compares decimals exactly and with the index", .enabled(if: hasMariaDB))
    func decimalsOnMariaDB() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (d DECIMAL(30, 2), filler INTEGER, KEY by_d (d))")
                for digits in Self.decimals {
                    try connection.execute("INSERT INTO t VALUES (:d, 1)", ["d": .decimal(digits)])
                }
                try connection.executeScript("INSERT INTO t SELECT seq, 2 FROM seq_100_to_1000")
            }
            let all = Self.decimals.map { SQLValue.text($0) }
            let select = "SELECT d FROM t WHERE filler = 1 AND d"
            #expect(try await rows(database, "\(select) IS NOT NULL ORDER BY d").map { $0[0] } == all)
            for (index, digits) in Self.decimals.enumerated() {
                let one: Arguments = ["d": .decimal(digits)]
                #expect(try await rows(database, "\(select) = :d", one) == [[all[index]]])
                #expect(
                    try await rows(database, "\(select) < :d ORDER BY d", one).map { $0[0] } == Array(all[..<index]))
                let pair = [all[index], all.last].compactMap(\.self)
                let list: Arguments = ["d": .list([.decimal(Self.decimals[7]), .decimal(digits)])]
                #expect(
                    try await rows(database, "\(select) IN (:d) ORDER BY d", list).map { $0[0] }
                        == (index == 7 ? [all[7]] : pair))
                #expect(try await key(database, "\(select) = :d", one) == "by_d")
                #expect(try await key(database, "\(select) IN (:d)", list) == "by_d")
            }
            #expect(try await key(database, "\(select) > :d", ["d": .decimal(Self.decimals[6])]) == "by_d")
            // Without an index, MariaDB compares the texts of a list as doubles.
            let unindexed = "SELECT d FROM t IGNORE INDEX (by_d) WHERE filler = 1 AND d IN (:d)"
            for digits in [Self.decimals[3], Self.decimals[6]] {
                let texts: Arguments = ["d": .list([.text(digits), "1"])]
                let decimals: Arguments = ["d": .list([.decimal(digits), .decimal("1")])]
                #expect(try await rows(database, unindexed, texts).count > 1)
                #expect(try await rows(database, unindexed, decimals) == [[.text(digits)]])
            }
        }
    }

    @Test("SQLite compares a decimal with a numeric column as a number")
    func decimalsOnSQLite() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE t (d DECIMAL(10, 2), i INTEGER, r REAL, s TEXT);
                    CREATE INDEX by_d ON t (d);
                    INSERT INTO t VALUES (-12.5, -12, -12.5, '-12.50'), (9007199254740993, 9007199254740993, 0, '1');
                    """)
            }
            let count = "SELECT count(*) FROM t WHERE"
            for (condition, digits) in [
                ("d = :v", "-12.50"), ("d IN (:v)", "-12.500"), ("r = :v", "-12.5"), ("s = :v", "-12.50"),
                ("i = :v", "-12.00"), ("i = :v", "9007199254740993"), ("i = :v", "9007199254740993.00"),
                ("d > :v", "9007199254740992"),
                ("d = :v", "+9007199254740993"), ("CAST(d AS TEXT) = :v", "-12.5"),
                ("d * 1 = CAST(:v AS NUMERIC)", "-12.50"),
            ] {
                #expect(
                    try await rows(database, "\(count) \(condition)", ["v": .decimal(digits)]) == [[1]],
                    "\(condition) \(digits)")
            }
            let plan = try await rows(database, "EXPLAIN QUERY PLAN \(count) d = :v", ["v": .decimal("-12.50")])
            #expect("\(plan)".contains("by_d"))
        }
    }

    @Test(
        "An invalid decimal is rejected. On MariaDB, a decimal with too many digits is also rejected",
        arguments: TestBackend.available)
    func notADecimal(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            for digits in ["", "-", ".", "1e3", "1,5", " 1", "1 ", "0x1", "--1", "1.2.3", "١", "NaN", "1\u{0}"] {
                let error = await failure { try await rows(database, "SELECT :d AS d", ["d": .decimal(digits)]) }
                #expect(error?.code == .parameter, "\(digits)")
            }
            for digits in ["1", "-1.", "+.5", "000", "0.50"] {
                _ = try await rows(database, "SELECT :d AS d", ["d": .decimal(digits)])
            }
            let nines = String(repeating: "9", count: 65)
            for (digits, fits) in [
                (nines, true), ("0" + nines, true), (nines + "9", false), (nines + ".0", true), (nines + ".1", false),
                ("0." + nines.prefix(38), true), ("0." + nines.prefix(39), false),
                ("0." + nines.prefix(38) + "0", true),
            ] {
                let error = await failure { try await rows(database, "SELECT :d AS d", ["d": .decimal(digits)]) }
                #expect((error == nil) == (fits || backend == .sqlite), "\(digits)")
            }
        }
    }

    @Test("A FLOAT value is read as the shortest decimal that identifies the value", .enabled(if: hasMariaDB))
    func floats() async throws {
        let values = try await values(
            "FLOAT",
            [
                "0.1", "-0.3", "16777216", "16777217", "3.4028234e38", "1.17549435e-38", "1e-45", "123456.789", "0",
                "5e9",
            ])
        #expect(
            values == [
                0.1, -0.3, 16_777_216.0, 16_777_216.0, 3.4028235e38, 1.1754944e-38, 1e-45, 123_456.79, 0.0, 5e9,
            ])
        #expect(try await self.values("DOUBLE", ["0.1", "1e308", "-1e-300"]) == [0.1, 1e308, -1e-300])
        let powers = (-40..<38).map { "\(Float(1.7) * Float(sign: .plus, exponent: $0 * 3, significand: 1))" }
        #expect(try await self.values("FLOAT", powers) == powers.map { .double(Double($0) ?? .nan) })
    }

    @Test("A BIT column is read as the integer of its bits", .enabled(if: hasMariaDB))
    func bits() async throws {
        #expect(try await values("BIT(1)", ["b'0'", "b'1'", "NULL"]) == [0, 1, nil])
        #expect(try await values("BIT(9)", ["b'100000001'", "0", "511"]) == [257, 0, 511])
        #expect(
            try await values("BIT(64)", ["18446744073709551615", "9223372036854775808", "9223372036854775807", "258"])
                == [.unsigned(.max), .unsigned(1 << 63), .integer(.max), 258])
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (b BIT(64)); INSERT INTO t VALUES (258), (18446744073709551615)")
            }
            let kinds = try await database.read { try $0.query("SELECT b FROM t").columns.map(\.kind) }
            #expect(kinds == [.integer])
            for value: SQLValue in [258, .unsigned(.max)] {
                #expect(try await rows(database, "SELECT b FROM t WHERE b = :b", ["b": .value(value)]) == [[value]])
            }
        }
    }

    @Test("SQLite returns infinity as a double, and NaN as NULL")
    func infinity() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            let seen = try await rows(
                database, "SELECT :inf AS i, -9e999 AS m, :nan AS n, 9e999 - 9e999 AS d",
                ["inf": .value(.double(.infinity)), "nan": .value(.double(.nan))])
            #expect(seen == [[.double(.infinity), .double(-.infinity), nil, nil]])
        }
    }

    // MARK: Times

    @Test("Times have the number of fractional digits of their column", .enabled(if: hasMariaDB), arguments: 0...6)
    func fractions(_ digits: Int) async throws {
        func text(_ text: String, _ fraction: String = "123456") -> SQLValue {
            .text(digits == 0 ? text : "\(text).\(fraction.prefix(digits))")
        }
        let zero = "000000"
        #expect(
            try await values(
                "DATETIME(\(digits))",
                ["'2024-01-31 12:34:56.123456'", "'1000-01-01'", "'9999-12-31 23:59:59.000000'", "NULL"])
                == [
                    text("2024-01-31 12:34:56"), text("1000-01-01 00:00:00", zero), text("9999-12-31 23:59:59", zero),
                    nil,
                ])
        #expect(
            try await values(
                "TIMESTAMP(\(digits)) NULL", ["'2024-01-31 12:34:56.123456'", "'1970-01-01 00:00:01'", "NULL"])
                == [text("2024-01-31 12:34:56"), text("1970-01-01 00:00:01", zero), nil])
        #expect(
            try await values(
                "TIME(\(digits))",
                ["'12:34:56.123456'", "'-838:59:59'", "'838:59:59'", "'-00:00:01.123456'", "'0'", "'99:00:00'"])
                == [
                    text("12:34:56"), text("-838:59:59", zero), text("838:59:59", zero), text("-00:00:01"),
                    text("00:00:00", zero), text("99:00:00", zero),
                ])
    }

    @Test(
        "A time that was read as a text matches its row in every comparison, and the comparison uses the index",
        .enabled(if: hasMariaDB))
    func comparedTimes() async throws {
        for (type, texts) in [
            (
                "DATETIME(6)",
                [
                    "2024-01-31 12:34:56.119999", "2024-01-31 12:34:56.120000", "2024-01-31 12:34:56.120001",
                    "2024-03-31 02:30:00.000000",
                ]
            ),
            (
                "TIMESTAMP(6)",
                [
                    "2024-01-31 12:34:56.119999", "2024-01-31 12:34:56.120000", "2024-01-31 12:34:56.120001",
                    "2024-03-31 02:30:00.000000",
                ]
            ),
            ("DATETIME", ["2024-01-31 12:34:55", "2024-01-31 12:34:56", "2024-01-31 12:34:57", "2024-03-31 02:30:00"]),
            (
                "TIMESTAMP",
                ["2024-01-31 12:34:55", "2024-01-31 12:34:56", "2024-01-31 12:34:57", "2024-03-31 02:30:00"]
            ),
            ("TIME(3)", ["-838:59:59.000", "-00:00:00.001", "100:00:00.000", "100:00:00.001"]),
        ] {
            try await TestDatabase.with(.mariaDB, schema: false) { database in
                try await database.write { connection in
                    try connection.executeScript(
                        "CREATE TABLE t (v \(type) NOT NULL, filler INTEGER NOT NULL, KEY by_v (v))")
                    for text in texts {
                        try connection.execute("INSERT INTO t VALUES (:v, 1)", ["v": .text(text)])
                    }
                    let other = type.hasPrefix("TIME(") ? "'500:00:00'" : "'2030-01-01'"
                    try connection.executeScript("INSERT INTO t SELECT \(other), 2 FROM seq_1_to_1000")
                }
                let all = texts.map { [SQLValue.text($0)] }
                let select = "SELECT v FROM t WHERE filler = 1 AND v"
                #expect(try await rows(database, "\(select) IS NOT NULL ORDER BY v") == all, "\(type)")
                for (index, text) in texts.enumerated() {
                    let one: Arguments = ["v": .text(text)]
                    #expect(try await rows(database, "\(select) = :v", one) == [all[index]], "\(type)")
                    #expect(
                        try await rows(database, "\(select) < :v ORDER BY v", one) == Array(all[..<index]), "\(type)")
                    let pair: Arguments = ["v": .text(text), "w": .text(texts[3])]
                    let between = "\(select) BETWEEN :v AND :w"
                    #expect(try await rows(database, "\(between) ORDER BY v", pair) == Array(all[index...]), "\(type)")
                    let list: Arguments = ["v": .list([.text(texts[3]), .text(text)])]
                    #expect(
                        try await rows(database, "\(select) IN (:v) ORDER BY v", list)
                            == (index == 3 ? [all[3]] : [all[index], all[3]]), "\(type)")
                    #expect(try await key(database, "\(select) = :v", one) == "by_v", "\(type)")
                    #expect(try await key(database, "\(select) < :v", one) == "by_v", "\(type)")
                    #expect(try await key(database, between, pair) == "by_v", "\(type)")
                    #expect(try await key(database, "\(select) IN (:v)", list) == "by_v", "\(type)")
                }
            }
        }
    }

    @Test("A time in an expression has the fractional digits of the expression", .enabled(if: hasMariaDB))
    func expressions() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let seen = try await rows(
                database,
                """
                SELECT TIMESTAMP('2001-02-03 04:05:06.5') AS a, CAST('12:34:56.78' AS TIME(1)) AS b,
                    DATE('2001-02-03') AS c, ADDTIME(TIMESTAMP('2001-02-03 04:05:06'), '0:0:0.25') AS d,
                    FROM_UNIXTIME(0) AS e, CAST(20010203040506 AS DATETIME(6)) AS f
                """)
            #expect(seen[0][0] == "2001-02-03 04:05:06.5")
            #expect(seen[0][1] == "12:34:56.7")
            #expect(seen[0][2] == .date(CalendarDate(daysSinceEpoch: 11_356)))
            #expect("\(seen[0][3])".contains("2001-02-03 04:05:06.25"))
            #expect(seen[0][4] == "1970-01-01 00:00:00")
            #expect(seen[0][5] == "2001-02-03 04:05:06.000000")
        }
    }

    @Test("A date that is not a calendar day is read as text", .enabled(if: hasMariaDB))
    func impossibleDates() async throws {
        let literals = ["'0000-00-00'", "'2024-00-00'", "'2024-02-00'", "'0000-01-01'", "'2023-02-31'", "'2024-02-29'"]
        let date = CalendarDate(iso: "2024-02-29").map { SQLValue.date($0) }
        let yearZero = CalendarDate(iso: "0000-01-01").map { SQLValue.date($0) }
        let values = try await values("DATE", literals, lax: true)
        #expect(values == ["0000-00-00", "2024-00-00", "2024-02-00", yearZero, "2023-02-31", date])
        let times = try await self.values("DATETIME(2)", ["'0000-00-00'", "'2024-02-00 01:02:03.45'"], lax: true)
        #expect(times == ["0000-00-00 00:00:00.00", "2024-02-00 01:02:03.45"])
        #expect(try await self.values("TIMESTAMP NULL", ["0"], lax: true) == ["0000-00-00 00:00:00"])
    }

    @Test("A date that was read as a text matches its row in comparisons", .enabled(if: hasMariaDB))
    func comparedImpossibleDates() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let texts = ["0000-00-00", "2024-00-00", "2024-02-00"]
            try await database.write { connection in
                try connection.executeScript(
                    "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'; CREATE TABLE t (d DATE NOT NULL, KEY (d))")
                for text in texts { try connection.executeScript("INSERT INTO t VALUES ('\(text)')") }
            }
            for text in texts {
                #expect(
                    try await rows(database, "SELECT d FROM t WHERE d = :d", ["d": .text(text)]) == [[.text(text)]])
            }
            #expect(
                try await rows(database, "SELECT d FROM t WHERE d > :d ORDER BY d", ["d": "2024-00-00"])
                    == [["2024-02-00"]])
        }
    }

    // MARK: Texts and bytes

    @Test(
        "MariaDB's UUID, INET, ENUM, SET, JSON and DECIMAL are read as texts, and byte types as blobs",
        .enabled(if: hasMariaDB))
    func textsAndBytes() async throws {
        let uuid = "'550E8400-e29b-41d4-a716-446655440000'"
        #expect(try await values("UUID", [uuid]) == ["550e8400-e29b-41d4-a716-446655440000"])
        #expect(try await values("INET4", ["'192.168.0.1'"]) == ["192.168.0.1"])
        #expect(
            try await values("INET6", ["'2001:DB8:0:0::1'", "'::ffff:1.2.3.4'"]) == ["2001:db8::1", "::ffff:1.2.3.4"])
        #expect(try await values("ENUM('a', 'é', '')", ["'a'", "2", "''"]) == ["a", "é", ""])
        #expect(try await values("SET('a', 'b', 'c')", ["'c,a'", "''"]) == ["a,c", ""])
        #expect(try await values("YEAR", ["2024", "1901", "0"]) == [2024, 1901, 0])
        #expect(try await values("JSON", ["'{\"a\": [1, \"é\"]}'"]) == ["{\"a\": [1, \"é\"]}"])
        #expect(try await values("BINARY(3)", ["'a'", "x'000102'"]) == [.blob([0x61, 0, 0]), .blob([0, 1, 2])])
        #expect(
            try await values("VARBINARY(9)", ["'a'", "''", "x'ff00'"]) == [.blob([0x61]), .blob([]), .blob([255, 0])])
        #expect(try await values("TINYBLOB", ["'é'"]) == [.blob([0xC3, 0xA9])])
        let point = try await values("POINT", ["POINT(1, 2)"])
        guard case .blob(let bytes) = point[0] else { return #expect(Bool(false), "\(point)") }
        #expect(bytes.count == 25)
        #expect(
            try await values("DECIMAL(20, 4)", ["-12.5", "0", "9007199254740993.0001"]) == [
                "-12.5000", "0.0000", "9007199254740993.0001",
            ])
        #expect(try await values("INT(5) ZEROFILL", ["42"]) == [42])
        #expect(try await values("BOOLEAN", ["TRUE", "FALSE"]) == [1, 0])
    }

    @Test(
        "Texts are read as UTF-8, regardless of the character set of the column", .enabled(if: hasMariaDB),
        arguments: ["latin1", "utf16", "utf32", "ucs2", "utf8mb3", "utf8mb4", "utf16le"])
    func characterSets(_ set: String) async throws {
        #expect(
            try await values("VARCHAR(20) CHARACTER SET \(set)", ["'Grüße'", "''", "' a '"]) == ["Grüße", "", " a "])
    }

    @Test("Texts of a UTF-16 column can have surrogate pairs", .enabled(if: hasMariaDB))
    func surrogates() async throws {
        #expect(try await values("VARCHAR(20) CHARACTER SET utf16", ["'👩🏽‍🚀 東京'"]) == ["👩🏽‍🚀 東京"])
    }

    @Test("A CHAR value has no trailing spaces, and a VARCHAR value retains them", .enabled(if: hasMariaDB))
    func trailingSpaces() async throws {
        #expect(try await values("CHAR(10)", ["'a  '", "' é'"]) == ["a", " é"])
        #expect(try await values("VARCHAR(10) COLLATE utf8mb4_bin", ["'a  '", "'é'"]) == ["a  ", "é"])
    }

    @Test("Long and short texts and blobs in one row are read completely", arguments: TestBackend.available)
    func long(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, t \(backend.textType), b \(backend.blobType))")
            }
            let lengths = [0, 4_095, 4_096, 4_097, 1, 1 << 20, (1 << 20) + 1, 3_000_000, 2]
            let texts = lengths.map { SQLValue.text(String(repeating: "é", count: $0 / 2)) }
            let pattern = (0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let pieces = Array(repeating: pattern, count: 1 + 3_000_000 / pattern.count)
            let longest = Array(pieces.joined())
            let blobs = lengths.map { SQLValue.blob(Array(longest[..<$0])) }
            try await database.write { connection in
                for id in lengths.indices {
                    try connection.execute(
                        "INSERT INTO t VALUES (:id, :t, :b)",
                        ["id": .integer(id), "t": .value(texts[id]), "b": .value(blobs[id])])
                }
            }
            for _ in 0..<2 {
                let read = try await rows(database, "SELECT t, b FROM t ORDER BY id")
                // A failure must not print the long values.
                let isWhole = read == zip(texts, blobs).map { [$0, $1] }
                #expect(isWhole)
            }
        }
    }

    @Test("SQLite values are read by their storage class, regardless of the column's type")
    func storageClasses() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE t (id INTEGER PRIMARY KEY, t TEXT, d DATE, i INTEGER, b BLOB);
                    INSERT INTO t VALUES (1, x'00ff', 20240131, 'seven', 'text'), (2, 'a' || char(0) || 'b', '2024-02-30', 1.5, 7),
                        (3, '', '2024-01-31 10:00', x'', 1.0), (4, char(0), '2024-01-31', 1.0, NULL), (5, NULL, 0.5, 1, '');
                    """)
            }
            let date = try #require(CalendarDate(iso: "2024-01-31"))
            #expect(
                try await rows(database, "SELECT t, d, i, b FROM t ORDER BY id") == [
                    [.blob([0, 255]), 20_240_131, "seven", "text"], ["a\u{0}b", "2024-02-30", 1.5, 7],
                    ["", "2024-01-31 10:00", .blob([]), 1.0], ["\u{0}", .date(date), 1, nil], [nil, 0.5, 1, ""],
                ])
        }
    }
}
