import DuetResultSetJSON
import DuetSQLDatabase

/// The planning of statements that read groups of rows.
extension Planner {
    /// Returns the plan of the groups of a list.
    /// - Throws: ``ServiceError`` for a cursor that does not belong to these groups.
    func plan(
        _ list: RootList, _ aggregation: Aggregation, _ form: GroupForm, countsGroups: Bool = false
    ) throws -> Plan {
        var after: Cursor?
        if let text = aggregation.after {
            var draft = try StatementDraft(list.resource, self)
            var columns = try GroupColumns(aggregation, &draft, self)
            let order = try columns.order(aggregation, &draft)
            after = try Cursor(decoding: text, context: list.context(aggregation, order), order: order)
        }
        return try plan(list, aggregation, form, limit: aggregation.first, after: after, countsGroups: countsGroups)
    }

    private func plan(
        _ list: RootList, _ aggregation: Aggregation, _ form: GroupForm, limit: Int?, after: Cursor?,
        countsGroups: Bool
    ) throws -> Plan {
        var draft = try StatementDraft(list.resource, self)
        var summary = try summary(of: list, aggregation, form)
        try restrict(&draft, to: list, isCounting: true)
        var columns = try GroupColumns(aggregation, &draft, self)
        let order = aggregation.keys.isEmpty ? [] : try columns.order(aggregation, &draft)
        let context = list.context(aggregation, order)
        var having = try columns.condition(aggregation.having, &draft).map { [$0] } ?? []
        if let after {
            having.append(try following(after, order, of: list.resource, &draft.scope))
        }
        var rows = PlannedRows(of: list.resource)
        var planForm: Plan.Form
        switch form {
        case .object(let members):
            rows.members = try shape(members, &columns, &draft)
            planForm = .aggregates
        case .array(let members):
            rows.members = try shape(members, &columns, &draft)
            if limit != nil { columns.addKeys(&draft) }
            planForm = .rows(
                Plan.Rows(limit: limit, order: order, context: context, after: after) { limit, after in
                    try self.plan(list, aggregation, form, limit: limit, after: after, countsGroups: false)
                })
        case .page(let members):
            columns.addKeys(&draft)
            rows.attachments = []
            for member in members {
                switch member {
                case .nodes(let name, let members):
                    let shape = ObjectShape(try shape(members, &columns, &draft), of: list.resource.name)
                    rows.page.append(.rows(name: name, shape))
                    rows.attachments.append([])
                case .pageInfo(let name, let members):
                    rows.page.append(.object(name: name, members.map { $0.shape(isContinued: after != nil) }))
                case .totalCount(let name): rows.page.append(.totalCount(name: name))
                case .constant(let name, let json): rows.page.append(.constant(name: name, json: json))
                }
            }
            let count = try form.countsGroups ? self.count(of: list, aggregation, &summary) : nil
            planForm = .page(
                PageForm(
                    order.shape(of: rows.page, context), limit: limit ?? .max - 1,
                    count: count.map { PageForm.CountQuery($0.sql, $0.arguments) }))
        }
        var sql = draft.source.select(draft.columns.sql)
        if !aggregation.keys.isEmpty { sql += " GROUP BY \(columns.grouping)" }
        if !having.isEmpty { sql += " HAVING \(having.joined(separator: " AND "))" }
        if !order.isEmpty { sql += " ORDER BY \(order.map(\.sql).joined(separator: ", "))" }
        if let limit, !aggregation.keys.isEmpty {
            sql += " LIMIT :_limit"
            // One additional group is read to determine whether a next page exists.
            draft.scope.bind(.integer(limit + 1), as: "_limit")
        }
        let count = try countsGroups ? self.count(of: list, aggregation, &summary) : nil
        return Plan(
            statement: Plan.Statement(
                sql, rows, summary, draft.scope, count: count,
                scanAdvice: ScanAdvice(self, list.resource, order: order, filter: list.window.filter)),
            form: planForm)
    }

    /// The resources and parameters on which the groups depend. The answer contains no rows, so it depends on all rows
    /// of the resource.
    private func summary(of list: RootList, _ aggregation: Aggregation, _ form: GroupForm) throws -> PlanSummary {
        var summary = PlanSummary(list.resource, catalogue)
        if let parent = list.parent {
            summary.show(parent.resource)
            summary.show(list.resource, through: parent.relation)
        }
        summary.depend(on: list.resource)
        summary.depend(on: list.window.filter, of: list.resource)
        for key in aggregation.keys {
            summary.depend(on: try catalogue.source(of: key, in: list.resource), of: list.resource)
            // The response shows values of the related rows.
            guard let relation = key.relation.flatMap(list.resource.relation) else { continue }
            if let target = catalogue[relation.target] { summary.show(target) }
            summary.depend(onTablesOf: relation)
        }
        summary.depend(onAggregates: aggregation.aggregatedFields(form), of: list.resource)
        return summary
    }

    /// Returns the members of the object of a group. The function adds the columns that the statement does not contain.
    func shape(
        _ members: [GroupMember], _ columns: inout GroupColumns, _ draft: inout StatementDraft
    ) throws -> [ObjectShape.Member] {
        try members.map { member in
            switch member {
            case .key(let name, let key): return try columns.member(name, key, &draft)
            case .aggregate(let name, let aggregate): return try columns.member(name, aggregate, &draft)
            case .object(let name, let members):
                return .object(name: name, try shape(members, &columns, &draft))
            case .constant(let name, let json): return .constant(name: name, json: json)
            }
        }
    }

    /// Returns the statement that counts the groups.
    private func count(
        of list: RootList, _ aggregation: Aggregation, _ summary: inout PlanSummary
    ) throws -> Plan.Count {
        var draft = try StatementDraft(list.resource, self)
        try restrict(&draft, to: list, isCounting: true)
        var columns = try GroupColumns(aggregation, &draft, self)
        let having = try columns.condition(aggregation.having, &draft).map { " HAVING \($0)" } ?? ""
        let groups = "\(draft.source.select(draft.columns.sql)) GROUP BY \(columns.grouping)\(having)"
        summary.add(draft.scope)
        return Plan.Count(sql: "SELECT COUNT(*) FROM (\(groups)) AS _groups", arguments: draft.scope.arguments)
    }
}

extension RootList {
    /// Returns the context of the cursors of groups; see ``Cursor``.
    fileprivate func context(_ aggregation: Aggregation, _ order: [OrderColumn]) -> String {
        let names = aggregation.keys.map(\.name).joined(separator: ",")
        let terms = aggregation.order.map { term in
            switch term.value {
            case .key(let key): key.name
            case .aggregate(let aggregate): aggregate.name
            }
        }
        return [
            context(order), names, terms.joined(separator: ","), aggregation.having.signature,
            aggregation.timeZone.name,
        ].joined(separator: "|")
    }
}

extension GroupForm {
    /// True if `totalCount` is selected.
    fileprivate var countsGroups: Bool {
        guard case .page(let members) = self else { return false }
        return members.contains { if case .totalCount = $0 { true } else { false } }
    }
}
