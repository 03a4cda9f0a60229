import DuetEmployees
import DuetSQLDatabase
import Testing

@Suite("Employees in sample data")
struct SampleShapeTests {
    /// The first ten thousand employees.
    private static let first: [SampleEmployee] =
        (try? SampleGenerator(employees: 10_000, seed: 1)).map { Array($0) } ?? []

    /// A title, a salary or an assignment, as a period.
    private struct Period {
        let from: CalendarDate
        let to: CalendarDate
    }

    private static func histories(_ employee: SampleEmployee) -> [[Period]] {
        [
            employee.titles.map { Period(from: $0.from, to: $0.to) },
            employee.salaries.map { Period(from: $0.from, to: $0.to) },
            employee.assignments.map { Period(from: $0.from, to: $0.to) },
        ]
    }

    @Test("An employee's titles, salaries and assignments have no gaps, and begin and end on the same days")
    func contiguous() {
        for employee in Self.first {
            let histories = Self.histories(employee)
            for history in histories {
                #expect(history.allSatisfy { $0.from <= $0.to }, "\(employee)")
                #expect(zip(history, history.dropFirst()).allSatisfy { $0.to == $1.from }, "\(employee)")
            }
            #expect(Set(histories.map { $0.first?.from }).count == 1, "\(employee)")
            #expect(Set(histories.map { $0.last?.to }).count == 1, "\(employee)")
        }
    }

    @Test("Employees are adults when hired, and begin to work on or after the hire date")
    func days() {
        for employee in Self.first {
            #expect((1952...1965).contains(employee.birthDate.year), "\(employee)")
            #expect((1985...2000).contains(employee.hireDate.year), "\(employee)")
            #expect(employee.hireDate.daysSinceEpoch - employee.birthDate.daysSinceEpoch > 19 * 365, "\(employee)")
            #expect(employee.salaries.first.map { $0.from >= employee.hireDate } == true, "\(employee)")
        }
    }

    @Test("No key occurs twice in sample data")
    func keys() {
        for employee in Self.first {
            let titles = employee.titles.map { "\($0.title) \($0.from)" }
            let departments = employee.assignments.map(\.departmentNumber)
            #expect(Set(employee.salaries.map(\.from)).count == employee.salaries.count, "\(employee)")
            #expect(Set(titles).count == titles.count, "\(employee)")
            #expect(Set(departments).count == departments.count, "\(employee)")
        }
    }

    @Test("Names and titles fit the columns of the original database")
    func names() {
        for employee in Self.first {
            #expect((2...14).contains(employee.firstName.utf8.count), "\(employee)")
            #expect((2...16).contains(employee.lastName.utf8.count), "\(employee)")
            #expect((employee.firstName + employee.lastName).utf8.allSatisfy { $0 < 0x80 }, "\(employee)")
            #expect((1...3).contains(employee.titles.count), "\(employee)")
            #expect((1...2).contains(employee.assignments.count), "\(employee)")
        }
        #expect(
            Set(Self.first.flatMap { $0.titles.map(\.title) }) == [
                "Assistant Engineer", "Engineer", "Manager", "Senior Engineer", "Senior Staff", "Staff",
                "Technique Leader",
            ])
    }

    @Test("Salaries are similar to those of the original database")
    func salaries() {
        let amounts = Self.first.flatMap { $0.salaries.map(\.salary) }
        #expect(amounts.allSatisfy { (38_000...160_000).contains($0) })
        let first = Self.first.compactMap(\.salaries.first?.salary)
        #expect((50_000...56_000).contains(first.reduce(0, +) / first.count))
        #expect(first.filter { $0 < 60_000 }.count > first.count * 6 / 10)
    }

    @Test(
        "In any part of the data, the number of rows per employee is similar to the original database",
        arguments: [1, 30])
    func ratios(step: Int) throws {
        let generator = try SampleGenerator(employees: SampleGenerator.maximumEmployees, seed: 1)
        let employees = (0..<10_000).map { generator.employee(numbered: SampleGenerator.firstNumber + $0 * step) }
        let count = Double(employees.count)
        #expect((9.3...9.7).contains(Double(employees.map(\.salaries.count).reduce(0, +)) / count))
        #expect((1.44...1.52).contains(Double(employees.map(\.titles.count).reduce(0, +)) / count))
        #expect((1.09...1.12).contains(Double(employees.map(\.assignments.count).reduce(0, +)) / count))
        #expect((0.58...0.62).contains(Double(employees.count { $0.gender == .male }) / count))
        #expect((0.18...0.21).contains(Double(employees.count { $0.salaries.last?.to != .openEnd }) / count))
    }

    @Test("Fewer employees are hired in later years")
    func hires() {
        let byYear = Dictionary(grouping: Self.first, by: \.hireDate.year).mapValues(\.count)
        let fiveYears = [1985, 1990, 1995].map { year in (year..<year + 5).map { byYear[$0] ?? 0 }.reduce(0, +) }
        #expect(fiveYears[0] > fiveYears[1])
        #expect(fiveYears[1] > fiveYears[2])
        #expect(byYear[2000] ?? 0 < 50)
    }

    @Test("Some employees have a last salary that begins and ends on the same day")
    func emptyPeriods() {
        let count = Self.first.count { employee in employee.salaries.contains { $0.from == $0.to } }
        #expect((1...30).contains(count))
    }

    @Test("There are 24 managers with disjoint periods, and each department has one current manager")
    func managers() {
        let managers = Self.first.compactMap(\.management)
        #expect(managers.count == 24)
        let departments = Dictionary(grouping: managers, by: \.departmentNumber)
        #expect(departments.count == 9)
        for (number, managers) in departments {
            let ordered = managers.sorted { $0.from < $1.from }
            #expect(ordered.first?.from.description == "1985-01-01", "\(number)")
            #expect(ordered.last?.to == .openEnd, "\(number)")
            #expect(ordered.allSatisfy { $0.from < $0.to }, "\(number)")
            #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.to == $1.from }, "\(number)")
        }
    }

    @Test("Managers have the title Manager exactly while they manage their own department")
    func managerTitles() {
        for employee in Self.first {
            let titles = employee.titles.filter { $0.title == "Manager" }
            #expect(titles.map(\.from) == [employee.management?.from].compactMap(\.self), "\(employee)")
            #expect(titles.map(\.to) == [employee.management?.to].compactMap(\.self), "\(employee)")
            guard let management = employee.management else { continue }
            #expect(employee.assignments.map(\.departmentNumber) == [management.departmentNumber])
        }
    }
}
