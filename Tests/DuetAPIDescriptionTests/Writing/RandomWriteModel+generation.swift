import DuetResourceService
import SeededTesting

/// Random requests. Some of them are not possible.
extension RandomWriteModel {
    /// Returns a random request.
    func request(_ random: inout SplitMix64) -> RandomRequest? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let form = Bool.random(using: &random) ? RandomRequest.Form.ndjson : .csv
            guard let resource = catalogue.resources.randomElement(using: &random),
                let table = schema.table(resource.table), createColumns(table) != nil
            else { return nil }
            let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                var values = self.values(of: resource, table, isNew: true, &random)
                // CSV has no NULL.
                if form == .csv { values.removeAll { $0.value == .null } }
                return RandomNode(values: values)
            }
            // In CSV, the line of an empty row can be blank.
            guard form != .csv || rows.allSatisfy({ !$0.values.isEmpty }) else { return nil }
            return RandomRequest(form: form, changes: [RandomChange(kind: .createAll(rows), resource: resource)])
        case 1...3:
            var changes: [RandomChange] = []
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                if let change = change(after: changes, &random) { changes.append(change) }
            }
            return changes.isEmpty ? nil : RandomRequest(form: .transaction, changes: changes)
        default: return change(after: [], &random).map { RandomRequest(form: .single, changes: [$0]) }
        }
    }

    /// - Parameter earlier: The earlier changes of the same transaction, to whose rows the change can refer.
    private func change(after earlier: [RandomChange], _ random: inout SplitMix64) -> RandomChange? {
        guard let resource = catalogue.resources.randomElement(using: &random),
            let table = schema.table(resource.table)
        else { return nil }
        let (created, updated) = (createColumns(table), updateColumns(table))
        // A resource that has only its key has no updates.
        let hasValues = updated?.isEmpty == false
        func members(_ isNew: Bool) -> [RandomMember] { values(of: resource, table, isNew: isNew, &random) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2 where created != nil:
            return RandomChange(kind: .create(node(resource, isNew: true, earlier, &random)), resource: resource)
        case 3 where created != nil:
            let nodes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                node(resource, isNew: true, earlier, &random)
            }
            return RandomChange(kind: .createAll(nodes), resource: resource)
        case 4...6 where hasValues:
            let node = node(resource, isNew: false, earlier, &random)
            guard hasEffect(node, table) else { return nil }
            return RandomChange(
                kind: .update(node), resource: resource,
                key: key(of: table, &random), precondition: precondition(canBeAbsent: false, &random))
        case 7...8 where createsWithKey(table) || hasValues:
            let columns = (createsWithKey(table) ? created ?? [] : []) + (updated ?? [])
            let values = members(true).filter { value in
                !resource.key.contains(value.field) && columns.contains(resource.field(value.field)?.column ?? "")
            }
            return RandomChange(
                kind: .replace(values), resource: resource,
                key: key(of: table, &random), precondition: precondition(canBeAbsent: true, &random))
        case 9 where deletes(table):
            return RandomChange(
                kind: .delete, resource: resource, key: key(of: table, &random),
                precondition: precondition(canBeAbsent: false, &random))
        case 10 where hasValues:
            let values = members(false)
            guard !values.isEmpty else { return nil }
            let filter = filter(resource, &random)
            return RandomChange(
                kind: .updateAll(filter, values, maximum: maximum(&random)), resource: resource)
        default:
            guard deletes(table) else { return nil }
            return RandomChange(
                kind: .deleteAll(filter(resource, &random), maximum: maximum(&random)), resource: resource)
        }
    }

    /// Returns true unless the update of a row would only set the values of the rules.
    private func hasEffect(_ node: RandomNode, _ table: RandomTable) -> Bool {
        !node.values.isEmpty || updateRule(table.name)?.set.isEmpty != false
    }

    private func filter(_ resource: Resource, _ random: inout SplitMix64) -> RandomFilter {
        RandomModel(schema: visibleSchema, catalogue: catalogue).filter(resource, depth: 1, &random)
    }

    private func maximum(_ random: inout SplitMix64) -> Int? {
        Bool.random(using: &random) ? nil : Int.random(in: 1...4, using: &random)
    }

    private func precondition(canBeAbsent: Bool, _ random: inout SplitMix64) -> RandomChange.Precondition {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: .current
        case 2: .existing
        case 3: .stale
        case 4 where canBeAbsent: .absent
        default: .none
        }
    }

    // MARK: Values

    /// Returns the key of a row, or in some cases the key of no row.
    private func key(of table: RandomTable, _ random: inout SplitMix64) -> [RandomValue] {
        let row = Int.random(in: 0..<6, using: &random) > 0 ? table.rows.randomElement(using: &random) : nil
        return table.key.map { name in
            row?[name] ?? table.columns.first { $0.name == name }.map { value(of: $0, table, &random) } ?? .null
        }
    }

    private func value(
        of column: RandomTable.Column, _ table: RandomTable, _ random: inout SplitMix64
    ) -> RandomValue {
        table.isAutomatic && table.key.contains(column.name)
            ? .integer(Int.random(in: 1...12, using: &random)) : column.type.value(&random)
    }

    private func values(
        of resource: Resource, _ table: RandomTable, isNew: Bool, _ random: inout SplitMix64
    ) -> [RandomMember] {
        var values = Row()
        let permitted = isNew ? createColumns(table) ?? updateColumns(table) ?? [] : updateColumns(table) ?? []
        for column in table.columns where permitted.contains(column.name) {
            let isKey = table.key.contains(column.name)
            let isOptional = column.isNullable || column.defaultValue != nil || isKey && table.isAutomatic
            let isOmitted = Int.random(in: 0..<(isNew ? isOptional ? 2 : 40 : 2), using: &random) == 0
            guard !isOmitted else { continue }
            values[column.name] =
                Int.random(in: 0..<(column.isNullable ? 6 : 60), using: &random) == 0
                ? .null : value(of: column, table, &random)
        }
        // Most references lead to existing rows.
        for reference in table.references where Int.random(in: 0..<6, using: &random) > 0 {
            let other = schema.table(reference.table)?.rows.randomElement(using: &random)
            for (column, key) in zip(reference.columns, reference.referenced) where values[column] != nil {
                if let other {
                    values[column] = other[key]
                } else if table.columns.contains(where: { $0.name == column && $0.isNullable }) {
                    values[column] = .null
                }
            }
        }
        return resource.fields.compactMap { field in values[field.column].map { (field.name, $0) } }
    }

    // MARK: Related rows

    /// Returns a row with random related rows.
    /// - Parameter fixed: The columns that refer to the parent row.
    private func node(
        _ resource: Resource, isNew: Bool, _ earlier: [RandomChange], fixed: [String] = [], depth: Int = 2,
        _ random: inout SplitMix64
    ) -> RandomNode {
        guard let table = schema.table(resource.table) else { return RandomNode() }
        var node = RandomNode(values: values(of: resource, table, isNew: isNew, &random))
        var set = fixed
        for relation in resource.relations
        where depth > 0 && relation.joins.isEmpty && Int.random(in: 0..<4, using: &random) == 0 {
            guard let target = catalogue[relation.target], let other = schema.table(target.table) else { continue }
            if relation.isToMany {
                if let changes = toMany(relation, resource, target, other, isNew: isNew, depth: depth, &random) {
                    node.toMany.append((relation, changes))
                }
            } else if set.allSatisfy({ name in !relation.columns.contains { $0.from == name } }),
                let action = toOne(relation, table, target, other, isNew: isNew, earlier, depth: depth, &random)
            {
                node.toOne.append((relation, action))
                set += relation.columns.map(\.from)
            }
        }
        node.values.removeAll { value in set.contains { resource.field(value.field)?.column == $0 } }
        return node
    }

    private func toOne(
        _ relation: Relation, _ table: RandomTable, _ target: Resource, _ other: RandomTable, isNew: Bool,
        _ earlier: [RandomChange], depth: Int, _ random: inout SplitMix64
    ) -> RandomNode.ToOne? {
        let columns = relation.columns.map(\.from)
        let isReverse = relation.size == .one(isOptional: true) && columns.allSatisfy(table.key.contains)
        guard !isReverse, Set(relation.columns.map(\.to)) == Set(other.key) else { return nil }
        let permitted = (isNew ? createColumns(table) : updateColumns(table)) ?? []
        let isOwn = columns.allSatisfy(permitted.contains)
        let isCreated = isOwn && createColumns(other)?.isEmpty == false
        let steps = earlier.indices.filter { earlier[$0].hasRow && earlier[$0].resource.name == target.name }
        if isCreated, let step = steps.randomElement(using: &random), Bool.random(using: &random) { return .step(step) }
        let isNullable = columns.allSatisfy { name in
            table.columns.contains { $0.name == name && $0.isNullable }
        }
        let isUpdated = !isNew && updateColumns(other)?.isEmpty == false
        if isOwn, isNullable, isCreated || isUpdated, Int.random(in: 0..<3, using: &random) == 0 { return .clear }
        guard isNew ? isCreated : isUpdated else { return nil }
        let node = node(target, isNew: isNew, [], depth: depth - 1, &random)
        return isNew || hasEffect(node, other) ? .row(node) : nil
    }

    private func toMany(
        _ relation: Relation, _ resource: Resource, _ target: Resource, _ other: RandomTable, isNew: Bool, depth: Int,
        _ random: inout SplitMix64
    ) -> RandomNode.ToMany? {
        let columns = relation.columns.map(\.to)
        let key = resource.key.compactMap { resource.field($0)?.column }
        guard relation.columns.allSatisfy({ key.contains($0.from) }) else { return nil }
        func hasOthers(_ names: [String]) -> Bool { names.contains { !columns.contains($0) } }
        var changes = RandomNode.ToMany()
        let created = createColumns(other)
        let creates = created.map { names in columns.allSatisfy(names.contains) && hasOthers(names) } ?? false
        let identifies = !isNew && hasOthers(other.key)
        let updates = identifies && updateColumns(other).map { hasOthers($0) } ?? false
        let deletes = identifies && deletes(other)
        guard creates || updates || deletes else { return nil }
        if creates {
            changes.create = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                node(target, isNew: true, [], fixed: columns, depth: depth - 1, &random)
            }
        }
        guard !isNew else { return changes }
        func identified() -> [RandomMember] {
            let row = other.rows.randomElement(using: &random)
            return target.key.compactMap { name in
                guard let column = target.field(name)?.column, !columns.contains(column) else { return nil }
                return (name, row?[column] ?? .null)
            }
        }
        guard !other.rows.isEmpty else { return changes }
        if updates, Bool.random(using: &random) {
            let node = node(target, isNew: false, [], fixed: columns, depth: depth - 1, &random)
            if hasEffect(node, other) { changes.update = [(identified(), node)] }
        }
        if deletes, Int.random(in: 0..<3, using: &random) == 0 { changes.delete = [identified()] }
        return changes
    }
}

extension RandomSchema {
    /// Adds constraints that concern writes: unique values, default values, automatic keys, and the effects of the
    /// removal of rows.
    mutating func addConstraints(_ random: inout SplitMix64) {
        for index in tables.indices where tables[index].key.count == 1 {
            guard let name = tables[index].key.first,
                tables[index].columns.contains(where: { $0.name == name && $0.type == .integer }),
                !tables[index].references.contains(where: { $0.columns.contains(name) })
            else { continue }
            tables[index].isAutomatic = true
            numberRows(of: tables[index].name)
        }
        for index in tables.indices {
            let table = tables[index]
            for position in table.references.indices {
                let isNullable = table.references[position].columns.allSatisfy { name in
                    table.columns.contains { $0.name == name && $0.isNullable }
                }
                tables[index].references[position].onDelete =
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: .cascade
                    case 1: isNullable ? .setNull : .cascade
                    default: .reject
                    }
            }
            let referring = Set(table.references.flatMap(\.columns))
            let others = table.columns.map(\.name).filter { !table.key.contains($0) && !referring.contains($0) }
            for position in table.columns.indices where others.contains(table.columns[position].name) {
                guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
                tables[index].columns[position].defaultValue = table.columns[position].type.value(&random)
            }
            let unique = Array(others.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
            let isUnique = table.rows.indices.allSatisfy { row in
                !table.rows[..<row].contains { other in
                    unique.allSatisfy { name in
                        let (left, right) = (table.rows[row][name] ?? .null, other[name] ?? .null)
                        return left != .null && right != .null && compare(left, right) == 0
                    }
                }
            }
            if !unique.isEmpty, isUnique { tables[index].unique.append(unique) }
        }
    }

    /// Gives the rows of a table small positive keys, from which the automatic keys continue.
    private mutating func numberRows(of name: String) {
        let numbers: [RandomValue: RandomValue] = [
            .integer(-2_147_483_648): .integer(1), .integer(-1): .integer(2), .integer(0): .integer(3),
            .integer(1): .integer(4), .integer(7): .integer(5), .integer(100): .integer(6),
            .integer(2_147_483_647): .integer(7),
        ]
        for index in tables.indices {
            var columns = tables[index].name == name ? tables[index].key : []
            columns += tables[index].references.filter { $0.table == name }.flatMap(\.columns)
            for row in tables[index].rows.indices {
                for column in Set(columns) {
                    guard let value = tables[index].rows[row][column], let number = numbers[value] else { continue }
                    tables[index].rows[row][column] = number
                }
            }
        }
    }
}
