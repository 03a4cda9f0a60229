import DuetEmployees
import DuetGraphQL
import DuetResourceService
import DuetSQLDatabase

/// The schema of the server, executed field by field: each field has a resolver that reads values in memory.
struct PlainSchema {
    typealias Employee = PlainCompany.Employee
    typealias Department = PlainCompany.Department

    let company: PlainCompany
    let cursors: PlainCursors

    /// - Throws: Errors in the schema or in the names of the resolvers.
    func executable() throws -> ExecutableSchema<StatementTally> {
        var resolvers = SchemaResolvers(userContext: StatementTally.self)
        // The generated queries do not select some fields of the schema (see QueryGenerator), so these fields have no
        // resolver of their own.
        resolvers.defaultResolver = .sync { _, _ in ResolvedValue.null }
        addQuery(to: &resolvers)
        addEmployee(to: &resolvers)
        addPeriods(to: &resolvers)
        addDepartment(to: &resolvers)
        addConnection(to: &resolvers)
        // Without this name, the type is not the root type of subscriptions, whose fields would need events.
        let sdl = try GraphQLStyle.employeesSDL.replacing("type Subscription {", with: "type Subscriptions {")
            .replacing("  subscription: Subscription\n", with: "")
        return try ExecutableSchema(DuetGraphQL.Schema(sdl: sdl), resolvers: resolvers)
    }

    private func date(_ day: CalendarDate?) -> ResolvedValue {
        day.flatMap { company.milliseconds[$0] }.map { .int($0) } ?? .null
    }

    // MARK: Query

    private func addQuery(to resolvers: inout SchemaResolvers<StatementTally>) {
        resolvers["Query", "employee"] = .sync { _, context in
            context.noteRows()
            return one(context.text("id").flatMap { Int($0) }.flatMap { company.employees[$0] }, context)
        }
        resolvers["Query", "department"] = .sync { _, context in
            context.noteRows()
            return one(context.text("id").flatMap { company.departments[$0] }, context)
        }
        resolvers["Query", "departments"] = .async { _, context in
            context.noteRows()
            return .objects(company.departments.values.sorted { $0.number.precedes($1.number) })
        }
        resolvers["Query", "employees"] = .sync { _, context in
            let list = PlainList(filter: context.object("filter"), sort: context.object("sort"))
            return .object(page(list.employees(of: company), of: list, context))
        }
    }

    private func one(_ object: (some Sendable)?, _ context: FieldContext<StatementTally>) -> ResolvedValue {
        if object == nil { context.userContext.noteMissing(context.field) }
        return .object(orNull: object)
    }

    private func page(_ employees: [Employee], of list: PlainList, _ context: FieldContext<StatementTally>) -> PlainPage
    {
        PlainPage(
            employees, of: list, cursors, first: context.number("first") ?? 100, after: context.text("after"),
            field: ObjectIdentifier(context.field))
    }

    // MARK: Employees

    private func addEmployee(to resolvers: inout SchemaResolvers<StatementTally>) {
        resolvers["Employee", "id", on: Employee.self] = .property { (employee: Employee) in
            .string(String(employee.number))
        }
        resolvers["Employee", "employeeNumber", on: Employee.self] = .property { (employee: Employee) in
            .int(employee.number)
        }
        resolvers["Employee", "firstName", on: Employee.self] = .property { (employee: Employee) in
            .string(employee.firstName)
        }
        resolvers["Employee", "lastName", on: Employee.self] = .async { employee, _ in .string(employee.lastName) }
        resolvers["Employee", "birthDate", on: Employee.self] = .property { (employee: Employee) in
            date(employee.birthDate)
        }
        resolvers["Employee", "gender", on: Employee.self] = .property { (employee: Employee) in
            .string(employee.gender)
        }
        resolvers["Employee", "hireDate", on: Employee.self] = .property { (employee: Employee) in
            date(employee.hireDate)
        }
        resolvers["Employee", "titles", on: Employee.self] = .sync { employee, context in
            history(company.titles[employee.number], context)
        }
        resolvers["Employee", "salaries", on: Employee.self] = .batch { employees, context in
            employees.map { history(company.salaries[$0.number], context) }
        }
        resolvers["Employee", "departments", on: Employee.self] = .async { employee, context in
            history(company.assignments[employee.number], context)
        }
        resolvers["Employee", "manager", on: Employee.self] = .sync { employee, context in
            context.noteRows()
            return .object(orNull: manager(of: employee))
        }
    }

    /// Returns another person who manages a current department of the employee. If there are several, returns the
    /// manager with the latest start, and then with the lowest number.
    private func manager(of employee: Employee) -> Employee? {
        let departments = company.openAssignments(of: employee).map(\.department)
        let managers = departments.flatMap { company.managements[$0] ?? [] }
            .filter { $0.isOpen && $0.employee != employee.number }
        let first = managers.min { $0.from == $1.from ? $0.employee < $1.employee : $0.from > $1.from }
        return first.flatMap { company.employees[$0.employee] }
    }

    // MARK: Periods

    private func history(_ periods: [some PlainCompany.Period]?, _ context: FieldContext<StatementTally>)
        -> ResolvedValue
    {
        context.noteRows()
        var periods = periods ?? []
        if case .bool(let isCurrent)? = context.arguments.values["current"] {
            periods.removeAll { $0.isOpen != isCurrent }
        }
        return .objects(Array(periods.prefix(context.number("first") ?? .max)))
    }

    private func addPeriods(to resolvers: inout SchemaResolvers<StatementTally>) {
        func add<Period: PlainCompany.Period>(_ type: Period.Type, as name: String) {
            resolvers[name, "fromDate", on: Period.self] = .property { (period: Period) in date(period.from) }
            resolvers[name, "toDate", on: Period.self] = .property { (period: Period) in date(period.to) }
            resolvers[name, "employeeNumber", on: Period.self] = .property { (period: Period) in .int(period.employee) }
        }
        add(PlainCompany.Title.self, as: "Title")
        resolvers["Title", "title", on: PlainCompany.Title.self] = .property { (title: PlainCompany.Title) in
            .string(title.title)
        }
        add(PlainCompany.Salary.self, as: "Salary")
        resolvers["Salary", "salary", on: PlainCompany.Salary.self] = .property { (salary: PlainCompany.Salary) in
            .int(salary.salary)
        }
        add(PlainCompany.Assignment.self, as: "DepartmentAssignment")
        add(PlainCompany.Management.self, as: "DepartmentManager")
        for (name, value) in Self.departmentFields {
            resolvers["DepartmentAssignment", name, on: PlainCompany.Assignment.self] = .property {
                (assignment: PlainCompany.Assignment) in
                company.departments[assignment.department].map(value) ?? .null
            }
        }
        resolvers["DepartmentAssignment", "department", on: PlainCompany.Assignment.self] = .batch {
            assignments, context in
            context.noteRows()
            return assignments.map { .object(orNull: company.departments[$0.department]) }
        }
        resolvers["DepartmentManager", "departmentNumber", on: PlainCompany.Management.self] = .property {
            (manager: PlainCompany.Management) in
            .string(manager.department)
        }
        resolvers["DepartmentManager", "firstName", on: PlainCompany.Management.self] = .property {
            (manager: PlainCompany.Management) in
            .string(orNull: company.employees[manager.employee]?.firstName)
        }
        resolvers["DepartmentManager", "lastName", on: PlainCompany.Management.self] = .property {
            (manager: PlainCompany.Management) in
            .string(orNull: company.employees[manager.employee]?.lastName)
        }
        resolvers["DepartmentManager", "employee", on: PlainCompany.Management.self] = .async { manager, context in
            context.noteRows()
            return .object(orNull: company.employees[manager.employee])
        }
    }

    // MARK: Departments

    private static let departmentFields: [String: @Sendable (Department) -> ResolvedValue] = [
        "departmentNumber": { .string($0.number) }, "departmentName": { .string($0.name) },
    ]

    private func addDepartment(to resolvers: inout SchemaResolvers<StatementTally>) {
        for (name, value) in Self.departmentFields {
            resolvers["Department", name, on: Department.self] = .property(value)
        }
        resolvers["Department", "id", on: Department.self] = .property { (department: Department) in
            .string(department.number)
        }
        resolvers["Department", "managers", on: Department.self] = .sync { department, context in
            history(company.managements[department.number], context)
        }
        resolvers["Department", "employees", on: Department.self] = .sync { department, context in
            let staff = PlainList.staff.employees(of: company).filter { employee in
                company.openAssignments(of: employee).contains { $0.department == department.number }
            }
            return .object(page(staff, of: .staff, context))
        }
    }

    // MARK: Connections

    private func addConnection(to resolvers: inout SchemaResolvers<StatementTally>) {
        /// Returns a resolver for a field that needs the rows of the page.
        func rows(_ value: @escaping @Sendable (PlainPage) -> ResolvedValue) -> FieldResolver<PlainPage, StatementTally>
        {
            .sync { page, context in
                context.userContext.noteRows(of: page.field)
                return value(page)
            }
        }
        resolvers["EmployeeConnection", "edges", on: PlainPage.self] = rows { .objects($0.edges) }
        resolvers["EmployeeConnection", "nodes", on: PlainPage.self] = rows { .objects($0.edges.map(\.employee)) }
        resolvers["EmployeeConnection", "pageInfo", on: PlainPage.self] = .property { (page: PlainPage) in .object(page)
        }
        resolvers["EmployeeConnection", "totalCount", on: PlainPage.self] = .async { page, context in
            context.userContext.noteCount(of: page.field)
            return .int(page.totalCount)
        }
        resolvers["EmployeeEdge", "cursor", on: PlainPage.Edge.self] = .property { (edge: PlainPage.Edge) in
            .string(orNull: edge.cursor)
        }
        resolvers["EmployeeEdge", "node", on: PlainPage.Edge.self] = .property { (edge: PlainPage.Edge) in
            .object(edge.employee)
        }
        resolvers["PageInfo", "hasNextPage", on: PlainPage.self] = rows { .bool($0.hasNextPage) }
        resolvers["PageInfo", "hasPreviousPage", on: PlainPage.self] = .property { (page: PlainPage) in
            .bool(page.hasPreviousPage)
        }
        resolvers["PageInfo", "startCursor", on: PlainPage.self] = rows { .string(orNull: $0.edges.first?.cursor) }
        resolvers["PageInfo", "endCursor", on: PlainPage.self] = rows { .string(orNull: $0.edges.last?.cursor) }
    }
}

extension FieldContext {
    fileprivate func text(_ argument: String) -> String? {
        if case .string(let text)? = arguments.values[argument] { text } else { nil }
    }

    fileprivate func number(_ argument: String) -> Int? {
        if case .int(let number)? = arguments.values[argument] { Int(number) } else { nil }
    }

    fileprivate func object(_ argument: String) -> ObjectValue? {
        if case .object(let object)? = arguments.values[argument] { object } else { nil }
    }
}
