import DuetResultSetJSON
import DuetSQLDatabase

/// Returns the employees hired on a day, with their titles: `[{"employeeNumber":…,"lastName":…,"titles":[…]},…]`.
func employees(hiredOn day: CalendarDate, in database: Database) async throws -> String {
    try await database.read { connection in
        let employees = try connection.query(
            """
            SELECT emp_no AS employeeNumber, last_name AS lastName FROM employees
            WHERE hire_date = :day ORDER BY emp_no
            """, ["day": .date(day)])
        let adapter = ResultSetAdapter(employees, on: connection)
        try adapter.attach(
            "titles", for: "employeeNumber",
            AttachedQuery(
                select: "title, from_date AS fromDate", from: "titles", key: "emp_no",
                orderBy: [.descending("from_date")]))
        return try adapter.text()
    }
}
