import DuetGraphQL
import SeededTesting

/// Generates valid arguments for fields. The arguments match some rows, many rows or no rows.
struct RandomArguments: Sendable {
    let company: PlainCompany
    let cursors: PlainCursors
    private let employeeNumbers: [Int]
    private let departmentNumbers: [String]

    init(_ company: PlainCompany, _ cursors: PlainCursors) {
        self.company = company
        self.cursors = cursors
        employeeNumbers = company.employees.keys.sorted()
        departmentNumbers = company.departments.keys.sorted()
    }

    static let filters: [ObjectValue] = [
        [:], ["name": "Geo*"], ["name": "*i*"], ["name": "O'Brien"], ["name": "What?"], ["name": "100%"],
        ["name": "a_b"], ["name": "[*"], ["name": "nobody"],
        ["department": "x1"], ["department": "d009", "hiredAfter": "1986-06-01"], ["hiredBefore": 788_936_400_000],
        ["hiredBefore": "1990-05-05"], ["department": "d005"],
        ["hiredAfter": "1988-01-01", "hiredBefore": "1993-01-01"],
        ["name": "*e*", "hiredAfter": 515_736_000_000, "hiredBefore": "9999-01-01", "department": "d004"],
        ["lastName": ["like": "*e*"]], ["hireDate": ["gte": "1986-06-01", "lt": "1991-01-01"]],
        ["or": [["gender": ["eq": .enum("F")]], ["employeeNumber": ["in": [20001, 20004, 10004]]]]],
        ["not": ["titles": ["some": ["toDate": ["null": true]]]]],
        ["titles": ["none": ["current": true]], "hireDate": ["ne": "1986-12-01"]],
        ["titles": ["some": ["not": ["toDate": ["eq": "9999-01-01"]]]]],
        ["departments": ["some": ["departmentNumber": ["eq": "d005"], "current": true]]],
        ["salaries": ["some": ["salary": ["gt": 60_000]], "none": ["salary": ["gte": 90_000]]]],
        ["and": [["name": "*a*"], ["not": ["department": "d005"]]]],
    ]

    static let sorts: [ObjectValue] = sortFields.flatMap { field in
        [["field": field]] + directions.map { ["field": field, "direction": $0] }
    }

    private static let sortFields = ["EMPLOYEE_NUMBER", "LAST_NAME", "HIRE_DATE", "BIRTH_DATE"].map(Value.enum)
    private static let directions = ["ASCENDING", "DESCENDING"].map(Value.enum)

    /// Returns the approximate minimum number of objects that a field returns.
    static func objects(of field: String) -> Int {
        switch field {
        case "Query.departments": 10
        case "Employee.salaries": 8
        case "Employee.titles", "Employee.departments", "Department.managers": 2
        default: 1
        }
    }

    /// Returns the arguments of a field in parentheses, and the approximate number of objects for each parent object.
    func arguments(
        of field: String, _ variables: inout RandomVariables, _ random: inout SplitMix64, limit: Int
    ) -> (text: String, objects: Int) {
        var writer = ArgumentWriter(variables: variables, random: random)
        defer { (variables, random) = (writer.variables, writer.random) }
        var objects = Self.objects(of: field)
        switch field {
        case "Query.employee":
            let numbers = employeeNumbers + [77, 99_999]
            let number = writer.random.element(of: numbers) ?? 1
            let forms: [Value] = [.int(Int64(number)), .string(String(number)), .string("00\(number)")]
            writer.add(
                "id", writer.random.element(of: forms), "ID", isNullable: false,
                others: numbers.map { .int(Int64($0)) })
        case "Query.department":
            let numbers = (departmentNumbers + ["zz", "D005"]).map(Value.string)
            writer.add("id", writer.random.element(of: numbers), "ID", isNullable: false, others: numbers)
        case "Query.employees":
            let filter = writer.random.element(of: Self.filters) ?? [:]
            let sort = writer.random.chance(30) ? [:] : writer.random.element(of: Self.sorts) ?? [:]
            let continues = addCursor(in: PlainList(filter: filter, sort: sort), to: &writer)
            addFilter(filter, to: &writer, isFixed: continues)
            addSort(sort, to: &writer, isFixed: continues)
            objects = writer.addPageSize(limit)
        case "Department.employees":
            _ = addCursor(in: .staff, to: &writer)
            objects = writer.addPageSize(limit)
        case "Employee.titles", "Employee.salaries", "Employee.departments", "Department.managers":
            let isCurrent = writer.random.chance(50) ? nil : writer.random.chance(50)
            writer.add(
                "current", isCurrent.map(Value.bool), "Boolean", isNullable: true, others: [true, false])
            writer.addSize(writer.random.chance(50) ? nil : 1 + writer.random.below(3), isNullable: true)
        default: break
        }
        return (writer.text, objects)
    }

    /// - Returns: True if a cursor was added. The cursor is valid only in this list.
    private func addCursor(in list: PlainList, to writer: inout ArgumentWriter) -> Bool {
        let all = employeeNumbers.compactMap { company.employees[$0] }.compactMap { cursors.cursor(of: $0, in: list) }
        let cursor = writer.random.chance(35) ? writer.random.element(of: all) : nil
        writer.add(
            "after", cursor.map(Value.string), "String", isNullable: true,
            others: cursor == nil ? [] : all.map(Value.string))
        return cursor != nil
    }

    private func addFilter(_ filter: ObjectValue, to writer: inout ArgumentWriter, isFixed: Bool) {
        let others = isFixed ? [] : Self.filters.map(Value.object)
        writer.addObject("filter", filter, "EmployeeFilter", others: others) { member in
            let type = Self.filterTypes[member, default: "Date"]
            // Every filter that results from variables is one of the filters in `filters`.
            let alike = isFixed || filter.count > 1 ? [] : Self.filters.filter { $0.count == 1 }
            return (type, isNullable: true, others: alike.compactMap { $0[member] })
        }
    }

    /// The types of the members of a filter. All other members have the type `Date`.
    private static let filterTypes = [
        "name": "String", "department": "ID", "lastName": "StringFilter", "hireDate": "DateFilter",
        "or": "[EmployeeFilter!]", "and": "[EmployeeFilter!]", "not": "EmployeeFilter", "titles": "TitleListFilter",
        "departments": "DepartmentAssignmentListFilter", "salaries": "SalaryListFilter",
    ]

    private func addSort(_ sort: ObjectValue, to writer: inout ArgumentWriter, isFixed: Bool) {
        let others = isFixed ? [] : Self.sorts.map(Value.object)
        writer.addObject("sort", sort, "EmployeeSort", others: others) { field in
            let (type, others) =
                field == "field" ? ("EmployeeSortField", Self.sortFields) : ("SortDirection", Self.directions)
            return (type, isNullable: false, others: isFixed ? [] : others)
        }
    }
}
