import DuetResourceService
import DuetSQLDatabase

extension SchemaValidator {
    /// A step of a relation from one table to the next.
    private struct Step {
        let from: Table
        let to: Table
        let pairs: [(from: TableColumn, to: TableColumn)]
        /// The columns of `to` that conditions of the relation restrict to a single value.
        let fixed: Set<String>
    }

    mutating func validate(_ relation: Relation, of resource: Resource, _ table: Table) {
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
        _ join: Relation.Join, _ current: Table, _ next: Table, _ owner: String, _ path: [String]
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
        _ pairs: [Relation.ColumnPair], _ from: Table, _ to: Table, _ fixed: Set<String>, _ owner: String,
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
            // SQLite does not report the collations of a view's columns.
            let isKnown = pair.collation != nil || dialect == .sqlite && [from, to].contains { $0.kind == .view }
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
    private func references(_ from: Table, _ column: TableColumn, _ to: Table, _ referenced: TableColumn) -> Bool {
        from.foreignKeys.contains { key in
            table(named: key.table)?.name == to.name
                && zip(key.columns, key.referencedColumns).contains { $0 == column.name && $1 == referenced.name }
        }
    }

    /// Reports a collation that does not exist or does not apply to the column.
    private mutating func validate(
        _ collation: String, of column: TableColumn, _ table: Table, _ owner: String, _ path: [String]
    ) {
        guard !schema.collations.isEmpty else { return }
        guard let characterSets = schema.collations[collation.lowercased()] else {
            report(
                .error, .relationColumns, path,
                "\(owner): the database has no collation \(collation)"
                    + nearestName.hint(
                        collation, among: schema.collations.keys.sorted(), else: "; correct the name in collations"))
            return
        }
        guard dialect == .mariaDB, let own = column.characterSet, !characterSets.contains(own) else { return }
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
                let isCertain = dialect == .mariaDB && step.from.kind == .table && step.to.kind == .table
                report(
                    isCertain ? .error : .warning, .missingRow, path,
                    "\(owner) is required, but no foreign key from \(step.from.name) (\(names)) to \(step.to.name) guarantees a row; use one: optional"
                )
                return
            }
            if dialect == .sqlite || !step.fixed.isEmpty {
                report(
                    .warning, .missingRow, path,
                    dialect == .sqlite
                        ? "\(owner) is required, but SQLite enforces foreign keys only for connections that enable them; use one: optional if a row can be missing"
                        : "\(owner) is required, but there may be no row of \(step.to.name) that meets its conditions; use one: optional if a row can be missing"
                )
                return
            }
        }
    }
}

/// The comparison of the two columns of a relation.
struct ColumnComparison {
    /// A group of column types. The database can compare values of one group without a conversion that changes their
    /// meaning.
    private enum Class {
        case number, text, binary, moment, time, uuid, address, any, other
    }

    private let left: TableColumn
    private let right: TableColumn
    private let dialect: Dialect
    private let hasCollation: Bool
    private let referenced: TableColumn?

    /// - Parameters:
    ///   - hasCollation: True if the collations of the columns are not compared, because the relation specifies a
    ///     collation, or because the database does not report the collations.
    ///   - referenced: The column that a foreign key references; nil without a foreign key.
    init(
        _ left: TableColumn, _ right: TableColumn, _ dialect: Dialect, hasCollation: Bool = false,
        referenced: TableColumn? = nil
    ) {
        self.left = left
        self.right = right
        self.dialect = dialect
        self.hasCollation = hasCollation
        self.referenced = referenced
    }

    /// The problem that a comparison of the columns has; nil if there is none.
    var problem: Misfit? {
        let (first, second) = (Self.class(of: left.type), Self.class(of: right.type))
        if !hasCollation, first == .text, second == .text, let problem = collationProblem { return problem }
        if dialect == .sqlite {
            // Before a comparison, SQLite converts between texts and numbers, but not between texts and binary values.
            let forms = [left, right].map { Affinity($0.declaredType) }
            return forms.contains(.bytes) && forms.contains(.text)
                ? .warning("values are equal only if both are stored as texts or both as bytes") : nil
        }
        if first == second { return nil }
        switch (first, second) {
        case (.text, .binary), (.binary, .text), (.text, .uuid), (.uuid, .text), (.binary, .uuid), (.uuid, .binary),
            (.text, .address), (.address, .text), (.binary, .address), (.address, .binary):
            return .warning("values are converted for each comparison, so no index is used")
        default: return .error("their types are not comparable")
        }
    }

    /// The problem that different collations cause; nil if there is none. SQLite uses the collation of the left
    /// operand. MariaDB rejects two collations of one character set, unless one of them is binary and takes precedence
    /// (mariadb.com/kb/en/character-set-and-collation-overview).
    private var collationProblem: Misfit? {
        let unnamed = dialect == .sqlite ? "BINARY" : nil
        guard let first = left.collation ?? unnamed, let second = right.collation ?? unnamed, first != second else {
            return nil
        }
        let advised = referenced.map { $0.collation ?? "BINARY" } ?? Self.advised([first, second], dialect)
        let advice = "specify the collation to use: collations: {\(left.name): \(advised)}"
        guard dialect == .mariaDB else { return .warning("their collations are \(first) and \(second); \(advice)") }
        guard left.characterSet == right.characterSet else {
            return [left, right].contains(where: \.hasUnicode)
                ? nil
                : .error(
                    "the collations \(first) and \(second) belong to different character sets and are not comparable")
        }
        if first.hasSuffix("_bin") != second.hasSuffix("_bin") {
            return .warning("the collations \(first) and \(second) differ; \(advice)")
        }
        return .error(
            "the collations \(first) and \(second) are not comparable; use the same collation for both columns, or \(advice)"
        )
    }

    /// Returns the collation to recommend if there is no foreign key. In MariaDB, this is the binary collation, which
    /// takes precedence. In SQLite, it is a collation other than the default `BINARY`. The result is independent of the
    /// order of the collations, so a relation and its inverse get the same advice.
    private static func advised(_ collations: [String], _ dialect: Dialect) -> String {
        let sorted = collations.sorted()
        return sorted.first { dialect == .mariaDB ? $0.hasSuffix("_bin") : $0 != "BINARY" } ?? sorted[0]
    }

    private static func `class`(of type: ColumnType) -> Class {
        switch type {
        case .integer, .boolean, .decimal, .double, .float, .year, .bits: .number
        case .text, .character, .enumeration, .set, .json: .text
        case .inet4, .inet6: .address
        case .binary: .binary
        case .date, .dateTime, .timestamp: .moment
        case .time: .time
        case .uuid: .uuid
        case .any: .any
        case .other: .other
        }
    }
}

extension TableColumn {
    /// The character set of a text column of MariaDB.
    fileprivate var characterSet: String? { collation.map { String($0.prefix { $0 != "_" }) } }

    /// True if MariaDB can compare the column with a column of any other character set: the character set of the column
    /// is Unicode, or ASCII, which all other character sets contain.
    fileprivate var hasUnicode: Bool {
        characterSet.map { $0.hasPrefix("utf") || ["ucs2", "ascii"].contains($0) } ?? true
    }
}
