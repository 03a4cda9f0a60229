import ResultSetJSON
import SQLDatabase

/// Statements for the rows of a relation, for many rows above at once.
extension Planner {
    /// The row of a to-one relation.
    func item(
        _ name: String, _ relation: Relation, of parent: Resource, _ selection: Selection, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Plan.AttachedQuery {
        var list = try AttachedList(relation, self)
        let named = relation.named(by: parent.entities, of: parent, in: list.target)
        summary.show(list.target)
        let rows = try rows(
            selection, RowSource(list.path), &list.columns, &list.scope, &summary, named: named)
        list.show(ObjectShape(rows.members), rows.entities, [rows.attachments])
        if let path = rows.source.path { list.path = path }
        // The first of several rows is the one.
        let order = try relation.order.map { order in
            switch order {
            case .field(let name, let descending):
                try list.path.expression(of: list.path.target.field(name), &list.scope) + (descending ? " DESC" : "")
            case .join(let index, let column, let descending):
                "\(list.path.alias(ofJoin: index)).\(column)" + (descending ? " DESC" : "")
            }
        }
        return list.query(AttachedMember(name, form: .object), keys, list.all(keys, order))
    }

    /// The rows of a to-many relation.
    /// - Throws: ``ServiceError`` for a cursor that is not of this list.
    func list(
        _ name: String, _ relation: Relation, of parent: Resource, _ window: Window, _ form: ListForm, keys: [String],
        _ summary: inout PlanSummary
    ) throws -> Plan.AttachedQuery {
        var list = try AttachedList(relation, self)
        let named = relation.named(by: parent.entities, of: parent, in: list.target)
        summary.show(list.target)
        if list.target.isEntity { summary.depend(on: list.target) }
        summary.depend(on: window.filter, of: list.target, catalogue)
        try list.path.add(window.filter, self, &list.scope)
        var limit = window.first
        if case .many(let pageSize) = relation.size { limit = limit ?? pageSize }
        let strategy = AttachedList.Strategy(relation, limit: limit, dialect)
        // The catalogue's order is not the client's: the key behind it ascends.
        let fields = relation.order.compactMap(\.sortField)
        var path = RowSource(list.path)
        let order = try order(window.order, catalogue: fields, &path, &list.scope, parentKey: list.parentKey)
        list.path = path.path ?? list.path
        summary.depend(on: order, of: list.target, catalogue)
        let context = order.context(of: "\(parent.name)/\(relation.name)", window.filter)
        let after = try window.after.map { try Cursor(decoding: $0, context: context, order: order) }
        var source = path
        var shownOrder = order
        if strategy == .correlated {
            source = RowSource(Table(list.target, catalogue, &list.scope))
            shownOrder = try self.order(
                window.order, catalogue: fields, &source, &list.scope, parentKey: list.parentKey)
        }
        let rowsOfPage = limit ?? .max - 1
        let member: AttachedMember
        switch form {
        case .array(let selection):
            let rows = try rows(
                selection, source, &list.columns, &list.scope, &summary, named: named)
            source = rows.source
            member = AttachedMember(name)
            list.show(ObjectShape(rows.members), rows.entities, [rows.attachments])
        case .page(let members):
            let page = try page(
                members, source, &list.columns, &list.scope, &summary, order: shownOrder, context: context,
                isContinued: after != nil, named: named)
            source = page.source
            let count = try count(relation, window.filter, keys)
            member = AttachedMember(
                name, form: .page(PageForm(page.shape(shownOrder, context), limit: rowsOfPage, count: count)))
            list.show(nil, page.entities, page.attachments)
            // One more tells whether there is a next page.
            limit = limit.map { $0 + 1 }
        }
        if let path = source.path { list.path = path }
        if let after { list.path.conditions.append(order.after(after.values, &list.scope)) }
        if let limit { list.scope.bind(.integer(limit), as: "_limit") }
        let sql =
            switch strategy {
            case .all: list.all(keys, order.map(\.sql))
            case .numbered: list.numbered(keys, order.map(\.sql))
            case .forEachKey: list.forEachKey(keys, order.map(\.sql))
            case .correlated:
                try list.correlated(keys, order.map(\.sql), source.target, shownOrder.map(\.sql), parent)
            }
        return list.query(member, keys, sql, isForEachKey: strategy == .forEachKey)
    }

    private func count(_ relation: Relation, _ filter: Filter, _ keys: [String]) throws -> PageForm.CountQuery {
        var list = try AttachedList(relation, self)
        try list.path.add(filter, self, &list.scope, isCounting: true)
        let columns = list.path.keys.joined(separator: ", ")
        list.path.conditions.insert(list.isAsked(keys), at: 0)
        return PageForm.CountQuery(
            list.path.select("\(columns), COUNT(*)", omitsTarget: true) + " GROUP BY \(columns)", list.scope.arguments)
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

/// The statement of a relation's rows while it is made.
private struct AttachedList {
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

    let relation: Relation
    let target: Resource
    var scope = StatementScope()
    var path: RelationPath
    var columns: ColumnList
    /// The columns of the target that repeat the key of the row above.
    let parentKey: Set<String>
    private var shape: ObjectShape?
    private var entities: [EntityColumns] = []
    private var attachments: [[Plan.AttachedQuery]] = []

    init(_ relation: Relation, _ planner: Planner) throws {
        self.relation = relation
        path = try RelationPath(relation, planner.catalogue, &scope)
        target = path.target.resource
        columns = ColumnList(offset: relation.keyColumns.count)
        parentKey = relation.joins.isEmpty ? Set(relation.keyColumns) : []
    }

    /// The form of the rows.
    mutating func show(
        _ shape: ObjectShape?, _ entities: [EntityColumns], _ attachments: [[Plan.AttachedQuery]]
    ) {
        (self.shape, self.entities, self.attachments) = (shape, entities, attachments)
    }

    func query(
        _ member: AttachedMember, _ keys: [String], _ sql: String, isForEachKey: Bool = false
    ) -> Plan.AttachedQuery {
        Plan.AttachedQuery(
            member: member, keys: keys, sql: sql, isForEachKey: isForEachKey, arguments: scope.arguments, shape: shape,
            entities: entities, attachments: attachments)
    }

    // MARK: Statements

    /// The condition that rows belong to one of those above.
    func isAsked(_ keys: [String]) -> String { Self.isAsked(path.keys, keys) }

    private static func isAsked(_ columns: [String], _ keys: [String]) -> String {
        columns.count == 1
            ? "\(columns[0]) IN (:\(keys[0]))"
            : "(\(columns.joined(separator: ", "))) IN (:\(keys.joined(separator: "_")))"
    }

    private static func list(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: ", ") }

    func all(_ keys: [String], _ order: [String]) -> String {
        var path = path
        path.conditions.insert(isAsked(keys), at: 0)
        return path.select(Self.list(path.keys + [columns.sql])) + " ORDER BY " + Self.list(path.keys + order)
    }

    func numbered(_ keys: [String], _ order: [String]) -> String {
        var path = path
        path.conditions.insert(isAsked(keys), at: 0)
        let parents = path.keys.indices.map { "_parent\($0)" }
        let number =
            "ROW_NUMBER() OVER (PARTITION BY \(Self.list(path.keys)) ORDER BY \(Self.list(order))) AS _place"
        let numbered = path.select(
            Self.list(zip(path.keys, parents).map { "\($0) AS \($1)" } + [columns.sql, number]))
        return "SELECT \(Self.list(parents + [columns.labels])) FROM (\(numbered)) AS numbered WHERE _place <= :_limit"
            + " ORDER BY \(Self.list(parents + ["_place"]))"
    }

    func forEachKey(_ keys: [String], _ order: [String]) -> String {
        var path = path
        path.conditions.insert(contentsOf: zip(path.keys, keys).map { "\($0) = :\($1)" }, at: 0)
        return path.select(Self.list(path.keys + [columns.sql])) + " ORDER BY \(Self.list(order)) LIMIT :_limit"
    }

    /// - Parameters:
    ///   - shown: The target's table that is shown; the relation's tables are those of the subquery.
    ///   - shownOrder: The order by columns of that table.
    func correlated(
        _ keys: [String], _ order: [String], _ shown: Table, _ shownOrder: [String], _ parent: Resource
    ) throws -> String {
        var (path, scope) = (path, scope)
        let found = try target.keyFields.map { try path.expression(of: $0, &scope) }
        let above = relation.parentColumns.map { "above.\($0)" }
        path.conditions.insert(contentsOf: zip(path.keys, above).map { "\($0) = \($1)" }, at: 0)
        let subquery =
            path.select(Self.list(found), omitsTarget: true) + " ORDER BY \(Self.list(order)) LIMIT :_limit"
        let key = target.keyFields.map { "\(shown.alias).\($0.column)" }
        let columnsAbove = Self.list(relation.parentColumns)
        return "SELECT \(Self.list(above + [columns.sql])) FROM (SELECT DISTINCT \(columnsAbove) FROM \(parent.table)"
            + " WHERE \(Self.isAsked(relation.parentColumns, keys))) AS above CROSS JOIN \(shown.sql)"
            + " WHERE \(key.count == 1 ? key[0] : "(\(Self.list(key)))") IN (\(subquery))"
            + " ORDER BY \(Self.list(above + shownOrder))"
    }
}
