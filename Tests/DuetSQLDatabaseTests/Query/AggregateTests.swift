import DuetSQLDatabase
import SeededTesting
import TestSupport
import Testing

@Suite("Exact aggregates")
struct AggregateTests {
    // MARK: Sums and averages

    /// A row of the table `n`: a group, an integer, an amount, and a number of up to 65 digits.
    private struct Row {
        var group: Int
        var texts: [String?]
    }

    /// The names, types and scales of the columns of the table `n`.
    private static let columns: [(name: String, numbers: [AggregateNumber], scale: Int)] = [
        ("i", [.integer], 0), ("m", [.decimal(scale: 2, precision: 12), .decimal(scale: 2)], 2),
        ("s", [.decimal(scale: 5, precision: 20)], 5),
        ("w", [.decimal(scale: 30, precision: 65), .decimal(scale: 30)], 30),
    ]

    private static func createTable(_ backend: TestBackend) -> String {
        switch backend {
        // SQLite would convert the numbers in a column of type DECIMAL to doubles with 15 digits.
        case .sqlite: "CREATE TABLE n (g INTEGER, i INTEGER, m DECIMAL(12, 2), s DECIMAL(20, 5), w TEXT)"
        case .mariaDB: "CREATE TABLE n (g INT, i BIGINT, m DECIMAL(12, 2), s DECIMAL(20, 5), w DECIMAL(65, 30))"
        }
    }

    private static func randomRows(_ random: inout SplitMix64) -> [Row] {
        (0..<24).flatMap { group in
            // Small numbers of few digits often have exact halves as averages.
            let isSmall = random.chance(perThousand: 500)
            return (0..<random.within(1...16)).map { _ in
                let integer =
                    isSmall ? Int64(random.within(-20...20)) : Int64(truncatingIfNeeded: random.next())
                let cents = random.within(isSmall ? -30...30 : -999_999_999_999...999_999_999_999)
                let small = random.within(isSmall ? -3...3 : -999_999_999_999_999...999_999_999_999_999)
                let wide =
                    isSmall
                    ? decimal(random.within(-9...9), scale: 30)
                    : (random.chance(perThousand: 500) ? "-" : "")
                        + digits(random.within(1...31), &random) + "." + digits(30, &random)
                var texts: [String?] = [
                    String(integer), decimal(cents, scale: 2), decimal(small, scale: 5), wide,
                ]
                for index in texts.indices where random.chance(perThousand: 80) { texts[index] = nil }
                return Row(group: group, texts: texts)
            }
        }
    }

    private static func digits(_ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in String(random.below(10)) }.joined()
    }

    private static func decimal(_ units: Int, scale: Int) -> String {
        let text = String(abs(units))
        let padded = String(repeating: "0", count: max(0, scale + 1 - text.count)) + text
        return (units < 0 ? "-" : "") + padded.dropLast(scale) + "." + padded.suffix(scale)
    }

    /// Returns the text of a number or a text.
    private static func text(_ value: SQLValue) -> String? {
        switch value {
        case .integer(let integer): String(integer)
        case .text(let text): text
        case .double(let double): "\(double)"
        default: nil
        }
    }

    private static func insert(_ rows: [Row], into database: Database) async throws {
        try await database.write { connection in
            try connection.bulkInsert(into: "n", columns: ["g", "i", "m", "s", "w"]) { inserter in
                for row in rows {
                    try inserter.append([.integer(Int64(row.group))] + row.texts.map { $0.map(SQLValue.text) ?? .null })
                }
            }
        }
    }

    @Test(
        "Sums and averages of integers and decimals are exact, and are compared and ordered exactly",
        arguments: TestBackend.available)
    func random(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let dialect = database.dialect
            try await database.write { try $0.executeScript(Self.createTable(backend)) }
            for seed in TestScale.seeds(2) {
                var generator = SplitMix64(seed: seed)
                let rows = Self.randomRows(&generator)
                try await database.write { try $0.execute("DELETE FROM n") }
                try await Self.insert(rows, into: database)
                for (index, column) in Self.columns.enumerated() {
                    let values = (0..<24).map { group in
                        rows.filter { $0.group == group }.compactMap { $0.texts[index].map(ExactDecimal.init) }
                    }
                    let sums = values.map { $0.reduce(ExactDecimal("0"), +) }
                    for number in column.numbers {
                        let (sum, average) = (dialect.sum(column.name, number), dialect.average(column.name, number))
                        let read = try await database.read {
                            try $0.query("SELECT \(sum), \(average) FROM n GROUP BY g ORDER BY g").rows()
                        }
                        let scale = try #require(number.averageScale)
                        for (group, row) in read.enumerated() {
                            let label: Comment = "seed \(seed), \(column.name), \(number), group \(group)"
                            guard !values[group].isEmpty else {
                                #expect(row == [.null, .null], label)
                                continue
                            }
                            let sum = try #require(Self.text(row[0]), label)
                            #expect(ExactDecimal(sum).text == sums[group].text, label)
                            let average = try #require(Self.text(row[1]), label)
                            #expect(average.split(separator: ".").last?.count == scale, label)
                            let isRounded = ExactDecimal(average)
                                .isRounded(sums[group], by: values[group].count, scale: scale)
                            #expect(
                                isRounded, "\(label): \(average) is not \(sums[group].text) / \(values[group].count)")
                        }
                        // Groups with a greater sum than a random group, in their order.
                        let bound = generator.below(24)
                        let order = dialect.comparable(sum, number)
                        let greater = try await database.read {
                            try $0.query(
                                """
                                SELECT g FROM n GROUP BY g HAVING \(order) > \(dialect.comparable(":bound", number))
                                ORDER BY \(order) DESC, g
                                """, ["bound": .decimal(sums[bound].text)]
                            ).rows()
                        }
                        let expected = (0..<24).filter { !values[$0].isEmpty && sums[bound] < sums[$0] }
                            .sorted { sums[$1] < sums[$0] || sums[$1] == sums[$0] && $0 < $1 }
                        #expect(greater == expected.map { [.integer(Int64($0))] }, "seed \(seed), \(number)")
                    }
                }
            }
        }
    }

    @Test("Sums exceed 64 bits, and halves are rounded away from zero", arguments: TestBackend.available)
    func known(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let dialect = database.dialect
            let type = backend == .sqlite ? "TEXT" : "DECIMAL(65, 0)"
            let threes = String(repeating: "3", count: 64)
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE n (g INTEGER, d DECIMAL(10, 2), i \(backend.integerType), a \(type), b BOOLEAN);
                    INSERT INTO n VALUES (1, .10, 9223372036854775807, '\(threes)3', 1),
                        (1, .20, 9223372036854775807, '-1', 0), (1, .30, 9223372036854775807, '0', 1),
                        (2, NULL, NULL, NULL, NULL), (3, -0.01, -1, '-1', 0), (3, 0, 0, '0', NULL);
                    """)
                for (group, sign) in [(4, ""), (5, "-")] {
                    let zeros = String(repeating: ", (\(group), 0, 0)", count: 31)
                    try $0.executeScript("INSERT INTO n (g, d, i) VALUES (\(group), \(sign)0.01, \(sign)1)\(zeros)")
                }
            }
            let amount = AggregateNumber.decimal(scale: 2, precision: 10)
            let columns = [
                dialect.sum("d", amount), dialect.average("d", amount), dialect.sum("i", .integer),
                dialect.average("i", .integer), dialect.sum("a", .decimal(scale: 0, precision: 65)),
                dialect.countOfTrue("b"),
            ].joined(separator: ", ")
            let groups = try await Self.texts(database, "SELECT \(columns) FROM n GROUP BY g ORDER BY g")
            #expect(
                groups == [
                    ["0.60", "0.200000", "27670116110564327421", "9223372036854775807.0000", "\(threes)2", "2"],
                    [nil, nil, nil, nil, nil, "0"], ["-0.01", "-0.005000", "-1", "-0.5000", "-1", "0"],
                    ["0.01", "0.000313", "1", "0.0313", nil, "0"], ["-0.01", "-0.000313", "-1", "-0.0313", nil, "0"],
                ])
            let none = try await Self.texts(
                database,
                "SELECT \(columns), \(dialect.sum("d", .double)), \(dialect.representative("a")) FROM n WHERE g > 9")
            #expect(none == [[nil, nil, nil, nil, nil, "0", nil, nil]])
        }
    }

    @Test(
        "A sum or average with more than 65 digits is an error of MariaDB",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func digits() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            let dialect = database.dialect
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE n (g INT, a DECIMAL(65, 0), w DECIMAL(65, 30));
                    INSERT INTO n VALUES (1, REPEAT('9', 65), REPEAT('9', 35)), (1, 1, 1), (1, -2, -2),
                        (2, REPEAT('7', 61), REPEAT('7', 31)), (2, 1, 1);
                    """)
            }
            for (column, scale) in [("a", 0), ("w", 30)] {
                for precision in [65, nil] {
                    let number = AggregateNumber.decimal(scale: scale, precision: precision)
                    for aggregate in [dialect.sum(column, number), dialect.average(column, number)] {
                        for group in ["", " GROUP BY g", " GROUP BY g ORDER BY \(aggregate), g"] {
                            let error = await failure {
                                try await Self.texts(database, "SELECT \(aggregate) FROM n\(group)")
                            }
                            #expect(error?.code == .invalidNumber, "\(aggregate)\(group)")
                        }
                    }
                    let other = try await Self.texts(
                        database,
                        """
                        SELECT \(dialect.sum(column, number)), \(dialect.average(column, number)) FROM n WHERE g = 2
                        GROUP BY g
                        """)
                    let count = scale == 0 ? 60 : 30
                    let sum = String(repeating: "7", count: count) + "8"
                    let half = "3" + String(repeating: "8", count: count - 1) + "9"
                    let zeros = String(repeating: "0", count: scale)
                    #expect(other == [[sum + (scale == 0 ? "" : ".\(zeros)"), "\(half).\(zeros)0000"]])
                }
            }
        }
    }

    /// Returns the rows of a query as texts.
    static func texts(_ database: Database, _ sql: String) async throws -> [[String?]] {
        try await database.read { try $0.query(sql).rows() }.map { $0.map(text) }
    }

    // MARK: Values of other types

    @Test("A value that is not of the type is an error")
    func others() async throws {
        let numbers: [(AggregateNumber, [String])] = [
            (.integer, ["1.0", "1.5", "'1'", "'a'", "x'31'"]),
            (.decimal(scale: 2), ["'a'", "''", "'1.'", "'.5'", "'+1'", "'1e5'", "x'31'", "9e999", "'1 '"]),
            (.double, ["'1'", "''", "x''", "9e999"]),
        ]
        try await TestDatabase.with(.sqlite, schema: false) { database in
            let dialect = database.dialect
            for (number, values) in numbers {
                for value in values {
                    for aggregate in [dialect.sum("x", number), dialect.average("x", number)] {
                        let error = await failure {
                            try await Self.texts(
                                database, "SELECT \(aggregate) FROM (SELECT 1 AS x UNION ALL SELECT \(value))")
                        }
                        #expect(error?.code == .invalidNumber, "\(aggregate) of \(value)")
                    }
                }
            }
        }
    }

    @Test("Decimal numbers of SQLite are exact in each of their forms, with any scale")
    func forms() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            let dialect = database.dialect
            for (scale, sign) in [0, 2, 18, 30].flatMap({ [($0, ""), ($0, "-")] }) {
                let number = AggregateNumber.decimal(scale: scale)
                let values =
                    ["0.25", "1e-7", "1e22", "'-0'", "'0.50'", "'00012345678901234567890.1'", "NULL"]
                    + Array(repeating: "9223372036854775807", count: 40)
                let rows = values.map { "SELECT \($0.hasPrefix("'") ? "" : sign)\($0) AS x" }.joined(
                    separator: " UNION ALL ")
                let read = try await Self.texts(
                    database, "SELECT \(dialect.sum("x", number)), \(dialect.average("x", number)) FROM (\(rows))")
                let expected =
                    ExactDecimal(sign + "0.2500001") + ExactDecimal(sign + "10000000000000000000000")
                    + ExactDecimal("12345678901234567890.6") + ExactDecimal(sign + "368934881474191032280")
                #expect(ExactDecimal(read[0][0] ?? "").text == expected.text, "scale \(scale)")
                let isRounded = try ExactDecimal(read[0][1] ?? "")
                    .isRounded(expected, by: values.count - 1, scale: #require(number.averageScale))
                #expect(isRounded, "scale \(scale), \(read)")
            }
            let total = try await Self.texts(
                database,
                "SELECT \(dialect.sum("x", .double)) FROM (SELECT 1e16 AS x UNION ALL SELECT 1 UNION ALL SELECT -1e16)")
            #expect(total == [["1.0"]])
        }
    }

    @Test("A Boolean other than 0 and 1 is an error, and so is an infinite sum", arguments: TestBackend.available)
    func range(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let dialect = database.dialect
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE n (g INTEGER, b SMALLINT, f DOUBLE);
                    INSERT INTO n VALUES (1, 2, 1e308), (1, 1, 1e308), (2, 0, -1e308), (2, NULL, -1e308);
                    """)
            }
            for aggregate in [dialect.countOfTrue("b"), dialect.sum("f", .double), dialect.average("f", .double)] {
                for group in ["", " GROUP BY g", " GROUP BY g ORDER BY \(dialect.comparable(aggregate, .double)), g"] {
                    let error = await failure { try await Self.texts(database, "SELECT \(aggregate) FROM n\(group)") }
                    #expect(error?.code == .invalidNumber, "\(aggregate)\(group)")
                }
            }
        }
    }

    // MARK: Doubles

    @Test("Sums and averages of doubles have a small error", arguments: TestBackend.available)
    func doubles(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let dialect = database.dialect
            try await database.write { try $0.executeScript("CREATE TABLE n (f DOUBLE)") }
            for seed in TestScale.seeds(1) {
                var random = SplitMix64(seed: seed)
                // Multiples of 2^-10, so that the sum of all values is a double.
                let units = (0..<400).map { _ in random.within(-(1 << 40)...(1 << 40)) }
                let values = units.map { Double($0) / 1_024 }
                try await database.write { connection in
                    try connection.execute("DELETE FROM n")
                    try connection.bulkInsert(into: "n", columns: ["f"]) { inserter in
                        for value in values { try inserter.append([SQLValue.double(value)]) }
                    }
                }
                let row = try await database.read {
                    try $0.query("SELECT \(dialect.sum("f", .double)), \(dialect.average("f", .double)) FROM n").rows()
                }
                let sum = Double(units.reduce(0, +)) / 1_024
                let tolerance = values.reduce(0) { $0 + $1.magnitude } * 1e-12
                guard case .double(let total) = row[0][0], case .double(let average) = row[0][1] else {
                    Issue.record("\(row) has another type")
                    return
                }
                #expect((total - sum).magnitude <= tolerance, "seed \(seed)")
                #expect((average * 400 - sum).magnitude <= tolerance, "seed \(seed)")
            }
        }
    }
}
