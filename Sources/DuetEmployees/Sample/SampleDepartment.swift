/// The nine departments of the original, with the parameters for generating their employees in a sample.
enum SampleDepartment: Int, CaseIterable {
    case marketing, finance, humanResources, production, development, qualityManagement, sales, research
    case customerService

    /// The career track of a department's employees.
    enum Track {
        case engineering, staff
    }

    /// The department number, `d001` to `d009`.
    var number: String { "d00\(rawValue + 1)" }

    /// The name in `departments.dept_name`.
    var name: String {
        switch self {
        case .marketing: "Marketing"
        case .finance: "Finance"
        case .humanResources: "Human Resources"
        case .production: "Production"
        case .development: "Development"
        case .qualityManagement: "Quality Management"
        case .sales: "Sales"
        case .research: "Research"
        case .customerService: "Customer Service"
        }
    }

    var track: Track {
        switch self {
        case .production, .development, .qualityManagement: .engineering
        default: .staff
        }
    }

    /// The approximate number of employees per thousand who begin in the department.
    var weight: Int {
        switch self {
        case .marketing: 61
        case .finance: 56
        case .humanResources: 57
        case .production: 238
        case .development: 275
        case .qualityManagement: 65
        case .sales: 168
        case .research: 40
        case .customerService: 40
        }
    }

    /// The middle of the range from which an employee's first salary is chosen, in dollars per year.
    var middleFirstSalary: Int {
        switch self {
        case .sales: 66_000
        case .marketing: 58_000
        case .finance: 56_000
        case .production, .development, .research: 47_000
        case .qualityManagement: 45_000
        case .humanResources, .customerService: 42_000
        }
    }

    /// The number of managers that the department has had, including the current manager.
    var managerCount: Int {
        switch self {
        case .production, .qualityManagement, .customerService: 4
        default: 2
        }
    }

    /// Returns a random department in which an employee begins to work.
    static func first(_ random: inout SplitMix64) -> SampleDepartment {
        allCases[random.index(weights: weights)]
    }

    /// Returns a random department to which an employee moves: a different department with the same track.
    func next(_ random: inout SplitMix64) -> SampleDepartment {
        let others = Self.allCases.filter { $0 != self && $0.track == track }
        return others[random.index(weights: others.map(\.weight))]
    }

    private static let weights = allCases.map(\.weight)
}
