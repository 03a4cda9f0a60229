import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Validation of an API description against a database")
struct ValidationTests {
    private static let tables = """
        CREATE TABLE CUSTOMERS (ID INTEGER NOT NULL PRIMARY KEY, NAME VARCHAR(40) NOT NULL, EMAIL VARCHAR(80));
        CREATE TABLE ORDERS (ID INTEGER NOT NULL PRIMARY KEY, CUSTOMER_ID INTEGER NOT NULL, AGENT_ID INTEGER,
            TOTAL DECIMAL(10,2) NOT NULL, PLACED DATE NOT NULL, FOREIGN KEY (CUSTOMER_ID) REFERENCES CUSTOMERS (ID));
        CREATE TABLE TAGS (ORDER_ID INTEGER NOT NULL, TAG VARCHAR(20) NOT NULL, PRIMARY KEY (ORDER_ID, TAG));
        CREATE VIEW BIG_ORDERS AS SELECT ID, TOTAL FROM ORDERS WHERE TOTAL > 1000;
        """

    private static let description = """
        duet: 1
        resources:
          orders:
            table: ORDERS
            singular: order
            type: Order
            key: [id]
            fields:
              id: {column: ID, type: int}
              total: {column: TOTAL, type: decimal, scale: 2}
              placed: {column: PLACED, type: date}
              agentID: {column: AGENT_ID, type: int, nullable: true}
            relations:
              customer: {to: customers, one: optional, columns: {CUSTOMER_ID: ID}}
              tags: {to: tags, few: 3, columns: {ID: ORDER_ID}}
          customers:
            table: CUSTOMERS
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {column: ID, type: int}
              name: {column: NAME, type: text}
            hidden: [EMAIL]
          tags:
            table: TAGS
            singular: tag
            type: Tag
            key: [orderID, tag]
            fields:
              orderID: {column: ORDER_ID, type: int}
              tag: {column: TAG, type: text, maxLength: 20}
          bigOrders:
            table: BIG_ORDERS
            singular: bigOrder
            type: BigOrder
            fields:
              id: {column: ID, type: int, nullable: true}
              total: {column: TOTAL, type: decimal, nullable: true}
        """

    private func findings(
        _ backend: TestBackend, _ changes: [(String, String)] = [], tables: String = tables, data: String? = nil
    ) async throws -> [String] {
        var text = Self.description
        for (old, new) in changes {
            let changed = text.replacing(old, with: new)
            #expect(changed != text, "\(old)")
            text = changed
        }
        let api = try APIDescription(reading: text, file: "api.yaml")
        return try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(tables + (data ?? "")) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let findings =
                data == nil ? api.validate(against: schema) : try await api.validateData(of: database, schema)
            return findings.map(\.description)
        }
    }

    @Test("A description that matches the database has no findings", arguments: TestBackend.available)
    func fits(backend: TestBackend) async throws {
        #expect(try await findings(backend) == [])
    }

    @Test("An introspected description of columns of all types has no findings", arguments: TestBackend.available)
    func introspected(backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let types = backend == .sqlite ? Self.sqliteTypes : Self.mariaDBTypes
            let columns = types.enumerated().map { "c\($0) \($1) NOT NULL" }.joined(separator: ", ")
            try await database.write { try $0.executeScript(Self.tables + "CREATE TABLE all_types (\(columns));") }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let described = try IntrospectedDescription(of: schema)
            let api = try APIDescription(reading: described.yaml, file: "api.yaml")
            #expect(api.validate(against: schema).map(\.description) == [])
            #expect(try api.differences(to: schema) == [])
        }
    }

    private static let sqliteTypes = [
        "INTEGER", "TEXT", "REAL", "BLOB", "", "BOOLEAN", "DECIMAL(8,2)", "VARCHAR(9)", "CHAR(3)", "DATE", "DATETIME",
        "TIMESTAMP",
        "TIME", "YEAR", "JSON", "UUID", "INET4", "INET6", "BIT(9)", "BIT", "POINT", "ANY", "SMALLINT", "money",
    ]
    private static let mariaDBTypes = [
        "TINYINT", "TINYINT(1)", "SMALLINT UNSIGNED", "MEDIUMINT", "INT", "INT UNSIGNED", "BIGINT", "BIGINT UNSIGNED",
        "DECIMAL(12,3)",
        "FLOAT", "DOUBLE", "VARCHAR(30)", "CHAR(2)", "TEXT", "LONGTEXT", "ENUM('a','b')", "ENUM('a b','c')",
        "SET('x','y')", "DATE",
        "DATETIME(3)", "TIME", "YEAR", "BINARY(4)", "BLOB", "JSON", "UUID", "INET6", "BIT(1)", "BIT(8)", "BIT(64)",
        "POINT",
    ]

    @Test(
        "Missing tables and columns are errors with their locations and with similar names",
        arguments: TestBackend.available)
    func missing(backend: TestBackend) async throws {
        let found = try await findings(
            backend,
            [
                ("table: CUSTOMERS", "table: CUSTOMRES"),
                ("column: TOTAL, type: decimal, scale", "column: TOTL, type: decimal, scale"),
                ("few: 3, columns: {ID", "few: 3, columns: {IDS"),
            ])
        #expect(
            found == [
                "api.yaml:3:3: note: orders: no field exposes CUSTOMER_ID, TOTAL of ORDERS; add fields, or add the columns to hidden",
                "api.yaml:10:7: error: orders.total: ORDERS has no column TOTL; did you mean TOTAL?",
                "api.yaml:15:7: error: orders.tags: ORDERS has no column IDS; did you mean ID?",
                "api.yaml:17:12: error: customers: the database has no table CUSTOMRES; did you mean CUSTOMERS?",
                "api.yaml: note: no resource exposes the table CUSTOMERS; describe it with duet introspect",
            ], "\(found)")
    }

    @Test("Each kind of error is found, and its message says what to do", arguments: TestBackend.available)
    func mistakes(backend: TestBackend) async throws {
        let cases: [(String, String, String)] = [
            (
                "AGENT_ID, type: int, nullable: true", "AGENT_ID, type: int",
                "error: orders.agentID is never null, but the column can be NULL"
            ),
            (
                "key: [orderID, tag]", "key: [tag]",
                "error: tags: the key (tag) is not unique; unique columns are (ORDER_ID, TAG)"
            ),
            (
                "few: 3, columns", "one: optional, columns",
                "error: orders.tags returns one row, but several rows of TAGS can have the same ORDER_ID"
            ),
            (
                "one: optional, columns: {CUSTOMER_ID", "one: required, columns: {AGENT_ID",
                "error: orders.customer is required, but ORDERS.AGENT_ID can be NULL"
            ),
            (
                "hidden: [EMAIL]", "hidden: [EMIAL]",
                "warning: customers hides EMIAL, which is not a column of CUSTOMERS; did you mean EMAIL?"
            ),
            ("    hidden: [EMAIL]\n", "", "note: customers: no field exposes EMAIL of CUSTOMERS"),
            (
                "few: 3, columns: {ID: ORDER_ID}",
                "few: 3, through: [{table: TAG, columns: {ID: ORDER_ID}}], columns: {ORDER_ID: ORDER_ID}",
                "error: orders.tags: the database has no table TAG; did you mean TAGS?"
            ),
            (
                "few: 3, columns: {ID: ORDER_ID}",
                "one: optional, through: [{table: TAGS, columns: {ID: ORDER_ID}, where: {TGA: x}}], columns: {ORDER_ID: ORDER_ID}, order: [{through: 1, column: WEIGHT}]",
                "error: orders.tags.order: TAGS has no column WEIGHT"
            ),
            ("type: date", "type: date, nullable: true", ""),
            (
                "bigOrder\n", "bigOrder\n    key: [id]\n",
                "error: bigOrders: the key field id is nullable"
            ),
        ]
        for (old, new, expected) in cases {
            let found = try await findings(backend, [(old, new)])
            #expect(expected.isEmpty ? found.isEmpty : found.contains { $0.contains(expected) }, "\(new): \(found)")
        }
    }

    @Test(
        "A required to-one relation needs a foreign key, which MariaDB always enforces and SQLite may not",
        arguments: TestBackend.available)
    func required(backend: TestBackend) async throws {
        let required = ("one: optional, columns: {CUSTOMER_ID", "one: required, columns: {CUSTOMER_ID")
        let found = try await findings(backend, [required])
        #expect(
            backend == .mariaDB
                ? found.isEmpty : found.contains { $0.contains("warning: orders.customer is required, but SQLite") },
            "\(found)")
        let without = try await findings(
            backend, [required],
            tables: Self.tables.replacing(", FOREIGN KEY (CUSTOMER_ID) REFERENCES CUSTOMERS (ID)", with: ""))
        let severity = backend == .mariaDB ? "error" : "warning"
        #expect(
            without.contains { $0.contains("\(severity): orders.customer is required, but no foreign key") },
            "\(without)")
    }

    @Test(
        "Validation of the data finds rows that the database allows and the description does not allow",
        arguments: TestBackend.available)
    func data(backend: TestBackend) async throws {
        let tables = """
            CREATE TABLE CUSTOMERS (ID INTEGER \(backend == .sqlite ? "" : "NULL UNIQUE"), NAME VARCHAR(40) NOT NULL, EMAIL VARCHAR(80));
            CREATE TABLE ORDERS (ID INTEGER NOT NULL PRIMARY KEY, CUSTOMER_ID INTEGER NOT NULL, AGENT_ID INTEGER,
                TOTAL DECIMAL(10,2) NOT NULL, PLACED DATE NOT NULL);
            CREATE TABLE TAGS (ORDER_ID INTEGER NOT NULL, TAG VARCHAR(20) NOT NULL, PRIMARY KEY (ORDER_ID, TAG));
            CREATE VIEW BIG_ORDERS AS SELECT ID, TOTAL FROM ORDERS WHERE TOTAL > 1000;
            """
        let zero =
            backend == .mariaDB ? "SET sql_mode = ''; INSERT INTO ORDERS VALUES (2, 1, NULL, 3, '0000-00-00');" : ""
        let data = """
            INSERT INTO CUSTOMERS VALUES (1, 'a', NULL), (NULL, 'b', NULL);
            INSERT INTO ORDERS VALUES (1, 7, NULL, 3, '2024-01-31');\(zero)
            """
        let found = try await findings(
            backend, [("one: optional, columns: {CUSTOMER_ID", "one: required, columns: {CUSTOMER_ID")], tables: tables,
            data: data)
        var expected = [
            "api.yaml:14:7: error: orders.customer is required, but a row of ORDERS has no row in CUSTOMERS; use one: optional, or add the row",
            "api.yaml:20:10: error: customers: a row of CUSTOMERS has NULL in the key (id); lists with this row fail",
        ]
        if backend == .mariaDB {
            expected.insert(
                "api.yaml:11:7: error: orders.placed is declared as a date (YYYY-MM-DD), but a row has the text \"0000-00-00\"; correct the row, or describe the field with nullable: true (the row with the key 2)",
                at: 0)
        }
        #expect(found == expected)
    }

    // MARK: Types

    private static func findings(_ type: String, _ column: TableColumn, _ dialect: Dialect) throws -> [SchemaFinding] {
        let text = "{duet: 1, resources: {rows: {singular: row, type: Row, fields: {value: \(type)}}}}"
        var column = column
        column.name = "value"
        column.isNullable = false
        return try APIDescription(reading: text, file: "api.yaml").validate(
            against: DatabaseSchema(dialect, [SchemaTable(name: "rows", columns: [column])]))
    }

    private static func column(_ declared: String, _ type: ColumnType) -> TableColumn {
        TableColumn(name: "value", declaredType: declared, type: type)
    }

    @Test(
        "If a MariaDB type does not match the described type, a finding gives the reason",
        arguments: [
            ("{type: int}", column("int(11)", .integer(bits: 32, isUnsigned: false)), ""),
            (
                "{type: int}", column("int(11) unsigned", .integer(bits: 32, isUnsigned: true)),
                "warning: rows.value is an int, but the column int(11) unsigned can hold greater numbers; use integer"
            ),
            ("{type: int}", column("bigint(20)", .integer(bits: 64, isUnsigned: false)), "use bigInteger"),
            (
                "{type: integer}", column("bigint(20) unsigned", .integer(bits: 64, isUnsigned: true)),
                "use unsignedBigInteger"
            ),
            (
                "{type: int, maximum: 5}", column("tinyint(4)", .integer(bits: 8, isUnsigned: false)),
                ""
            ),
            ("{type: bigInteger}", column("bigint(20)", .integer(bits: 64, isUnsigned: false)), ""),
            (
                "{type: bigInteger}", column("bigint(20) unsigned", .integer(bits: 64, isUnsigned: true)),
                "use unsignedBigInteger"
            ),
            ("{type: boolean}", column("tinyint(1)", .integer(bits: 8, isUnsigned: false)), ""),
            (
                "{type: boolean}", column("int(11)", .integer(bits: 32, isUnsigned: false)),
                "warning: rows.value is a boolean"
            ),
            (
                "{type: text}", column("int(11)", .integer(bits: 32, isUnsigned: false)),
                "error: rows.value is a text, which does not match the column type int(11)"
            ),
            (
                "{type: text}", column("decimal(10,2)", .decimal(precision: 10, scale: 2)),
                "error: rows.value is a text, but decimal(10,2)"
            ),
            (
                "{type: number}", column("decimal(10,2)", .decimal(precision: 10, scale: 2)),
                "use decimal, with as: number"
            ),
            ("{type: number}", column("double", .double), ""),
            (
                "{type: number}", column("bigint(20)", .integer(bits: 64, isUnsigned: false)),
                "warning: rows.value is a number, which rounds"
            ),
            ("{type: decimal}", column("double", .double), "warning: rows.value is a decimal"),
            ("{type: text}", column("enum('a')", .enumeration(["a"])), ""),
            ("{type: enum, name: E, values: [a, b]}", column("enum('a','b')", .enumeration(["a", "b"])), ""),
            (
                "{type: enum, name: E, values: [a]}", column("enum('a','b')", .enumeration(["a", "b"])),
                "error: rows.value is the enum E, which lacks \"b\""
            ),
            (
                "{type: enum, name: E, values: [a, c]}", column("enum('a')", .enumeration(["a"])),
                "warning: rows.value is the enum E with \"c\""
            ),
            (
                "{type: enum, name: E, values: [a]}", column("varchar(9)", .text(maximumLength: 9)),
                "warning: rows.value is the enum E, but"
            ),
            (
                "{type: text, maxLength: 5}", column("varchar(9)", .text(maximumLength: 9)),
                "warning: rows.value has at most 5 characters"
            ),
            ("{type: key, maxLength: 9}", column("char(9)", .character(length: 9)), ""),
            (
                "{type: date}", column("datetime", .dateTime(precision: 0)),
                "error: rows.value is a date, which does not match the column type datetime"
            ),
            ("{type: dateTime}", column("datetime", .dateTime(precision: 0)), ""),
            ("{type: timestamp}", column("datetime", .dateTime(precision: 0)), "use dateTime"),
            (
                "{type: dateTime, stored: iso}", column("datetime", .dateTime(precision: 0)),
                "error: rows.value has stored: iso"
            ),
            ("{type: time}", column("time", .time(precision: 0)), ""), ("{type: json}", column("longtext", .json), ""),
            ("{type: json}", column("text", .text(maximumLength: nil)), "warning: rows.value is json"),
            ("{type: uuid}", column("char(36)", .character(length: 36)), ""),
            ("{type: uuid}", column("binary(16)", .binary(maximumLength: 16)), "error: rows.value is a uuid"),
            ("{type: binary}", column("geometry", .other("geometry")), ""),
            ("{type: any}", column("int", .integer(bits: 32, isUnsigned: false)), ""),
        ])
    func mariaDBTypes(type: String, column: TableColumn, expected: String) throws {
        let found = try Self.findings(type, column, .mariaDB).map(\.description)
        #expect(expected.isEmpty ? found.isEmpty : found.count == 1 && found[0].contains(expected), "\(found)")
    }

    @Test(
        "If the declared type of a SQLite column does not match the described type, the finding is only a warning",
        arguments: [
            ("{type: int}", column("INTEGER", .integer(bits: 64, isUnsigned: false)), true),
            ("{type: boolean}", column("INTEGER", .integer(bits: 64, isUnsigned: false)), true),
            ("{type: dateTime}", column("TEXT", .text(maximumLength: nil)), true),
            ("{type: int}", column("", .any), true),
            ("{type: int}", column("TEXT", .text(maximumLength: nil)), false),
            ("{type: date}", column("INTEGER", .integer(bits: 64, isUnsigned: false)), false),
            ("{type: binary}", column("TEXT", .text(maximumLength: nil)), false),
        ])
    func sqliteTypes(type: String, column: TableColumn, fits: Bool) throws {
        let found = try Self.findings(type, column, .sqlite)
        #expect(fits ? found.isEmpty : found.map(\.severity) == [.warning], "\(found)")
    }

    @Test(
        "An ENUM or SET column that is described as text and is part of a sort order or a key needs ordinal",
        .enabled(if: TestBackend.available.contains(.mariaDB)), arguments: ["ENUM('b b', 'a a')", "SET('b', 'a')"])
    func ordinals(type: String) async throws {
        let tables = Self.tables.replacing("NAME VARCHAR(40)", with: "NAME \(type)")
        let name = (
            "      name: {column: NAME, type: text}\n", "      name: {column: NAME, type: text}\n    sort: [name]\n"
        )
        let message = "error: customers.name is part of an order or a key, but MariaDB sorts the column"
        let found = try await findings(.mariaDB, [name], tables: tables)
        #expect(found.contains { $0.contains(message) && $0.contains("add ordinal: true") }, "\(found)")
        let ordered = (
            "tags: {to: tags, few",
            "others: {to: customers, few: 3, columns: {ID: ID}, order: [name]}\n      tags: {to: tags, few"
        )
        #expect(try await findings(.mariaDB, [ordered], tables: tables).contains { $0.contains(message) })
        #expect(try await findings(.mariaDB, tables: tables) == [])
        let ordinal = (name.0, name.1.replacing("text}", with: "text, ordinal: true}"))
        #expect(try await findings(.mariaDB, [ordinal], tables: tables) == [])
        #expect(
            try await findings(.mariaDB, [ordinal]).contains {
                $0.contains("warning: customers.name has ordinal: true")
            })
    }

    @Test(
        "The findings recommend the same collation for both directions of a relation", arguments: TestBackend.available)
    func bothDirections(backend: TestBackend) async throws {
        for (name, tag) in [("general_ci", "bin"), ("bin", "general_ci")] {
            func column(_ ending: String) -> String {
                backend == .mariaDB
                    ? " CHARACTER SET utf8mb4 COLLATE utf8mb4_\(ending)" : ending == "bin" ? "" : " COLLATE NOCASE"
            }
            let tables = Self.tables.replacing("NAME VARCHAR(40)", with: "NAME VARCHAR(40)\(column(name))")
                .replacing("TAG VARCHAR(20)", with: "TAG VARCHAR(20)\(column(tag))")
            let found = try await findings(
                backend,
                [
                    (
                        "    hidden: [EMAIL]\n",
                        "    hidden: [EMAIL]\n    relations: {tags: {to: tags, few: 3, columns: {NAME: TAG}}}\n"
                    ),
                    (
                        "maxLength: 20}\n",
                        "maxLength: 20}\n    relations: {names: {to: customers, few: 3, columns: {TAG: NAME}}}\n"
                    ),
                ], tables: tables)
            let collation = backend == .mariaDB ? "utf8mb4_bin" : "NOCASE"
            for advice in ["{NAME: \(collation)}", "{TAG: \(collation)}"] {
                #expect(found.contains { $0.hasSuffix("collations: \(advice)") }, "\(found)")
            }
        }
    }

    @Test(
        "A relation between columns with different types or collations has a finding with a remedy",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func collations() async throws {
        let tables = Self.tables
            .replacing("TAG VARCHAR(20)", with: "TAG VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
            .replacing("NAME VARCHAR(40)", with: "NAME VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        let relation = "    hidden: [EMAIL]\n    relations: {tags: {to: tags, few: 3, columns: {NAME: TAG}}}\n"
        let found = try await findings(.mariaDB, [("    hidden: [EMAIL]\n", relation)], tables: tables)
        #expect(
            found.contains {
                $0.contains("error: customers.tags compares CUSTOMERS.NAME")
                    && $0.contains("use the same collation for both columns")
            }, "\(found)")
        let named = relation.replacing("{NAME: TAG}", with: "{NAME: TAG}, collations: {NAME: utf8mb4_unicode_ci}")
        let compared = try await findings(.mariaDB, [("    hidden: [EMAIL]\n", named)], tables: tables)
        #expect(!compared.contains { $0.contains("customers.tags") }, "\(compared)")
        let binary = tables.replacing("utf8mb4_unicode_ci", with: "utf8mb4_bin")
        #expect(
            try await findings(.mariaDB, [("    hidden: [EMAIL]\n", relation)], tables: binary)
                .contains { $0.contains("warning: customers.tags") && $0.contains("collations: {NAME: utf8mb4_bin}") })
        let folded = Self.tables.replacing("TAG VARCHAR(20)", with: "TAG VARCHAR(20) COLLATE NOCASE")
        #expect(
            try await findings(.sqlite, [("    hidden: [EMAIL]\n", relation)], tables: folded)
                .contains { $0.contains("warning: customers.tags") && $0.contains("collations: {NAME: NOCASE}") })
        let latin = tables.replacing("utf8mb4 COLLATE utf8mb4_unicode_ci", with: "latin1")
        for (collation, message) in [
            (
                "utf8mb4_general_ci",
                "error: customers.tags: the collation utf8mb4_general_ci does not apply to the character set latin1 of TAGS.TAG; use one"
            ),
            (
                "latin1_swedish_ic",
                "error: customers.tags: the database has no collation latin1_swedish_ic; did you mean latin1_swedish_ci?"
            ),
            ("latin1_swedish_ci", ""),
        ] {
            let wrong = relation.replacing("{NAME: TAG}", with: "{NAME: TAG}, collations: {NAME: \(collation)}")
            let errors = try await findings(.mariaDB, [("    hidden: [EMAIL]\n", wrong)], tables: latin)
            #expect(errors.contains { $0.contains("api.yaml:25:17: \(message)") } != message.isEmpty, "\(errors)")
        }
        let misspelt = relation.replacing("{NAME: TAG}", with: "{NAME: TAG}, collations: {NAME: NOCAS}")
        #expect(
            try await findings(.sqlite, [("    hidden: [EMAIL]\n", misspelt)]).contains {
                $0.contains("error: customers.tags: the database has no collation NOCAS")
            })
        let numbers = try await findings(
            .mariaDB, [("    hidden: [EMAIL]\n", relation.replacing("NAME: TAG", with: "ID: TAG"))])
        #expect(
            numbers.contains { $0.contains("error: customers.tags") && $0.contains("their types are not comparable") },
            "\(numbers)")
    }

    @Test(
        "A relation between numbers and texts has no warning on SQLite, which compares them by digits"
    )
    func affinity() async throws {
        for (type, isWarned) in [("INTEGER", false), ("DATE", false), ("VARCHAR(9)", false), ("BLOB", true)] {
            let script = """
                CREATE TABLE heads (code TEXT NOT NULL PRIMARY KEY);
                CREATE TABLE tails (id INTEGER NOT NULL PRIMARY KEY, head \(type) REFERENCES heads (code));
                """
            try await OddService.with(.sqlite, script) { service in
                let found = APIDescription(service.catalogue).validate(against: service.schema).map(\.message)
                #expect(found.contains { $0.contains(" compares ") } == isWarned, "\(type): \(found)")
            }
        }
    }

    @Test("Findings are sorted by severity, with errors first. Findings of equal severity retain their order")
    func severities() {
        let findings = [
            SchemaFinding(.note, .undescribedColumn, message: "a"), SchemaFinding(.error, .type, message: "b"),
            SchemaFinding(.warning, .type, message: "c"), SchemaFinding(.error, .key, message: "d"),
        ]
        #expect(findings.sortedBySeverity.map(\.message) == ["b", "d", "c", "a"])
    }
}
