import ResultSetJSON
import SQLDatabase

/// Statements for the rows of a relation, for many rows above at once.
extension Planner {
    /// The row of a to-one relation.
    func item(
        _ name: String, _ relation: Relation, of parent: Resource, _ selection: Selection, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Attachment {
        var draft = try StatementDraft(relation, catalogue)
        let target = draft.source.resource
        summary.show(target)
        let rows = try rows(
            selection, &draft, &summary, named: relation.named(by: parent.entities, of: parent, in: target))
        // The first of several rows is the one.
        let order = try relation.order.map { order in
            switch order {
            case .field(let name, let descending):
                try draft.expression(of: try target.requiredField(name)) + (descending ? " DESC" : "")
            case .join(let index, let column, let descending):
                draft.source.column(column, ofJoin: index) + (descending ? " DESC" : "")
            }
        }
        return Attachment(
            AttachedMember(name, form: .object), for: keys, AttachedStatement(draft, keys).all(order),
            draft.scope.arguments, shape: ObjectShape(rows.members), entities: rows.entities,
            attachments: rows.attachments)
    }

    /// The rows of a to-many relation.
    /// - Throws: ``ServiceError`` for a cursor that is not of this list.
    func list(
        _ name: String, _ relation: Relation, of parent: Resource, _ window: Window, _ form: ListForm, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Attachment {
        var draft = try StatementDraft(relation, catalogue)
        let target = draft.source.resource
        summary.show(target)
        if target.isEntity { summary.depend(on: target) }
        summary.depend(on: window.filter, of: target, catalogue)
        try restrict(&draft.source, to: window.filter, &draft.scope)
        var limit = window.first
        if case .many(let pageSize) = relation.size { limit = limit ?? pageSize }
        // The catalogue's order is not the client's: the key behind it ascends. The key of the row above is the same in all rows.
        let fields = relation.order.compactMap(\.sortField)
        let parentKey = relation.joins.isEmpty ? Set(relation.keyColumns) : []
        let order = try order(window.order, catalogue: fields, &draft, parentKey: parentKey)
        summary.depend(on: order, of: target, catalogue)
        let context = order.context(of: "\(parent.name)/\(relation.name)", window.filter)
        let after = try window.after.map { try Cursor(decoding: $0, context: context, order: order) }
        if let after { draft.source.conditions.append(order.after(after.values, &draft.scope)) }
        let strategy = AttachedStatement.Strategy(relation, limit: limit, dialect)
        // A subquery finds the keys of the rows, and the statement reads the rows from a table of its own.
        let found = draft.source
        var shownOrder = order
        if strategy == .correlated {
            draft.source = RowSource(target, catalogue, &draft.scope)
            shownOrder = try self.order(window.order, catalogue: fields, &draft, parentKey: parentKey)
        }
        let rows = try rows(
            form, &draft, &summary, order: shownOrder, context: context, isContinued: after != nil,
            named: relation.named(by: parent.entities, of: parent, in: target))
        var member = AttachedMember(name)
        var shape: ObjectShape? = ObjectShape(rows.members)
        if case .page = form {
            let page = PageForm(
                shownOrder.shape(of: rows.page, context), limit: limit ?? .max - 1,
                count: try count(relation, window.filter, keys))
            member = AttachedMember(name, form: .page(page))
            shape = nil
            // One more tells whether there is a next page.
            limit = limit.map { $0 + 1 }
        }
        if let limit { draft.scope.bind(.integer(limit), as: "_limit") }
        let statement = AttachedStatement(draft, keys)
        let sql =
            switch strategy {
            case .all: statement.all(order.map(\.sql))
            case .numbered: statement.numbered(order.map(\.sql))
            case .forEachKey: statement.forEachKey(order.map(\.sql))
            case .correlated:
                statement.correlated(found, order.map(\.sql), shownOrder.map(\.sql), relation.parentColumns, parent)
            }
        return Attachment(
            member, for: keys, sql, draft.scope.arguments, shape: shape, entities: rows.entities,
            isForEachKey: strategy == .forEachKey, attachments: rows.attachments)
    }

    private func count(_ relation: Relation, _ filter: Filter, _ keys: [String]) throws -> PageForm.CountQuery {
        var draft = try StatementDraft(relation, catalogue)
        try restrict(&draft.source, to: filter, &draft.scope, isCounting: true)
        return PageForm.CountQuery(AttachedStatement(draft, keys).count, draft.scope.arguments)
    }
}

extension Relation {
    /// The types of the entities that rows of the target show by columns with the values of a row above, which names them itself.
    func named(by entities: [Resource.Entity], of parent: Resource, in target: Resource) -> Set<String> {
        guard joins.isEmpty else { return [] }
        let shown = target.entities.filter { entity in
            let above = entity.fields.map { name -> String? in
                guard let field = target.field(name), field.relation == nil else { return nil }
                return columns.first { $0.to == field.column }?.from
            }
            return entities.contains { other in
                other.type == entity.type && other.fields.map { parent.field($0)?.column } == above
            }
        }
        return Set(shown.map(\.type))
    }
}

extension Relation.Order {
    /// The field and its direction; nil for a column of a table between.
    var sortField: SortField? {
        if case .field(let name, let descending) = self { SortField(name, descending: descending) } else { nil }
    }
}

/// The texts of a statement that reads rows for several rows above.
private struct AttachedStatement {
    /// How each row above gets a limited number of rows.
    enum Strategy {
        /// There is no limit.
        case all
        /// All rows are numbered: for a relation of few rows.
        case numbered
        /// A statement for one row above, repeated for others with `UNION ALL`. MariaDB finds each end in the index.
        case forEachKey
        /// A subquery for each row above finds the keys of its rows. SQLite has no `LATERAL`, and at most 500 parts of a union.
        case correlated

        init(_ relation: Relation, limit: Int?, _ dialect: Dialect) {
            self =
                if limit == nil {
                    .all
                } else if case .many = relation.size {
                    dialect == .sqlite ? .correlated : .forEachKey
                } else {
                    .numbered
                }
        }
    }

    private let source: RowSource
    private let columns: ColumnList
    /// The columns of the rows above that the statement is asked for.
    private let keys: [String]

    init(_ draft: StatementDraft, _ keys: [String]) {
        (source, columns, self.keys) = (draft.source, draft.columns, keys)
    }

    private static func list(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The condition that columns have the values of one of the rows above.
    private func isAsked(_ columns: [String]) -> String {
        columns.count == 1
            ? "\(columns[0]) IN (:\(keys[0]))"
            : "(\(columns.joined(separator: ", "))) IN (:\(keys.joined(separator: "_")))"
    }

    /// The rows that belong to one of those above.
    private var asked: RowSource {
        var source = source
        source.conditions.insert(isAsked(source.keys), at: 0)
        return source
    }

    var count: String {
        let keys = Self.list(source.keys)
        return asked.select("\(keys), COUNT(*)", omitsResource: true) + " GROUP BY \(keys)"
    }

    func all(_ order: [String]) -> String {
        asked.select(Self.list(source.keys + [columns.sql])) + " ORDER BY " + Self.list(source.keys + order)
    }

    /// Its own columns have two underscores, since those of the draft may have one.
    func numbered(_ order: [String]) -> String {
        let parents = source.keys.indices.map { "__parent\($0)" }
        let number =
            "ROW_NUMBER() OVER (PARTITION BY \(Self.list(source.keys)) ORDER BY \(Self.list(order))) AS __place"
        let numbered = asked.select(
            Self.list(zip(source.keys, parents).map { "\($0) AS \($1)" } + [columns.sql, number]))
        return "SELECT \(Self.list(parents + [columns.labels])) FROM (\(numbered)) AS numbered WHERE __place <= :_limit"
            + " ORDER BY \(Self.list(parents + ["__place"]))"
    }

    func forEachKey(_ order: [String]) -> String {
        var source = source
        source.conditions.insert(contentsOf: zip(source.keys, keys).map { "\($0) = :\($1)" }, at: 0)
        return source.select(Self.list(source.keys + [columns.sql])) + " ORDER BY \(Self.list(order)) LIMIT :_limit"
    }

    /// - Parameters:
    ///   - found: The relation's tables, of which the subquery reads.
    ///   - order: The order by their columns.
    ///   - shownOrder: The order by columns of the table that is shown.
    ///   - parentColumns: The columns of the parent that the rows belong by.
    func correlated(
        _ found: RowSource, _ order: [String], _ shownOrder: [String], _ parentColumns: [String], _ parent: Resource
    ) -> String {
        var found = found
        let above = parentColumns.map { "above.\($0)" }
        found.conditions.insert(contentsOf: zip(found.keys, above).map { "\($0) = \($1)" }, at: 0)
        let key = source.resource.keyFields.map(\.column)
        let keyOfFound = key.map { found.column($0) }
        let subquery =
            found.select(Self.list(keyOfFound), omitsResource: true) + " ORDER BY \(Self.list(order)) LIMIT :_limit"
        let keyOfShown = key.map { "\(source.alias).\($0)" }
        return "SELECT \(Self.list(above + [columns.sql])) FROM (SELECT DISTINCT \(Self.list(parentColumns))"
            + " FROM \(parent.table) WHERE \(isAsked(parentColumns))) AS above CROSS JOIN \(source.tables)"
            + " WHERE \(keyOfShown.count == 1 ? keyOfShown[0] : "(\(Self.list(keyOfShown)))") IN (\(subquery))"
            + " ORDER BY \(Self.list(above + shownOrder))"
    }
}
