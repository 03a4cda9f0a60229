import DuetSQLDatabase

/// The 24 managers of the departments and the periods in which they are managers, as in the original (see
/// ``DumpDirectory``).
///
/// The managers are among the first employees of a sample, so that a small sample also contains managers. The nine
/// current managers precede the former managers.
struct SampleManagers {
    /// The position of a manager: the department, and the index of the manager in the chronological list of the
    /// department's managers.
    struct Place: Equatable {
        let department: SampleDepartment
        let order: Int
    }

    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the position of the employee with a number; `nil` if the employee is not a manager.
    static func place(of number: Int) -> Place? {
        let (slot, remainder) = (number - SampleGenerator.firstNumber + 1).quotientAndRemainder(dividingBy: 11)
        guard remainder == 0, slot >= 1, slot <= places.count else { return nil }
        return places[slot - 1]
    }

    /// Returns the period of a manager. Within a department, the period of a manager begins when the period of the
    /// previous manager ends. The period of the last manager has no end.
    func management(at place: Place) -> SampleEmployee.Assignment {
        let department = place.department
        var random = SplitMix64(seed: seed, stream: UInt64(department.rawValue))
        let years = 12 / department.managerCount
        var bounds = [SampleCalendar.opening]
        for order in 1..<department.managerCount {
            let earliest = SampleCalendar.opening.adding(years: order * years)
            bounds.append(earliest.adding(days: random.below(years * 180)))
        }
        bounds.append(.openEnd)
        return .init(departmentNumber: department.number, from: bounds[place.order], to: bounds[place.order + 1])
    }

    /// Returns the titles of a manager: `Manager` for the period as a manager, and different titles before and after
    /// this period.
    static func titles(
        hired: CalendarDate, management: SampleEmployee.Assignment, in department: SampleDepartment
    ) -> [SampleEmployee.Title] {
        let (before, after) =
            switch department.track {
            case .engineering: ("Senior Engineer", "Technique Leader")
            case .staff: ("Staff", "Senior Staff")
            }
        var titles: [SampleEmployee.Title] = []
        if hired < management.from { titles.append(.init(title: before, from: hired, to: management.from)) }
        titles.append(.init(title: "Manager", from: management.from, to: management.to))
        if management.to < .openEnd { titles.append(.init(title: after, from: management.to, to: .openEnd)) }
        return titles
    }

    private static let places: [Place] = {
        let present = SampleDepartment.allCases.map { Place(department: $0, order: $0.managerCount - 1) }
        let former = SampleDepartment.allCases.flatMap { department in
            (0..<department.managerCount - 1).map { Place(department: department, order: $0) }
        }
        return present + former
    }()
}
