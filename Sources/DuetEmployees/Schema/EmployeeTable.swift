/// The six tables of the employees database. They are in an order in which they can be filled: each table refers only
/// to previous tables.
package enum EmployeeTable: String, CaseIterable, Sendable {
    case departments
    case employees
    case departmentEmployees = "dept_emp"
    case departmentManagers = "dept_manager"
    case titles
    case salaries

    /// A column and its valid values.
    package struct Column: Sendable {
        /// The valid values of a column.
        package enum Kind: Sendable, Equatable {
            /// Integers from 0 to 2,147,483,647.
            case integer
            /// Texts with at most this number of characters.
            case text(maximum: Int)
            /// The listed texts.
            case choice([String])
            /// Dates.
            case date
        }

        /// The SQL name of the column.
        package let name: String
        /// The valid values of the column.
        package let kind: Kind
        /// True if the column may be NULL.
        package let isNullable: Bool

        init(_ name: String, _ kind: Kind, isNullable: Bool = false) {
            self.name = name
            self.kind = kind
            self.isNullable = isNullable
        }
    }

    /// The columns, in the order of the values in the dumps of the original database (github.com/datacharmer/test_db).
    package var columns: [Column] {
        switch self {
        case .departments: [Column("dept_no", .text(maximum: 4)), Column("dept_name", .text(maximum: 40))]
        case .employees:
            [
                Column("emp_no", .integer), Column("birth_date", .date), Column("first_name", .text(maximum: 14)),
                Column("last_name", .text(maximum: 16)), Column("gender", .choice(["M", "F"])),
                Column("hire_date", .date),
            ]
        case .departmentEmployees, .departmentManagers:
            [
                Column("emp_no", .integer), Column("dept_no", .text(maximum: 4)), Column("from_date", .date),
                Column("to_date", .date),
            ]
        case .titles:
            [
                Column("emp_no", .integer), Column("title", .text(maximum: 50)), Column("from_date", .date),
                Column("to_date", .date, isNullable: true),
            ]
        case .salaries:
            [
                Column("emp_no", .integer), Column("salary", .integer), Column("from_date", .date),
                Column("to_date", .date),
            ]
        }
    }
}
