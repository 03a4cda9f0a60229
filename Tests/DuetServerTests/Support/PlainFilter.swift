import DuetGraphQL
import DuetSQLDatabase

/// A value of a row in memory.
enum PlainValue: Equatable {
    case null
    case number(Int)
    case text(String)
    case day(CalendarDate)

    /// Returns nil if the values are of different kinds, or if one of them is null.
    func isLess(than other: PlainValue) -> Bool? {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.precedes(right)
        case (.day(let left), .day(let right)): left < right
        default: nil
        }
    }
}

/// A row in memory to which a filter can be applied.
protocol PlainRow {
    func value(of field: String) -> PlainValue?
    /// Returns the rows of a relation.
    func rows(of relation: String, in company: PlainCompany) -> [any PlainRow]?
    /// Returns true if the row satisfies a named filter, or nil if the resource of the row has no such filter.
    func holds(_ filter: String, _ value: Value, in company: PlainCompany) -> Bool?
}

/// Evaluates a GraphQL filter for a row in memory, with the three-valued logic of SQL: true, false, or nil for unknown.
enum PlainFilter {
    static func holds(_ filter: ObjectValue, _ row: any PlainRow, _ company: PlainCompany) -> Bool? {
        conjunction(filter.map { name, value in member(name, value, row, company) })
    }

    private static func conjunction(_ parts: [Bool?]) -> Bool? {
        parts.contains(false) ? false : parts.contains(nil) ? nil : true
    }

    private static func member(_ name: String, _ value: Value, _ row: any PlainRow, _ company: PlainCompany) -> Bool? {
        switch (name, value) {
        case ("and", .list(let filters)): return conjunction(filters.map { holds($0, row, company) })
        case ("or", .list(let filters)):
            let parts = filters.map { holds($0, row, company) }
            return parts.contains(true) ? true : parts.contains(nil) ? nil : false
        case ("not", let filter): return holds(filter, row, company).map { !$0 }
        default: break
        }
        if let named = row.holds(name, value, in: company) { return named }
        guard case .object(let object) = value else { return nil }
        if let rows = row.rows(of: name, in: company) {
            if name == "manager" { return rows.contains { holds(object, $0, company) == true } }
            return conjunction(
                object.map { quantifier, filter in
                    rows.contains { holds(filter, $0, company) == true } == (quantifier == "some")
                })
        }
        guard let own = row.value(of: name) else { return nil }
        return conjunction(object.map { compare(own, $0, $1) })
    }

    private static func holds(_ filter: Value, _ row: any PlainRow, _ company: PlainCompany) -> Bool? {
        if case .object(let object) = filter { holds(object, row, company) } else { nil }
    }

    private static func compare(_ own: PlainValue, _ comparison: String, _ value: Value) -> Bool? {
        if comparison == "null" { return value == .bool(own == .null) }
        if own == .null { return nil }
        if comparison == "in", case .list(let values) = value { return values.contains { plain($0, like: own) == own } }
        let other = plain(value, like: own)
        return switch comparison {
        case "eq": own == other
        case "ne": own != other
        case "lt": own.isLess(than: other)
        case "lte": other.isLess(than: own).map { !$0 }
        case "gt": other.isLess(than: own)
        case "gte": own.isLess(than: other).map { !$0 }
        case "like":
            if case (.text(let text), .text(let pattern)) = (own, other) {
                PlainList.matches(text.unicodeScalars[...], Array(pattern.unicodeScalars)[...])
            } else {
                nil
            }
        default: nil
        }
    }

    private static func plain(_ value: Value, like own: PlainValue) -> PlainValue {
        switch (value, own) {
        case (.int(let number), .number): .number(Int(number))
        case (.int(let milliseconds), .day):
            .day(CalendarDate(daysSinceEpoch: Int32(milliseconds / 86_400_000)))
        case (.string(let text), .day): CalendarDate(iso: text).map { .day($0) } ?? .null
        case (.string(let text), _), (.enum(let text), _): .text(text)
        default: .null
        }
    }
}

extension PlainCompany.Employee: PlainRow {
    func value(of field: String) -> PlainValue? {
        switch field {
        case "employeeNumber": .number(number)
        case "firstName": .text(firstName)
        case "lastName": .text(lastName)
        case "birthDate": .day(birthDate)
        case "gender": .text(gender)
        case "hireDate": .day(hireDate)
        default: nil
        }
    }

    func rows(of relation: String, in company: PlainCompany) -> [any PlainRow]? {
        switch relation {
        case "titles": company.titles[number] ?? []
        case "salaries": company.salaries[number] ?? []
        case "departments": company.assignments[number] ?? []
        default: nil
        }
    }

    func holds(_ filter: String, _ value: Value, in company: PlainCompany) -> Bool? {
        ["name", "hiredAfter", "hiredBefore", "department"].contains(filter)
            ? PlainList(filter: [filter: value], sort: nil).holds(self, company) : nil
    }
}

extension PlainRow where Self: PlainCompany.Period {
    func value(of field: String) -> PlainValue? {
        switch (field, self) {
        case ("employeeNumber", _): .number(employee)
        case ("fromDate", _): .day(from)
        case ("toDate", _): to.map { .day($0) } ?? .null
        case ("title", let title as PlainCompany.Title): .text(title.title)
        case ("salary", let salary as PlainCompany.Salary): .number(salary.salary)
        case ("departmentNumber", let assignment as PlainCompany.Assignment): .text(assignment.department)
        default: nil
        }
    }

    func rows(of relation: String, in company: PlainCompany) -> [any PlainRow]? { nil }

    func holds(_ filter: String, _ value: Value, in company: PlainCompany) -> Bool? {
        filter == "current" ? value == .bool(isOpen) : nil
    }
}

extension PlainCompany.Title: PlainRow {}
extension PlainCompany.Salary: PlainRow {}
extension PlainCompany.Assignment: PlainRow {}
