import DuetResourceService
import SeededTesting

/// The influence of hidden rows on requests.
extension RandomWriteModel {
    /// Returns the request with keys for all new rows whose keys the database would otherwise set. Such a key depends
    /// on the hidden rows.
    func withKeys(_ request: RandomRequest, _ random: inout SplitMix64) -> RandomRequest {
        var copy = request
        for index in copy.changes.indices {
            let change = copy.changes[index]
            switch change.kind {
            case .create(let node):
                copy.changes[index].kind = .create(withKeys(node, change.resource, isNew: true, &random))
            case .createAll(let nodes):
                copy.changes[index].kind = .createAll(
                    nodes.map { withKeys($0, change.resource, isNew: true, &random) })
            case .update(let node):
                copy.changes[index].kind = .update(withKeys(node, change.resource, isNew: false, &random))
            case .replace, .delete, .updateAll, .deleteAll: break
            }
        }
        return copy
    }

    private func withKeys(
        _ node: RandomNode, _ resource: Resource, isNew: Bool, _ random: inout SplitMix64
    ) -> RandomNode {
        var copy = node
        if isNew, let table = schema.table(resource.table), table.isAutomatic, let column = table.key.first,
            let field = resource.fields.first(where: { $0.column == column }),
            createColumns(table)?.contains(column) == true, !node.values.contains(where: { $0.field == field.name })
        {
            copy.values.append((field.name, .integer(Int.random(in: 8...60, using: &random))))
        }
        for (index, (relation, action)) in node.toOne.enumerated() {
            guard case .row(let inner) = action, let target = catalogue[relation.target] else { continue }
            copy.toOne[index].action = .row(withKeys(inner, target, isNew: isNew, &random))
        }
        for (index, (relation, changes)) in node.toMany.enumerated() {
            guard let target = catalogue[relation.target] else { continue }
            copy.toMany[index].changes.create = changes.create.map { withKeys($0, target, isNew: true, &random) }
            copy.toMany[index].changes.update = changes.update.map { key, node in
                (key, withKeys(node, target, isNew: false, &random))
            }
        }
        return copy
    }

    /// Returns true if a row that the request writes could have the key or the unique values of a hidden row, or if its
    /// key could depend on the hidden rows.
    func canConflictWithHiddenRows(_ request: RandomRequest) -> Bool {
        request.changes.contains { change in
            let resource = change.resource
            switch change.kind {
            case .create(let node): return canConflict(node, resource, isNew: true)
            case .createAll(let nodes): return nodes.contains { canConflict($0, resource, isNew: true) }
            case .update(let node): return canConflict(node, resource, isNew: false)
            case .updateAll(_, let values, _): return canConflict(RandomNode(values: values), resource, isNew: false)
            case .replace(let values):
                let node = RandomNode(values: zip(resource.key, change.key).map { ($0, $1) } + values)
                return canConflict(node, resource, isNew: true) || canConflict(node, resource, isNew: false)
            case .delete, .deleteAll: return false
            }
        }
    }

    /// - Parameter fixed: The columns that refer to the parent row.
    private func canConflict(
        _ node: RandomNode, _ resource: Resource, isNew: Bool, fixed: [String] = []
    ) -> Bool {
        guard let table = schema.table(resource.table) else { return false }
        let rule = isNew ? createRule(table.name) : updateRule(table.name)
        let given = columns(node.values, resource).merging(rule?.set ?? [:]) { $1 }
        let unknown = fixed + node.toOne.flatMap { $0.relation.columns.map(\.from) }
        if isNew, table.isAutomatic, table.key.contains(where: { given[$0] == nil }) { return true }
        for reference in table.references {
            let isGiven = reference.columns.contains { given[$0] != nil }
            // The reduced API does not have the tables that the role does not see.
            let hasTarget = catalogue.resources.contains { $0.table == reference.table }
            if isGiven, !hasTarget, !reference.columns.contains(where: { given[$0] == .null }) { return true }
            // MariaDB does not check a reference that remains the same. SQLite checks all references of a changed row
            // to its own table.
            let isChecked = isGiven || reference.table == table.name
            if !isNew, isChecked, table.rows.contains(where: { refersToHiddenRow($0, reference) }) { return true }
        }
        let hidden = table.rows.filter { !isVisible($0, table.name) }
        let isConflict = ([table.key] + table.unique).contains { columns in
            guard isNew || columns.contains(where: { given[$0] != nil || unknown.contains($0) }) else { return false }
            return hidden.contains { row in
                columns.allSatisfy { name in
                    if unknown.contains(name) { return true }
                    let absent = isNew ? table.columns.first { $0.name == name }?.defaultValue ?? .null : nil
                    guard let value = given[name] ?? absent else { return true }
                    return value != .null && schema.compare(value, row[name] ?? .null) == 0
                }
            }
        }
        if isConflict { return true }
        for (relation, action) in node.toOne {
            guard case .row(let inner) = action, let target = catalogue[relation.target] else { continue }
            if canConflict(inner, target, isNew: isNew) { return true }
        }
        return node.toMany.contains { relation, changes in
            guard let target = catalogue[relation.target] else { return false }
            let columns = relation.columns.map(\.to)
            return changes.create.contains { canConflict($0, target, isNew: true, fixed: columns) }
                || changes.update.contains { canConflict($0.node, target, isNew: false, fixed: columns) }
        }
    }
}

extension RandomWriteModel {
    private func refersToHiddenRow(_ row: Row, _ reference: RandomTable.Reference) -> Bool {
        let values = reference.columns.map { row[$0] ?? .null }
        return schema.table(reference.table)?.rows.contains { other in
            schema.isEqual(reference.referenced.map { other[$0] ?? .null }, values)
                && !isVisible(other, reference.table)
        } ?? false
    }
}

extension RandomRequest {
    /// True if one statement adds several rows. If several of them have errors, the order of the checks determines the
    /// response.
    fileprivate var addsSeveralRows: Bool {
        changes.contains { change in
            switch change.kind {
            case .create(let node), .update(let node): node.addsSeveralRows
            case .createAll(let nodes): !isImport && nodes.count > 1 || nodes.contains(where: \.addsSeveralRows)
            case .replace, .delete, .updateAll, .deleteAll: false
            }
        }
    }
}

extension RandomNode {
    fileprivate var addsSeveralRows: Bool {
        toMany.contains { _, changes in
            changes.create.count > 1 || changes.create.contains(where: \.addsSeveralRows)
                || changes.update.contains(where: \.node.addsSeveralRows)
        }
            || toOne.contains { _, action in if case .row(let node) = action { node.addsSeveralRows } else { false } }
    }
}

extension RandomWriteModel.Prediction {
    /// Returns true if a server whose database has only the visible rows must respond with the same bytes.
    /// - Parameter other: The prediction for the reduced database.
    func isEqual(onReducedDatabase other: Self, _ request: RandomRequest) -> Bool {
        guard !extendsToHiddenParts, failures == other.failures, step == other.step, reasons == other.reasons else {
            return false
        }
        guard let success else {
            // The checks of an input report all errors.
            return other.success == nil && (reasons.isEmpty || reasons.count == 1 && !request.addsSeveralRows)
        }
        guard failures.isEmpty, let expected = other.success, success.results == expected.results else { return false }
        return zip(success.model.visibleSchema.tables, expected.model.schema.tables).allSatisfy { $0.rows == $1.rows }
    }
}
