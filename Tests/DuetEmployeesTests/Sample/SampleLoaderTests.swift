import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetEmployees

@Suite("Loading a sample")
struct SampleLoaderTests {
    /// Returns the rows of a query, with a space between values.
    private func rows(_ sql: String, in database: Database) async throws -> [String] {
        try await database.read { connection in
            let resultSet = try connection.query(sql)
            var rows: [String] = []
            while try resultSet.next() {
                let values = resultSet.columns.indices.map { index in
                    switch resultSet.value(at: index) {
                    case .integer(let value): "\(value)"
                    case .date(let value): "\(value)"
                    case .text(let value): value
                    default: "?"
                    }
                }
                rows.append(values.joined(separator: " "))
            }
            return rows
        }
    }

    @Test("Loading writes every row of all six tables and counts the rows", arguments: TestBackend.available)
    func counts(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let generator = try SampleGenerator(employees: 1_500, seed: 1)
            let counts = try await SampleLoader(generator).load(into: database)
            #expect(counts[.employees] == 1_500)
            #expect(counts[.departments] == 9)
            #expect(counts[.departmentManagers] == 24)
            #expect(counts[.salaries] == generator.reduce(0) { $0 + $1.salaries.count })
            for table in EmployeeTable.allCases {
                let found = try await rows("SELECT count(*) FROM \(table.rawValue)", in: database)
                #expect(found == ["\(counts[table] ?? 0)"], "\(table)")
            }
        }
    }

    @Test("Loading leaves existing persisted queries unchanged", arguments: TestBackend.available)
    func persistedQueries(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await database.write { connection in
                try connection.execute(
                    "INSERT INTO duet_persisted_queries VALUES (:hash, '{ a }', 5, 1, 0)",
                    ["hash": .value(.blob(Array(0..<32)))])
            }
            _ = try await SampleLoader(SampleGenerator(employees: 1, seed: 5)).load(into: database)
            #expect(try await rows("SELECT document FROM duet_persisted_queries", in: database) == ["{ a }"])
        }
    }

    @Test("Loading writes the published example", arguments: TestBackend.available)
    func publishedExample(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            _ = try await SampleLoader(SampleGenerator(employees: 1, seed: 5)).load(into: database)
            #expect(
                try await rows("SELECT * FROM employees", in: database)
                    == ["10004 1954-05-01 Chirstian Koblick M 1986-12-01"])
            #expect(
                try await rows("SELECT title, from_date, to_date FROM titles ORDER BY from_date", in: database) == [
                    "Engineer 1986-12-01 1995-12-01", "Senior Engineer 1995-12-01 9999-01-01",
                ])
            #expect(
                try await rows("SELECT dept_no, from_date, to_date FROM dept_emp", in: database)
                    == ["d004 1986-12-01 9999-01-01"])
            #expect(
                try await rows("SELECT count(*), min(salary), max(salary) FROM salaries", in: database)
                    == ["16 40054 74057"])
            #expect(
                try await rows("SELECT dept_no, dept_name FROM departments ORDER BY dept_no", in: database) == [
                    "d001 Marketing", "d002 Finance", "d003 Human Resources", "d004 Production", "d005 Development",
                    "d006 Quality Management", "d007 Sales", "d008 Research", "d009 Customer Service",
                ])
        }
    }

    @Test("A loaded sample has the same checksums on every machine and backend", arguments: TestBackend.available)
    func sums(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            _ = try await SampleLoader(SampleGenerator(employees: 1_000, seed: 1)).load(into: database)
            let sums = try await database.read { connection in
                try EmployeeTable.allCases.map { try TableChecksum(connection, of: $0).sum }
            }
            #expect(
                sums == [
                    "d1af5e170d2d1591d776d5638d71fc5f", "27ae7a43615db86e303727441dd357a8",
                    "c7187b06699663dd1b674463d93c862d", "04b9546d4d268e1b214d38c9ca36c475",
                    "3fd60eb8cc9fefa9fefdffd55203c74c", "df74e7742904ddd128cd816d68431d7e",
                ])
        }
    }

    @Test("Loading reports its progress to the end", arguments: TestBackend.available)
    func progress(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let steps = Recorder<[Int]>()
            _ = try await SampleLoader(SampleGenerator(employees: 2_100, seed: 1)).load(into: database) { done, total in
                steps.record([done, total])
            }
            #expect(steps.recorded == [[1_000, 2_100], [2_000, 2_100], [2_100, 2_100]])
        }
    }

    @Test("Loading rejects a database that contains rows, and changes nothing", arguments: TestBackend.available)
    func notEmpty(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            _ = try await database.write { connection in
                try connection.execute("INSERT INTO departments (dept_no, dept_name) VALUES ('d010', 'Archives')")
            }
            let error = await #expect(throws: LoadError.self) {
                try await SampleLoader(SampleGenerator(employees: 10, seed: 1)).load(into: database)
            }
            #expect(error?.code == .tablesNotEmpty)
            #expect(error?.message.contains("departments") == true)
            #expect(try await rows("SELECT dept_no FROM departments", in: database) == ["d010"])
            #expect(try await rows("SELECT count(*) FROM employees", in: database) == ["0"])
        }
    }
}
