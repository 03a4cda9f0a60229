import DuetGraphQL
import DuetJSON
import DuetSQLDatabase

/// The filter and the sort order of a list of employees that is divided into pages.
struct PlainList: Sendable, Hashable {
    private var name: String?
    private var hiredAfter: CalendarDate?
    private var hiredBefore: CalendarDate?
    private var department: String?
    /// The conditions that are not named filters.
    private var rest: ObjectValue = [:]
    private var field = "EMPLOYEE_NUMBER"
    private var isDescending = false
    private var isStaff = false

    /// Creates the list that `Query.employees` returns for these arguments.
    init(filter: ObjectValue?, sort: ObjectValue?) {
        func day(_ value: Value?) -> CalendarDate? {
            switch value {
            case .string(let text)?: CalendarDate(iso: text)
            // The value is the first moment of a day in New York, some hours after the beginning of the day in UTC. The
            // quotient is therefore the number of the day.
            case .int(let milliseconds)?: CalendarDate(daysSinceEpoch: Int32(milliseconds / 86_400_000))
            default: nil
            }
        }
        if case .string(let pattern)? = filter?["name"] { name = pattern }
        if case .string(let number)? = filter?["department"] { department = number }
        hiredAfter = day(filter?["hiredAfter"])
        hiredBefore = day(filter?["hiredBefore"])
        let named = ["name", "department", "hiredAfter", "hiredBefore"]
        rest = ObjectValue((filter ?? [:]).filter { !named.contains($0.name) }.map { ($0.name, $0.value) })
        if case .enum(let field)? = sort?["field"] { self.field = field }
        isDescending = sort?["direction"] == .enum("DESCENDING")
    }

    private init() {}

    /// The list of the employees of a department. All departments have the same filter and order.
    static var staff: PlainList {
        var list = PlainList()
        list.isStaff = true
        return list
    }

    /// Returns the employees of the list in its order.
    func employees(of company: PlainCompany) -> [PlainCompany.Employee] {
        company.employees.values.filter { holds($0, company) }.sorted { precedes(place(of: $0), place(of: $1)) }
    }

    func holds(_ employee: PlainCompany.Employee, _ company: PlainCompany) -> Bool {
        if let name {
            let pattern = Array(name.unicodeScalars)[...]
            guard
                [employee.firstName, employee.lastName].contains(where: {
                    Self.matches($0.unicodeScalars[...], pattern)
                })
            else { return false }
        }
        if let hiredAfter, employee.hireDate <= hiredAfter { return false }
        if let hiredBefore, employee.hireDate >= hiredBefore { return false }
        if let department, !company.openAssignments(of: employee).contains(where: { $0.department == department }) {
            return false
        }
        return PlainFilter.holds(rest, employee, company) == true
    }

    static func matches(
        _ text: Substring.UnicodeScalarView, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return text.indices.contains { matches(text[$0...], pattern.dropFirst()) }
                || matches(text[text.endIndex...], pattern.dropFirst())
        }
        return text.first == first && matches(text.dropFirst(), pattern.dropFirst())
    }

    // MARK: Positions

    /// Returns the position of an employee in the list: the values of the sort order, as in a cursor.
    func place(of employee: PlainCompany.Employee) -> [JSONValue] {
        let number = JSONValue.integer(Int64(employee.number))
        return switch field {
        case "LAST_NAME": [.string(employee.lastName), number]
        case "HIRE_DATE": [.integer(Int64(employee.hireDate.daysSinceEpoch)), number]
        case "BIRTH_DATE": [.integer(Int64(employee.birthDate.daysSinceEpoch)), number]
        default: [number]
        }
    }

    /// Returns true if the first position precedes the second.
    func precedes(_ first: [JSONValue], _ second: [JSONValue]) -> Bool {
        let (first, second) = isDescending ? (second, first) : (first, second)
        for (left, right) in zip(first, second) {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): if left != right { return left < right }
            case (.string(let left), .string(let right)):
                if left.precedes(right) || right.precedes(left) { return left.precedes(right) }
            default: return false
            }
        }
        return false
    }
}
