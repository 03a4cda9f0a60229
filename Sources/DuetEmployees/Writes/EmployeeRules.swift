import DuetResourceService
import DuetSQLDatabase

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
        case .upsert, .delete: break
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
