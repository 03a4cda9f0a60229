import DuetSQLDatabase

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
