public import ResultSetJSON
import SQLDatabase

/// The REST side of the service: what a path and its query parameters ask for, as a plan.
///
/// It knows names and values, nothing of HTTP. Parameters come in the order they were sent, decoded.
public struct RESTFace: Sendable {
    /// Names and values in the order they were sent, decoded.
    public typealias Query = [(name: String, value: String)]

    private let planner: Planner
    private let employeePlans = PlanCache(capacity: 512)
    private let departmentPlans = PlanCache(capacity: 512)
    private let policies = RESTCachePolicies.own

    /// How often the plan for a query of one row was there, how often it had to be made, and how many are kept.
    public var planStatistics: (hits: Int, misses: Int, count: Int) {
        let (employees, departments) = (employeePlans.statistics, departmentPlans.statistics)
        return (
            employees.hits + departments.hits, employees.misses + departments.misses,
            employees.count + departments.count
        )
    }

    /// The face of that service.
    public init(_ service: EmployeeService) {
        planner = service.planner
    }

    /// `/employees/{employeeNumber}`.
    ///
    /// The same query is understood and planned once; then only the number differs.
    /// - Parameters:
    ///   - rawQuery: the query as it was sent, `nil` if there was none.
    ///   - query: what `rawQuery` says, asked for when it is new.
    /// - Throws: ``ServiceError`` for what cannot be understood; so do all others.
    public func employee(_ number: String, _ rawQuery: String?, _ query: () throws -> Query) throws -> ReadPlan {
        let number = try Identifier.employeeNumber(number)
        let value = SQLValue.integer(Int64(number))
        return try employeePlans.plan(rawQuery ?? "") {
            let selection = try selection(of: .employees, try query())
            return planner.one(.employees, key: value, selection, .employee(number))
                .with(try policies.get().employee.showing(selection))
        }.asking("employeeNumber", value, .employee(number))
    }

    /// `/employees/{employeeNumber}/thumbnail`: whether there is such an employee; the picture itself is drawn from the number.
    public func thumbnail(ofEmployee number: String) throws -> ReadPlan {
        try employee(number, "fields=employeeNumber") { [("fields", "employeeNumber")] }
    }

    /// `/departments/{departmentNumber}`; see ``employee(_:_:_:)``.
    public func department(_ number: String, _ rawQuery: String?, _ query: () throws -> Query) throws -> ReadPlan {
        let number = try Identifier.departmentNumber(number)
        let value = SQLValue.text(number)
        return try departmentPlans.plan(rawQuery ?? "") {
            let selection = try selection(of: .departments, try query())
            return planner.one(.departments, key: value, selection, .department(number))
                .with(try policies.get().department.showing(selection))
        }.asking("departmentNumber", value, .department(number))
    }

    /// `/employees`, with filters and order.
    public func employees(_ query: Query, _ format: RowFormat) throws -> ReadPlan {
        let parameters = try listParameters(
            .employees, query, filters: ["name", "hiredAfter", "hiredBefore", "department"])
        return try employees(
            parameters, format, department: try parameters.text("department").map(Identifier.departmentNumber),
            try policies.get().employees)
    }

    /// `/departments/{departmentNumber}/employees`: those who work there now.
    public func employees(ofDepartment number: String, _ query: Query, _ format: RowFormat) throws -> ReadPlan {
        let number = try Identifier.departmentNumber(number)
        let parameters = try listParameters(.employees, query, filters: ["name", "hiredAfter", "hiredBefore"])
        var plan = try employees(parameters, format, department: number, try policies.get().staff)
        plan.existence = planner.existence(of: .departments, key: .text(number), .department(number))
        return plan
    }

    /// A collection without filters: `/departments`, `/titles`, `/salaries`.
    public func list(_ resource: Resource, _ query: Query, _ format: RowFormat) throws -> ReadPlan {
        let parameters = try listParameters(resource, query)
        let selection = try selection(of: resource, parameters)
        return try planner.list(resource, selection, try window(resource, parameters, format))
            .with(try policies.get().collection(resource).showing(selection))
    }

    /// `/employees/{employeeNumber}/titles` and its like.
    public func related(_ relation: Relation, ofEmployee number: String, _ query: Query) throws -> ReadPlan {
        let number = try Identifier.employeeNumber(number)
        let parameters = try RESTParameters(query, scalars: [], lists: ["fields"])
        let names = relation.fields.map(\.name)
        let fields = try parameters.list("fields", of: names) ?? names
        return planner.related(
            relation, to: .employees, key: .integer(Int64(number)), fields: fields, of: .employee(number)
        ).with(try policies.get().related(relation).showing(fields))
    }

    /// `/employees/{employeeNumber}/departments/{departmentNumber}`.
    public func assignment(ofEmployee number: String, to department: String, _ query: Query) throws -> ReadPlan {
        let number = try Identifier.employeeNumber(number)
        let department = try Identifier.departmentNumber(department)
        let parameters = try RESTParameters(query, scalars: [], lists: ["fields"])
        let names = Relation.departments.fields.map(\.name)
        let fields = try parameters.list("fields", of: names) ?? names
        return planner.assignment(of: number, to: department, fields: fields)
            .with(try policies.get().related(.departments).showing(fields))
    }

    // MARK: Parts

    private func employees(
        _ parameters: RESTParameters, _ format: RowFormat, department: String?, _ policies: RESTCachePolicies.Rows
    ) throws -> ReadPlan {
        var filter = EmployeeFilter()
        filter.name = try parameters.text("name").map(EmployeeFilter.checkedName)
        filter.hiredAfter = try parameters.date("hiredAfter")
        filter.hiredBefore = try parameters.date("hiredBefore")
        filter.department = department
        let selection = try selection(of: .employees, parameters)
        return try planner.list(.employees, selection, try window(.employees, parameters, format), filter: filter)
            .with(policies.showing(selection))
    }

    private func listParameters(_ resource: Resource, _ query: Query, filters: [String] = []) throws -> RESTParameters {
        try RESTParameters(
            query, scalars: ["first", "after"] + (resource.sortFields.isEmpty ? [] : ["sort"]) + filters,
            lists: ["fields"] + (resource.relations.isEmpty ? [] : ["details"]))
    }

    private func selection(of resource: Resource, _ query: Query) throws -> Selection {
        try selection(
            of: resource,
            try RESTParameters(query, scalars: [], lists: ["fields"] + (resource.relations.isEmpty ? [] : ["details"])))
    }

    private func selection(of resource: Resource, _ parameters: RESTParameters) throws -> Selection {
        Selection(
            fields: try parameters.list("fields", of: resource.fields.map(\.name)) ?? resource.defaultFields,
            details: try parameters.list("details", of: resource.relations.map(\.name)) ?? [])
    }

    private func window(_ resource: Resource, _ parameters: RESTParameters, _ format: RowFormat) throws
        -> Planner.Window
    {
        let first = try parameters.integer("first", in: 1...EmployeeService.maximumPageSize)
        let sort = try parameters.text("sort").map { text in
            let descending = text.hasPrefix("-")
            let field = descending ? String(text.dropFirst()) : text
            guard resource.sortFields.contains(field) else {
                throw ServiceError(
                    .invalidParameter,
                    "sort knows no \(field); there are \(resource.sortFields.joined(separator: ", ")), with - before it for descending",
                    parameter: "sort", allowed: resource.sortFields.flatMap { [$0, "-\($0)"] })
            }
            return SortOrder(field: field, descending: descending)
        }
        return Planner.Window(
            limit: first ?? (format == .json ? EmployeeService.defaultPageSize : nil), after: parameters.text("after"),
            sort: sort)
    }
}
