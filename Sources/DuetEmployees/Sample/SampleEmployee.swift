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

/// The personal data of an employee, without the career.
struct SamplePerson {
    let number: Int
    let gender: SampleEmployee.Gender
    let firstName: String
    let lastName: String
    let birthDate: CalendarDate

    /// Creates a random person. Three of five people are men.
    init(number: Int, _ random: inout SplitMix64) {
        self.number = number
        gender = random.chance(perThousand: 600) ? .male : .female
        let firstNames = gender == .male ? SampleNames.male : SampleNames.female
        firstName = firstNames[random.below(firstNames.count)]
        lastName = SampleNames.last[random.below(SampleNames.last.count)]
        birthDate = SampleCalendar.date(from: SampleCalendar.firstBirth, through: SampleCalendar.lastBirth, &random)
    }

    /// Returns an employee with the data of this person and with a career.
    func employee(
        hired: CalendarDate, titles: [SampleEmployee.Title], salaries: [SampleEmployee.Salary],
        assignments: [SampleEmployee.Assignment], management: SampleEmployee.Assignment? = nil
    ) -> SampleEmployee {
        SampleEmployee(
            number: number, birthDate: birthDate, firstName: firstName, lastName: lastName, gender: gender,
            hireDate: hired, titles: titles, salaries: salaries, assignments: assignments, management: management)
    }
}

/// Employee 10004, the example in the documentation of the API. The employee is identical in every sample.
enum PublishedExample {
    static let number = 10_004

    static let employee = SampleEmployee(
        number: number, birthDate: day("1954-05-01"), firstName: "Chirstian", lastName: "Koblick", gender: .male,
        hireDate: day("1986-12-01"),
        titles: [
            .init(title: "Engineer", from: day("1986-12-01"), to: day("1995-12-01")),
            .init(title: "Senior Engineer", from: day("1995-12-01"), to: .openEnd),
        ],
        salaries: salaries,
        assignments: [.init(departmentNumber: "d004", from: day("1986-12-01"), to: .openEnd)],
        management: nil)

    /// Sixteen salaries, one every 365 days.
    private static let salaries: [SampleEmployee.Salary] = {
        let amounts = [
            40_054, 42_283, 42_542, 46_065, 48_271, 50_594, 52_119, 54_693, 58_326, 60_770, 62_566, 64_340, 67_096,
            69_722, 70_698, 74_057,
        ]
        let first = day("1986-12-01")
        return amounts.enumerated().map { index, amount in
            let from = first.adding(days: 365 * index)
            return .init(
                salary: amount, from: from, to: index == amounts.count - 1 ? .openEnd : from.adding(days: 365))
        }
    }()

    /// Returns the date for a text. The date must exist.
    private static func day(_ iso: String) -> CalendarDate {
        CalendarDate(iso: iso) ?? .openEnd
    }
}
