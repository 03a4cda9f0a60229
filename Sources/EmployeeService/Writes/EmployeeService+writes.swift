import Dispatch
public import NIOCore
import ResultSetJSON
import SQLDatabase

extension EmployeeService {
    /// Decides whether a write may go on, by what the resource looks like now.
    ///
    /// It is given the bytes a read of the same address would give, or `nil` if nothing is there, inside the write's own
    /// transaction; so what it saw is what is changed. It throws to refuse.
    public typealias Precondition = @Sendable (_ current: ByteBuffer?) throws -> Void

    /// Makes an employee.
    /// - Parameter plan: reads an employee, any; it is asked about the new one, for the answer.
    /// - Returns: the employee's number, and what `plan` reads.
    /// - Throws: ``ServiceError`` with code `conflict` if the number is taken.
    public func createEmployee(
        _ input: EmployeeInput, answering plan: ReadPlan
    ) async throws -> (number: Int, answer: Answer) {
        var attempts = 0
        let service = bounded(by: deadline)
        while true {
            do {
                let (encoding, limit) = (encoding, maximumAnswerSize)
                var (number, answer) = try await service.write { connection in
                    let number = try input.employeeNumber ?? Self.nextNumber(connection)
                    var arguments: Arguments = ["number": .integer(number)]
                    for column in input.columns { arguments[column.name] = .value(column.value) }
                    let names = input.columns.map(\.name)
                    try Self.naming("employeeNumber") {
                        try connection.execute(
                            "INSERT INTO employees (emp_no, \(names.joined(separator: ", ")))"
                                + " VALUES (:number, \(names.map { ":\($0)" }.joined(separator: ", ")))", arguments)
                    }
                    let own = plan.asking("employeeNumber", .integer(number), .employee(Int(number)))
                    return (Int(number), try Self.answer(own, .json, encoding, limit: limit, on: connection))
                }
                answer.tags = EntityTags(changing: .employee(number))
                return (number, answer)
            } catch let error as ServiceError
                where error.code == .conflict && input.employeeNumber == nil && attempts < 10
            {
                // Another writer took the number in between; the next one is free.
                attempts += 1
            } catch let error as DatabaseError where error.isDeadlock && attempts < 10 {
                attempts += 1
            }
        }
    }

    /// Changes some of an employee's fields.
    /// - Parameter plan: reads the employee, for the precondition and for the answer.
    /// - Throws: ``ServiceError``: `unknown-employee`, or what the precondition throws.
    public func updateEmployee(
        _ number: Int, _ input: EmployeeInput, if precondition: Precondition? = nil, answering plan: ReadPlan
    ) async throws -> Answer {
        let (encoding, limit) = (encoding, maximumAnswerSize)
        return try await change(.employee(number)) { connection in
            try Self.lock(number, on: connection)
            try precondition?(Self.answer(plan, .json, encoding, limit: limit, on: connection).body)
            try Self.checkDates(of: number, input, on: connection)
            if !input.columns.isEmpty {
                var arguments: Arguments = ["number": .integer(number)]
                for column in input.columns { arguments[column.name] = .value(column.value) }
                let changes = input.columns.map { "\($0.name) = :\($0.name)" }.joined(separator: ", ")
                try connection.execute("UPDATE employees SET \(changes) WHERE emp_no = :number", arguments)
            }
            return try Self.answer(plan, .json, encoding, limit: limit, on: connection)
        }
    }

    /// Removes an employee, with everything that belongs to them.
    /// - Returns: an answer without a body.
    /// - Throws: ``ServiceError``: `unknown-employee`, or what the precondition throws.
    public func deleteEmployee(
        _ number: Int, if precondition: Precondition? = nil, reading plan: ReadPlan
    ) async throws -> Answer {
        let (encoding, limit) = (encoding, maximumAnswerSize)
        return try await change(.employee(number)) { connection in
            try Self.lock(number, on: connection)
            try precondition?(Self.answer(plan, .json, encoding, limit: limit, on: connection).body)
            try connection.execute("DELETE FROM employees WHERE emp_no = :number", ["number": .integer(number)])
            return Answer(body: ByteBuffer())
        }
    }

    /// Adds a title. If it goes on, the one held before ends where it begins.
    /// - Parameter plan: reads the employee's titles, for the precondition and for the answer.
    /// - Throws: ``ServiceError``: `unknown-employee`, `conflict`, or what the precondition throws.
    public func addTitle(
        _ input: PeriodInput, to number: Int, if precondition: Precondition? = nil, answering plan: ReadPlan
    ) async throws -> Answer {
        try await addPeriod(input, to: number, table: "titles", key: "title and fromDate", precondition, plan)
    }

    /// Adds a salary. If it goes on, the one held before ends where it begins.
    /// - Parameter plan: reads the employee's salaries, for the precondition and for the answer.
    /// - Throws: ``ServiceError``: `unknown-employee`, `conflict`, or what the precondition throws.
    public func addSalary(
        _ input: PeriodInput, to number: Int, if precondition: Precondition? = nil, answering plan: ReadPlan
    ) async throws -> Answer {
        try await addPeriod(input, to: number, table: "salaries", key: "fromDate", precondition, plan)
    }

    private func addPeriod(
        _ input: PeriodInput, to number: Int, table: String, key: String, _ precondition: Precondition?,
        _ plan: ReadPlan
    ) async throws -> Answer {
        let (encoding, limit) = (encoding, maximumAnswerSize)
        return try await change(.employee(number)) { connection in
            try Self.lock(number, on: connection)
            try precondition?(Self.answer(plan, .json, encoding, limit: limit, on: connection).body)
            var names = ["emp_no", "from_date", "to_date"]
            var arguments: Arguments = [
                "emp_no": .integer(number), "from_date": .date(input.fromDate), "to_date": .date(input.toDate),
            ]
            if let column = input.column {
                names.append(column.name)
                arguments[column.name] = .value(column.value)
            }
            try Self.naming(key) {
                try connection.execute(
                    "INSERT INTO \(table) (\(names.joined(separator: ", ")))"
                        + " VALUES (\(names.map { ":\($0)" }.joined(separator: ", ")))", arguments)
            }
            try Self.makeRoom(for: input, of: number, in: table, on: connection)
            return try Self.answer(plan, .json, encoding, limit: limit, on: connection)
        }
    }

    /// Puts an employee into a department, or changes when they are in it.
    /// - Parameter plan: reads what is answered, and what the precondition sees if there is an assignment already.
    /// - Returns: the assignment, and whether it is new.
    /// - Throws: ``ServiceError``: `unknown-employee`, `unknown-department`, or what the precondition throws.
    public func assign(
        _ number: Int, to department: String, _ input: PeriodInput, if precondition: Precondition? = nil,
        answering plan: ReadPlan
    ) async throws -> (isNew: Bool, answer: Answer) {
        let (encoding, limit) = (encoding, maximumAnswerSize)
        var (isNew, answer) = try await write { connection in
            try Self.lock(number, on: connection)
            let found = try connection.query(
                "SELECT 1 FROM departments WHERE dept_no = :department", ["department": .text(department)])
            guard try found.next() else { throw Subject.department(department).missing }
            found.close()
            let key: Arguments = ["number": .integer(number), "department": .text(department)]
            let assignment = try connection.query(
                "SELECT 1 FROM dept_emp WHERE emp_no = :number AND dept_no = :department", key)
            let isNew = try !assignment.next()
            assignment.close()
            if let precondition {
                try precondition(isNew ? nil : Self.answer(plan, .json, encoding, limit: limit, on: connection).body)
            }
            let arguments: Arguments = [
                "number": .integer(number), "department": .text(department), "from": .date(input.fromDate),
                "to": .date(input.toDate),
            ]
            try Self.makeRoom(for: input, of: number, in: "dept_emp", besides: department, on: connection)
            try connection.execute(
                isNew
                    ? "INSERT INTO dept_emp (emp_no, dept_no, from_date, to_date) VALUES (:number, :department, :from, :to)"
                    : "UPDATE dept_emp SET from_date = :from, to_date = :to WHERE emp_no = :number AND dept_no = :department",
                arguments)
            return (isNew, try Self.answer(plan, .json, encoding, limit: limit, on: connection))
        }
        answer.tags = EntityTags(changing: .assignment(employee: number, department: department))
        return (isNew, answer)
    }

    // MARK: Parts

    /// Changes an employee, or what belongs to them.
    private func change(
        _ subject: Subject, _ body: @escaping @Sendable (Connection) throws -> Answer
    ) async throws -> Answer {
        var answer = try await write { ((), try body($0)) }.answer
        answer.tags = EntityTags(changing: subject)
        return answer
    }

    /// Runs a write in its transaction. The cost in the answer is that of the whole, the commit too.
    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> (value: Value, answer: Answer)
    ) async throws -> (value: Value, answer: Answer) {
        do {
            var (value, answer, start) = try await database.write(deadline: deadline, origin: origin) { connection in
                let start = DispatchTime.now().uptimeNanoseconds
                var (value, answer) = try body(connection)
                answer.cost.statements = connection.statementCount
                return (value, answer, start)
            }
            answer.cost.nanoseconds = DispatchTime.now().uptimeNanoseconds - start
            return (value, answer)
        } catch {
            throw Self.told(error)
        }
    }

    /// Makes sure that the employee is there, and that nobody else changes them until the transaction ends.
    private static func lock(_ number: Int, on connection: Connection) throws {
        // SQLite has the whole database locked already.
        let suffix = connection.dialect == .mariaDB ? " FOR UPDATE" : ""
        let row = try connection.query(
            "SELECT 1 FROM employees WHERE emp_no = :number" + suffix, ["number": .integer(number)])
        guard try row.next() else { throw Subject.employee(number).missing }
        row.close()
    }

    private static func nextNumber(_ connection: Connection) throws -> Int64 {
        if connection.dialect == .mariaDB {
            // One at a time: a row that is always there and that nothing else locks. SQLite has one writer anyway. It
            // comes before the first plain read, so that the highest number is read as it is after the wait.
            try connection.execute("SELECT version FROM \(Schema.record) WHERE version = 1 FOR UPDATE")
        }
        let row = try connection.query("SELECT MAX(emp_no) FROM employees")
        guard try row.next(), !row.isNull(at: 0) else { return 10_001 }
        let last = row.integer(at: 0)
        guard last < Int64(Int32.max) else {
            throw ServiceError(
                .conflict, "the highest employee number is taken; give a free one", key: "employeeNumber")
        }
        return last + 1
    }

    /// A patch of one of the two dates must fit the other one, which only the database knows.
    private static func checkDates(of number: Int, _ input: EmployeeInput, on connection: Connection) throws {
        guard (input.birthDate == nil) != (input.hireDate == nil) else { return }
        let row = try connection.query(
            "SELECT birth_date, hire_date FROM employees WHERE emp_no = :number", ["number": .integer(number)])
        guard try row.next() else { return }
        let birth = input.birthDate ?? row.date(at: 0)
        let hire = input.hireDate ?? row.date(at: 1)
        row.close()
        guard let birth, let hire, hire <= birth else { return }
        let field = input.hireDate == nil ? "birthDate" : "hireDate"
        throw ServiceError(
            .validationFailed, "the body cannot be used: see \(field)",
            fields: [
                .init(field: field, message: "must fit: hireDate (\(hire)) is not later than birthDate (\(birth))")
            ])
    }

    /// Whatever went on until now ends where a new period that goes on begins. Two periods never have a day in common: each
    /// ends before its `toDate`, so a period of no days has none.
    private static func makeRoom(
        for input: PeriodInput, of number: Int, in table: String, besides department: String? = nil,
        on connection: Connection
    ) throws {
        guard input.fromDate < input.toDate else { return }
        var others = "emp_no = :number"
        var arguments: Arguments = ["number": .integer(number), "from": .date(input.fromDate)]
        if let department {
            others += " AND dept_no <> :department"
            arguments["department"] = .text(department)
        } else if let column = input.column, column.name == "title" {
            others += " AND NOT (from_date = :from AND title = :title)"
            arguments["title"] = .value(column.value)
        } else {
            others += " AND from_date <> :from"
        }
        arguments["open"] = .date(.openEnd)
        if input.isOpen {
            try connection.execute(
                "UPDATE \(table) SET to_date = :from WHERE \(others) AND from_date < :from"
                    + " AND (to_date = :open OR to_date IS NULL)", arguments)
        }
        arguments["to"] = .date(input.toDate)
        let rows = try connection.query(
            "SELECT from_date, to_date FROM \(table) WHERE \(others) AND from_date < :to"
                + " AND COALESCE(to_date, :open) > :from AND COALESCE(to_date, :open) > from_date"
                + " ORDER BY from_date LIMIT 1", arguments)
        guard try rows.next() else { return }
        let from = rows.date(at: 0) ?? input.fromDate
        let to = rows.date(at: 1).flatMap { $0 == .openEnd ? nil : $0 }
        throw ServiceError(
            .conflict, "the period overlaps the one from \(from) \(to.map { "to \($0)" } ?? "on")", key: "fromDate")
    }

    /// Tells a violated key in the API's words.
    private static func naming(_ key: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError(.conflict, "there is one with the same \(key) already", key: key)
        }
    }
}
