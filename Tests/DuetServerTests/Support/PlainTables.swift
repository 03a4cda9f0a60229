import DuetSQLDatabase

/// The rows of the six tables. Each table is read with a statement that is independent of the service.
struct PlainTables {
    let employees: [PlainCompany.Employee]
    let departments: [PlainCompany.Department]
    let titles: [PlainCompany.Title]
    let salaries: [PlainCompany.Salary]
    let assignments: [PlainCompany.Assignment]
    let managements: [PlainCompany.Management]

    init(_ connection: Connection) throws {
        func rows<Row>(_ sql: String, _ make: (ResultSet) throws -> Row) throws -> [Row] {
            let resultSet = try connection.query(sql)
            var rows: [Row] = []
            while try resultSet.next() { rows.append(try make(resultSet)) }
            return rows
        }
        func day(_ row: ResultSet, _ column: Int) throws -> CalendarDate {
            guard let day = row.date(at: column) else { throw PlainCompany.MissingDay() }
            return day
        }
        employees = try rows("SELECT emp_no, birth_date, first_name, last_name, gender, hire_date FROM employees") {
            PlainCompany.Employee(
                number: Int($0.integer(at: 0)), birthDate: try day($0, 1), firstName: $0.text(at: 2),
                lastName: $0.text(at: 3), gender: $0.text(at: 4), hireDate: try day($0, 5))
        }
        departments = try rows("SELECT dept_no, dept_name FROM departments") {
            PlainCompany.Department(number: $0.text(at: 0), name: $0.text(at: 1))
        }
        titles = try rows("SELECT emp_no, title, from_date, to_date FROM titles") {
            PlainCompany.Title(
                employee: Int($0.integer(at: 0)), title: $0.text(at: 1), from: try day($0, 2), to: $0.date(at: 3))
        }
        salaries = try rows("SELECT emp_no, salary, from_date, to_date FROM salaries") {
            PlainCompany.Salary(
                employee: Int($0.integer(at: 0)), salary: Int($0.integer(at: 1)), from: try day($0, 2),
                to: try day($0, 3))
        }
        assignments = try rows("SELECT emp_no, dept_no, from_date, to_date FROM dept_emp") {
            PlainCompany.Assignment(
                employee: Int($0.integer(at: 0)), department: $0.text(at: 1), from: try day($0, 2), to: try day($0, 3))
        }
        managements = try rows("SELECT emp_no, dept_no, from_date, to_date FROM dept_manager") {
            PlainCompany.Management(
                employee: Int($0.integer(at: 0)), department: $0.text(at: 1), from: try day($0, 2), to: try day($0, 3))
        }
    }
}
