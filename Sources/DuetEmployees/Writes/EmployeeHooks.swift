public import DuetResourceService
import DuetSQLDatabase

/// The rules for changes of the employees database, as hooks of a `ResourceService`.
public enum EmployeeHooks {
    /// The hooks, by the names of the resources in `employees.yaml`.
    public static let all: ChangeHooks = [
        "employees": EmployeeRules(),
        "titles": PeriodRules(
            table: .titles, identity: [("title", "title"), ("fromDate", "from_date")], conflict: "title and fromDate"),
        "salaries": PeriodRules(table: .salaries, identity: [("fromDate", "from_date")], conflict: "fromDate"),
        "assignments": PeriodRules(
            table: .departmentEmployees, identity: [("departmentNumber", "dept_no")], conflict: "departmentNumber"),
    ]
}

extension ServiceError {
    /// Returns the error for a row whose key already exists.
    static func taken(_ key: String) -> ServiceError {
        ServiceError(.conflict, "a row with the same \(key) already exists", key: key)
    }
}

/// The rules for changes of employees: a new employee gets the next number, and the hire date is later than the birth
/// date.
struct EmployeeRules: ChangeHook {
    func validate(_ row: RowValues, _ errors: inout [ServiceError.FieldError]) {
        guard let birthDate = row.date("birthDate"), let hireDate = row.date("hireDate"), hireDate <= birthDate
        else { return }
        errors.append(ServiceError.FieldError(field: "hireDate", message: "must be later than birthDate"))
    }

    /// The repetition of an insert uses a new number.
    func isRepeatable(_ change: Change) -> Bool { change.kind == .insert }

    func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        switch change.kind {
        case .insert: return try create(change, in: transaction)
        case .update: try checkOtherDate(change, transaction.connection)
        case .upsert, .replace, .delete: break
        }
        return try transaction.perform(change)
    }

    private func create(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        var change = change
        let unnumbered = change.rows.indices.filter { change.rows[$0]["employeeNumber"] == nil }
        if !unnumbered.isEmpty {
            let first = try nextNumber(count: unnumbered.count, transaction.connection)
            for (offset, index) in unnumbered.enumerated() {
                change.rows[index]["employeeNumber"] = .integer(first + Int64(offset))
            }
        }
        do {
            return try transaction.perform(change)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            let conflict = ServiceError.taken("employeeNumber")
            // If the input contains no number, a concurrent change has used the next number.
            throw unnumbered.isEmpty ? conflict : ChangeRepetition(conflict)
        }
    }

    /// Returns the first of the next free numbers.
    private func nextNumber(count: Int, _ connection: Connection) throws -> Int64 {
        let lock = connection.dialect.rowLock
        if !lock.isEmpty {
            // This row always exists and is locked only here, so concurrent inserts on MariaDB run one at a time. The
            // row is locked before the first read of the transaction, because the snapshot then contains the inserts
            // that ended during the wait. SQLite needs no lock, because it has only one writer.
            try connection.execute("SELECT version FROM \(EmployeeSchema.record) WHERE version = 1\(lock)")
        }
        let row = try connection.query("SELECT MAX(emp_no) FROM employees")
        defer { row.close() }
        guard try row.next(), !row.isNull(at: 0) else { return 10_001 }
        let last = row.integer(at: 0)
        guard last <= Int64(Int32.max) - Int64(count) else {
            throw ServiceError(
                .conflict, "the highest employee number is used; provide an unused number", key: "employeeNumber")
        }
        return last + 1
    }

    /// If an update contains only one of the two dates, reads the other date from the database, and checks that the
    /// hire date is later than the birth date.
    private func checkOtherDate(_ change: Change, _ connection: Connection) throws {
        guard let row = change.rows.first, let number = change.key?.first else { return }
        let (birthDate, hireDate) = (row.date("birthDate"), row.date("hireDate"))
        guard (birthDate == nil) != (hireDate == nil) else { return }
        let stored = try connection.query(
            "SELECT birth_date, hire_date FROM employees WHERE emp_no = :number", ["number": .value(number)])
        defer { stored.close() }
        guard try stored.next() else { return }
        guard let birth = birthDate ?? stored.date(at: 0), let hire = hireDate ?? stored.date(at: 1), hire <= birth
        else { return }
        throw ServiceError(invalid: [
            ServiceError.FieldError(
                field: hireDate == nil ? "birthDate" : "hireDate",
                message: "must leave hireDate later than birthDate; hireDate is \(hire), and birthDate is \(birth)")
        ])
    }
}

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
