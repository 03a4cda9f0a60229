import DuetSQLDatabase

/// A generator of a deterministic sample of the employees database: equal sizes and seeds result in equal rows on every
/// machine.
///
/// The rows of an employee depend only on the seed and the employee number. Therefore a sample of 10,000 employees
/// contains the first 10,000 employees of the sample of 300,024 employees with the same seed. The only exception is a
/// sample of fewer than four employees, whose last employee is 10004, the published example. The iterator creates one
/// employee at a time and does not store the employees.
package struct SampleGenerator: Sequence, Sendable {
    /// The maximum number of employees, which is the number of employees in the original.
    package static let maximumEmployees = 300_024
    /// The first employee number, as in the original.
    package static let firstNumber = 10_001

    /// The number of employees in the sample.
    package let employees: Int
    /// The seed of the sample.
    package let seed: UInt64
    private let managers: SampleManagers

    /// - Parameters:
    ///   - employees: The number of employees, 1 to ``maximumEmployees``.
    ///   - seed: Any number. Different seeds result in different samples with the same distribution.
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

    /// An iterator that creates the employees one at a time, in the order of their numbers.
    package struct Iterator: IteratorProtocol {
        fileprivate let generator: SampleGenerator
        private var index = 0

        fileprivate init(generator: SampleGenerator) {
            self.generator = generator
        }

        /// Returns the next employee; `nil` after the last employee.
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

    /// Returns the employee with a number. The result does not depend on the size of the sample.
    /// - Parameter number: The employee number, ``firstNumber`` or above.
    package func employee(numbered number: Int) -> SampleEmployee {
        if number == PublishedExample.number { return PublishedExample.employee }
        var random = SplitMix64(seed: seed, stream: UInt64(number))
        let person = SamplePerson(number: number, &random)
        guard let place = SampleManagers.place(of: number) else { return worker(person, &random) }
        return manager(person, at: place, &random)
    }

    /// Creates an employee. Half of the employees begin to work on the hire date, and the other half begin later. A
    /// fifth of the employees leave.
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
