import DuetGraphQL
import DuetJSON
import ResultSetJSON
import SQLDatabase

/// Turns what an operation selects into statements: one for a field at the root, and one for each relation below it.
struct SelectionPlanner {
    let planner: Planner
    /// For the arguments of the fields.
    let operation: OperationContext

    /// What is read of each row, and what becomes of it.
    struct Rows {
        var members: [ObjectShape.Member] = []
        var attachments: [ReadPlan.AttachedQuery] = []
    }

    // MARK: Objects

    /// The members of an object.
    /// - Parameters:
    ///   - columns: gets the columns that are needed.
    ///   - keysAreKnown: whether the key that relations go by need not be read.
    func rows(
        _ selection: PlannedSelection, columns: inout ColumnList, keysAreKnown: Bool = false
    ) throws -> Rows {
        guard let entity = EntityType.all[selection.type.name] else { throw Unplanned(selection.type.name) }
        var rows = Rows()
        for field in selection.fields {
            if let column = entity.columns[field.name] {
                let position = columns.position(of: column.field)
                rows.members.append(
                    column.isQuoted
                        ? .quoted(name: field.responseKey, position) : .column(name: field.responseKey, position))
            } else if let link = entity.links[field.name] {
                rows.attachments.append(try attachment(field, link))
                rows.members.append(.attachment)
                if !keysAreKnown, let key = entity.columns[link.relation.key] {
                    _ = columns.position(of: key.field)
                }
            } else if field.isTypeName {
                rows.members.append(Self.typeName(field))
            } else {
                throw Unplanned("\(entity.name).\(field.name)")
            }
        }
        return rows
    }

    static func typeName(_ field: PlannedField) -> ObjectShape.Member {
        .constant(name: field.responseKey, json: "\"\(field.parentType.name)\"")
    }

    private func attachment(_ field: PlannedField, _ link: EntityType.Link) throws -> ReadPlan.AttachedQuery {
        try Self.locating(field) { try unlocatedAttachment(field, link) }
    }

    /// Adds a field to the path of what is wrong with its arguments, or with those of a field below it.
    private static func locating<Value>(_ field: PlannedField, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            guard error is ServiceError || error is GraphQLError else { throw error }
            var located = GraphQLError(error)
            located.path = [.key(field.responseKey)] + (located.path ?? [])
            throw located
        }
    }

    private func unlocatedAttachment(
        _ field: PlannedField, _ link: EntityType.Link
    ) throws -> ReadPlan.AttachedQuery {
        guard let selection = field.selection else { throw Unplanned(field.name) }
        let arguments = Arguments(try operation.arguments(of: field), path: field.responseKey)
        switch link.form {
        case .history: return try history(field, link.relation, selection, arguments)
        case .object: return try object(field, link.relation, selection)
        case .staff: return try staff(field, link.relation, selection, arguments)
        }
    }

    /// The members of related rows, and their columns, among which are the keys of what they show, shown or not: without them there
    /// would be no name by which a cache can be told of it (``EntityTags``).
    private func related(_ selection: PlannedSelection) throws -> (Rows, ColumnList) {
        var columns = ColumnList(offset: 1)
        let rows = try rows(selection, columns: &columns)
        for label in EntityTags.keyLabels {
            if let key = EntityType.all[selection.type.name]?.columns[label] { _ = columns.position(of: key.field) }
        }
        return (rows, columns)
    }

    /// One related row as an object.
    func object(
        _ field: PlannedField, _ relation: Relation, _ selection: PlannedSelection
    ) throws -> ReadPlan.AttachedQuery {
        let (rows, columns) = try related(selection)
        return ReadPlan.AttachedQuery(
            member: AttachedMember(field.responseKey, form: .object), key: relation.key,
            sql: Planner.attached(relation, columns: columns.sql),
            arguments: relation.conditions.isEmpty ? [:] : ["openEnd": .date(.openEnd)],
            shape: ObjectShape(rows.members), attachments: [rows.attachments])
    }

    /// Related rows, newest first.
    private func history(
        _ field: PlannedField, _ relation: Relation, _ selection: PlannedSelection, _ arguments: Arguments
    ) throws -> ReadPlan.AttachedQuery {
        let (rows, columns) = try related(selection)
        var bound: SQLDatabase.Arguments = [:]
        var conditions: [String] = []
        if let isCurrent = try arguments.bool("current") {
            // A title's end may be NULL, which is as open.
            conditions = [isCurrent ? "(p.to_date = :openEnd OR p.to_date IS NULL)" : "p.to_date <> :openEnd"]
            bound["openEnd"] = .date(.openEnd)
        }
        let sql: String
        if let first = try arguments.pageSize("first") {
            bound["first"] = .integer(first)
            sql = Planner.attached(relation, columns: columns, newest: "first", conditions: conditions)
        } else {
            sql = Planner.attached(relation, columns: columns.sql, conditions: conditions)
        }
        return ReadPlan.AttachedQuery(
            member: AttachedMember(field.responseKey), key: relation.key, sql: sql, arguments: bound,
            shape: ObjectShape(rows.members), attachments: [rows.attachments])
    }

    // MARK: Connections

    /// The members of a connection of employees, and what is attached to its rows, by the form of the rows.
    struct Connection {
        var members: [PageShape.Member] = []
        var attachments: [[ReadPlan.AttachedQuery]] = []

        func shape(order: [SortColumn], context: String) -> PageShape {
            PageShape(
                members,
                cursor: PageShape.Cursor(columns: order.map(\.label)) { Cursor(values: $0).encoded(context: context) })
        }
    }

    /// - Parameters:
    ///   - order: what the cursors are made of.
    ///   - context: see ``Cursor``.
    ///   - isContinued: whether there is a page before.
    func connection(
        _ selection: PlannedSelection, columns: inout ColumnList, order: [SortColumn], context: String,
        isContinued: Bool
    ) throws -> Connection {
        var connection = Connection()
        func cursorColumns() -> [Int] {
            order.map { columns.position(of: Resource.Field(name: $0.label, column: $0.column)) }
        }
        for field in selection.fields {
            try Self.locating(field) { try add(field) }
        }
        return connection

        func add(_ field: PlannedField) throws {
            guard let below = field.selection else {
                switch field.name {
                case "totalCount": connection.members.append(.totalCount(name: field.responseKey))
                default: connection.members.append(try Self.typeName(ofPart: field))
                }
                return
            }
            switch field.name {
            case "nodes":
                let rows = try rows(below, columns: &columns)
                connection.members.append(.rows(name: field.responseKey, ObjectShape(rows.members)))
                connection.attachments.append(rows.attachments)
            case "edges":
                var edge = Rows()
                for field in below.fields {
                    if let node = field.selection {
                        let rows = try rows(node, columns: &columns)
                        edge.members.append(.object(name: field.responseKey, rows.members))
                        edge.attachments += rows.attachments
                    } else if field.name == "cursor" {
                        edge.members.append(
                            .computed(name: field.responseKey, columns: cursorColumns()) {
                                Cursor(values: $0).encoded(context: context)
                            })
                    } else {
                        edge.members.append(Self.typeName(field))
                    }
                }
                connection.members.append(.rows(name: field.responseKey, ObjectShape(edge.members)))
                connection.attachments.append(edge.attachments)
            case "pageInfo":
                let info: [PageShape.Member] = try below.fields.map { field in
                    switch field.name {
                    case "hasNextPage": return .hasNextPage(name: field.responseKey)
                    case "hasPreviousPage":
                        return .constant(name: field.responseKey, json: isContinued ? "true" : "false")
                    case "startCursor":
                        _ = cursorColumns()
                        return .startCursor(name: field.responseKey)
                    case "endCursor":
                        _ = cursorColumns()
                        return .endCursor(name: field.responseKey)
                    default: return try Self.typeName(ofPart: field)
                    }
                }
                connection.members.append(.object(name: field.responseKey, info))
            default: throw Unplanned("\(selection.type.name).\(field.name)")
            }
        }
    }

    private static func typeName(ofPart field: PlannedField) throws -> PageShape.Member {
        guard field.isTypeName else { throw Unplanned("\(field.parentType.name).\(field.name)") }
        return .constant(name: field.responseKey, json: "\"\(field.parentType.name)\"")
    }

    /// Those who work in a department, a page for each department.
    private func staff(
        _ field: PlannedField, _ relation: Relation, _ selection: PlannedSelection, _ arguments: Arguments
    ) throws -> ReadPlan.AttachedQuery {
        let order = Resource.employees.key
        let context = "departments|employees"
        let limit = try arguments.pageSize("first") ?? EmployeeService.defaultPageSize
        let after = try arguments.text("after").map { try Cursor(decoding: $0, context: context, order: order) }
        var columns = ColumnList(offset: 1)
        let connection = try connection(
            selection, columns: &columns, order: order, context: context, isContinued: after != nil)
        let form = PageForm(
            connection.shape(order: order, context: context), limit: limit,
            count: PageForm.CountQuery(Planner.staffCount, ["openEnd": .date(.openEnd)]))
        let (sql, isForEachKey) = planner.staffPages(columns: columns.sql)
        return ReadPlan.AttachedQuery(
            member: AttachedMember(field.responseKey, form: .page(form)), key: relation.key, sql: sql,
            isForEachKey: isForEachKey,
            arguments: [
                // One more than is shown: the offset of the row behind, or the limit with it.
                "openEnd": .date(.openEnd), "first": .integer(isForEachKey ? limit + 1 : limit),
                "after": .value(after?.values[0] ?? .integer(0)),
            ], attachments: connection.attachments)
    }
}
