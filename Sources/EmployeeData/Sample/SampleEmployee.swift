package import DuetSQLDatabase

/// One employee of a sample, with every row of the other tables that belongs to the employee.
package struct SampleEmployee: Sendable, Equatable {
    /// `M` or `F`, as the original's `gender` column has it.
    package enum Gender: String, Sendable {
        case male = "M"
        case female = "F"
    }

    /// A row of `titles`.
    package struct Title: Sendable, Equatable {
        /// For example `Senior Engineer`.
        package let title: String
        /// The first day.
        package let from: CalendarDate
        /// The day the next one begins; ``CalendarDate/openEnd`` for "until now".
        package let to: CalendarDate
    }

    /// A row of `salaries`.
    package struct Salary: Sendable, Equatable {
        /// In whole dollars a year.
        package let salary: Int
        /// The first day.
        package let from: CalendarDate
        /// The day the next one begins; ``CalendarDate/openEnd`` for "until now".
        package let to: CalendarDate
    }

    /// A row of `dept_emp` or of `dept_manager`.
    package struct Assignment: Sendable, Equatable {
        /// `d001` to `d009`.
        package let departmentNumber: String
        /// The first day.
        package let from: CalendarDate
        /// The day the next one begins; ``CalendarDate/openEnd`` for "until now".
        package let to: CalendarDate
    }

    /// 10001 or above.
    package let number: Int
    /// From 1952-02-01 to 1965-02-01.
    package let birthDate: CalendarDate
    /// ASCII, at most 14 characters.
    package let firstName: String
    /// ASCII, at most 16 characters.
    package let lastName: String
    /// Three of five are men.
    package let gender: Gender
    /// Never after the first day at work, which is where the histories begin.
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
