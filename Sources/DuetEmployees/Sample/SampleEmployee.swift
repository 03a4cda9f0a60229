package import DuetSQLDatabase

/// An employee of a sample, with all rows of the other tables that belong to the employee.
package struct SampleEmployee: Sendable, Equatable {
    /// The value of the column `gender` of the *employees* sample database: `M` or `F`.
    package enum Gender: String, Sendable {
        case male = "M"
        case female = "F"
    }

    /// A row of `titles`.
    package struct Title: Sendable, Equatable {
        /// The title, for example `Senior Engineer`.
        package let title: String
        /// The first day.
        package let from: CalendarDate
        /// The day on which the next title begins, or on which the employee leaves; ``CalendarDate/openEnd`` for a
        /// current title.
        package let to: CalendarDate
    }

    /// A row of `salaries`.
    package struct Salary: Sendable, Equatable {
        /// The salary in whole dollars a year.
        package let salary: Int
        /// The first day.
        package let from: CalendarDate
        /// The day on which the next salary begins, or on which the employee leaves; ``CalendarDate/openEnd`` for a
        /// current salary.
        package let to: CalendarDate
    }

    /// A row of `dept_emp` or of `dept_manager`.
    package struct Assignment: Sendable, Equatable {
        /// The department number, `d001` to `d009`.
        package let departmentNumber: String
        /// The first day.
        package let from: CalendarDate
        /// The day on which the next assignment begins, or on which the employee leaves; in `dept_manager`, the day on
        /// which the department's next manager begins. ``CalendarDate/openEnd`` for a current assignment.
        package let to: CalendarDate
    }

    /// The employee number, 10001 or above.
    package let number: Int
    /// The date of birth, from 1952-02-01 to 1965-02-01.
    package let birthDate: CalendarDate
    /// The first name: ASCII, at most 14 characters.
    package let firstName: String
    /// The last name: ASCII, at most 16 characters.
    package let lastName: String
    /// The gender. Three of five employees are men.
    package let gender: Gender
    /// The hire date. The titles, salaries and departments begin on the first day at work, which is the hire date or
    /// later.
    package let hireDate: CalendarDate
    /// The titles, oldest first. Each title begins when the previous one ends.
    package let titles: [Title]
    /// The salaries, oldest first. Each salary begins when the previous one ends.
    package let salaries: [Salary]
    /// The departments, oldest first. Each assignment begins when the previous one ends.
    package let assignments: [Assignment]
    /// The period as the manager of a department; nil for most employees.
    package let management: Assignment?
}
