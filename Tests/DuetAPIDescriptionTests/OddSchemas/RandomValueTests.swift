import DuetAPIDescription
import DuetResourceService
import SeededTesting
import TestSupport
import Testing

/// Tables with random columns, whose random values are compared over both styles with those of plain SQL.
@Suite("Random values in columns of any type") struct RandomValueTests {
    static let seeds = TestBackend.available.flatMap { backend in
        TestScale.seeds(backend == .sqlite ? 6 : 4).map { (backend, $0) }
    }

    @Test(
        "Tables with any values in columns of any type are read over REST and GraphQL, with the values of plain SQL",
        arguments: seeds)
    func random(backend: TestBackend, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let script = RandomColumn.script(backend, tables: backend == .sqlite ? 4 : 2, &random)
        try await OddService.with(backend, script, readsRows: true) { service in
            #expect(try await service.dataFindings() == [], "seed \(seed)")
            _ = try await service.checkTables()
            try await service.checkOrders(sizes: [1, 3, 7])
            try await service.checkFilters()
        }
    }
}

/// A column with a random type, and the values that it can have.
private struct RandomColumn {
    let declaration: String
    /// SQL literals.
    let values: [String]

    /// Returns a script that creates and fills tables.
    static func script(_ backend: TestBackend, tables: Int, _ random: inout SplitMix64) -> String {
        var script = ""
        for table in 0..<tables {
            var columns: [RandomColumn] = []
            for index in 0..<(backend == .sqlite ? 6 : 8) {
                columns.append(
                    backend == .sqlite ? sqlite(&random) : mariaDB(previous: index - 1, columns.last, &random))
            }
            let declared = columns.enumerated().map { "c\($0) \($1.declaration)" }
            script += "CREATE TABLE t\(table)s (id INTEGER PRIMARY KEY, \(declared.joined(separator: ", ")));\n"
            let stored = columns.indices.filter { !columns[$0].values.isEmpty }
            // A column has values of few kinds, so that narrow types are tried, too.
            let pools = stored.map { index in
                (0..<Int.random(in: 1...(backend == .sqlite ? 4 : 6), using: &random)).compactMap { _ in
                    columns[index].values.randomElement(using: &random)
                }
            }
            let names = (["id"] + stored.map { "c\($0)" }).joined(separator: ", ")
            for row in 1...9 {
                let values = pools.map { pool in
                    Int.random(in: 0..<6, using: &random) == 0 ? "NULL" : pool.randomElement(using: &random) ?? "NULL"
                }
                let insert = backend == .sqlite ? "INSERT" : "INSERT IGNORE"
                script += "\(insert) INTO t\(table)s (\(names)) VALUES (\(row), \(values.joined(separator: ", ")));\n"
            }
        }
        // With an empty mode, MariaDB converts each value to the type of its column: numbers to the greatest or least
        // number, texts without a date to a zero date.
        return backend == .sqlite ? script : "SET @mode = @@sql_mode, sql_mode = '';\n\(script)SET sql_mode = @mode;\n"
    }

    // MARK: Values

    private static let numbers = [
        "0", "1", "-1", "2", "42", "9007199254740991", "9007199254740993", "-9223372036854775808",
        "9223372036854775807", "0.5", "-1.25", "1706704496", "1706704496.25", "328397296.123",
    ]
    private static let texts = [
        "''", "'a'", "'A'", "'é漢🙂'", "'1'", "'1.50'", "'007'", "'true'", "'null'", "'{}'", "'2024-01-31'",
        "'2024-02-30'", "'2024-01-31 12:34:56'", "'2024-01-31T12:34:56.5'", "'10:00'",
        "'123e4567-e89b-12d3-a456-426614174000'", "'a,b'", "' x '",
    ]
    private static let bytes = ["x''", "x'00ff'"]

    // MARK: SQLite

    private static let sqliteTypes = [
        "", "INTEGER", "INT", "BIGINT", "BOOLEAN", "REAL", "DECIMAL(10,2)", "NUMERIC", "DATE", "DATETIME", "TIMESTAMP",
        "TIME", "TEXT", "VARCHAR(5)", "CHAR(3)", "BLOB", "JSON", "UUID", "YEAR", "STRING", "POINT", "MONEY", "ANY",
    ]

    private static func sqlite(_ random: inout SplitMix64) -> RandomColumn {
        RandomColumn(
            declaration: sqliteTypes.randomElement(using: &random) ?? "",
            values: numbers + texts + bytes + ["char(10)"])
    }

    // MARK: MariaDB

    private static let extremes = [
        "127", "-128", "255", "256", "-129", "32767", "65535", "8388607", "16777215", "2147483647", "-2147483648",
        "4294967295", "18446744073709551615", "1e38", "-1e38", "3.4028234e38", "1e-45", "1.7976931348623157e308",
        "-1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "0.1", "16777217", "1e300", "-0.0",
        "99999999.99", "-0.01", "0.000000000000000000000000000001",
        "99999999999999999999999999999999999.999999999999999999999999999999",
    ]
    private static let oddTexts = [
        "'ab '", "' ab'", "'  '", "'ß'", "'SS'", "'ss'", "'i'", "'I'", "'İ'", "'ı'", "'Ä'", "'ä'", "'a\u{308}'",
        "'e\u{301}'",
        "'é'", "'É'", "'z'", "'🙂'", "'👨‍👩‍👧'", "'\u{10FFFF}'", "'%'", "'_'", "'\\\\'", "'\"'", "''''", "char(10)",
        "char(9)",
        "REPEAT('x', 300)", "REPEAT('é', 260)", "'=1+1'", "'\u{FEFF}a'", "'a\u{200D}b'",
    ]
    private static let moments = [
        "'0000-00-00'", "'0000-00-00 00:00:00'", "'0001-01-01'", "'1000-01-01 00:00:00'", "'1970-01-01 00:00:01'",
        "'1999-12-31 23:59:59.999999'", "'2024-02-29 12:34:56.1'", "'2024-02-29 12:34:56.123456'",
        "'2024-03-31 02:30:00'", "'2038-01-19 03:14:07.999999'", "'9999-12-31'", "'9999-12-31 23:59:59.999999'",
        "'-838:59:59.999999'", "'838:59:59.999999'", "'-00:00:00.000001'", "'00:00:00'", "'24:00:00'", "'100:00:01.5'",
    ]
    private static let years = ["0", "1", "69", "70", "99", "1901", "1999", "2000", "2155", "'0'", "'00'"]
    private static let bits = ["b'0'", "b'1'", "b'10000001'", "18446744073709551615", "9007199254740993", "255"]
    private static let moreBytes = [
        "x'ff'", "x'00'", "x'80'", "x'61'", "x'6100'", "x'c3a9'", "x'deadbeef00'", "REPEAT('\\0', 1100)",
    ]
    private static let documents = [
        "'{}'", "'[]'", "'null'", "'0'", "'true'", "'\"a\"'", "'{ \"a\" : [1, 2.50, 1e400] }'", "'[\"é🙂\", \" x \"]'",
        "'12345678901234567890123'",
    ]
    private static let uuids = [
        "'123e4567-e89b-12d3-a456-426614174000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'00000000-0000-0000-0000-000000000000'", "'FFFFFFFF-0000-1000-8000-00000000000a'",
        "'00000000-ffff-1fff-8000-000000000001'",
    ]
    private static let addresses4 = ["'0.0.0.0'", "'255.255.255.255'", "'10.0.0.1'", "'9.9.9.9'", "'10.0.0.10'"]
    private static let addresses6 = ["'::'", "'::1'", "'2001:db8::1'", "'fe80::1'", "'::ffff:1.2.3.4'", "'ffff::'"]

    private static let collations = [
        "utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci", "utf8mb4_bin", "utf8mb4_nopad_bin",
        "utf8mb4_unicode_nopad_ci", "utf8mb4_czech_ci", "utf8mb4_turkish_ci", "utf8mb4_german2_ci", "latin1_swedish_ci",
        "latin1_bin", "latin1_german2_ci", "utf8mb3_general_ci", "utf8mb3_bin", "ucs2_general_ci", "utf16_bin",
        "utf16_general_ci", "utf32_unicode_ci", "ascii_general_ci", "cp1251_general_ci", "sjis_japanese_ci", "gbk_bin",
    ]
    private static let textTypes = [
        "CHAR(1)", "CHAR(10)", "VARCHAR(5)", "VARCHAR(200)", "VARCHAR(2000)", "TINYTEXT", "TEXT", "MEDIUMTEXT",
        "LONGTEXT",
    ]
    private static let integerTypes = ["TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INT(6)", "BIGINT"]
    private static let decimalTypes = [
        "DECIMAL(10,2)", "DECIMAL(5,0)", "DECIMAL(65,30)", "DECIMAL(65,0)", "DECIMAL(38,38)",
    ]
    private static let floatTypes = ["FLOAT", "DOUBLE", "FLOAT(7,3)", "DOUBLE(10,3)"]
    private static let binaryTypes = ["BINARY(4)", "VARBINARY(9)", "VARBINARY(2000)", "TINYBLOB", "BLOB", "LONGBLOB"]
    private static let enumerations = [
        "ENUM('z','b','a')", "ENUM('','so so','très bien','-')", "ENUM('a','A ','é') COLLATE utf8mb4_bin",
        "SET('z','b','a')", "SET('é','e','1')",
    ]

    /// Returns a column of any type.
    /// - Parameter previous: The index of the previous column, from which a generated column is computed.
    private static func mariaDB(previous: Int, _ other: RandomColumn?, _ random: inout SplitMix64) -> RandomColumn {
        func pick(_ elements: [String]) -> String { elements.randomElement(using: &random) ?? "" }
        let any = numbers + texts
        switch Int.random(in: 0..<18, using: &random) {
        case 0, 1:
            return RandomColumn(
                declaration: pick(integerTypes) + pick(["", " UNSIGNED", " ZEROFILL"]), values: any + extremes)
        case 2:
            return RandomColumn(
                declaration: pick(decimalTypes) + pick(["", "", " UNSIGNED", " ZEROFILL"]), values: any + extremes)
        case 3:
            return RandomColumn(
                declaration: pick(floatTypes) + pick(["", "", " UNSIGNED", " ZEROFILL"]), values: any + extremes)
        case 4:
            return RandomColumn(declaration: pick(["BIT(1)", "BIT(8)", "BIT(53)", "BIT(54)", "BIT(64)"]), values: bits)
        case 5: return RandomColumn(declaration: pick(["BOOLEAN", "TINYINT(1) UNSIGNED"]), values: any)
        case 6, 7, 8:
            return RandomColumn(
                declaration: pick(textTypes) + " COLLATE " + pick(collations), values: any + oddTexts + oddTexts)
        case 9: return RandomColumn(declaration: pick(binaryTypes), values: texts + bytes + moreBytes + moreBytes)
        case 10: return RandomColumn(declaration: "DATE", values: any + moments + moments)
        case 11:
            return RandomColumn(
                declaration: pick(["DATETIME", "DATETIME(1)", "DATETIME(3)", "DATETIME(6)"]),
                values: texts + moments + moments)
        case 12:
            return RandomColumn(
                declaration: pick(["TIMESTAMP", "TIMESTAMP(2)", "TIMESTAMP(6)"]) + " NULL", values: texts + moments)
        case 13:
            return RandomColumn(declaration: pick(["TIME", "TIME(2)", "TIME(6)"]), values: any + moments + moments)
        case 14:
            return Bool.random(using: &random)
                ? RandomColumn(declaration: pick(["YEAR", "YEAR(4)"]), values: years + texts)
                // The empty text that MariaDB stores for an invalid value of an ENUM does not have the type enum.
                : RandomColumn(declaration: pick(enumerations), values: ["1", "2", "3"])
        case 15: return RandomColumn(declaration: "JSON", values: documents)
        case 16:
            return switch Int.random(in: 0..<3, using: &random) {
            case 0: RandomColumn(declaration: "UUID", values: uuids)
            case 1: RandomColumn(declaration: "INET4", values: addresses4)
            default: RandomColumn(declaration: "INET6", values: addresses6)
            }
        default:
            guard let other, !other.values.isEmpty else { return RandomColumn(declaration: "INT", values: extremes) }
            // MariaDB does not store an expression of a column whose values depend on the time zone or on the SQL mode.
            let expression = pick([
                "BIGINT AS (LENGTH(c\(previous))) VIRTUAL", "VARCHAR(99) AS (LEFT(HEX(c\(previous)), 99)) VIRTUAL",
                "INT AS (c\(previous) IS NULL) VIRTUAL", "INT AS (id % 3) STORED",
            ])
            return RandomColumn(declaration: expression, values: [])
        }
    }
}
