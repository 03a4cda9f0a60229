import ResultSetJSON
import SQLDatabase

/// Makes plans. The texts are put together from the resources' constants alone; what a client sends is bound.
struct Planner: Sendable {
    let dialect: Dialect

    /// One row of a resource, by its key.
    func one(_ resource: Resource, key value: SQLValue, _ selection: Selection, _ subject: Subject) -> ReadPlan {
        let key = resource.key[0]
        let projection = Projection(resource, selection)
        return ReadPlan(
            statement: ReadPlan.Statement(
                sql: "SELECT \(projection.sql) FROM \(resource.from) WHERE \(key.column) = :\(key.label)",
                shape: projection.shape, attachments: attachments(resource, selection)),
            arguments: [key.label: .value(value)], form: .object(subject))
    }

    /// What a page is cut from: where to begin, and how much of it.
    struct Window {
        /// Most rows; `nil` for all of them.
        var limit: Int?
        /// A cursor as the client sent it.
        var after: String?
        var sort: SortOrder?
    }

    /// Rows of a resource in an order, from a cursor on.
    /// - Throws: ``ServiceError`` for a cursor that is not of this list.
    func list(
        _ resource: Resource, _ selection: Selection, _ window: Window, filter: EmployeeFilter = EmployeeFilter()
    ) throws -> ReadPlan {
        let query = ListQuery(resource, filter: filter, sort: window.sort, dialect)
        return list(query, selection, limit: window.limit, after: try query.cursor(window.after))
    }

    private func list(_ query: ListQuery, _ selection: Selection, limit: Int?, after cursor: Cursor?) -> ReadPlan {
        let projection = Projection(query.resource, selection, alsoNeeded: query.order)
        let (sql, arguments) = query.rows(columns: projection.sql, limit: limit, after: cursor)
        return ReadPlan(
            statement: ReadPlan.Statement(
                sql: sql, shape: projection.shape, attachments: attachments(query.resource, selection),
                lists: query.resource.entityKind),
            arguments: arguments,
            form: .page(
                ReadPlan.Page(limit: limit, order: query.order, context: query.context, after: cursor) {
                    limit, cursor in
                    list(query, selection, limit: limit, after: cursor)
                }))
    }

    /// The rows of a relation of one row.
    func related(
        _ relation: Relation, to resource: Resource, key value: SQLValue, fields: [String], of subject: Subject
    ) -> ReadPlan {
        ReadPlan(
            existence: existence(of: resource, key: value, subject),
            statement: Self.related(relation, fields: fields, suffix: "ORDER BY \(relation.order)"),
            arguments: [relation.key: .value(value)], form: .whole)
    }

    /// One of an employee's departments, as an object.
    func assignment(of number: Int, to department: String, fields: [String]) -> ReadPlan {
        let key = SQLValue.integer(Int64(number))
        let relation = Relation.departments
        return ReadPlan(
            existence: existence(of: .employees, key: key, .employee(number)),
            statement: Self.related(relation, fields: fields, suffix: "AND p.dept_no = :departmentNumber"),
            arguments: [relation.key: .value(key), "departmentNumber": .text(department)],
            form: .object(.assignment(employee: number, department: department)))
    }

    private static func related(_ relation: Relation, fields: [String], suffix: String) -> ReadPlan.Statement {
        let shown = fields.compactMap { name in relation.fields.first { $0.name == name } }
        // See `SelectionPlanner.related(_:)`.
        let keys = relation.fields.filter { EntityTags.keyLabels.contains($0.name) && !shown.contains($0) }
        return ReadPlan.Statement(
            sql: "SELECT \(ColumnList.sql(shown + keys)) FROM \(relation.from)"
                + " WHERE \(relation.foreignKey) = :\(relation.key) \(suffix)",
            shape: ObjectShape(shown.enumerated().map { ($0.element.name, $0.offset) }))
    }

    /// That a row is there.
    func existence(of resource: Resource, key value: SQLValue, _ subject: Subject) -> ReadPlan.Existence {
        let key = resource.key[0]
        return ReadPlan.Existence(
            sql: "SELECT 1 FROM \(resource.from) WHERE \(key.column) = :\(key.label)",
            arguments: [key.label: .value(value)], subject: subject)
    }

    private func attachments(_ resource: Resource, _ selection: Selection) -> [[ReadPlan.AttachedQuery]] {
        [
            selection.details.compactMap { name in
                guard let relation = resource.relations.first(where: { $0.name == name }) else { return nil }
                return ReadPlan.AttachedQuery(
                    member: AttachedMember(name), key: relation.key,
                    sql: Self.attached(relation, columns: ColumnList.sql(relation.fields)))
            }
        ]
    }
}

/// The columns of a statement, and the members they become.
private struct Projection {
    let sql: String
    let shape: ObjectShape

    /// - Parameter alsoNeeded: columns that are read though they may not be shown.
    init(_ resource: Resource, _ selection: Selection, alsoNeeded: [SortColumn] = []) {
        var columns = selection.fields.compactMap(resource.field)
        shape = ObjectShape(columns.enumerated().map { ($0.element.name, $0.offset) })
        var needed = Set(alsoNeeded.map(\.label))
        for relation in resource.relations where selection.details.contains(relation.name) {
            needed.insert(relation.key)
        }
        columns += resource.fields.filter { field in needed.contains(field.name) && !columns.contains(field) }
        sql = columns.isEmpty ? "1" : ColumnList.sql(columns)
    }
}
