import DuetResourceService
import DuetSQLDatabase

/// The rules and statements of writes to the titles, salaries and departments of an employee. A period without an end
/// date is a current period.
enum PeriodWrites {
    /// Checks that a period does not end before it begins.
    static func checkDates(_ values: WriteValues, _ errors: inout [ServiceError.FieldError]) {
        guard let from = values.date("fromDate"), let to = values.date("toDate"), to < from else { return }
        errors.append(ServiceError.FieldError(field: "toDate", message: "must not be earlier than fromDate"))
    }

    /// Returns the start date and the end date of the period in the input.
    private static func period(_ context: WriteContext) throws -> (from: CalendarDate, to: CalendarDate) {
        guard let from = context.values.date("fromDate") else {
            throw ServiceError(.malformedBody, "fromDate is missing")
        }
        return (from, context.values.date("toDate") ?? .openEnd)
    }

    /// Adds a title or a salary.
    /// - Parameter key: The names of the fields that are unique among the rows of an employee, for errors.
    static func add(_ context: WriteContext, to table: EmployeeTable, key: String) throws -> WriteOutcome {
        let (from, to) = try period(context)
        let column = table == .titles ? "title" : "salary"
        let value = context.values[column] ?? .null
        do {
            try context.connection.execute(
                "INSERT INTO \(table.rawValue) (emp_no, from_date, to_date, \(column)) VALUES (:emp_no, :from, :to, :value)",
                [
                    "emp_no": .value(context.key[0]), "from": .date(from), "to": .date(to), "value": .value(value),
                ])
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError.taken(key)
        }
        let others: (sql: String, name: String, value: SQLValue)? =
            table == .titles ? ("NOT (from_date = :from AND title = :title)", "title", value) : nil
        try makeRoom(from, to, context, in: table, others ?? ("from_date <> :from", nil, .null))
        return WriteOutcome(key: context.key, isNew: true)
    }

    /// Throws an error if the department does not exist.
    static func checkDepartment(_ context: WriteContext, _ departments: Resource) throws {
        let row = try context.connection.query(
            "SELECT 1 FROM departments WHERE dept_no = :department", ["department": .value(context.relatedKey[0])])
        defer { row.close() }
        guard try row.next() else { throw ServiceError.missing(departments, context.relatedKey) }
    }

    /// Assigns an employee to a department, or changes the period of the assignment.
    static func assign(_ context: WriteContext) throws -> WriteOutcome {
        let (from, to) = try period(context)
        var arguments: Arguments = ["number": .value(context.key[0]), "department": .value(context.relatedKey[0])]
        let row = try context.connection.query(
            "SELECT 1 FROM dept_emp WHERE emp_no = :number AND dept_no = :department", arguments)
        let isNew = try !row.next()
        row.close()
        try makeRoom(
            from, to, context, in: .departmentEmployees,
            ("dept_no <> :department", "department", context.relatedKey[0]))
        arguments["from"] = .date(from)
        arguments["to"] = .date(to)
        try context.connection.execute(
            isNew
                ? "INSERT INTO dept_emp (emp_no, dept_no, from_date, to_date) VALUES (:number, :department, :from, :to)"
                : "UPDATE dept_emp SET from_date = :from, to_date = :to WHERE emp_no = :number AND dept_no = :department",
            arguments)
        return WriteOutcome(key: context.key, isNew: isNew)
    }

    /// If the new period is current, ends the previous current period at the start of the new period. Then throws an
    /// error if the new period overlaps another period. `toDate` is not a part of a period, so a period with equal
    /// dates contains no day.
    /// - Parameter others: The SQL condition that excludes the new period, and the name and the value of the
    ///   condition's parameter.
    private static func makeRoom(
        _ from: CalendarDate, _ to: CalendarDate, _ context: WriteContext, in table: EmployeeTable,
        _ others: (sql: String, name: String?, value: SQLValue)
    ) throws {
        guard from < to else { return }
        let condition = "emp_no = :number AND \(others.sql)"
        var arguments: Arguments = [
            "number": .value(context.key[0]), "from": .date(from), "open": .date(.openEnd),
        ]
        if let name = others.name { arguments[name] = .value(others.value) }
        if to == .openEnd {
            try context.connection.execute(
                "UPDATE \(table.rawValue) SET to_date = :from WHERE \(condition) AND from_date < :from"
                    + " AND (to_date = :open OR to_date IS NULL)", arguments)
        }
        arguments["to"] = .date(to)
        let rows = try context.connection.query(
            "SELECT from_date, to_date FROM \(table.rawValue) WHERE \(condition) AND from_date < :to"
                + " AND COALESCE(to_date, :open) > :from AND COALESCE(to_date, :open) > from_date"
                + " ORDER BY from_date LIMIT 1", arguments)
        guard try rows.next() else { return }
        let other = (from: rows.date(at: 0) ?? from, to: rows.date(at: 1).flatMap { $0 == .openEnd ? nil : $0 })
        rows.close()
        throw ServiceError(
            .conflict, "the period overlaps the period from \(other.from) \(other.to.map { "to \($0)" } ?? "on")",
            key: "fromDate")
    }
}
