import DuetResourceService
import DuetSQLDatabase

extension SchemaDescriber {
    mutating func relateForeignKeys(of position: Int) {
        let table = resources[position].table
        // Several foreign keys between the same tables need distinct names.
        let targets = table.foreignKeys.map(\.table)
        for key in table.foreignKeys {
            guard let targetPosition = self.position(of: key.table), key.columns.count == key.referencedColumns.count
            else {
                note(
                    resources[position].name,
                    "The foreign key (\(key.columns.joined(separator: ", "))) refers to \(key.table), which is not described."
                )
                continue
            }
            let target = resources[targetPosition]
            let source = resources[position]
            let uniqueKeys = [target.table.primaryKey].compactMap(\.self) + target.table.uniqueKeys
            guard uniqueKeys.contains(where: { Set($0).isSubset(of: key.referencedColumns) }) else {
                note(
                    source.name,
                    "The foreign key (\(key.columns.joined(separator: ", "))) refers to columns of \(key.table) that are not unique, so there is no relation."
                )
                continue
            }
            let isUnique = ([table.primaryKey].compactMap(\.self) + table.uniqueKeys).contains {
                Set($0) == Set(key.columns)
            }
            let wanted = Relation.name(from: key, to: target.singular)
            let used = source.usedNames
            // If the name from the column is in use, the relation gets the name of the referenced table, unless several
            // foreign keys refer to that table. The order of the foreign keys would otherwise determine which relation
            // gets this name.
            let isOneOfSeveral = targets.filter { $0 == key.table }.count > 1
            let others = isOneOfSeveral ? [] : [target.singular]
            let longer = wanted + (wanted.lowercased().hasSuffix(target.type.lowercased()) ? "Row" : target.type)
            let name = Self.unused(([wanted] + others).first { !used.contains($0) } ?? longer, used)
            // Without enforcement, a referenced row may be missing.
            let isOptional =
                !schema.dialect.enforcesForeignKeys
                || key.columns.contains { name in table.columns.first { $0.name == name }?.isNullable != false }
            let pairs = columns(of: key, from: source.table, to: target.table)
            resources[position].relations.append(
                .described(
                    name, to: target.name, .one(isOptional: isOptional),
                    on: self.pairs(key, pairs, isInverse: false),
                    equality: equality(
                        pairs, joins: 0, from: source.types(of: key.columns),
                        to: target.types(of: key.referencedColumns))))
            let isAmbiguous = isOneOfSeveral || targetPosition == position
            let noun = isUnique ? source.singular : source.name
            let inverse = isAmbiguous ? "\(noun)By\(name.prefix(1).uppercased())\(name.dropFirst())" : noun
            resources[targetPosition].relations.append(
                .described(
                    Self.unused(inverse, resources[targetPosition].usedNames), to: source.name,
                    isUnique ? .one(isOptional: true) : Self.many(source),
                    on: self.pairs(key, pairs, isInverse: true),
                    equality: equality(
                        pairs, joins: 0, from: target.types(of: key.referencedColumns),
                        to: source.types(of: key.columns))))
        }
    }

    /// If a table is a join table, adds a relation in each direction between the two tables that it joins. A join table
    /// contains only the columns of two foreign keys, and has a primary or unique key.
    mutating func relateThroughJoinTable(_ position: Int) {
        let table = resources[position].table
        guard table.foreignKeys.count == 2,
            Set(table.columns.map(\.name)) == Set(table.foreignKeys.flatMap(\.columns)),
            Set(table.foreignKeys[0].columns).isDisjoint(with: table.foreignKeys[1].columns),
            table.foreignKeys.allSatisfy({ $0.columns.count == $0.referencedColumns.count }),
            table.primaryKey != nil || !table.uniqueKeys.isEmpty
        else { return }
        for (from, to) in [(table.foreignKeys[0], table.foreignKeys[1]), (table.foreignKeys[1], table.foreignKeys[0])] {
            guard let source = self.position(of: from.table), let targetPosition = self.position(of: to.table) else {
                return
            }
            let target = resources[targetPosition]
            let used = resources[source].usedNames
            let role = Relation.name(from: to, to: target.singular)
            let wanted =
                source == targetPosition
                ? "\(target.name)By\(role.prefix(1).uppercased())\(role.dropFirst())" : target.name
            let fromPairs = columns(of: from, from: table, to: resources[source].table)
            let toPairs = columns(of: to, from: table, to: target.table)
            resources[source].relations.append(
                .described(
                    Self.unused(used.contains(wanted) ? "\(wanted)By\(resources[position].type)" : wanted, used),
                    to: target.name, Self.many(target),
                    through: [
                        .init(
                            table.name, on: pairs(from, fromPairs, isInverse: true),
                            isEnforced: schema.dialect.enforcesForeignKeys)
                    ],
                    on: pairs(to, toPairs, isInverse: false),
                    equality: equality(
                        fromPairs + toPairs, joins: 1, from: resources[source].types(of: from.referencedColumns),
                        to: target.types(of: to.referencedColumns))))
        }
    }

    /// Returns the size of a to-many relation. If the target has a key, the relation has pages. Otherwise the relation
    /// has a list of all rows, because pages without a key would have no cursors.
    private static func many(_ target: TableResource) -> Relation.Size {
        target.key.isEmpty ? .few(typical: 20) : .many(pageSize: 20)
    }

    private func position(of table: String) -> Int? {
        schema.table(named: table).flatMap { positions[$0.name] }
    }
}

extension Relation {
    /// Creates a relation with a description derived from its columns.
    fileprivate static func described(
        _ name: String, to target: String, _ size: Size, through joins: [Join] = [], on columns: [ColumnPair],
        equality: Equality?
    ) -> Relation {
        Relation(
            name, to: target, size, through: joins, on: columns, equality: equality,
            description: DefaultText.relation(to: target, joins, columns))
    }

    /// Returns the name of a relation for a foreign key. If the key has one column, the name is the name of the column
    /// without an ending such as `_id`. If the key has several columns, or if nothing remains of the column's name, the
    /// name is the name of the target.
    fileprivate static func name(from key: ForeignKey, to target: String) -> String {
        guard key.columns.count == 1 else { return target }
        let word = APIName.camelCase(key.columns[0], fallback: target)
        for ending in ["Id", "Uuid", "Fk", "Key", "Ref", "Number", "Num", "No", "Nr", "Code"]
        where word.hasSuffix(ending) {
            let rest = String(word.dropLast(ending.count))
            if !rest.isEmpty { return rest }
        }
        return ["id", "uuid", "key", "code", "number", "no", "nr"].contains(word) ? target : word
    }
}
