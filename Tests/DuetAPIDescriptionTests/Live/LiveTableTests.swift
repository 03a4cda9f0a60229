import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetResourceService

@Suite("The tables on which watched data depends")
struct LiveTableTests {
    private static let script = """
        CREATE TABLE parents (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10));
        CREATE TABLE children (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER,
            FOREIGN KEY (parent) REFERENCES parents (id) ON DELETE SET NULL);
        CREATE TABLE toys (id INTEGER NOT NULL PRIMARY KEY, child INTEGER,
            FOREIGN KEY (child) REFERENCES children (id) ON DELETE CASCADE);
        CREATE TABLE names (id INTEGER NOT NULL PRIMARY KEY, toy INTEGER,
            FOREIGN KEY (toy) REFERENCES toys (id));
        CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY);
        CREATE VIEW named AS SELECT n.id AS id, 'from `other`' AS text FROM names AS n;
        CREATE VIEW all_toys AS SELECT t.id AS id FROM toys AS t JOIN named AS n ON n.id = t.id
            WHERE EXISTS (SELECT 1 FROM parents);
        """

    /// Runs a closure with the sources of the tables and views.
    private static func withConstraints(
        _ backend: TestBackend, _ statements: String..., body: (TableConstraints) throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                for statement in try SQLScript(script).statements + statements { try connection.execute(statement) }
            }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            try body(
                TableConstraints(
                    Dictionary(schema.tables.map { ($0.name, $0.constraints) }, uniquingKeysWith: { first, _ in first })
                ))
        }
    }

    @Test(
        "They include the tables of views, and those whose changes foreign keys pass on",
        arguments: TestBackend.available)
    func sources(_ backend: TestBackend) async throws {
        try await Self.withConstraints(backend) { constraints in
            #expect(constraints.sources(of: ["other"]) == ["other"])
            #expect(constraints.sources(of: ["Children"]) == ["children", "parents"])
            #expect(constraints.sources(of: ["toys"]) == ["toys", "children", "parents"])
            #expect(constraints.sources(of: ["names"]) == ["names"])
            #expect(constraints.sources(of: ["named"]).map { $0.subtracting(["named"]) } == ["names"])
            let view = constraints.sources(of: ["all_toys"])
            #expect(view?.subtracting(["all_toys", "named"]) == ["toys", "children", "parents", "names"])
            #expect(constraints.sources(of: ["unknown"]) == nil)
        }
    }

    @Test("They include all tables with triggers", arguments: TestBackend.available)
    func triggers(_ backend: TestBackend) async throws {
        let body = backend == .sqlite ? "BEGIN DELETE FROM other; END" : "FOR EACH ROW DELETE FROM other"
        try await Self.withConstraints(backend, "CREATE TRIGGER clean AFTER INSERT ON toys \(body)") { constraints in
            #expect(constraints.sources(of: ["other"]) == ["other", "toys", "children", "parents"])
        }
    }

    @Test(
        "They are unknown if a foreign key passes on the changes of another database, and if other tables store the rows",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func otherDatabase() async throws {
        let other = "duet_\(UInt32.random(in: 0...UInt32.max))"
        try await Self.withConstraints(
            .mariaDB, "CREATE DATABASE \(other)", "CREATE TABLE \(other).owners (id INT PRIMARY KEY)",
            """
            CREATE TABLE pets (
                id INT PRIMARY KEY, owner INT, FOREIGN KEY (owner) REFERENCES \(other).owners (id) ON DELETE CASCADE)
            """,
            """
            CREATE TABLE visits (
                id INT PRIMARY KEY, owner INT, FOREIGN KEY (owner) REFERENCES \(other).owners (id) ON DELETE RESTRICT)
            """,
            "CREATE TABLE tags (id INT PRIMARY KEY, pet INT, FOREIGN KEY (pet) REFERENCES pets (id) ON DELETE SET NULL)",
            "CREATE TABLE stored (id INT, KEY (id)) ENGINE = MyISAM",
            "CREATE TABLE merged (id INT, KEY (id)) ENGINE = MERGE UNION = (stored)"
        ) { constraints in
            #expect(constraints.sources(of: ["pets"]) == nil)
            #expect(constraints.sources(of: ["tags"]) == nil)
            #expect(constraints.sources(of: ["visits"]) == ["visits"])
            #expect(constraints.sources(of: ["stored"]) == ["stored"])
            #expect(constraints.sources(of: ["merged"]) == nil)
        }
    }
}
