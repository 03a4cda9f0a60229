package import SQLDatabase

/// One employee of a sample, with every row of the other tables that belongs to the employee.
package struct SampleEmployee: Sendable, Equatable {
    /// `M` or `F`, as the original's `gender` column has it.
    package enum Gender: String, Sendable {
        case male = "M"
        case female = "F"
    }

    /// A row of `titles`.
    package struct Title: Sendable, Equatable {
        package let title: String
        package let from: CalendarDate
        package let to: CalendarDate
    }

    /// A row of `salaries`.
    package struct Salary: Sendable, Equatable {
        /// In whole dollars a year.
        package let salary: Int
        package let from: CalendarDate
        package let to: CalendarDate
    }

    /// A row of `dept_emp` or of `dept_manager`.
    package struct Assignment: Sendable, Equatable {
        /// `d001` to `d009`.
        package let departmentNumber: String
        package let from: CalendarDate
        package let to: CalendarDate
    }

    package let number: Int
    package let birthDate: CalendarDate
    package let firstName: String
    package let lastName: String
    package let gender: Gender
    package let hireDate: CalendarDate
    /// Oldest first; each begins when the one before ends.
    package let titles: [Title]
    /// Oldest first; each begins when the one before ends.
    package let salaries: [Salary]
    /// The departments worked in, oldest first; each begins when the one before ends.
    package let assignments: [Assignment]
    /// The time as a department's manager, for the few who were one.
    package let management: Assignment?
}
