import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The schema of a MariaDB database", .enabled(if: TestBackend.available.contains(.mariaDB)))
struct MariaDBSchemaTests {
    static let types: [(String, ColumnType)] = [
        ("tinyint(1)", .integer(bits: 8, isUnsigned: false)),
        ("tinyint(3) unsigned", .integer(bits: 8, isUnsigned: true)),
        ("smallint(6)", .integer(bits: 16, isUnsigned: false)), ("mediumint(9)", .integer(bits: 24, isUnsigned: false)),
        ("int(11)", .integer(bits: 32, isUnsigned: false)), ("int(10) unsigned", .integer(bits: 32, isUnsigned: true)),
        ("bigint(20)", .integer(bits: 64, isUnsigned: false)),
        ("bigint(20) unsigned zerofill", .integer(bits: 64, isUnsigned: true)),
        ("decimal(10,2)", .decimal(precision: 10, scale: 2)),
        ("decimal(20,0) unsigned", .decimal(precision: 20, scale: 0)),
        ("float", .float), ("double", .double), ("float(7,3)", .float), ("double(9,2)", .double),
        ("varchar(20)", .text(maximumLength: 20)), ("tinytext", .text(maximumLength: nil)),
        ("text", .text(maximumLength: nil)),
        ("mediumtext", .text(maximumLength: nil)), ("longtext", .text(maximumLength: nil)),
        ("char(7)", .character(length: 7)),
        ("enum('a','b')", .enumeration(["a", "b"])), ("set('x','y')", .set(["x", "y"])), ("date", .date),
        ("datetime", .dateTime(precision: 0)), ("datetime(3)", .dateTime(precision: 3)),
        ("timestamp(6)", .timestamp(precision: 6)), ("time", .time(precision: 0)), ("time(2)", .time(precision: 2)),
        ("year(4)", .year), ("binary(16)", .binary(maximumLength: 16)), ("varbinary(30)", .binary(maximumLength: 30)),
        ("tinyblob", .binary(maximumLength: 255)), ("blob", .binary(maximumLength: 65_535)),
        ("longblob", .binary(maximumLength: 4_294_967_295)), ("uuid", .uuid), ("inet4", .inet4), ("inet6", .inet6),
        ("bit(5)", .bits(5)), ("bit(1)", .bits(1)), ("geometry", .other("geometry")), ("point", .other("point")),
    ]

    @Test("Each declared type is mapped to its column type")
    func meanings() async throws {
        let columns = Self.types.enumerated().map { "c\($0) \($1.0) NULL" }.joined(separator: ", ")
        let table = try await schema(.mariaDB, "CREATE TABLE t (\(columns))")["t"]
        #expect(table.columns.count == Self.types.count)
        for (column, (declared, type)) in zip(table.columns, Self.types) {
            #expect(column.type == type, "\(declared)")
            #expect(column.declaredType == declared)
            #expect(column.isNullable)
        }
    }

    @Test("The values of ENUM and SET columns are read, including commas, quotes, backslashes and line feeds")
    func valueLists() async throws {
        let values = [
            "a", "it's", "b,c", "','", "\"q\"", "back\\slash", "back\\nslash", "line\nfeed", "ta\tb", "", "größe",
            "(x)", "''",
        ]
        let list = values.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ",")
        let numbers = values.indices.map { "(\($0 + 1))" }.joined(separator: ",")
        let script = """
            CREATE TABLE t (e ENUM(\(list)), s SET('x y','it''s','a\\b')); INSERT INTO t (e) VALUES \(numbers);
            """
        try await withDatabase(.mariaDB, script) { database in
            let (table, stored) = try await database.read { connection in
                let rows = try connection.query("SELECT e FROM t ORDER BY e + 0")
                var stored: [String] = []
                while try rows.next() { stored.append(rows.text(at: 0)) }
                return (try DatabaseSchema.read(connection)["t"], stored)
            }
            #expect(stored == values)
            #expect(table["e"].type == .enumeration(stored))
            #expect(table["s"].type == .set(["x y", "it's", "a\\b"]))
        }
    }

    @Test("A text column with the check constraint of a JSON column has the type JSON")
    func json() async throws {
        let table = try await schema(
            .mariaDB,
            """
            CREATE TABLE t (a JSON, `b``c` JSON NOT NULL, c LONGTEXT CHECK (json_valid(c)),
            d TEXT CHECK (d IS NULL OR JSON_VALID(d)), e LONGTEXT, f TEXT CHECK (json_valid(e)), g TEXT,
            CONSTRAINT x CHECK (json_valid(g)), h TEXT CHECK (NOT json_valid(h)))
            """)["t"]
        #expect(table.columns.filter { $0.type == .json }.map(\.name) == ["a", "b`c", "c", "d", "e", "g"])
        #expect(table["a"].declaredType == "longtext")
    }

    @Test("The reader returns comments and collations")
    func comments() async throws {
        let schema = try await schema(
            .mariaDB,
            """
            CREATE TABLE t (id INT PRIMARY KEY COMMENT 'it''s the key', a VARCHAR(5) COLLATE utf8mb4_bin,
            b INT COMMENT '') COMMENT 'All about "t"'; CREATE TABLE u (id INT); CREATE VIEW v AS SELECT id FROM t;
            """)
        #expect(schema["t"].comment == "All about \"t\"")
        #expect(schema["t"]["id"].comment == "it's the key")
        #expect(schema["t"]["a"].collation == "utf8mb4_bin")
        #expect(schema["t"]["b"].comment == nil)
        #expect(schema["t"]["b"].collation == nil)
        #expect(schema["u"].comment == nil)
        #expect(schema["v"].comment == nil)
        #expect(schema["v"]["id"].comment == "it's the key")
    }

    @Test("A view column is nullable if its query can return NULL")
    func viewColumns() async throws {
        let view = try await schema(
            .mariaDB,
            """
            CREATE TABLE p (id INT PRIMARY KEY, a INT NOT NULL DEFAULT 5);
            CREATE TABLE c (id INT PRIMARY KEY, p INT NOT NULL);
            CREATE VIEW v AS SELECT c.id, c.p, p.a, COALESCE(p.a, 0) AS b, now() AS n FROM c LEFT JOIN p ON p.id = c.p;
            """)["v"]
        #expect(view.notNull == ["id", "p", "b", "n"])
        #expect(view.columns.allSatisfy { !$0.hasDefault && !$0.isGenerated })
        #expect(view["n"].declaredType == "datetime")
        #expect(view["n"].type == .dateTime(precision: 0))
    }

    @Test("The schema contains no sequences and no temporary tables")
    func sequences() async throws {
        try await withDatabase(.mariaDB, "CREATE SEQUENCE s; CREATE TABLE t (id INT DEFAULT NEXTVAL(s))") { database in
            let schema = try await database.write { connection in
                try connection.executeScript("CREATE TEMPORARY TABLE temporary_one (id INT)")
                return try DatabaseSchema.read(connection)
            }
            #expect(schema.names == ["t"])
            #expect(schema["t"]["id"].hasDefault)
        }
    }

    @Test("The keys of a system-versioned table are the keys of its current rows")
    func systemVersioned() async throws {
        let schema = try await schema(
            .mariaDB,
            """
            CREATE TABLE v (id INT PRIMARY KEY, u INT UNIQUE) WITH SYSTEM VERSIONING;
            CREATE TABLE w (id INT PRIMARY KEY, u INT UNIQUE, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START,
            e TIMESTAMP(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING;
            """)
        for name in ["v", "w"] {
            #expect(schema[name].kind == .table)
            #expect(schema[name].primaryKey == ["id"])
            #expect(schema[name].uniqueKeys == [["u"]])
        }
        #expect(schema["v"].names == ["id", "u"])
        #expect(schema["w"].columns.filter(\.isGenerated).map(\.name) == ["s", "e"])
    }

    @Test("A unique index on a prefix of a column makes the whole column unique")
    func prefixKeys() async throws {
        let table = try await schema(
            .mariaDB,
            "CREATE TABLE t (a TEXT, b TEXT, c BLOB, PRIMARY KEY (a(10)), UNIQUE (b(5)), UNIQUE (b), UNIQUE (c))")["t"]
        #expect(table.primaryKey == ["a"])
        #expect(table.uniqueKeys == [["b"], ["c"]])
    }

    @Test("The schema contains invisible columns")
    func invisible() async throws {
        let table = try await schema(
            .mariaDB, "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY INVISIBLE, a INT)")["t"]
        #expect(table.names == ["id", "a"])
        #expect(table.primaryKey == ["id"])
    }

    @Test("The schema contains no foreign keys to tables of another database")
    func otherDatabase() async throws {
        try await withDatabase(.mariaDB, "CREATE TABLE o (id INT PRIMARY KEY)") { other in
            guard case .mariaDB(let location) = other.url.location else { return }
            let table = try await schema(
                .mariaDB,
                """
                CREATE TABLE o (id INT PRIMARY KEY); CREATE TABLE t (a INT, b INT,
                FOREIGN KEY (a) REFERENCES `\(location.database)`.o (id), FOREIGN KEY (b) REFERENCES o (id));
                """)["t"]
            #expect(table.foreignKeys == [ForeignKey(columns: ["b"], table: "o", referencedColumns: ["id"])])
        }
    }

    @Test("A view without its definer, and a table that depends on a missing table, are reported as failures")
    func unreadable() async throws {
        let schema = try await schema(
            .mariaDB, administrator: true,
            """
            CREATE TABLE t (id INT PRIMARY KEY); CREATE TABLE m (id INT PRIMARY KEY) ENGINE = MyISAM;
            CREATE DEFINER = gone@localhost VIEW v AS SELECT id FROM t; CREATE VIEW w AS SELECT id FROM t;
            CREATE TABLE merged (id INT) ENGINE = MERGE UNION = (m, missing);
            """)
        #expect(schema.tables.filter { $0.failure != nil }.map(\.name) == ["merged", "v"])
        #expect(schema.tables.allSatisfy { $0.columns.isEmpty == ($0.failure != nil) })
        #expect(schema["v"].failure?.contains("denied") == true || schema["v"].failure?.contains("definer") == true)
    }

    @Test("An account sees the columns that it is permitted to read, and the keys on these columns")
    func rights() async throws {
        let script = """
            CREATE TABLE a (id INT PRIMARY KEY, secret INT, x INT UNIQUE, UNIQUE (secret, x));
            CREATE TABLE b (id INT PRIMARY KEY);
            CREATE TABLE c (id INT, a INT, FOREIGN KEY (a) REFERENCES a (id)); CREATE TABLE d (id INT);
            """
        try await withDatabase(.mariaDB, administrator: true, script) { database in
            guard case .mariaDB(var location) = database.url.location else { return }
            let name = location.database
            try await database.write { connection in
                try connection.executeScript(
                    """
                    CREATE USER \(name)@'%' IDENTIFIED BY 'secret';
                    GRANT SELECT (id, x), INSERT ON \(name).a TO \(name)@'%';
                    GRANT SELECT ON \(name).c TO \(name)@'%'; GRANT INSERT ON \(name).d TO \(name)@'%';
                    """)
            }
            (location.user, location.password) = (name, "secret")
            let limited = Database(
                DatabaseURL(location: .mariaDB(location)), configuration: DatabaseConfiguration(poolSize: 1))
            let schema = try await limited.read { try DatabaseSchema.read($0) }
            await limited.close()
            try await database.write { try $0.executeScript("DROP USER \(name)@'%'") }
            #expect(schema.names == ["a", "c", "d"])
            #expect(schema["a"].names == ["id", "x"])
            #expect(schema["a"].uniqueKeys == [["x"]])
            #expect(schema["c"].foreignKeys.map(\.table) == ["a"])
            #expect(schema["d"].failure?.contains("denied") == true)
        }
    }

    @Test("Tables whose names differ only in case are different tables")
    func caseOfNames() async throws {
        let schema = try await schema(
            .mariaDB,
            """
            CREATE TABLE T (a INT PRIMARY KEY); CREATE TABLE t (b INT PRIMARY KEY);
            CREATE TABLE u (x INT REFERENCES T (a), y INT REFERENCES t (b), UNIQUE (x));
            """)
        #expect(schema.names == ["T", "t", "u"])
        #expect(schema["T"].names == ["a"])
        #expect(schema["t"].primaryKey == ["b"])
        #expect(schema["u"].foreignKeys.map(\.table) == ["T", "t"])
    }
}
