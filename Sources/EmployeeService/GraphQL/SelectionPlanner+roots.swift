import DuetGraphQL
import DuetJSON
import ResultSetJSON
import SQLDatabase

/// Plans for the fields of `Query`.
extension SelectionPlanner {
    /// One row of a resource; its key is bound later.
    func one(_ resource: Resource, _ selection: PlannedSelection, _ subject: Subject) throws -> ReadPlan {
        let key = resource.key[0]
        var columns = ColumnList()
        let rows = try rows(selection, columns: &columns, keysAreKnown: true)
        return ReadPlan(
            statement: ReadPlan.Statement(
                sql: "SELECT \(columns.sql.isEmpty ? "1" : columns.sql) FROM \(resource.from)"
                    + " WHERE \(key.column) = :\(key.label)",
                shape: ObjectShape(rows.members), attachments: [rows.attachments]),
            arguments: [:], form: .object(subject))
    }

    /// All rows of a resource, in the order of their keys.
    func all(_ resource: Resource, _ selection: PlannedSelection) throws -> ReadPlan {
        var columns = ColumnList()
        let rows = try rows(selection, columns: &columns)
        let query = ListQuery(resource, filter: EmployeeFilter(), sort: nil, planner.dialect)
        let (sql, arguments) = query.rows(columns: columns.sql, limit: nil, after: nil)
        return ReadPlan(
            statement: ReadPlan.Statement(
                sql: sql, shape: ObjectShape(rows.members), attachments: [rows.attachments],
                lists: resource.entityKind),
            arguments: arguments, form: .whole)
    }

    /// A page of employees.
    func employees(
        _ selection: PlannedSelection, _ arguments: Arguments, _ dates: DateEncoding
    ) throws -> ReadPlan {
        let query = ListQuery(
            .employees, filter: try EmployeeFilter(arguments.object("filter") ?? [:], dates),
            sort: SortOrder(arguments.object("sort")), planner.dialect)
        let limit = try arguments.pageSize("first") ?? EmployeeService.defaultPageSize
        let after = try query.cursor(arguments.text("after"))
        var columns = ColumnList()
        let connection = try connection(
            selection, columns: &columns, order: query.order, context: query.context, isContinued: after != nil)
        let (sql, bound) = query.rows(columns: columns.sql, limit: limit, after: after)
        let count = query.count
        return ReadPlan(
            statement: ReadPlan.Statement(
                sql: sql, shape: nil, attachments: connection.attachments, lists: EntityTags.employee),
            arguments: bound,
            form: .connection(
                PageForm(
                    connection.shape(order: query.order, context: query.context), limit: limit,
                    count: PageForm.CountQuery(count.sql, count.arguments))))
    }
}

extension EmployeeFilter {
    /// - Parameter values: of the input type `EmployeeFilter`.
    /// - Throws: ``ServiceError``.
    fileprivate init(_ values: ObjectValue, _ dates: DateEncoding) throws {
        self.init()
        for (field, value) in values {
            switch (field, value) {
            case (_, .null): break
            case ("name", .string(let pattern)): name = try Self.checkedName(pattern)
            case ("hiredAfter", let value): hiredAfter = dates.date(JSONValue(value))
            case ("hiredBefore", let value): hiredBefore = dates.date(JSONValue(value))
            case ("department", .string(let number)): department = try Identifier.departmentNumber(number)
            default: throw Unplanned("EmployeeFilter.\(field)")
            }
        }
    }
}

extension SortOrder {
    /// - Parameter values: of the input type `EmployeeSort`.
    fileprivate init?(_ values: ObjectValue?) {
        guard let values, case .enum(let name)? = values["field"] else { return nil }
        let fields = [
            "EMPLOYEE_NUMBER": "employeeNumber", "LAST_NAME": "lastName", "HIRE_DATE": "hireDate",
            "BIRTH_DATE": "birthDate",
        ]
        guard let field = fields[name] else { return nil }
        self.init(field: field, descending: values["direction"] == .enum("DESCENDING"))
    }
}
