import DuetSQLDatabase
import Employees

/// A deterministic sample of the employees database: the same size and seed give the same rows on every machine.
///
/// An employee's rows depend on the seed and the employee's number only, so a sample of 10,000 is the beginning of the
/// sample of 300,024 with the same seed. The one exception are samples of fewer than four employees, which hold
/// employee 10004 (the published example) as their last one. Nothing is kept: iterating makes one employee at a time.
package struct SampleGenerator: Sequence, Sendable {
    /// The number of employees at full size, the original's.
    package static let maximumEmployees = 300_024
    /// The first employee's number, the original's.
    package static let firstNumber = 10_001

    /// How many employees the sample holds.
    package let employees: Int
    /// Which of the possible samples it is.
    package let seed: UInt64
    private let managers: SampleManagers

    /// - Parameters:
    ///   - employees: 1 to ``maximumEmployees``.
    ///   - seed: any number; another seed gives another sample of the same shape.
    /// - Throws: ``LoadError`` with the code `sampleSize` when `employees` is outside its bounds.
    package init(employees: Int, seed: UInt64) throws(LoadError) {
        guard (1...Self.maximumEmployees).contains(employees) else {
            throw LoadError(
                .sampleSize,
                "a sample holds 1 to \(Self.maximumEmployees.grouped) employees, not \(employees.grouped)")
        }
        self.employees = employees
        self.seed = seed
        managers = SampleManagers(seed: seed)
    }

    /// The nine departments: number and name, as in the original.
    package static var departments: [(number: String, name: String)] {
        SampleDepartment.allCases.map { ($0.number, $0.name) }
    }

    /// Begins with the first employee, each time.
    package func makeIterator() -> Iterator {
        Iterator(generator: self)
    }

    /// Makes one employee a time, in the order of their numbers.
    package struct Iterator: IteratorProtocol {
        fileprivate let generator: SampleGenerator
        private var index = 0

        fileprivate init(generator: SampleGenerator) {
            self.generator = generator
        }

        /// The next employee; `nil` after the last one.
        package mutating func next() -> SampleEmployee? {
            guard index < generator.employees else { return nil }
            defer { index += 1 }
            let number = SampleGenerator.firstNumber + index
            let isLast = index == generator.employees - 1
            return generator.employee(numbered: isLast ? Swift.max(number, PublishedExample.number) : number)
        }
    }

    /// Exactly ``employees``.
    package var underestimatedCount: Int { employees }

    /// The employee with this number, whatever the sample's size.
    /// - Parameter number: ``firstNumber`` or above.
    package func employee(numbered number: Int) -> SampleEmployee {
        if number == PublishedExample.number { return PublishedExample.employee }
        var random = SplitMix64(seed: seed, stream: UInt64(number))
        let person = SamplePerson(number: number, &random)
        guard let place = SampleManagers.place(of: number) else { return worker(person, &random) }
        return manager(person, at: place, &random)
    }

    /// Half begin on the day of hire, the others some time later; a fifth leave again.
    private func worker(_ person: SamplePerson, _ random: inout SplitMix64) -> SampleEmployee {
        let department = SampleDepartment.first(&random)
        let hired = SampleCalendar.hireDate(&random)
        let beginsAtOnce = random.chance(perThousand: 500)
        let start =
            beginsAtOnce ? hired : SampleCalendar.date(from: hired, through: SampleCalendar.lastStart, &random)
        let leaves = random.chance(perThousand: 202)
        let leaving = leaves ? SampleCalendar.date(from: start, through: SampleCalendar.snapshot, &random) : nil
        let career = SampleCareer(start: start, leaving: leaving)
        return person.employee(
            hired: hired, titles: career.titles(in: department, &random),
            salaries: career.salaries(in: department, &random),
            assignments: career.assignments(from: department, &random))
    }

    /// Hired some years before becoming the manager, unless the company had only just opened; never leaves.
    private func manager(
        _ person: SamplePerson, at place: SampleManagers.Place, _ random: inout SplitMix64
    ) -> SampleEmployee {
        let management = managers.management(at: place)
        let earliest = management.from.adding(days: -random.within(700...2_000))
        let hired = Swift.max(SampleCalendar.opening, earliest)
        return person.employee(
            hired: hired,
            titles: SampleManagers.titles(hired: hired, management: management, in: place.department),
            salaries: SampleCareer(start: hired, leaving: nil).salaries(in: place.department, &random),
            assignments: [.init(departmentNumber: place.department.number, from: hired, to: .openEnd)],
            management: management)
    }
}
