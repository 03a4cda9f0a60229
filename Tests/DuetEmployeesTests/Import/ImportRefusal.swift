import DuetEmployees
import Testing

/// A dump file that an import must reject, and the expected error message.
struct ImportRefusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let contents: String
    let line: Int
    let message: String
    let code: LoadError.Code

    /// Creates a file with `INSERT INTO` for a table, followed by rows or other text.
    /// - Parameter line: The line of the error. The `INSERT` is on line 1, and the text that follows begins on line 2.
    private init(
        _ testDescription: String, in file: String, _ rows: String, line: Int, _ message: String,
        code: LoadError.Code = .malformedFile
    ) {
        let table = file.dropFirst("load_".count).dropLast(".dump".count).filter { !$0.isNumber }
        self.testDescription = testDescription
        self.file = file
        contents = "INSERT INTO `\(table)` VALUES\n\(rows)"
        self.line = line
        self.message = message
        self.code = code
    }

    /// Creates a file with the given contents.
    private init(_ testDescription: String, in file: String, contents: String, line: Int, _ message: String) {
        self.testDescription = testDescription
        self.file = file
        self.contents = contents
        self.line = line
        self.message = message
        code = .malformedFile
    }

    static let all = values + structures + rejections

    /// Values that do not fit their columns.
    private static let values = [
        ImportRefusal(
            "too few values", in: "load_titles.dump",
            "(1,'Staff','1986-06-26','9999-01-01'),\n\n(2,'Staff','1996-08-03');", line: 4,
            "a row of titles has 3 values; expected 4: emp_no, title, from_date, to_date"),
        ImportRefusal(
            "too many values", in: "load_departments.dump", "('d001','Marketing',1);", line: 2,
            "has 3 values; expected 2"),
        ImportRefusal(
            "a day that does not exist", in: "load_employees.dump",
            "(1,'1953-09-02','Ada','Byron','F','1986-06-26'),\n(2,'1953-02-29','Alan','Mathison','M','1985-11-21');",
            line: 3, "employees.birth_date is '1953-02-29'; expected a valid date"),
        ImportRefusal(
            "a date in another format", in: "load_employees.dump", "(1,'02.09.1953','Ada','Byron','F','1986-06-26');",
            line: 2, "employees.birth_date is '02.09.1953'"),
        ImportRefusal(
            "a text instead of a number", in: "load_salaries1.dump", "(1,'60117','1986-06-26','1987-06-26');", line: 2,
            "salaries.salary is '60117'; expected a whole number"),
        ImportRefusal(
            "a negative number", in: "load_salaries1.dump", "(-1,1,'1986-06-26','1987-06-26');", line: 2,
            "salaries.emp_no is -1; expected a whole number from 0"),
        ImportRefusal(
            "a number instead of a text", in: "load_departments.dump", "('d001',1);", line: 2,
            "departments.dept_name is 1; expected a quoted text"),
        ImportRefusal(
            "a NULL in a NOT NULL column", in: "load_salaries1.dump", "(1,60117,'1986-06-26',NULL);", line: 2,
            "salaries.to_date is NULL; expected a valid date"),
        ImportRefusal(
            "a name that is too long", in: "load_employees.dump",
            "(1,'1953-09-02','Wolfeschlegelst','Byron','F','1986-06-26');", line: 2,
            "expected a quoted text of at most 14 characters"),
        ImportRefusal(
            "an invalid gender", in: "load_employees.dump",
            "(1,'1953-09-02','Ada','Byron','X','1986-06-26');", line: 2,
            "employees.gender is 'X'; expected 'M' or 'F'"),
    ]

    /// Files with an invalid structure.
    private static let structures = [
        ImportRefusal(
            "a missing quote", in: "load_employees.dump", "\n(1,'1953-09-02','Ada,'Byron','F','1986-06-26');", line: 3,
            "expected ',' or ')'"),
        ImportRefusal(
            "a file that ends in a row", in: "load_departments.dump", "('d001','Marketing'),\n('d002','Fin", line: 3,
            "never ends"),
        ImportRefusal(
            "a file that ends between rows", in: "load_departments.dump", "('d001','Marketing'),\n", line: 3,
            "the end of the file"),
        ImportRefusal(
            "rows of another table", in: "load_titles.dump",
            contents: "INSERT INTO `salaries` VALUES (1,2,'1986-06-26','1986-06-26');", line: 1,
            "expected only `titles`"),
        ImportRefusal(
            "columns in another order", in: "load_departments.dump",
            contents: "INSERT INTO departments (dept_name, dept_no) VALUES ('Marketing','d001');", line: 1,
            "expected (dept_no, dept_name)"),
        ImportRefusal(
            "an empty file", in: "load_salaries2.dump", contents: "", line: 1, "the file contains no rows"),
        ImportRefusal(
            "a statement other than INSERT", in: "load_titles.dump", contents: "\nDELETE FROM titles;", line: 2,
            "expected INSERT INTO"),
    ]

    /// Rows that only the database can reject.
    private static let rejections = [
        ImportRefusal(
            "a duplicate key", in: "load_departments.dump",
            "('d001','Marketing'),\n('d002','Finance'),\n('d001','Archives');", line: 4,
            "the database rejected a row of departments: its key already exists", code: .rejectedRow),
        ImportRefusal(
            "a reference to an unknown employee", in: "load_titles.dump",
            "(1,'Staff','1986-06-26',NULL),\n(3,'Staff','1996-08-03',NULL),\n(2,'Staff','1996-08-03',NULL);", line: 3,
            "refers to an employee or a department that does not exist", code: .rejectedRow),
        ImportRefusal(
            "a reference to an unknown department", in: "load_dept_emp.dump",
            "(1,'d009','1986-06-26','9999-01-01'),\n(2,'d002','1996-08-03','9999-01-01');", line: 2,
            "refers to an employee or a department that does not exist", code: .rejectedRow),
    ]
}
