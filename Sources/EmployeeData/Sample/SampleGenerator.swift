import DuetSQLDatabase
import Employees

/// A deterministic sample of the employees database: the same size and seed produce the same rows on every machine.
///
/// The rows of an employee depend only on the seed and the employee number. A sample of 10,000 employees is therefore
/// the beginning of the sample of 300,024 with the same seed. The only exception is a sample of fewer than four
/// employees, whose last employee is 10004, the published example. Iterating creates one employee at a time and stores
/// none.
package struct SampleGenerator: Sequence, Sendable {
    /// The maximum number of employees, which is the number of the original.
    package static let maximumEmployees = 300_024
    /// The first employee number, as in the original.
    package static let firstNumber = 10_001

    /// The number of employees in the sample.
    package let employees: Int
    /// The seed of the sample.
    package let seed: UInt64
    private let managers: SampleManagers

    /// - Parameters:
    ///   - employees: 1 to ``maximumEmployees``.
    ///   - seed: Any number. Another seed produces another sample with the same distribution.
    /// - Throws: ``LoadError`` with the code `sampleSize` if `employees` is out of bounds.
    package init(employees: Int, seed: UInt64) throws(LoadError) {
        guard (1...Self.maximumEmployees).contains(employees) else {
            throw LoadError(
                .sampleSize,
                "a sample has 1 to \(Self.maximumEmployees.grouped) employees, not \(employees.grouped)")
        }
        self.employees = employees
        self.seed = seed
        managers = SampleManagers(seed: seed)
    }

    /// The number and the name of the nine departments, as in the original.
    package static var departments: [(number: String, name: String)] {
        SampleDepartment.allCases.map { ($0.number, $0.name) }
    }

    /// Creates an iterator that begins with the first employee.
    package func makeIterator() -> Iterator {
        Iterator(generator: self)
    }

    /// Creates the employees one at a time, in the order of their numbers.
    package struct Iterator: IteratorProtocol {
        fileprivate let generator: SampleGenerator
        private var index = 0

        fileprivate init(generator: SampleGenerator) {
            self.generator = generator
        }

        /// Returns the next employee; `nil` after the last one.
        package mutating func next() -> SampleEmployee? {
            guard index < generator.employees else { return nil }
            defer { index += 1 }
            let number = SampleGenerator.firstNumber + index
            let isLast = index == generator.employees - 1
            return generator.employee(numbered: isLast ? Swift.max(number, PublishedExample.number) : number)
        }
    }

    /// The exact number of employees.
    package var underestimatedCount: Int { employees }

    /// Returns the employee with this number, independently of the sample's size.
    /// - Parameter number: The employee number, ``firstNumber`` or above.
    package func employee(numbered number: Int) -> SampleEmployee {
        if number == PublishedExample.number { return PublishedExample.employee }
        var random = SplitMix64(seed: seed, stream: UInt64(number))
        let person = SamplePerson(number: number, &random)
        guard let place = SampleManagers.place(of: number) else { return worker(person, &random) }
        return manager(person, at: place, &random)
    }

    /// Creates an employee. Half of the employees begin on the hire date, the others later. A fifth of them leave.
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

    /// Creates a manager, who never leaves. Managers are hired some years before they become managers, or on the
    /// company's opening day.
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
