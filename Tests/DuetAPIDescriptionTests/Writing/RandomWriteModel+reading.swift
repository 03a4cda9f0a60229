import DuetResourceService

/// The checks of inputs, and the reading of rows.
extension RandomWriteModel {
    // MARK: Inputs

    /// Returns true if the input of a change is invalid, whatever the tables contain.
    func isInvalid(_ change: RandomChange) -> Bool {
        let resource = change.resource
        switch change.kind {
        case .create(let node): return isInvalid(node, resource, isNew: true)
        case .createAll(let nodes): return nodes.contains { isInvalid($0, resource, isNew: true) }
        case .update(let node): return isInvalid(node, resource, isNew: false)
        case .replace(let values):
            guard let table = schema.table(resource.table) else { return true }
            let given = columns(values, resource)
            let created = createsWithKey(table) ? createColumns(table) : nil
            let updated = updateColumns(table)
            return table.columns.contains { column in
                if given[column.name] == .null, !column.isNullable { return true }
                let isAlwaysSet =
                    created?.contains(column.name) != false && updated?.contains(column.name) != false
                return isAlwaysSet && given[column.name] == nil && !table.key.contains(column.name)
                    && isRequired(column, table)
            }
        case .delete: return false
        case .updateAll(let filter, let values, _):
            return !filter.hasCondition || isInvalid(RandomNode(values: values), resource, isNew: false)
        case .deleteAll(let filter, _): return !filter.hasCondition
        }
    }

    /// - Parameter fixed: The columns that refer to the parent row.
    private func isInvalid(_ node: RandomNode, _ resource: Resource, isNew: Bool, fixed: [String] = []) -> Bool {
        guard let table = schema.table(resource.table) else { return true }
        let given = columns(node.values, resource)
        let set = fixed + node.toOne.flatMap { $0.relation.columns.map(\.from) }
        for column in table.columns where !column.isNullable {
            if given[column.name] == .null { return true }
            if isNew, given[column.name] == nil, !set.contains(column.name), isRequired(column, table),
                createColumns(table)?.contains(column.name) == true
            {
                return true
            }
        }
        for (relation, action) in node.toOne {
            guard case .row(let inner) = action, let target = catalogue[relation.target] else { continue }
            if isInvalid(inner, target, isNew: isNew) { return true }
        }
        for (relation, changes) in node.toMany {
            guard let target = catalogue[relation.target] else { continue }
            let columns = relation.columns.map(\.to)
            if changes.create.contains(where: { isInvalid($0, target, isNew: true, fixed: columns) }) { return true }
            if changes.update.contains(where: { isInvalid($0.node, target, isNew: false, fixed: columns) }) {
                return true
            }
        }
        return false
    }

    /// Returns true if a new row needs a value for a column.
    func isRequired(_ column: RandomTable.Column, _ table: RandomTable) -> Bool {
        !column.isNullable && column.defaultValue == nil
            && !(table.isAutomatic && table.key.contains(column.name))
    }

    /// Returns values by the names of the columns.
    func columns(_ values: [RandomMember], _ resource: Resource) -> Row {
        Dictionary(values.map { (resource.field($0.field)?.column ?? "", $0.value) }, uniquingKeysWith: { $1 })
    }

    // MARK: Rows

    /// Returns the position of the row with a key.
    func index(_ resource: Resource, _ key: [RandomValue]) -> Int? {
        guard let table = schema.table(resource.table) else { return nil }
        return table.rows.firstIndex { schema.isEqual(table.key(of: $0), key) && isVisible($0, table.name) }
    }

    /// Returns the representation of the row with a key.
    func object(_ resource: Resource, _ key: [RandomValue]) throws -> String {
        guard let index = index(resource, key), let row = schema.table(resource.table)?.rows[index] else {
            throw Rejection(.missing)
        }
        return object(resource, row)
    }

    func object(_ resource: Resource, _ row: Row) -> String {
        "{\(resource.fields.map { "\"\($0.name)\":\((row[$0.column] ?? .null).json)" }.joined(separator: ","))}"
    }

    /// Returns the response with all rows.
    func list(_ resource: Resource) -> String {
        let table = schema.table(resource.table)
        let rows = (table?.rows ?? []).sorted { left, right in
            for name in table?.key ?? [] {
                let sign = schema.compare(left[name] ?? .null, right[name] ?? .null)
                if sign != 0 { return sign < 0 }
            }
            return false
        }
        return "[\(rows.map { object(resource, $0) }.joined(separator: ","))]"
    }
}

extension RandomTable {
    /// Returns the values of a row's key.
    func key(of row: [String: RandomValue]) -> [RandomValue] { key.map { row[$0] ?? .null } }
}

extension RandomSchema {
    /// Returns true if the database considers two lists of values equal.
    func isEqual(_ left: [RandomValue], _ right: [RandomValue]) -> Bool {
        zip(left, right).allSatisfy { compare($0, $1) == 0 }
    }
}

extension RandomFilter {
    /// True if the filter compares at least one field, or refers to related rows.
    var hasCondition: Bool {
        switch self {
        case .compare, .like, .isNull, .related: true
        case .all(let filters), .any(let filters): filters.contains(where: \.hasCondition)
        case .not(let filter): filter.hasCondition
        }
    }
}

extension [String: RandomValue] {
    /// The key of a row whose key is an integer.
    func firstKey(of table: RandomTable) -> Int {
        if case .integer(let number)? = self[table.key.first ?? ""] { number } else { 0 }
    }
}
