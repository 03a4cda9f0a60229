import DuetResourceService
import DuetSQLDatabase

/// The rules and statements of writes to employees.
enum EmployeeWrites {
    /// Checks that the hire date is later than the birth date.
    static func checkDates(_ values: WriteValues, _ errors: inout [ServiceError.FieldError]) {
        guard let birthDate = values.date("birthDate"), let hireDate = values.date("hireDate"), hireDate <= birthDate
        else { return }
        errors.append(ServiceError.FieldError(field: "hireDate", message: "must be later than birthDate"))
    }

    /// Returns the names of the columns that the input sets, and the values of the input as arguments.
    private static func columns(_ context: WriteContext, of employees: Resource) -> (
        names: [String], arguments: Arguments
    ) {
        var names: [String] = []
        var arguments = Arguments()
        for name in context.values.names where name != "employeeNumber" {
            guard let column = employees.field(name)?.column, let value = context.values[name] else {
                continue
            }
            names.append(column)
            arguments[column] = .value(value)
        }
        return (names, arguments)
    }

    static func create(_ context: WriteContext, _ employees: Resource) throws -> WriteOutcome {
        let given = context.values["employeeNumber"]
        let number = try given ?? .integer(nextNumber(context.connection))
        var (names, arguments) = columns(context, of: employees)
        arguments["number"] = .value(number)
        do {
            try context.connection.execute(
                "INSERT INTO employees (emp_no, \(names.joined(separator: ", ")))"
                    + " VALUES (:number, \(names.map { ":\($0)" }.joined(separator: ", ")))", arguments)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            let conflict = ServiceError.taken("employeeNumber")
            // If the input contains no number, a concurrent write has used the next number. The repetition of this
            // write uses a new number.
            throw given == nil ? WriteRepetition(conflict) : conflict
        }
        return WriteOutcome(key: [number], isNew: true)
    }

    private static func nextNumber(_ connection: Connection) throws -> Int64 {
        if connection.dialect == .mariaDB {
            // This row always exists and is locked only here, so concurrent inserts on MariaDB run one at a time. The
            // row is locked before the first read of the transaction, because the snapshot then contains the inserts
            // that ended during the wait. SQLite needs no lock, because it has only one writer.
            try connection.execute("SELECT version FROM \(EmployeeSchema.record) WHERE version = 1 FOR UPDATE")
        }
        let row = try connection.query("SELECT MAX(emp_no) FROM employees")
        guard try row.next(), !row.isNull(at: 0) else { return 10_001 }
        let last = row.integer(at: 0)
        guard last < Int64(Int32.max) else {
            throw ServiceError(
                .conflict, "the highest employee number is used; provide an unused number", key: "employeeNumber")
        }
        return last + 1
    }

    static func update(_ context: WriteContext, _ employees: Resource) throws -> WriteOutcome {
        try checkOtherDate(context)
        var (names, arguments) = columns(context, of: employees)
        if !names.isEmpty {
            arguments["number"] = .value(context.key[0])
            let changes = names.map { "\($0) = :\($0)" }.joined(separator: ", ")
            try context.connection.execute("UPDATE employees SET \(changes) WHERE emp_no = :number", arguments)
        }
        return WriteOutcome(key: context.key, isNew: false)
    }

    /// If the input contains only one of the two dates, reads the other date from the database, and checks that the
    /// hire date is later than the birth date.
    private static func checkOtherDate(_ context: WriteContext) throws {
        let (birthDate, hireDate) = (context.values.date("birthDate"), context.values.date("hireDate"))
        guard (birthDate == nil) != (hireDate == nil) else { return }
        let row = try context.connection.query(
            "SELECT birth_date, hire_date FROM employees WHERE emp_no = :number", ["number": .value(context.key[0])])
        guard try row.next() else { return }
        let birth = birthDate ?? row.date(at: 0)
        let hire = hireDate ?? row.date(at: 1)
        row.close()
        guard let birth, let hire, hire <= birth else { return }
        throw ServiceError(invalid: [
            ServiceError.FieldError(
                field: hireDate == nil ? "birthDate" : "hireDate",
                message: "must leave hireDate later than birthDate; hireDate is \(hire), and birthDate is \(birth)")
        ])
    }

    static func delete(_ context: WriteContext) throws -> WriteOutcome {
        try context.connection.execute(
            "DELETE FROM employees WHERE emp_no = :number", ["number": .value(context.key[0])])
        return WriteOutcome(key: context.key, isNew: false)
    }
}

extension ServiceError {
    /// Returns the error for a row whose key already exists.
    static func taken(_ key: String) -> ServiceError {
        ServiceError(.conflict, "a row with the same \(key) already exists", key: key)
    }
}
