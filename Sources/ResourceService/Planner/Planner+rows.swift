import DuetJSON
import ResultSetJSON
import SQLDatabase

/// The tables that rows are read from: one, or those of a relation.
struct RowSource {
    private enum Source {
        case table(Table)
        case path(RelationPath)
    }

    private var source: Source

    init(_ table: Table) { source = .table(table) }

    init(_ path: RelationPath) { source = .path(path) }

    /// The table of the resource.
    var target: Table {
        switch source {
        case .table(let table): table
        case .path(let path): path.target
        }
    }

    /// The relation's tables, if it is one.
    var path: RelationPath? { if case .path(let path) = source { path } else { nil } }

    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        switch source {
        case .table(var table):
            defer { source = .table(table) }
            return try table.expression(of: field, &scope)
        case .path(var path):
            defer { source = .path(path) }
            return try path.expression(of: field, &scope)
        }
    }
}

/// What is read of each row, and what becomes of it.
struct PlannedRows {
    var members: [ObjectShape.Member] = []
    var attachments: [Plan.AttachedQuery] = []
    var entities: [EntityColumns] = []
    var source: RowSource
}

extension Planner {
    /// The members of the rows of a selection.
    /// - Parameters:
    ///   - columns: Gets the columns that are needed.
    ///   - knownKey: Columns whose values are known and need not be read for the relations that go by them.
    ///   - named: The types of the entities that the row above, or the subject, names already.
    func rows(
        _ selection: Selection, _ source: RowSource, _ columns: inout ColumnList, _ scope: inout StatementScope,
        _ summary: inout PlanSummary, knownKey: Set<String> = [], named: Set<String> = []
    ) throws -> PlannedRows {
        var rows = PlannedRows(source: source)
        let resource = source.target.resource
        for member in selection.members {
            switch member {
            case .field(let name, let fieldName):
                let field = try source.target.field(fieldName)
                summary.depend(on: field, of: resource, catalogue, isShown: true)
                rows.members.append(.column(name: name, try position(of: field, &rows, &columns, &scope)))
            case .identifier(let name):
                guard resource.key.count == 1, let field = resource.keyFields.first else {
                    throw CatalogueError("\(resource.name) has no key of one field")
                }
                let position = try position(of: field, &rows, &columns, &scope)
                switch field.type {
                case .integer: rows.members.append(.quoted(name: name, position))
                default: rows.members.append(.column(name: name, position))
                }
            case .constant(let name, let json): rows.members.append(.constant(name: name, json: json))
            case .item(let name, let relationName, let selection):
                let relation = try relation(relationName, of: resource)
                rows.attachments.append(
                    try item(name, relation, of: resource, selection, keys: try keys(of: relation), &summary))
                rows.members.append(.attachment)
            case .list(let name, let relationName, let window, let form):
                let relation = try relation(relationName, of: resource)
                rows.attachments.append(
                    try list(name, relation, of: resource, window, form, keys: try keys(of: relation), &summary))
                rows.members.append(.attachment)
            }
        }
        for entity in resource.entities where !named.contains(entity.type) {
            guard let kind = catalogue.entityKind(entity.type) else { continue }
            let fields = try entity.fields.map { try source.target.field($0) }
            let positions = try fields.map { try position(of: $0, &rows, &columns, &scope) }
            rows.entities.append(EntityColumns(kind: kind, columns: positions))
        }
        return rows

        /// The labels of the columns that a relation's rows belong by; sees that they are read.
        func keys(of relation: Relation) throws -> [String] {
            let isKnown = relation.parentColumns.allSatisfy(knownKey.contains)
            return try relation.parentColumns.map { column in
                if let field = resource.fields.first(where: { $0.column == column && $0.relation == nil }) {
                    if !isKnown { _ = try position(of: field, &rows, &columns, &scope) }
                    return field.name
                }
                // No field's name has an underscore.
                let label = "_" + column
                _ = columns.position(of: "\(rows.source.target.alias).\(column)", label: label)
                return label
            }
        }
    }

    private func position(
        of field: Field, _ rows: inout PlannedRows, _ columns: inout ColumnList, _ scope: inout StatementScope
    ) throws -> Int {
        columns.position(of: try rows.source.expression(of: field, &scope), label: field.name)
    }

    // MARK: Pages

    /// The members of an object about a page, and what is attached to its rows, by the form of the rows.
    struct PlannedPage {
        var members: [PageShape.Member] = []
        var attachments: [[Plan.AttachedQuery]] = []
        var entities: [EntityColumns] = []
        var source: RowSource

        mutating func add(_ rows: PlannedRows) {
            source = rows.source
            for entity in rows.entities where !entities.contains(entity) { entities.append(entity) }
        }

        func shape(_ order: [OrderColumn], _ context: String) -> PageShape {
            PageShape(
                members,
                cursor: PageShape.Cursor(columns: order.map(\.label)) { Cursor(values: $0).encoded(context: context) })
        }
    }

    /// - Parameters:
    ///   - order: The columns that cursors are made of.
    ///   - context: The list that cursors are bound to; see ``Cursor``.
    ///   - isContinued: True if the page begins after a cursor.
    func page(
        _ members: [PageMember], _ source: RowSource, _ columns: inout ColumnList, _ scope: inout StatementScope,
        _ summary: inout PlanSummary, order: [OrderColumn], context: String, isContinued: Bool,
        named: Set<String> = []
    ) throws -> PlannedPage {
        var page = PlannedPage(source: source)
        func cursorColumns(_ columns: inout ColumnList) -> [Int] {
            order.map { columns.position(of: $0.expression, label: $0.label) }
        }
        for member in members {
            switch member {
            case .nodes(let name, let selection):
                let rows = try rows(selection, page.source, &columns, &scope, &summary, named: named)
                page.add(rows)
                page.members.append(.rows(name: name, ObjectShape(rows.members)))
                page.attachments.append(rows.attachments)
            case .edges(let name, let members):
                var edge: [ObjectShape.Member] = []
                var attachments: [Plan.AttachedQuery] = []
                for member in members {
                    switch member {
                    case .node(let name, let selection):
                        let rows = try rows(selection, page.source, &columns, &scope, &summary, named: named)
                        page.add(rows)
                        edge.append(.object(name: name, rows.members))
                        attachments += rows.attachments
                    case .cursor(let name):
                        edge.append(
                            .computed(name: name, columns: cursorColumns(&columns)) {
                                Cursor(values: $0).encoded(context: context)
                            })
                    case .constant(let name, let json): edge.append(.constant(name: name, json: json))
                    }
                }
                page.members.append(.rows(name: name, ObjectShape(edge)))
                page.attachments.append(attachments)
            case .pageInfo(let name, let members):
                let info: [PageShape.Member] = members.map { member in
                    switch member {
                    case .hasNextPage(let name): return .hasNextPage(name: name)
                    case .hasPreviousPage(let name):
                        return .constant(name: name, json: isContinued ? "true" : "false")
                    case .startCursor(let name):
                        _ = cursorColumns(&columns)
                        return .startCursor(name: name)
                    case .endCursor(let name):
                        _ = cursorColumns(&columns)
                        return .endCursor(name: name)
                    case .constant(let name, let json): return .constant(name: name, json: json)
                    }
                }
                page.members.append(.object(name: name, info))
            case .totalCount(let name): page.members.append(.totalCount(name: name))
            case .constant(let name, let json): page.members.append(.constant(name: name, json: json))
            }
        }
        return page
    }

    // MARK: Order

    /// The order of a list: what is asked for or the catalogue's, then the key in the direction of the last field asked for, so that
    /// no two rows have the same place.
    /// - Parameter parentKey: Columns that are the same in all rows.
    func order(
        _ asked: [SortField], catalogue order: [SortField], _ source: inout RowSource, _ scope: inout StatementScope,
        parentKey: Set<String> = []
    ) throws -> [OrderColumn] {
        let resource = source.target.resource
        var fields: [SortField] = []
        for sort in asked.isEmpty ? order : asked where !fields.contains(where: { $0.field == sort.field }) {
            fields.append(sort)
        }
        let descending = asked.last?.descending ?? false
        for name in resource.key where !fields.contains(where: { $0.field == name }) {
            fields.append(SortField(name, descending: descending))
        }
        var columns: [OrderColumn] = []
        for sort in fields {
            let field = try source.target.field(sort.field)
            if field.relation == nil, parentKey.contains(field.column) { continue }
            columns.append(
                OrderColumn(
                    label: field.name, expression: try source.expression(of: field, &scope), type: field.type,
                    isNullable: field.isNullable, descending: sort.descending))
            // What follows the key cannot make a difference.
            let key = Set(resource.key)
            if key.isSubset(of: Set(columns.map(\.label))) { break }
        }
        return columns
    }
}
