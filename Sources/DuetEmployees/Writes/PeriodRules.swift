import DuetResourceService
import DuetSQLDatabase

/// The rules for changes of the titles, salaries or departments of an employee. Each row has a period. A period without
/// an end date is a current period. The periods of an employee do not overlap, and a new current period ends the
/// previous one.
struct PeriodRules: ChangeHook {
    /// The table. The name of its resource is the key of this hook in ``EmployeeHooks``.
    let table: EmployeeTable
    /// The fields that distinguish the rows of an employee, with their columns.
    let identity: [(field: String, column: String)]
    /// The names of these fields in the error for a row that already exists.
    let conflict: String

    func validate(_ row: RowValues, _ errors: inout [ServiceError.FieldError]) {
        guard let from = row.date("fromDate"), let to = row.date("toDate"), to < from else { return }
        errors.append(ServiceError.FieldError(field: "toDate", message: "must not be earlier than fromDate"))
    }

    /// Checks that the department of an assignment exists.
    func check(_ change: Change, in transaction: ChangeTransaction) throws {
        for row in change.rows {
            guard let department = row["departmentNumber"] else { continue }
            try transaction.requireRow(of: "departments", [department])
        }
    }

    func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        guard change.kind == .insert || change.kind == .upsert else { return try transaction.perform(change) }
        var change = change
        for index in change.rows.indices where change.rows[index]["toDate"] == nil {
            change.rows[index]["toDate"] = .date(.openEnd)
        }
        let outcome: ChangeOutcome
        do {
            outcome = try transaction.perform(change)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError.taken(conflict)
        }
        for row in change.rows { try makeRoom(for: row, of: change.resource, in: transaction) }
        return outcome
    }

    /// If a period is current, ends the previous current period at the start of this period. Then throws an error if
    /// the period overlaps another period. `toDate` is not a part of a period, so a period with equal dates contains no
    /// day.
    private func makeRoom(for row: RowValues, of resource: String, in transaction: ChangeTransaction) throws {
        guard let employee = row["employeeNumber"], let from = row.date("fromDate"), let to = row.date("toDate") else {
            throw ServiceError(.malformedBody, "employeeNumber, fromDate or toDate is missing")
        }
        guard from < to else { return }
        if to == .openEnd {
            let itself = Filter.all(identity.map { .compare($0.field, .equal, [.value(row[$0.field] ?? .null)]) })
            let previous = Filter.all([
                .compare("employeeNumber", .equal, [.value(employee)]), .not(itself),
                .compare("fromDate", .less, [.date(from)]),
                .any([.compare("toDate", .equal, [.date(.openEnd)]), .isNull("toDate", true)]),
            ])
            try transaction.perform(.update(resource, where: previous, set: ["toDate": .date(from)]))
        }
        try checkOverlap(of: row, employee, from, to, transaction.connection)
    }

    private func checkOverlap(
        of row: RowValues, _ employee: SQLValue, _ from: CalendarDate, _ to: CalendarDate, _ connection: Connection
    ) throws {
        var arguments: Arguments = [
            "number": .value(employee), "from": .date(from), "to": .date(to), "open": .date(.openEnd),
        ]
        for (field, _) in identity { arguments[field] = .value(row[field] ?? .null) }
        let itself = identity.map { "\($0.column) = :\($0.field)" }.joined(separator: " AND ")
        let rows = try connection.query(
            "SELECT from_date, to_date FROM \(table.rawValue) WHERE emp_no = :number AND NOT (\(itself))"
                + " AND from_date < :to AND COALESCE(to_date, :open) > :from AND COALESCE(to_date, :open) > from_date"
                + " ORDER BY from_date LIMIT 1", arguments)
        defer { rows.close() }
        guard try rows.next() else { return }
        let other = (from: rows.date(at: 0) ?? from, to: rows.date(at: 1).flatMap { $0 == .openEnd ? nil : $0 })
        throw ServiceError(
            .conflict, "the period overlaps the period from \(other.from) \(other.to.map { "to \($0)" } ?? "on")",
            key: "fromDate")
    }
}
