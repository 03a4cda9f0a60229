import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    /// Databases of other programs whose tables have the names of the tables that Duet creates.
    @Suite("Foreign tables with the names of Duet's tables")
    struct ForeignTablesTests {
        private static let six = [
            """
            CREATE TABLE employees (emp_no INTEGER NOT NULL PRIMARY KEY, birth_date DATE NOT NULL,
                first_name VARCHAR(14) NOT NULL, last_name VARCHAR(16) NOT NULL, gender CHAR(1) NOT NULL,
                hire_date DATE NOT NULL)
            """,
            "CREATE TABLE departments (dept_no CHAR(4) NOT NULL PRIMARY KEY, dept_name VARCHAR(40) NOT NULL)",
            """
            CREATE TABLE dept_manager (emp_no INTEGER NOT NULL, dept_no CHAR(4) NOT NULL, from_date DATE NOT NULL,
                to_date DATE NOT NULL, PRIMARY KEY (emp_no, dept_no))
            """,
            """
            CREATE TABLE dept_emp (emp_no INTEGER NOT NULL, dept_no CHAR(4) NOT NULL, from_date DATE NOT NULL,
                to_date DATE NOT NULL, PRIMARY KEY (emp_no, dept_no))
            """,
            """
            CREATE TABLE titles (emp_no INTEGER NOT NULL, title VARCHAR(50) NOT NULL, from_date DATE NOT NULL,
                to_date DATE, PRIMARY KEY (emp_no, title, from_date))
            """,
            """
            CREATE TABLE salaries (emp_no INTEGER NOT NULL, salary INTEGER NOT NULL, from_date DATE NOT NULL,
                to_date DATE NOT NULL, PRIMARY KEY (emp_no, from_date))
            """,
            "INSERT INTO employees VALUES (10004, '1954-05-01', 'Chirstian', 'Koblick', 'M', '1986-12-01')",
        ]
        private static let employee =
            #"{"empNo":10004,"birthDate":"1954-05-01","firstName":"Chirstian","lastName":"Koblick","gender":"M","hireDate":"1986-12-01"}"#
        private static let record =
            "CREATE TABLE duet_migrations (version INTEGER NOT NULL PRIMARY KEY, name VARCHAR(100) NOT NULL, checksum CHAR(64) NOT NULL, applied_at VARCHAR(30) NOT NULL)"

        /// The statements that create a database, and a path of the served API with the response.
        struct Foreign: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let statements: [String]
            let path: String
            let response: String
        }

        private static let databases = [
            Foreign(
                testDescription: "the six tables", statements: six, path: "/employees/10004", response: employee),
            Foreign(
                testDescription: "the six tables and another table",
                statements: six + [
                    "CREATE TABLE skills (id INTEGER NOT NULL PRIMARY KEY, skill VARCHAR(20))",
                    "INSERT INTO skills VALUES (1, 'sewing')",
                ], path: "/skills", response: #"[{"id":1,"skill":"sewing"}]"#),
            Foreign(
                testDescription: "a table duet_persisted_queries",
                statements: six + [
                    "CREATE TABLE duet_persisted_queries (id INTEGER NOT NULL PRIMARY KEY, note VARCHAR(20))",
                    "INSERT INTO duet_persisted_queries VALUES (1, 'mine')",
                ], path: "/duetPersistedQueries", response: #"[{"id":1,"note":"mine"}]"#),
            Foreign(
                testDescription: "a table duet_migrations with other columns",
                statements: six + [
                    "CREATE TABLE duet_migrations (id INTEGER NOT NULL PRIMARY KEY, note VARCHAR(20))",
                    "INSERT INTO duet_migrations VALUES (1, 'mine')",
                ], path: "/duetMigrations", response: #"[{"id":1,"note":"mine"}]"#),
            Foreign(
                testDescription: "a table duet_migrations with other migrations",
                statements: six + [record, "INSERT INTO duet_migrations VALUES (1, 'first', 'x', '2026')"],
                path: "/duetMigrations",
                response: #"[{"version":1,"name":"first","checksum":"x","appliedAt":"2026"}]"#),
            Foreign(
                testDescription: "an empty table duet_migrations", statements: six + [record], path: "/employees/10004",
                response: employee),
        ]

        /// Creates a database as another program does. On SQLite, the file has a rollback journal.
        private static func withDatabase(
            _ backend: TestBackend, _ statements: [String], _ body: (URL, _ url: String) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.withURL(backend) { url in
                    if case .sqlite(let path) = url.location {
                        try SQLiteProcess.run(path, statements.map { $0.replacing("\n", with: " ") })
                    } else {
                        try await withConnection(to: url) { connection in
                            for statement in statements { try connection.executeScript(statement) }
                        }
                    }
                    try await body(folder, url.text)
                }
            }
        }

        private static func withConnection<Value: Sendable>(
            to url: DatabaseURL, _ body: @escaping @Sendable (Connection) throws -> Value
        ) async throws -> Value {
            let database = Database(url, configuration: DatabaseConfiguration(poolSize: 1).patient)
            do {
                let value = try await database.write { try body($0) }
                await database.close()
                return value
            } catch {
                await database.close()
                throw error
            }
        }

        /// Returns the content of a database. For SQLite: the bytes of all files in its folder. For MariaDB: all
        /// columns, indexes and triggers, and the checksum of each table.
        private static func content(of url: String) async throws -> [String: Data] {
            let url = try DatabaseURL(url)
            if case .sqlite(let path) = url.location {
                let folder = URL(filePath: path).deletingLastPathComponent()
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: folder.appending(path: $1)) }
            }
            return try await withConnection(to: url) { connection in
                func rows(_ sql: String) throws -> [[SQLValue]] {
                    let rows = try connection.query(sql)
                    var found: [[SQLValue]] = []
                    while try rows.next() { found.append(rows.columns.indices.map { rows.value(at: $0) }) }
                    return found
                }
                var queries = [
                    "SELECT * FROM information_schema.columns WHERE table_schema = DATABASE()",
                    // The other statistics change without a write, because they are estimates.
                    "SELECT table_name, index_name, seq_in_index, column_name FROM information_schema.statistics WHERE table_schema = DATABASE()",
                    "SELECT * FROM information_schema.views WHERE table_schema = DATABASE()",
                    "SELECT * FROM information_schema.triggers WHERE trigger_schema = DATABASE()",
                ]
                let tables = try connection.query(
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'"
                )
                while try tables.next() { queries.append("CHECKSUM TABLE \(tables.text(at: 0))") }
                return try queries.reduce(into: [:]) { content, query in
                    content[query] = Data(try rows(query).map { "\($0)" }.sorted().joined(separator: "\n").utf8)
                }
            }
        }

        @Test(
            "duet serve only reads a database of another program and serves all its tables, even if they have the names of Duet's tables",
            arguments: TestBackend.available, databases)
        func served(_ backend: TestBackend, _ foreign: Foreign) async throws {
            try await Self.withDatabase(backend, foreign.statements) { folder, url in
                let before = try await Self.content(of: url)
                for arguments in [[], ["--no-migrate"]] {
                    try await Server.with(arguments, in: folder, environment: ["DUET_DATABASE": url]) { server in
                        let response = try await server.get(foreign.path)
                        #expect(response.body == foreign.response)
                        #expect(try await server.get("/employees/10004").body == Self.employee)
                        let query = try await PersistedQuery("{ employee(id: 10004) { lastName } }", in: folder)
                        let registered = try await server.send("POST", "/graphql", body: query.body(withText: true))
                        #expect(registered.body == #"{"data":{"employee":{"lastName":"Koblick"}}}"#)
                        let patch = try await server.send("PATCH", "/employees/10004", body: #"{"lastName":"Mine"}"#)
                        #expect(patch.status == 405)
                        #expect(await server.stop().status == 0)
                    }
                    #expect(try await Self.content(of: url) == before)
                }
            }
        }

        @Test(
            "duet sample and duet import refuse a database of another program and change nothing",
            arguments: TestBackend.available, databases)
        func refused(_ backend: TestBackend, _ foreign: Foreign) async throws {
            try await Self.withDatabase(backend, foreign.statements) { folder, url in
                let before = try await Self.content(of: url)
                try Self.writeDump(to: folder)
                for arguments in [["sample", "--employees", "5"], ["import", "."]] {
                    let result = try await Program.run(arguments, in: folder, environment: ["DUET_DATABASE": url])
                    #expect(result.status == 69)
                    #expect(result.errors.contains("duet has not created its tables"), "\(result.errors)")
                    #expect(result.errors.contains("use a new or an empty database"), "\(result.errors)")
                    #expect(try await Self.content(of: url) == before)
                }
            }
        }

        @Test(
            "duet sample and duet import refuse empty foreign tables with the columns of Duet's tables and change nothing",
            arguments: TestBackend.available)
        func refusedEmptyTables(_ backend: TestBackend) async throws {
            try await Self.withDatabase(backend, Array(Self.six.dropLast())) { folder, url in
                let before = try await Self.content(of: url)
                try Self.writeDump(to: folder)
                for arguments in [["sample", "--employees", "5"], ["import", "."]] {
                    let result = try await Program.run(arguments, in: folder, environment: ["DUET_DATABASE": url])
                    #expect(result.status == 69)
                    #expect(try await Self.content(of: url) == before)
                }
            }
        }

        @Test(
            "The commands that read a database do not change a database of another program",
            arguments: TestBackend.available)
        func commands(_ backend: TestBackend) async throws {
            try await Self.withDatabase(backend, Self.databases[1].statements) { folder, url in
                let environment = ["DUET_DATABASE": url]
                let before = try await Self.content(of: url)
                for arguments in [
                    ["introspect", "--output", "api.yaml"], ["validate", "api.yaml", "--data"], ["diff", "api.yaml"],
                    ["compare", "one", "--no-timing"], ["compare", "one", "--no-timing", "--api", "api.yaml"],
                ] {
                    let result = try await Program.run(arguments, in: folder, environment: environment)
                    #expect(result.status == 0, "\(arguments): \(result.output)\(result.errors)")
                    #expect(try await Self.content(of: url) == before, "\(arguments)")
                }
                let description = try String(contentsOf: folder.appending(path: "api.yaml"), encoding: .utf8)
                #expect(description.contains("skills:") && description.contains("employees:"))
                try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { server in
                    let skill = try await server.get("/skills/1")
                    #expect(skill.body == #"{"id":1,"skill":"sewing"}"#)
                    #expect(await server.stop().status == 0)
                }
                #expect(try await Self.content(of: url) == before)
            }
        }

        @Test("duet serve reads a read-only file of another program in a read-only folder")
        func readOnlyFile() async throws {
            try await Self.withDatabase(.sqlite, Self.six) { folder, url in
                let path = String(url.dropFirst("sqlite:".count))
                let files = FileManager.default
                let parent = URL(filePath: path).deletingLastPathComponent().path
                try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
                try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: parent)
                defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: parent) }
                let before = try await Self.content(of: url)
                // File permissions do not restrict root unless the process drops the capability `dac_override`.
                let prefix = geteuid() == 0 ? "setpriv --bounding-set=-dac_override " : ""
                let script = "exec \(prefix)'\(Products.duet)' serve --port 0 --database '\(url)'"
                try await Program.with(["-c", script], of: "/bin/bash", in: folder) { program in
                    let server = try await Server(program)
                    #expect(try await server.get("/employees/10004").body == Self.employee)
                    #expect(await server.stop().status == 0)
                }
                #expect(try await Self.content(of: url) == before)
            }
        }

        @Test(
            "If duet serve cannot read a file of another program in WAL mode in a read-only folder, the error says why")
        func writeAheadLog() async throws {
            try await TemporaryFolder.with { folder in
                let files = FileManager.default
                let file = folder.appending(path: "books.db")
                try SQLiteProcess.run(
                    file.path, ["PRAGMA journal_mode = WAL", "CREATE TABLE books (id INTEGER PRIMARY KEY)"])
                try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
                defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
                let prefix = geteuid() == 0 ? "setpriv --bounding-set=-dac_override " : ""
                let served = try await Program.shell(
                    "\(prefix)'\(Products.duet)' serve --port 0 --database sqlite:books.db", in: folder)
                #expect(served.status == 69)
                #expect(
                    served.errors.contains("this user may not read or create \(file.path)-wal"), "\(served.errors)")
            }
        }

        @Test("--persisted-query-file refuses a file whose table duet_persisted_queries another program has created")
        func persistedQueryFile() async throws {
            try await SampleDatabase.with(employees: 5) { folder, url in
                for statement in [
                    "CREATE TABLE duet_persisted_queries (id INTEGER PRIMARY KEY, note TEXT)",
                    "CREATE TABLE duet_persisted_queries (hash, document, bytes, used_at, is_reused, note)",
                    "CREATE VIEW duet_persisted_queries AS SELECT 1 AS hash, 2 AS document, 3 AS bytes, 4 AS used_at, 5 AS is_reused",
                ] {
                    let file = folder.appending(path: "queries.sqlite")
                    try? FileManager.default.removeItem(at: file)
                    try SQLiteProcess.run(file.path, [statement])
                    let before = try Data(contentsOf: file)
                    let result = try await Program.run(
                        ["serve", "--database", url, "--persisted-query-file", "queries.sqlite", "--port", "0"],
                        in: folder)
                    #expect(result.status == 64)
                    #expect(result.errors.contains("contains other tables"), "\(result.errors)")
                    #expect(try Data(contentsOf: file) == before)
                }
            }
        }

        @Test(
            "A table that another program adds to an employees database does not change its API",
            arguments: TestBackend.available)
        func ownDatabase(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.withURL(backend) { url in
                    try await SampleDatabase.fill(url.text, employees: 5, in: folder)
                    try await Self.withConnection(to: url) {
                        try $0.executeScript("CREATE TABLE skills (id INTEGER NOT NULL PRIMARY KEY)")
                    }
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": url.text]) { server in
                        let patch = try await server.send("PATCH", "/employees/10004", body: #"{"lastName":"Mine"}"#)
                        #expect(patch.status == 200, "\(patch.body)")
                        #expect(try await server.get("/skills").status == 404)
                    }
                }
            }
        }

        /// Writes a dump of the original database with one row in each file.
        private static func writeDump(to folder: URL) throws {
            for (table, row) in [
                ("departments", "('d001','Marketing')"),
                ("employees", "(1,'1953-09-02','Ada','Byron','F','1986-06-26')"),
                ("dept_emp", "(1,'d001','1986-06-26','9999-01-01')"),
                ("dept_manager", "(1,'d001','1986-06-26','9999-01-01')"),
                ("titles", "(1,'Engineer','1986-06-26','9999-01-01')"),
                ("salaries", "(1,60117,'1986-06-26','1987-06-26')"),
            ] {
                try Data("INSERT INTO `\(table)` VALUES \(row);\n".utf8).write(
                    to: folder.appending(path: "load_\(table)\(table == "salaries" ? "1" : "").dump"))
            }
        }
    }
}
