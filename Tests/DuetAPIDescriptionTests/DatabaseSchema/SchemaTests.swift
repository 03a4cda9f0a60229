import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The schema of a database, on both backends")
struct SchemaTests {
    @Test("A database without tables has an empty schema", arguments: TestBackend.available)
    func empty(_ backend: TestBackend) async throws {
        let schema = try await schema(backend, "")
        #expect(schema.dialect == (backend == .sqlite ? .sqlite : .mariaDB) && schema.tables.isEmpty)
        let (name, characterSets): (String, Set<String>) =
            backend == .sqlite ? ("nocase", []) : ("latin1_swedish_ci", ["latin1"])
        #expect(schema.collations[name] == characterSets)
    }

    @Test(
        "A collation that the database does not have is unknown, and a column without a collation has none",
        arguments: [(nil, false), ("NOCASE", false), ("nocase", false), ("UNICODE", true)] as [(String?, Bool)])
    func unknownCollation(_ collation: String?, _ isUnknown: Bool) {
        let column = TableColumn(
            name: "name", declaredType: "TEXT", type: .text(maximumLength: nil), collation: collation)
        #expect(DatabaseSchema(.sqlite, []).hasUnknownCollation(column) == isUnknown)
        let none = DatabaseSchema(dialect: .sqlite, tables: [], collations: [:])
        #expect(none.hasUnknownCollation(column) == (collation != nil))
    }

    @Test(
        "Tables are sorted by the bytes of their names, and two reads return equal values",
        arguments: TestBackend.available)
    func order(_ backend: TestBackend) async throws {
        let script = """
            CREATE TABLE beta (id INTEGER PRIMARY KEY); CREATE TABLE Zeta (id INTEGER PRIMARY KEY);
            CREATE TABLE alpha (id INTEGER PRIMARY KEY); CREATE VIEW Middle AS SELECT id FROM beta;
            """
        let first = try await schema(backend, script)
        let second = try await schema(backend, script)
        #expect(first.names == ["Middle", "Zeta", "alpha", "beta"])
        #expect(first["Middle"].kind == .view)
        #expect(first["beta"].kind == .table)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test("A composite key has the column order of its definition, not of the table", arguments: TestBackend.available)
    func compositeKey(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend, "CREATE TABLE line (pos INT NOT NULL, ord INT NOT NULL, note INT, PRIMARY KEY (ord, pos))")["line"]
        #expect(table.primaryKey == ["ord", "pos"])
        #expect(table.notNull == ["pos", "ord"])
        #expect(table.names == ["pos", "ord", "note"])
        #expect(table.uniqueKeys == [])
    }

    @Test("A table without a primary key has no keys", arguments: TestBackend.available)
    func noKey(_ backend: TestBackend) async throws {
        let table = try await schema(backend, "CREATE TABLE log (line VARCHAR(10) NOT NULL, n INT)")["log"]
        #expect(table.primaryKey == nil)
        #expect(table.uniqueKeys == [])
        #expect(table.notNull == ["line"])
    }

    @Test("A table can refer to itself", arguments: TestBackend.available)
    func selfReference(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            "CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER, FOREIGN KEY (parent) REFERENCES node (id))")[
                "node"]
        #expect(
            table.foreignKeys == [ForeignKey(columns: ["parent"], table: "node", referencedColumns: ["id"])])
        #expect(table["parent"].isNullable)
    }

    @Test(
        "Two foreign keys can refer to one table, and are sorted by their columns", arguments: TestBackend.available)
    func twoReferences(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE account (id INTEGER PRIMARY KEY);
            CREATE TABLE transfer (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, target INTEGER NOT NULL,
            CONSTRAINT z FOREIGN KEY (source) REFERENCES account (id),
            CONSTRAINT a FOREIGN KEY (target) REFERENCES account (id));
            """)["transfer"]
        #expect(
            table.foreignKeys == [
                ForeignKey(columns: ["source"], table: "account", referencedColumns: ["id"]),
                ForeignKey(columns: ["target"], table: "account", referencedColumns: ["id"]),
            ])
    }

    @Test("A junction table has a primary key that consists of two foreign keys", arguments: TestBackend.available)
    func manyToMany(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE actor (id INTEGER PRIMARY KEY); CREATE TABLE film (id INTEGER PRIMARY KEY);
            CREATE TABLE film_actor (film_id INTEGER NOT NULL, actor_id INTEGER NOT NULL,
            PRIMARY KEY (actor_id, film_id), FOREIGN KEY (film_id) REFERENCES film (id),
            FOREIGN KEY (actor_id) REFERENCES actor (id));
            """)["film_actor"]
        #expect(table.primaryKey == ["actor_id", "film_id"])
        #expect(table.foreignKeys.map(\.table) == ["film", "actor"])
    }

    @Test("A composite foreign key pairs its columns with the referenced columns", arguments: TestBackend.available)
    func compositeReference(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE orders (shop INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (shop, number));
            CREATE TABLE line (n INTEGER, s INTEGER, FOREIGN KEY (s, n) REFERENCES orders (shop, number));
            """)["line"]
        #expect(
            table.foreignKeys
                == [ForeignKey(columns: ["s", "n"], table: "orders", referencedColumns: ["shop", "number"])])
    }

    @Test("A foreign key to a missing table is part of the schema", arguments: TestBackend.available)
    func missingTable(_ backend: TestBackend) async throws {
        let prefix = backend == .mariaDB ? "SET foreign_key_checks = 0;" : ""
        let table = try await schema(
            backend, prefix + "CREATE TABLE t (id INT PRIMARY KEY, x INT, FOREIGN KEY (x) REFERENCES gone (y))")[
                "t"]
        #expect(table.foreignKeys == [ForeignKey(columns: ["x"], table: "gone", referencedColumns: ["y"])])
    }

    @Test(
        "A foreign key has the column names of the tables, even if its declaration writes them in another case",
        arguments: TestBackend.available)
    func otherCase(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE parent (Id INTEGER PRIMARY KEY);
            CREATE TABLE child (id INTEGER PRIMARY KEY, p INTEGER, FOREIGN KEY (P) REFERENCES parent (iD));
            """)["child"]
        #expect(table.foreignKeys == [ForeignKey(columns: ["p"], table: "parent", referencedColumns: ["Id"])])
    }

    @Test("Unique keys are read from constraints and indexes, without duplicates", arguments: TestBackend.available)
    func uniqueKeys(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL UNIQUE, b INTEGER, c INTEGER, UNIQUE (c, b));
            CREATE UNIQUE INDEX i1 ON t (b, c); CREATE UNIQUE INDEX i2 ON t (a); CREATE UNIQUE INDEX i3 ON t (id);
            CREATE INDEX i4 ON t (c);
            """)["t"]
        #expect(table.uniqueKeys == [["a"], ["b", "c"], ["c", "b"]])
        #expect(table.primaryKey == ["id"])
    }

    @Test("Views have columns and no keys, including views on views", arguments: TestBackend.available)
    func views(_ backend: TestBackend) async throws {
        let schema = try await schema(
            backend,
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL);
            CREATE VIEW first AS SELECT id, name FROM t;
            CREATE VIEW second AS SELECT name AS label, id + 1 AS next FROM first;
            """)
        #expect(schema["first"].names == ["id", "name"])
        #expect(schema["first"]["name"].type == .text(maximumLength: 20))
        #expect(schema["second"].names == ["label", "next"])
        #expect(schema["second"]["label"].type == .text(maximumLength: 20))
        #expect(schema["second"].kind == .view)
        #expect(schema["second"].primaryKey == nil)
        #expect(schema["second"].failure == nil)
    }

    @Test(
        "A view on a dropped table is reported as a failure, and the other tables are read",
        arguments: TestBackend.available)
    func failingView(_ backend: TestBackend) async throws {
        let schema = try await schema(
            backend,
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE z (id INTEGER PRIMARY KEY);
            CREATE VIEW good AS SELECT id FROM z;
            CREATE TABLE gone (id INTEGER); CREATE VIEW bad AS SELECT id FROM gone;
            CREATE VIEW worse AS SELECT id FROM bad;
            DROP TABLE gone;
            """)
        #expect(schema.names == ["a", "bad", "good", "worse", "z"])
        for name in ["bad", "worse"] {
            #expect(schema[name].kind == .view)
            #expect(schema[name].columns == [])
            #expect(
                schema[name].failure?.contains(backend == .sqlite ? "no such table" : "references invalid table")
                    == true)
        }
        for name in ["a", "good", "z"] {
            #expect(schema[name].names == ["id"])
            #expect(schema[name].failure == nil)
        }
    }

    @Test(
        "Names can be reserved words and can contain spaces, quotes, symbols and letters of any script",
        arguments: TestBackend.available
    )
    func oddNames(_ backend: TestBackend) async throws {
        let quote = backend == .sqlite ? "\"" : "`"
        let names = [
            "select", "order details", "it's", "quo\(quote)te", "größe", "名前", "a:b?c", "semi;colon", "100%", "-- x",
        ]
        func quoted(_ name: String) -> String { quote + name.replacing(quote, with: quote + quote) + quote }
        let script = names.map { name in
            """
            CREATE TABLE \(quoted(name)) (\(quoted("group")) INTEGER PRIMARY KEY, \(quoted(name)) INTEGER UNIQUE,
            \(quoted("ref " + name)) INTEGER REFERENCES \(quoted(name)) (\(quoted("group"))));
            """
        }
        let schema = try await schema(backend, script.joined())
        #expect(Set(schema.names) == Set(names))
        for name in names {
            #expect(schema[name].names == ["group", name, "ref " + name])
            #expect(schema[name].primaryKey == ["group"])
            #expect(schema[name].uniqueKeys == [[name]])
            #expect(
                schema[name].foreignKeys
                    == [ForeignKey(columns: ["ref " + name], table: name, referencedColumns: ["group"])])
        }
    }

    @Test("A column has a default only if the default supplies a value", arguments: TestBackend.available)
    func defaults(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY\(backend == .mariaDB ? " AUTO_INCREMENT" : ""), a INTEGER DEFAULT 5,
            b INTEGER DEFAULT NULL, c INTEGER, d TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP, e VARCHAR(9) DEFAULT 'NULL')
            """)["t"]
        #expect(table.columns.filter(\.hasDefault).map(\.name) == ["id", "a", "d", "e"])
    }

    @Test("Generated columns are marked as generated", arguments: TestBackend.available)
    func generated(_ backend: TestBackend) async throws {
        let table = try await schema(
            backend,
            """
            CREATE TABLE t (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1) VIRTUAL, c INTEGER AS (a + 2) STORED,
            d INTEGER DEFAULT 1)
            """)["t"]
        #expect(table.names == ["a", "b", "c", "d"])
        #expect(table.columns.filter(\.isGenerated).map(\.name) == ["b", "c"])
        #expect(table.columns.filter(\.hasDefault).map(\.name) == ["d"])
    }

    @Test(
        "Reading a schema of 300 tables and 100 views takes at most 6 statements", arguments: TestBackend.available)
    func manyTables(_ backend: TestBackend) async throws {
        var script = ""
        for number in 0..<300 {
            script += "CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, "
            for column in 0..<15 { script += "c\(column) VARCHAR(\(column + 1)) NOT NULL, " }
            script += "r INTEGER, UNIQUE (c1, c2), FOREIGN KEY (r) REFERENCES t\(max(0, number - 1)) (id));"
        }
        for number in 0..<100 {
            script += "CREATE VIEW v\(number) AS SELECT id, c1, c2 FROM t\(number) WHERE c3 = 'x';"
        }
        try await withDatabase(backend, script) { database in
            let clock = ContinuousClock()
            for _ in 0..<2 {
                let start = clock.now
                let (schema, statements) = try await database.read { connection in
                    let before = connection.statementCount
                    return (try DatabaseSchema.read(connection), connection.statementCount - before)
                }
                print("\(backend): 300 tables and 100 views in \(clock.now - start), \(statements) statements")
                #expect(schema.tables.count == 400)
                #expect(schema["t299"].names.count == 17)
                #expect(schema["t299"].uniqueKeys == [["c1", "c2"]])
                #expect(schema["t299"].foreignKeys.map(\.table) == ["t298"])
                #expect(statements <= 6)
            }
        }
    }
}

extension String {
    /// Returns the text with the backend's quotation marks around names.
    func inQuotes(of backend: TestBackend) -> String {
        backend == .sqlite ? self : replacing("\"\"", with: "``").replacing("\"", with: "`")
    }
}
