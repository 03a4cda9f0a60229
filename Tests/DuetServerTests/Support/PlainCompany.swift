import DuetEmployees
import DuetSQLDatabase
import Foundation

/// The rows of a test database as plain values in memory, in the sort orders of the API.
struct PlainCompany: Sendable {
    struct Employee: Sendable {
        let number: Int
        let birthDate: CalendarDate
        let firstName: String
        let lastName: String
        let gender: String
        let hireDate: CalendarDate
    }

    struct Department: Sendable {
        let number: String
        let name: String
    }

    struct Title: Period {
        let employee: Int
        let title: String
        let from: CalendarDate
        let to: CalendarDate?
    }

    struct Salary: Period {
        let employee: Int
        let salary: Int
        let from: CalendarDate
        let to: CalendarDate?
    }

    /// The time of an employee in a department.
    struct Assignment: Period {
        let employee: Int
        let department: String
        let from: CalendarDate
        let to: CalendarDate?
    }

    /// The time of an employee as manager of a department.
    struct Management: Period {
        let employee: Int
        let department: String
        let from: CalendarDate
        let to: CalendarDate?
    }

    /// A period from one day to another.
    protocol Period: Sendable {
        var employee: Int { get }
        var from: CalendarDate { get }
        var to: CalendarDate? { get }
    }

    let employees: [Int: Employee]
    let departments: [String: Department]
    let titles: [Int: [Title]]
    let salaries: [Int: [Salary]]
    /// The assignments by employee.
    let assignments: [Int: [Assignment]]
    /// The managements by department.
    let managements: [String: [Management]]
    /// The first moment of each day in New York, in milliseconds since 1970.
    let milliseconds: [CalendarDate: Int64]

    /// - Throws: `DatabaseError`.
    init(_ database: Database) async throws {
        let tables = try await database.read { try PlainTables($0) }
        employees = Dictionary(tables.employees.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        departments = Dictionary(tables.departments.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        titles = Dictionary(grouping: tables.titles.newestFirst { $0.title.precedes($1.title) }, by: \.employee)
        salaries = Dictionary(grouping: tables.salaries.newestFirst { _, _ in false }, by: \.employee)
        assignments = Dictionary(
            grouping: tables.assignments.newestFirst { $0.department.precedes($1.department) }, by: \.employee)
        managements = Dictionary(
            grouping: tables.managements.newestFirst { $0.employee < $1.employee }, by: \.department)
        let days =
            tables.employees.flatMap { [$0.birthDate, $0.hireDate] } + tables.titles.days + tables.salaries.days
            + tables.assignments.days + tables.managements.days
        milliseconds = try Self.midnights(Set(days))
    }

    /// Returns the current assignments of an employee to departments.
    func openAssignments(of employee: Employee) -> [Assignment] {
        assignments[employee.number, default: []].filter(\.isOpen)
    }

    private static func midnights(_ days: Set<CalendarDate>) throws -> [CalendarDate: Int64] {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: "America/New_York") else { throw MissingDay() }
        calendar.timeZone = zone
        var midnights: [CalendarDate: Int64] = [:]
        for day in days {
            let (year, month, number) = day.components
            guard let noon = calendar.date(from: DateComponents(year: year, month: month, day: number, hour: 12))
            else { throw MissingDay() }
            midnights[day] = Int64(calendar.startOfDay(for: noon).timeIntervalSince1970 * 1000)
        }
        return midnights
    }

    struct MissingDay: Error {}
}

extension PlainCompany.Period {
    /// True if the period is open or has an unknown end.
    var isOpen: Bool { to.map { $0 == .openEnd } ?? true }
}

extension String {
    /// Compares as the database does: by code points, which is the order of the UTF-8 bytes.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Array where Element: PlainCompany.Period {
    fileprivate var days: [CalendarDate] { flatMap { [$0.from, $0.to ?? $0.from] } }

    fileprivate func newestFirst(_ precedes: (Element, Element) -> Bool) -> [Element] {
        sorted { $0.from == $1.from ? precedes($0, $1) : $0.from > $1.from }
    }
}
