import DuetSQLDatabase

/// The period for which an employee works in the company. The methods generate the titles, salaries and departments of
/// the employee in this period.
struct SampleCareer {
    /// The first day at work, which is the hire date or later.
    let start: CalendarDate
    /// The last day at work of an employee who has left; `nil` for any other employee.
    let leaving: CalendarDate?

    /// The last date on which a title, salary or department can change.
    var lastDay: CalendarDate { leaving ?? SampleCalendar.snapshot }
    /// The end date of the last period of each history.
    var end: CalendarDate { leaving ?? .openEnd }

    /// Returns the titles of a career path. A promotion occurs 5 to 9 whole years after the beginning of the previous
    /// title.
    func titles(in department: SampleDepartment, _ random: inout SplitMix64) -> [SampleEmployee.Title] {
        var path = Self.path(department.track, &random)[...]
        var titles: [SampleEmployee.Title] = []
        var from = start
        while let title = path.popFirst() {
            let promotion = from.adding(years: random.within(5...9))
            guard !path.isEmpty, promotion <= lastDay else {
                titles.append(.init(title: title, from: from, to: end))
                break
            }
            titles.append(.init(title: title, from: from, to: promotion))
            from = promotion
        }
        return titles
    }

    /// Returns salaries that change every 365 days and mostly increase.
    ///
    /// If an employee leaves on the date of a change, the last salary begins and ends on this date, as in the original.
    func salaries(in department: SampleDepartment, _ random: inout SplitMix64) -> [SampleEmployee.Salary] {
        var salaries: [SampleEmployee.Salary] = []
        salaries.reserveCapacity(18)
        let spread = (0..<3).reduce(0) { sum, _ in sum + random.below(15_000) } - 22_500
        var salary = max(40_000, department.middleFirstSalary + spread)
        var from = start
        while true {
            let change = from.adding(days: 365)
            guard change <= lastDay else { break }
            salaries.append(.init(salary: salary, from: from, to: change))
            salary = max(38_500, salary + random.within(-500...4_500))
            from = change
        }
        salaries.append(.init(salary: salary, from: from, to: end))
        return salaries
    }

    /// Returns one assignment or, for about a tenth of the employees, two assignments.
    func assignments(from department: SampleDepartment, _ random: inout SplitMix64) -> [SampleEmployee.Assignment] {
        guard random.chance(perThousand: 106), start < lastDay else {
            return [.init(departmentNumber: department.number, from: start, to: end)]
        }
        let move = SampleCalendar.date(from: start.adding(days: 1), through: lastDay, &random)
        return [
            .init(departmentNumber: department.number, from: start, to: move),
            .init(departmentNumber: department.next(&random).number, from: move, to: end),
        ]
    }

    private static func path(_ track: SampleDepartment.Track, _ random: inout SplitMix64) -> [String] {
        switch track {
        case .engineering:
            switch random.below(1000) {
            case ..<87: ["Assistant Engineer", "Engineer", "Senior Engineer"]
            case ..<174: ["Technique Leader"]
            case ..<340: ["Senior Engineer"]
            default: ["Engineer", "Senior Engineer"]
            }
        case .staff:
            random.chance(perThousand: 200) ? ["Senior Staff"] : ["Staff", "Senior Staff"]
        }
    }
}
