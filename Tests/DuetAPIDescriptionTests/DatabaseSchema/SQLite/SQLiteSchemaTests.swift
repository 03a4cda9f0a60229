import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The schema of a SQLite database")
struct SQLiteSchemaTests {
    @Test("A primary key that is the row ID is never NULL, but another primary key can be NULL in an ordinary table")
    func rowID() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id integer, PRIMARY KEY (id DESC));
            CREATE TABLE c (id INT PRIMARY KEY); CREATE TABLE d (id INTEGER PRIMARY KEY DESC);
            CREATE TABLE e (id TEXT PRIMARY KEY); CREATE TABLE f (id TEXT NOT NULL PRIMARY KEY);
            CREATE TABLE g (x INTEGER, y INTEGER, PRIMARY KEY (x, y));
            CREATE TABLE h (id INTEGER PRIMARY KEY AUTOINCREMENT);
            """)
        #expect(schema.tables.filter { !$0.notNull.isEmpty }.map(\.name) == ["a", "b", "f", "h"])
        #expect(schema.tables.filter { $0.columns[0].hasDefault }.map(\.name) == ["a", "b", "h"])
        #expect(schema["g"].primaryKey == ["x", "y"])
        #expect(schema["d"].primaryKey == ["id"])
        #expect(schema["d"].uniqueKeys == [])
    }

    @Test(
        "A column is nullable if the table accepts NULL", arguments: ["INT", "INTEGER", "TEXT"],
        ["", " STRICT", " WITHOUT ROWID"])
    func nullIsAccepted(_ type: String, _ options: String) async throws {
        let options = options.isEmpty ? options : " " + options.dropFirst()
        try await withDatabase(.sqlite, "CREATE TABLE t (id \(type) PRIMARY KEY, x TEXT)\(options)") { database in
            let table = try await database.read { try DatabaseSchema.read($0) }["t"]
            // In an INTEGER PRIMARY KEY, SQLite replaces NULL with a new row ID.
            let stores = try? await database.write { connection in
                try connection.execute("INSERT INTO t (id) VALUES (NULL)")
                let rows = try connection.query("SELECT id FROM t")
                _ = try rows.next()
                return rows.isNull(at: 0)
            }
            #expect(table["id"].isNullable == (stores ?? false))
            #expect(table["x"].isNullable)
        }
    }

    @Test("A foreign key without column names refers to the primary key of the referenced table")
    func implicitReferences() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE TABLE one (id INTEGER PRIMARY KEY); CREATE TABLE two (a INT, b INT, PRIMARY KEY (b, a));
            CREATE TABLE t (x REFERENCES One, y, z, v REFERENCES gone, w REFERENCES two,
            FOREIGN KEY (y, z) REFERENCES two);
            """)
        #expect(
            schema["t"].foreignKeys == [
                ForeignKey(columns: ["x"], table: "one", referencedColumns: ["id"]),
                ForeignKey(columns: ["y", "z"], table: "two", referencedColumns: ["b", "a"]),
                ForeignKey(columns: ["v"], table: "gone", referencedColumns: []),
                ForeignKey(columns: ["w"], table: "two", referencedColumns: []),
            ])
    }

    @Test("Partial indexes, indexes on expressions, and indexes with a stricter collation than the column are not keys")
    func noKeys() async throws {
        let table = try await schema(
            .sqlite,
            """
            CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT, c TEXT, d TEXT COLLATE nocase UNIQUE);
            CREATE UNIQUE INDEX i1 ON t (b) WHERE b IS NOT NULL; CREATE UNIQUE INDEX i2 ON t (lower(b));
            CREATE UNIQUE INDEX i3 ON t (a COLLATE BINARY); CREATE UNIQUE INDEX i4 ON t (c COLLATE NOCASE);
            CREATE UNIQUE INDEX i5 ON t (b, a DESC);
            """)["t"]
        #expect(table.uniqueKeys == [["b", "a"], ["c"], ["d"]])
    }

    @Test("A column has the collation of its definition")
    func collations() async throws {
        // The test runs a single statement with `execute`, because `executeScript` removes comments.
        let statement = """
            CREATE TABLE "a (b" -- (x COLLATE NOCASE
            ("x, y" TEXT COLLATE NOCASE, [collate] TEXT DEFAULT 'COLLATE', -- COLLATE NOCASE, "
            `k``k` TEXT /* , z COLLATE x ' */ COLLATE "rtrim", 'it''s' TEXT/**/COLLATE/**/NOCASE,
            "q""q" VARCHAR(10) CHECK ("q""q" <> '(' COLLATE NOCASE) NOT NULL, c TEXT DEFAULT ('a' COLLATE NOCASE),
            primary_name TEXT COLLATE nocase, größe TEXT COLLATE BINARY, d TEXT COLLATE NOCASE COLLATE RTRIM,
            e TEXT AS (c COLLATE NOCASE) COLLATE RTRIM, PRIMARY KEY (c COLLATE NOCASE), CHECK (c COLLATE NOCASE <> ''))
            """
        let table = try await withDatabase(.sqlite) { database in
            try await database.write { connection in
                try connection.execute(statement)
                try connection.execute("ALTER TABLE \"a (b\" ADD COLUMN last TEXT COLLATE NOCASE")
                return try DatabaseSchema.read(connection)["a (b"]
            }
        }
        let collations = table.columns.map { "\($0.name): \($0.collation ?? "-")" }
        #expect(
            collations == [
                "x, y: NOCASE", "collate: -", "k`k: RTRIM", "it's: NOCASE", "q\"q: -", "c: -", "primary_name: NOCASE",
                "größe: BINARY", "d: RTRIM", "e: RTRIM", "last: NOCASE",
            ])
    }

    @Test("The collation of a column in the schema is the collation that comparisons use")
    func collationsCompare() async throws {
        let script = """
            CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT COLLATE RTRIM, c TEXT, -- COLLATE NOCASE
            d 'COLLATE' COLLATE NOCASE); INSERT INTO t VALUES ('X', 'x ', 'X', 'X')
            """
        try await withDatabase(.sqlite, script) { database in
            let table = try await database.read { try DatabaseSchema.read($0) }["t"]
            for column in table.columns {
                let (ignoresCase, ignoresSpace) = try await database.read { connection in
                    let name = column.name
                    let rows = try connection.query("SELECT \(name) = 'x', \(name) = 'x  ' FROM t")
                    _ = try rows.next()
                    return (rows.integer(at: 0) == 1, rows.integer(at: 1) == 1)
                }
                #expect((column.collation == "NOCASE") == (ignoresCase && !ignoresSpace), "\(column)")
                #expect((column.collation == "RTRIM") == ignoresSpace, "\(column)")
            }
        }
    }

    @Test("Virtual tables are read without their shadow tables and hidden columns")
    func virtualTables() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE VIRTUAL TABLE letters USING fts5 (title, body); CREATE TABLE letters_note (id INTEGER PRIMARY KEY);
            CREATE VIRTUAL TABLE areas USING rtree (id, minimum, maximum);
            """)
        #expect(schema.names == ["areas", "letters", "letters_note"])
        #expect(schema["letters"].names == ["title", "body"])
        #expect(schema["letters"].kind == .table)
        #expect(schema["letters"].primaryKey == nil)
        #expect(schema["areas"].names == ["id", "minimum", "maximum"])
    }

    @Test("A virtual table without its module is reported as a failure, and the other tables are read")
    func missingModule() async throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY); PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
            VALUES ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING nowhere(x)');
            """
        try await withDatabase(.sqlite, script) { database in
            let again = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
            let schema = try await again.read { try DatabaseSchema.read($0) }
            await again.close()
            #expect(schema.names == ["places", "t"])
            #expect(schema["places"].failure == "no such module: nowhere")
            #expect(schema["t"].names == ["id"])
        }
    }

    @Test("System tables and temporary tables are excluded, and do not hide other tables")
    func systemTables() async throws {
        let script = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT); ANALYZE"
        try await withDatabase(.sqlite, script) { database in
            let schema = try await database.write { connection in
                try connection.executeScript("CREATE TEMP TABLE t (other TEXT); CREATE TEMP TABLE u (x TEXT)")
                return try DatabaseSchema.read(connection)
            }
            #expect(schema.names == ["t"])
            #expect(schema["t"].names == ["id", "x"])
        }
    }

    @Test("Names that differ only in their Unicode normalization form are different names")
    func unicodeForms() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE TABLE "caf\u{e9}" (a INTEGER PRIMARY KEY); CREATE TABLE "cafe\u{301}" (b INTEGER PRIMARY KEY,
            r INTEGER REFERENCES "caf\u{e9}", UNIQUE (r));
            """)
        #expect(schema.tables.map(\.names) == [["b", "r"], ["a"]])
        #expect(schema.tables[0].foreignKeys.map(\.referencedColumns) == [["a"]])
        #expect(schema.tables[0].uniqueKeys == [["r"]])
    }

    @Test("A view on a missing column, function or collation is reported as a failure")
    func failingViews() async throws {
        let schema = try await schema(
            .sqlite,
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW a AS SELECT missing_one FROM t;
            CREATE VIEW b AS SELECT unknown_function(id) AS x FROM t;
            CREATE VIEW c AS SELECT id COLLATE unknown AS x FROM t;
            CREATE VIEW d AS SELECT * FROM d; CREATE VIEW e (x, y) AS SELECT id FROM t;
            CREATE VIEW f AS SELECT id, 2 FROM t;
            """)
        #expect(schema.tables.filter { $0.failure != nil }.map(\.name).contains("a"))
        #expect(schema["b"].failure?.contains("unknown_function") == true)
        #expect(schema["d"].failure?.contains("circular") == true)
        #expect(schema["e"].failure != nil)
        #expect(schema["f"].names == ["id", "2"])
        #expect(schema["t"].names == ["id"])
        #expect(schema.tables.allSatisfy { $0.columns.isEmpty == ($0.failure != nil) })
    }
}
