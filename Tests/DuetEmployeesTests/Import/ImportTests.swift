import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

@testable import DuetEmployees

@Suite("An import")
struct ImportTests {
    private func count(of table: EmployeeTable, in database: Database) async throws -> Int {
        try await database.read { connection in
            let resultSet = try connection.query("SELECT count(*) FROM \(table.rawValue)")
            return try resultSet.next() ? Int(resultSet.integer(at: 0)) : -1
        }
    }

    private func expectEmpty(_ database: Database) async throws {
        for table in EmployeeTable.allCases {
            #expect(try await count(of: table, in: database) == 0, "\(table)")
        }
    }

    private func load(
        _ directory: ImportTestDirectory, into database: Database,
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        try await directory.withDirectory { path in
            try await Importer(DumpDirectory(path: path)).load(into: database, progress: progress)
        }
    }

    @Test(
        "An import of the first 10,000 employees of the original data has the published checksums",
        .enabled(if: Checkout.hasPublishedData, "needs the original data in ../shared/data/employees-10k"),
        arguments: TestBackend.available)
    func publishedSums(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let steps = Recorder<ImportProgress>()
            let report = try await Importer(DumpDirectory(path: Checkout.publishedData.path))
                .load(into: database) { steps.record($0) }
            #expect(report.source == "the sums of the first 10,000 employees")
            #expect(report.tables.allSatisfy { $0.expected == $0.found })
            #expect(report.tables.map(\.found.rows) == [9, 10_000, 11_051, 24, 14_782, 94_917])
            #expect(report.description.contains("0fcb81f97f6b0eacb01a22a085e6512d  ok"))
            let size = try DumpDirectory(path: Checkout.publishedData.path).size
            #expect(steps.recorded.contains(.reading(bytes: size, of: size)))
            #expect(steps.recorded.last == .checking(.salaries))
        }
    }

    @Test("An import leaves existing persisted queries unchanged", arguments: TestBackend.available)
    func persistedQueries(backend: TestBackend) async throws {
        let directory = ImportTestDirectory(
            "load_employees.dump",
            "INSERT INTO `employees` VALUES (1,'1953-09-02','A','B','F','1986-06-26'),(2,'1964-02-29','C','D','M','1985-11-21');"
        )
        try await TestDatabase.with(backend) { database in
            try await database.write { connection in
                try connection.execute(
                    "INSERT INTO duet_persisted_queries VALUES (:hash, '{ a }', 5, 1, 0)",
                    ["hash": .value(.blob(Array(0..<32)))])
            }
            _ = try await load(directory, into: database)
            let document = try await database.read { connection in
                let rows = try connection.query("SELECT document FROM duet_persisted_queries")
                return try rows.next() ? rows.text(at: 0) : ""
            }
            #expect(document == "{ a }")
        }
    }

    @Test("An import retains quotes, NULLs and non-Latin alphabets", arguments: TestBackend.available)
    func values(backend: TestBackend) async throws {
        let directory = ImportTestDirectory(
            "load_employees.dump",
            #"""
            INSERT INTO `employees` VALUES (1,'1953-09-02','Siân','O\'Brien','F','1986-06-26'),
            (2,'1964-02-29','Мария','d''Arc "x"','M','1985-11-21');
            """#)
        try await TestDatabase.with(backend) { database in
            _ = try await load(directory, into: database)
            let names = try await database.read { connection in
                let resultSet = try connection.query("SELECT first_name, last_name FROM employees ORDER BY emp_no")
                var names: [String] = []
                while try resultSet.next() { names.append("\(resultSet.text(at: 0)) \(resultSet.text(at: 1))") }
                return names
            }
            #expect(names == ["Siân O'Brien", #"Мария d'Arc "x""#])
            let openTitles = try await database.read { connection in
                let resultSet = try connection.query("SELECT emp_no FROM titles WHERE to_date IS NULL")
                return try resultSet.next() ? resultSet.integer(at: 0) : 0
            }
            #expect(openTitles == 2)
        }
    }

    @Test(
        "An import of data without published checksums reports that no checksums are published",
        arguments: TestBackend.available)
    func unpublished(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let report = try await load(ImportTestDirectory(), into: database)
            #expect(report.source == nil)
            #expect(report.tables.map(\.found.rows) == [2, 2, 2, 1, 2, 3])
            #expect(report.tables.allSatisfy { $0.expected == nil && $0.found.sum.count == 32 })
            #expect(report.description.contains("No sums are published"))
        }
    }

    @Test("The report of an import is a table of row counts, checksums and results")
    func report() {
        let found = TableChecksum(rows: 2_844_047, sum: String(repeating: "0", count: 32))
        let other = TableChecksum(rows: 9, sum: "1")
        let reference = ReferenceSums(source: "a test", tables: [.titles: found, .salaries: other])
        #expect(
            ImportReport(found: [.titles: found, .salaries: found], reference: reference).description == """
                table              rows  md5 sum                           check
                titles        2,844,047  00000000000000000000000000000000  ok
                salaries      2,844,047  00000000000000000000000000000000  expected 9 rows, 1
                Compared with a test.
                """)
    }

    @Test(
        "If a directory contains employees.sql, an import reads only the files that its `source` commands name",
        arguments: TestBackend.available)
    func script(backend: TestBackend) async throws {
        let directory = ImportTestDirectory(
            "employees.sql",
            """
            -- source load_salaries2.dump ;
            SELECT 'LOADING' as 'INFO';
            source load_departments.dump ;
            source load_titles.dump;
            source load_employees.dump ;
            SOURCE load_dept_emp.dump ;
            source load_dept_manager.dump ;
            source load_salaries1.dump ;
            source show_elapsed.sql ;
            """)
        try await TestDatabase.with(backend) { database in
            let report = try await load(directory, into: database)
            #expect(report.tables.map(\.found.rows) == [2, 2, 2, 1, 2, 1])
        }
    }

    @Test(
        "An import compares the checksums with those of the test file in the directory",
        arguments: TestBackend.available)
    func ownTest(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let found = try await load(ImportTestDirectory(), into: database)
            let test = "test_employees_md5.sql"
            let right = ImportTestDirectory(test, Self.testFile(found, salaries: nil))
            let wrong = ImportTestDirectory(test, Self.testFile(found, salaries: "0123456789abcdef"))
            try await TestDatabase.with(backend) { database in
                let report = try await load(right, into: database)
                #expect(report.source == "test_employees_md5.sql")
                #expect(report.tables.allSatisfy { $0.expected == $0.found })
            }
            try await TestDatabase.with(backend) { database in
                let error = await #expect(throws: LoadError.self) { try await load(wrong, into: database) }
                #expect(error?.code == .checkFailed)
                #expect(error?.message.contains("expected 3 rows, 0123456789abcdef") == true)
                try await expectEmpty(database)
            }
        }
    }

    /// Returns a test file in the format of the original database, with the row counts and checksums of a report.
    private static func testFile(_ report: ImportReport, salaries: String?) -> String {
        let values = report.tables.map { table in
            let sum = table.table == .salaries ? salaries ?? table.found.sum : table.found.sum
            return "('\(table.table.rawValue)', \(table.found.rows),'sha',\n   # 'an older sum',\n   '\(sum)')"
        }
        return """
            USE employees;
            SELECT 'TESTING INSTALLATION' as 'INFO';
            CREATE TABLE expected_values (table_name varchar(30) not null primary key) ENGINE=MyISAM;
            INSERT INTO `expected_values` VALUES
            \(values.joined(separator: ",\n"));
            SET @crc= '';
            INSERT INTO tchecksum SELECT @crc := MD5(CONCAT_WS('#',@crc, dept_no)) FROM departments;
            """
    }

    @Test("An import rejects a test file without expected values")
    func foreignTest() async throws {
        try await ImportTestDirectory("test_employees_md5.sql", "SELECT 1;\n").withDirectory { path in
            let error = #expect(throws: LoadError.self) { try Importer(DumpDirectory(path: path)) }
            #expect(error?.code == .malformedFile)
            #expect(error?.location?.file == "test_employees_md5.sql")
        }
    }

    @Test(
        "An import rejects a database with rows in the employee tables, and changes nothing",
        arguments: TestBackend.available)
    func notEmpty(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            _ = try await load(ImportTestDirectory(), into: database)
            let error = await #expect(throws: LoadError.self) { try await load(ImportTestDirectory(), into: database) }
            #expect(error?.code == .tablesNotEmpty)
            #expect(try await count(of: .salaries, in: database) == 3)
        }
    }

    @Test("An import rejects a directory that does not exist or lacks a file")
    func missingFiles() async throws {
        let absent = #expect(throws: LoadError.self) { try DumpDirectory(path: "/no/such/directory") }
        #expect(absent?.code == .missingFile)
        try await ImportTestDirectory("load_titles.dump", nil).withDirectory { path in
            let error = #expect(throws: LoadError.self) { try DumpDirectory(path: path) }
            #expect(error?.message.contains("expected load_titles.dump") == true)
        }
        try await ImportTestDirectory("employees.sql", "source load_nothing.dump;\nsource load_titles9.dump;")
            .withDirectory { path in
                let error = #expect(throws: LoadError.self) { try DumpDirectory(path: path) }
                #expect(error?.message.contains("load_titles9.dump is not in") == true)
            }
    }
}
