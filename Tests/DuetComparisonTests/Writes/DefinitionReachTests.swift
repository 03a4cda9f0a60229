import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetComparison

@Suite("Definitions that could write to another database") struct DefinitionReachTests {
    private let reach = DefinitionReach(database: "shop", visible: ["shop", "audit", "mysql"])

    private func trigger(_ body: String, mode: String = "") -> String? {
        reach.ofTrigger("CREATE TRIGGER logged AFTER INSERT ON orders FOR EACH ROW \(body)", mode: mode)
    }

    @Test("A trigger of its own tables is copied, with aliases, strings, comments and variables")
    func copied() {
        for body in [
            "INSERT INTO log (order_id) VALUES (NEW.id)", "SET NEW.note = CONCAT('shop.log', \"audit.log\", OLD.note)",
            "UPDATE orders o, log AS l SET o.note = l.note -- audit.log\n WHERE o.id = `l`.`id` # shop.log",
            "SET @shop = 1.5 /* CALL audit.log_it() */", "SET NEW.note = 'it''s \\' shop.log'",
        ] {
            let reason = trigger(body)
            #expect(reason == nil, "\(body)")
        }
    }

    @Test("A trigger with the name of a database before a dot is refused, in any notation, and so is CALL")
    func refused() {
        for (body, mode) in [
            ("INSERT INTO shop.log VALUES (1)", ""), ("INSERT INTO `Shop` . log VALUES (1)", ""),
            ("INSERT INTO \"shop\".\"log\" VALUES (1)", "STRICT_ALL_TABLES,ANSI_QUOTES"),
            ("INSERT INTO shop/**/.log VALUES (1)", ""), ("INSERT INTO AUDIT.log VALUES (1)", ""),
            ("SET @x = audit.log_it()", ""), ("CALL log_it()", ""), ("/*!50000 CALL */ log_it()", ""),
            ("/*M!100100 SET @x = 1 */", ""), ("SET GLOBAL max_connections = 1", ""),
            ("SET @@global.max_connections = 1", ""), ("SELECT 1 INTO OUTFILE '/tmp/x'", ""),
            ("SET @x = 'a\\'; INSERT INTO audit.log VALUES ('')", "NO_BACKSLASH_ESCAPES"),
            ("SET @x = '\u{301}'; INSERT INTO audit.log VALUES (1)", ""),
            ("-- \u{2028}\n INSERT INTO audit.log VALUES (1)", ""),
        ] {
            let reason = trigger(body, mode: mode)
            #expect(reason != nil, "\(body)")
        }
    }

    @Test("A table can have a foreign key to a third database, but no sequence of one")
    func tables() {
        let key = "CREATE TABLE `t` (`id` int, CONSTRAINT `c` FOREIGN KEY (`id`) REFERENCES `audit`.`log` (`id`))"
        let (foreign, own) = (reach.ofPrinted(key), reach.ofPrinted(key.replacing("audit", with: "shop")))
        #expect(foreign == nil && own == "the name of the database shop")
        let sequence = reach.ofPrinted("CREATE TABLE `t` (`id` int DEFAULT nextval(`audit`.`s`) COMMENT 'a.b')")
        #expect(sequence == "the name of the database audit")
    }

    @Test(
        "A table of another engine is not copied, and a view of another database cannot be written in the copy",
        .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
    func mariaDB() async throws {
        try await TestDatabase.with(.mariaDB, schema: false) { other in
            try await other.write { try $0.execute("CREATE TABLE log (id INT PRIMARY KEY, note VARCHAR(20))") }
            guard case .mariaDB(let location) = other.url.location else { return }
            try await TestDatabase.with(.mariaDB, schema: false) { database in
                try await database.write { connection in
                    for statement in [
                        #"CREATE TABLE notes (id INT PRIMARY KEY, path VARCHAR(20) DEFAULT 'C:\') COMMENT 'D:\'"#,
                        "INSERT INTO notes (id) VALUES (1)", "CREATE VIEW own AS SELECT id, path FROM notes",
                        "CREATE VIEW others AS SELECT id, note FROM `\(location.database)`.log",
                    ] { try connection.execute(statement) }
                }
                let tables = [ComparedTable(name: "notes", columns: ["id", "path"])]
                let state = try await TableStates.read(tables, of: database.url)
                try await DatabaseCopies.with(of: database.url) { copies in
                    try await copies.withCopies(1) { urls in
                        let copied = try await TableStates.read(tables, of: urls[0])
                        #expect(copied == state)
                        var configuration = DatabaseConfiguration(poolSize: 1)
                        configuration.access = .existing
                        try await Database.with(urls[0], configuration: configuration) { copy in
                            try await copy.write { try $0.execute("INSERT INTO own (id) VALUES (2)") }
                            await #expect(throws: DatabaseError.self) {
                                try await copy.write { try $0.execute("INSERT INTO others VALUES (2, 'x')") }
                            }
                        }
                    }
                }
                try await database.write {
                    try $0.execute("CREATE TABLE outside (id INT NOT NULL) ENGINE = CSV")
                }
                let error = await #expect(throws: CopyError.self) {
                    try await DatabaseCopies.with(of: database.url) { _ in }
                }
                #expect(error?.description.contains("the engine CSV") == true)
            }
        }
    }
}
