import DuetResourceService
import DuetSQLDatabase

extension SchemaValidator {
    /// A step of a relation from one table to the next.
    private struct Step {
        let from: SchemaTable
        let to: SchemaTable
        let pairs: [(from: TableColumn, to: TableColumn)]
        /// The columns of `to` that conditions of the relation restrict to a single value.
        let fixed: Set<String>
    }

    mutating func validate(_ relation: Relation, of resource: Resource, _ table: SchemaTable) {
        let path = [resource.name, "relations", relation.name]
        let owner = "\(resource.name).\(relation.name)"
        guard let target = description.catalogue[relation.target], let targetTable = self.table(named: target.table),
            targetTable.failure == nil
        else { return }
        var steps: [Step] = []
        var current = table
        var isComplete = true
        for join in relation.joins {
            guard
                let next = requiredTable(
                    join.table, owner, path, "correct the table in through, or remove the relation")
            else { return }
            useTable(next)
            let fixed = conditions(join, current, next, owner, path)
            let step = self.step(join.columns, current, next, fixed, owner, path)
            if let step { steps.append(step) } else { isComplete = false }
            current = next
        }
        let last = step(relation.columns, current, targetTable, [], owner, path)
        if let last { steps.append(last) } else { isComplete = false }
        for case .join(let index, let column, _) in relation.order where relation.joins.indices.contains(index) {
            guard let joined = self.table(named: relation.joins[index].table) else { continue }
            _ = requiredColumn(column, of: joined, "\(owner).order", path)
        }
        guard isComplete, case .one(let isOptional) = relation.size else { return }
        validateUniqueness(of: relation, steps, owner, path)
        if !isOptional { validateExistence(steps, owner, path) }
    }

    private mutating func conditions(
        _ join: Relation.Join, _ current: SchemaTable, _ next: SchemaTable, _ owner: String, _ path: [String]
    ) -> Set<String> {
        var fixed: Set<String> = []
        for condition in join.conditions {
            switch condition {
            case .equal(let name, _):
                if let column = requiredColumn(name, of: next, "\(owner).where", path) { fixed.insert(column.name) }
            case .differs(let name, let previous):
                _ = requiredColumn(name, of: next, "\(owner).differs", path)
                _ = requiredColumn(previous, of: current, "\(owner).differs", path)
            }
        }
        return fixed
    }

    /// Creates a step, and validates its columns. Returns nil and reports an error if a column is missing.
    private mutating func step(
        _ pairs: [Relation.ColumnPair], _ from: SchemaTable, _ to: SchemaTable, _ fixed: Set<String>, _ owner: String,
        _ path: [String]
    ) -> Step? {
        var found: [(from: TableColumn, to: TableColumn)] = []
        var isComplete = true
        for pair in pairs {
            let left = requiredColumn(pair.from, of: from, owner, path)
            let right = requiredColumn(pair.to, of: to, owner, path)
            guard let left, let right else {
                isComplete = false
                continue
            }
            found.append((left, right))
            let isKnown =
                pair.collation != nil
                || !dialect.reportsCollationsOfViews && [from, to].contains { $0.kind == .view }
            if let collation = pair.collation { validate(collation, of: right, to, owner, path) }
            let comparison = ColumnComparison(
                compared(left), compared(right), dialect, hasCollation: isKnown,
                referenced: references(from, left, to, right) ? right : references(to, right, from, left) ? left : nil)
            guard let problem = comparison.problem else { continue }
            report(
                problem.severity, .relationColumns, path,
                "\(owner) compares \(from.name).\(left.name) (\(left.declaredType)) with \(to.name).\(right.name) (\(right.declaredType)): \(problem.reason)"
            )
        }
        return isComplete ? Step(from: from, to: to, pairs: found, fixed: fixed) : nil
    }

    /// Returns a column whose collation is that of comparisons, which compare the bytes if the collation is unknown.
    private func compared(_ column: TableColumn) -> TableColumn {
        var column = column
        if schema.hasUnknownCollation(column) { column.collation = nil }
        return column
    }

    /// Returns true if a foreign key contains the first column and refers to the second column.
    private func references(_ from: SchemaTable, _ column: TableColumn, _ to: SchemaTable, _ referenced: TableColumn)
        -> Bool
    {
        from.foreignKeys.contains { key in
            table(named: key.table)?.name == to.name
                && zip(key.columns, key.referencedColumns).contains { $0 == column.name && $1 == referenced.name }
        }
    }

    /// Reports a collation that does not exist or does not apply to the column.
    private mutating func validate(
        _ collation: String, of column: TableColumn, _ table: SchemaTable, _ owner: String, _ path: [String]
    ) {
        guard let characterSets = schema.collations[collation.lowercased()] else {
            report(
                .error, .relationColumns, path,
                "\(owner): the database has no collation \(collation)"
                    + nearestName.hint(
                        collation, among: schema.collations.keys.sorted(), else: "; correct the name in collations"))
            return
        }
        guard dialect.hasCharacterSets, let own = column.characterSet, !characterSets.contains(own) else { return }
        report(
            .error, .relationColumns, path,
            "\(owner): the collation \(collation) does not apply to the character set \(own) of \(table.name).\(column.name); use one that applies, such as \(column.collation ?? own), or remove it from collations"
        )
    }

    /// Reports a to-one relation that can lead to several rows, because a response would contain an arbitrary row of
    /// them. A relation with an order is valid, because the order determines the row.
    private mutating func validateUniqueness(of relation: Relation, _ steps: [Step], _ owner: String, _ path: [String])
    {
        guard relation.order.isEmpty else { return }
        for step in steps {
            let columns = Set(step.pairs.map(\.to.name))
            guard !isUnique(columns.union(step.fixed), in: step.to) else { continue }
            let names = columns.sorted().joined(separator: ", ")
            report(
                step.to.kind == .view ? .warning : .error, .severalRows, path,
                "\(owner) returns one row, but several rows of \(step.to.name) can have the same \(names); add order to choose one, or use few or many"
            )
            return
        }
    }

    /// Reports a required row that may be missing. A foreign key with NOT NULL columns guarantees a row.
    private mutating func validateExistence(_ steps: [Step], _ owner: String, _ path: [String]) {
        for step in steps {
            let pairs = Set(step.pairs.map { [$0.from.name, $0.to.name] })
            if let column = step.pairs.map(\.from).first(where: \.isNullable) {
                let isCertain = step.from.kind == .table && step.from.primaryKey?.contains(column.name) != true
                report(
                    isCertain ? .error : .warning, .missingRow, path,
                    "\(owner) is required, but \(step.from.name).\(column.name) can be NULL; use one: optional")
                return
            }
            let key = step.from.foreignKeys.first { key in
                table(named: key.table)?.name == step.to.name
                    && Set(zip(key.columns, key.referencedColumns).map { [$0, $1] }) == pairs
            }
            let names = step.pairs.map(\.from.name).joined(separator: ", ")
            if key == nil {
                let isCertain = dialect.enforcesForeignKeys && step.from.kind == .table && step.to.kind == .table
                report(
                    isCertain ? .error : .warning, .missingRow, path,
                    "\(owner) is required, but no foreign key from \(step.from.name) (\(names)) to \(step.to.name) guarantees a row; use one: optional"
                )
                return
            }
            if !dialect.enforcesForeignKeys || !step.fixed.isEmpty {
                report(
                    .warning, .missingRow, path,
                    !dialect.enforcesForeignKeys
                        ? "\(owner) is required, but \(dialect.title) enforces foreign keys only for connections that enable them; use one: optional if a row can be missing"
                        : "\(owner) is required, but there may be no row of \(step.to.name) that meets its conditions; use one: optional if a row can be missing"
                )
                return
            }
        }
    }
}
