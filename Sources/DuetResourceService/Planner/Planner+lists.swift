import DuetResultSetJSON
import DuetSQLDatabase

/// The top-level list of an answer: rows of a resource, or related rows of one parent row.
struct RootList: Sendable {
    /// The parent row of related rows.
    struct Parent: Sendable {
        let resource: Resource
        let relation: Relation
        let key: [SQLValue]
    }

    let resource: Resource
    var window: Window
    var parent: Parent?

    /// The catalogue's default order of the list.
    var order: [SortField] {
        guard let parent else { return resource.order }
        return parent.relation.order.compactMap(\.sortField)
    }

    /// The types of the entities that the rows share with the parent row. The statement for the rows need not record
    /// their names.
    var named: Set<String> {
        guard let parent, parent.resource.isEntity else { return [] }
        return parent.relation.named(
            by: [Resource.Entity(parent.resource.type, parent.resource.key)], of: parent.resource, in: resource)
    }

    /// True if the list is expected to have few rows.
    var isShort: Bool {
        if case .few = parent?.relation.size { true } else { false }
    }

    /// Returns the context of the list's cursors; see ``Cursor``.
    func context(_ order: [OrderColumn]) -> String {
        let path = parent.map { [$0.resource.name] + $0.key.map(\.signature) + [$0.relation.name] } ?? [resource.name]
        return order.context(of: path.joined(separator: "/"), window.filter)
    }
}

extension Planner {
    /// Returns the plan of a list.
    /// - Throws: ``ServiceError`` for a cursor that does not belong to the list.
    func plan(_ list: RootList, _ form: ListForm, countsRows: Bool) throws -> Plan {
        guard let text = list.window.after else {
            return try plan(list, form, limit: list.window.first, after: nil, countsRows: countsRows)
        }
        var draft = try StatementDraft(list.resource, self)
        let order = try order(list.window.order, catalogue: list.order, &draft)
        let after = try Cursor(decoding: text, context: list.context(order), order: order)
        return try plan(list, form, limit: list.window.first, after: after, countsRows: countsRows)
    }

    private func plan(
        _ list: RootList, _ listForm: ListForm, limit: Int?, after: Cursor?, countsRows: Bool
    ) throws -> Plan {
        var draft = try StatementDraft(list.resource, self)
        var summary = PlanSummary(list.resource, catalogue)
        if let parent = list.parent {
            summary.show(parent.resource)
            summary.show(list.resource, through: parent.relation)
        }
        try restrict(&draft, to: list, isCounting: false)
        let order = try order(list.window.order, catalogue: list.order, &draft)
        let hasAggregates = order.contains { $0.related != nil }
        if let after, !hasAggregates {
            draft.source.conditions.append(try following(after, order, of: draft.source.resource, &draft.scope))
        }
        if list.parent == nil || list.resource.isEntity { summary.depend(on: list.resource) }
        summary.depend(on: list.window.filter, of: list.resource)
        summary.depend(on: order, of: list.resource)
        let context = list.context(order)
        // A list without cursors has no link to the next page. The number of rows shows that more rows exist.
        let countsLongerList = !countsRows && !list.resource.hasKey && limit != nil && !listForm.isPage
        var count = try countsRows || countsLongerList || listForm.countsRows ? count(of: list, &summary) : nil
        count?.isForLongerLists = countsLongerList
        let rows = try rows(
            listForm, &draft, &summary, order: order, context: context, isContinued: after != nil, named: list.named)
        let form: Plan.Form
        switch listForm {
        case .array:
            if limit != nil || !rows.attachments[0].isEmpty { _ = draft.positions(of: order) }
            form = .rows(
                Plan.Rows(
                    limit: limit, isShort: list.isShort, hasCursors: list.resource.hasKey, order: order,
                    context: context, after: after
                ) { limit, after in
                    try self.plan(list, listForm, limit: limit, after: after, countsRows: false)
                })
        case .page:
            form = .page(
                PageForm(
                    order.shape(of: rows.page, context), limit: limit ?? .max - 1,
                    count: count.map { PageForm.CountQuery($0.sql, $0.arguments) }))
        }
        var sql: String
        if let after, hasAggregates {
            sql = try derived(after, order, &draft)
        } else {
            sql = draft.source.select(draft.columns.sql) + orderClause(order, draft.columns)
        }
        if let limit {
            sql += " LIMIT :_limit"
            // One additional row is read to determine whether a next page exists.
            draft.scope.bind(.integer(limit + 1), as: "_limit")
        }
        return Plan(
            statement: Plan.Statement(
                sql, rows, summary, draft.scope, count: countsRows || countsLongerList ? count : nil,
                scanAdvice: ScanAdvice(self, list.resource, order: order, filter: list.window.filter)),
            form: form)
    }

    /// Returns the statement for the rows that follow the row of a cursor, in an order that contains aggregates of
    /// relations. The aggregates are compared and selected, and the rows are sorted by them. The columns of a derived
    /// table permit this with one computation for each row, so that a later page examines as many rows as the first.
    private func derived(
        _ after: Cursor, _ order: [OrderColumn], _ draft: inout StatementDraft
    ) throws -> String {
        _ = draft.positions(of: order)
        let labelled = order.map(labelled)
        let condition = try following(after, labelled, of: draft.source.resource, &draft.scope)
        // A limit prevents that the database merges the derived table into the statement.
        return "SELECT \(draft.columns.labels) FROM (\(draft.source.select(draft.columns.sql)) LIMIT \(Int64.max))"
            + " AS listed WHERE \(condition)\(orderClause(labelled, draft.columns))"
    }

    private func count(of list: RootList, _ summary: inout PlanSummary) throws -> Plan.Count {
        var draft = try StatementDraft(list.resource, self)
        try restrict(&draft, to: list, isCounting: true)
        summary.add(draft.scope)
        return Plan.Count(sql: draft.source.select("COUNT(*)"), arguments: draft.scope.arguments)
    }

    /// Adds the conditions that select the rows of a list.
    func restrict(_ draft: inout StatementDraft, to list: RootList, isCounting: Bool) throws {
        if let parent = list.parent {
            draft.source.conditions += try belongs(to: parent, &draft, isCounting: isCounting)
        }
        try restrict(&draft.source, to: list.window.filter, &draft.scope, isCounting: isCounting)
    }

    /// Returns the conditions that select the related rows of a parent row.
    private func belongs(
        to parent: RootList.Parent, _ draft: inout StatementDraft, isCounting: Bool
    ) throws -> [String] {
        let relation = parent.relation
        let comparesBytes = catalogue.equality(of: relation, parent.resource) == .bytes
        guard let first = relation.joins.first else {
            return try relation.columns.map { pair in
                let value = try parent.value(of: pair.from, &draft.scope, comparesBytes, self)
                return "\(pair.comparable(draft.source.compared(pair.to))) = \(value)"
            }
        }
        var path = try RowSource(relation, of: parent.resource, self, &draft.scope, isLink: true)
        path.conditions.insert(
            contentsOf: try zip(path.comparableKeys, first.columns).map {
                "\($0) = \(try parent.value(of: $1.from, &draft.scope, comparesBytes, self))"
            }, at: 0)
        if isCounting, comparesBytes, let link = path.linkColumns, link.count == 1 {
            return ["\(draft.source.compared(relation.columns[0].to)) IN (\(path.selectLink(link[0])))"]
        }
        path.conditions.insert(contentsOf: path.isLinked(to: draft.source.table), at: 0)
        return ["EXISTS (\(path.selectLink("1")))"]
    }
}

extension RootList.Parent {
    /// Returns an expression for the value of a column in the parent row: a parameter for a column of the key, and
    /// otherwise a subquery.
    /// - Parameter comparesBytes: False if the comparison needs the collation of the column. In this case the
    ///   expression is always a subquery, because a parameter does not have a collation.
    fileprivate func value(
        of column: String, _ scope: inout StatementScope, _ comparesBytes: Bool, _ planner: Planner
    ) throws -> String {
        for (field, value) in zip(resource.keyFields, key) where comparesBytes && field.column == column {
            let parameter = scope.bind(.value(field.bound(value)), to: column)
            return planner.catalogue.narrowCollation(of: field, resource).comparable(parameter)
        }
        var source = try RowSource(resource, planner, &scope)
        source.conditions = source.isRow(
            zip(resource.keyFields, key).map { scope.bind(.value($0.bound($1)), to: $0.column) })
        return "(\(source.select(source.table.column(column))))"
    }
}

extension ListForm {
    fileprivate var isPage: Bool { if case .page = self { true } else { false } }

    /// True if `totalCount` is selected.
    fileprivate var countsRows: Bool {
        guard case .page(let members) = self else { return false }
        return members.contains { if case .totalCount = $0 { true } else { false } }
    }
}
