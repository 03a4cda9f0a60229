package import DuetSQLDatabase

/// Writes a sample into an empty database, in one transaction.
package struct SampleLoader: Sendable {
    /// The number of written rows, keyed by table.
    package typealias RowCounts = [EmployeeTable: Int]

    private let generator: SampleGenerator
    /// The number of employees that are created before their rows are written. It is large enough to fill the
    /// statements of a `BulkInserter`.
    private static let group = 1_000

    /// - Parameter generator: The generator of the sample's rows.
    package init(_ generator: SampleGenerator) {
        self.generator = generator
    }

    /// Writes the sample's rows into all six tables in one transaction.
    ///
    /// - Parameters:
    ///   - database: A database with the schema and without rows in the six tables.
    ///   - progress: A closure that is called repeatedly, on a thread of the database, with the number of written
    ///     employees and the total number of employees.
    /// - Returns: The number of rows written to each table.
    /// - Throws: ``LoadError`` with the code `tablesNotEmpty`, or the database's error. In both cases the database is
    ///   unchanged.
    package func load(
        into database: Database, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> RowCounts {
        try await database.write(timeout: .none) { connection in
            try EmployeeTable.requireEmpty(connection, toLoad: "a sample")
            return try write(to: connection, progress: progress)
        }
    }

    private func write(to connection: Connection, progress: (Int, Int) -> Void) throws -> RowCounts {
        try writeDepartments(to: connection)
        var writer = try SampleHistoryWriter(connection)
        var group: [SampleEmployee] = []
        var done = 0
        for employee in generator {
            group.append(employee)
            done += 1
            guard group.count == Self.group || done == generator.employees else { continue }
            // The histories refer to the employees, so the employees are written first.
            let inserter = try EmployeeTable.employees.inserter(connection)
            for employee in group { try inserter.append(employee.row) }
            try inserter.finish()
            for employee in group { try writer.append(employee) }
            group.removeAll(keepingCapacity: true)
            progress(done, generator.employees)
        }
        try writer.finish()
        return writer.counts.merging([.departments: SampleGenerator.departments.count, .employees: done]) { $1 }
    }

    private func writeDepartments(to connection: Connection) throws {
        let inserter = try EmployeeTable.departments.inserter(connection)
        for department in SampleGenerator.departments {
            try inserter.append([.text(department.number), .text(department.name)])
        }
        try inserter.finish()
    }
}

/// A writer of the rows that refer to employees and departments. The employees and departments must already be in the
/// database.
private struct SampleHistoryWriter {
    private let titles: BulkInserter
    private let salaries: BulkInserter
    private let assignments: BulkInserter
    private let managers: BulkInserter
    private(set) var counts: SampleLoader.RowCounts = [:]

    init(_ connection: Connection) throws {
        titles = try EmployeeTable.titles.inserter(connection)
        salaries = try EmployeeTable.salaries.inserter(connection)
        assignments = try EmployeeTable.departmentEmployees.inserter(connection)
        managers = try EmployeeTable.departmentManagers.inserter(connection)
    }

    /// Writes the histories of an employee. Titles and salaries are written newest first, which is the order of the
    /// tables' keys.
    mutating func append(_ employee: SampleEmployee) throws {
        let number = SQLValue.integer(Int64(employee.number))
        for title in employee.titles.reversed() {
            try titles.append([number, .text(title.title), .date(title.from), .date(title.to)])
        }
        for salary in employee.salaries.reversed() {
            try salaries.append([number, .integer(Int64(salary.salary)), .date(salary.from), .date(salary.to)])
        }
        for assignment in employee.assignments { try assignments.append(assignment.row(of: number)) }
        if let management = employee.management { try managers.append(management.row(of: number)) }
        counts[.titles, default: 0] += employee.titles.count
        counts[.salaries, default: 0] += employee.salaries.count
        counts[.departmentEmployees, default: 0] += employee.assignments.count
        counts[.departmentManagers, default: 0] += employee.management == nil ? 0 : 1
    }

    func finish() throws {
        for inserter in [titles, salaries, assignments, managers] { try inserter.finish() }
    }
}

extension SampleEmployee {
    /// The row for `employees`.
    fileprivate var row: [SQLValue] {
        [
            .integer(Int64(number)), .date(birthDate), .text(firstName), .text(lastName), .text(gender.rawValue),
            .date(hireDate),
        ]
    }
}

extension SampleEmployee.Assignment {
    /// Returns the row for `dept_emp` or `dept_manager`.
    fileprivate func row(of number: SQLValue) -> [SQLValue] {
        [number, .text(departmentNumber), .date(from), .date(to)]
    }
}
