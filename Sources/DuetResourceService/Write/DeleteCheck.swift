import DuetSQLDatabase

/// The rights for the changes that the database makes itself when a row is removed or changed, because foreign keys
/// have the actions CASCADE, SET NULL or SET DEFAULT.
extension ChangeTransaction {
    /// Checks that the caller may make the changes that follow from a change of rows.
    ///
    /// The check applies to the callers of a role only: a row that is removed must be a row that the caller may remove,
    /// and a row whose references are set must be a row that the caller may change. Without roles, only the database
    /// decides.
    /// - Returns: The rows to check with ``checkCascadedRows(_:of:_:)`` after the change.
    /// - Throws: ``ServiceError`` with the code `row-in-use`.
    func checkCascades(
        of resource: Resource, _ change: Change, keys: [[SQLValue]]
    ) throws -> [CascadedRows] {
        guard change.appliesRules, planner.catalogue.view != .whole else { return [] }
        var cascade = Cascade(self, resource, lock: planner.dialect.rowLock)
        try cascade.follow(change, keys: keys) { cascade, reference, effect, rows in
            guard try !cascade.isPermitted(effect, reference, rows) else { return true }
            throw ServiceError.rowInUse(resource, change, relation: cascade.relation(of: reference))
        }
        return cascade.changedRows
    }

    /// Checks that the rows whose references the database has set satisfy the rules for changed rows.
    /// - Throws: ``ServiceError`` with the code `row-in-use`.
    func checkCascadedRows(_ rows: [CascadedRows], of resource: Resource, _ change: Change) throws {
        for changed in rows {
            let check = changed.resource.writes.update?.check ?? .everything
            for key in changed.keys
            where try !exists(planner.presence(of: changed.resource, key, satisfying: check)) {
                // The change can also have removed the row itself.
                if change.kind == .delete, !changed.hasNewKeys,
                    try !exists(planner.presence(of: changed.resource, key, visibility: .all))
                {
                    continue
                }
                throw ServiceError.rowInUse(resource, change, relation: changed.relation)
            }
        }
    }

    /// Returns the error for a change that the database has rejected because other rows refer to the changed rows.
    /// - Parameter keys: The keys of the changed rows. The rows must exist.
    func rowInUseError(of resource: Resource, _ change: Change, keys: [[SQLValue]]) throws -> ServiceError {
        var blocking: TableConstraints.Reference?
        // The transaction ends with the error, so no row needs a lock.
        var cascade = Cascade(self, resource, lock: "")
        do {
            try cascade.follow(change, keys: keys) { cascade, reference, effect, rows in
                // The caller does not see the tables of other databases, so their names are not needed.
                guard effect == .rejection, reference.database == nil, try cascade.hasRows(reference, rows) else {
                    return true
                }
                blocking = reference
                return false
            }
        } catch let error as ServiceError where error.code == .rowInUse {
            // There are too many rows to find the relation.
        }
        return ServiceError.rowInUse(resource, change, relation: blocking.flatMap { cascade.relation(of: $0) })
    }
}

/// Rows whose references the database sets, and which must satisfy a condition afterwards.
struct CascadedRows {
    let resource: Resource
    let keys: [[SQLValue]]
    /// True if the database also sets fields of the key.
    let hasNewKeys: Bool
    /// The name of the relation to the rows; nil if the caller does not see it.
    let relation: String?
}

/// The rows to which the effects of a delete or an update extend, by the foreign keys of the database. They are read
/// breadth first, as the values of the columns to which foreign keys refer.
private struct Cascade {
    /// The maximum number of rows that a change can change through foreign keys.
    static let maximumRows = 10_000
    /// The number of values in one statement.
    private static let batchSize = 500

    /// The effect of a foreign key on the rows that refer to a changed row.
    enum Effect: Hashable {
        /// The database rejects the change.
        case rejection
        /// The rows are removed.
        case removal
        /// The columns of the foreign key change.
        case change
    }

    /// Columns of a table to which foreign keys refer.
    private struct Target: Hashable {
        let table: String
        let columns: [String]
    }

    /// Rows of a table that are removed or changed.
    private struct Step {
        let target: Target
        let values: [[SQLValue]]
        let isRemoval: Bool
    }

    private struct Seen: Hashable {
        let target: Target
        let isRemoval: Bool
    }

    private let transaction: ChangeTransaction
    private let resource: Resource
    /// The clause that locks the rows of a query.
    private let lock: String
    private var seen: [Seen: Set<[SQLValue]>] = [:]
    /// The rows to check after the change.
    private(set) var changedRows: [CascadedRows] = []
    /// The number of rows that foreign keys change or remove.
    private var rowCount = 0
    /// The number of values in all steps.
    private var valueCount = 0

    private var planner: Planner { transaction.planner }
    private var catalogue: Catalogue { planner.catalogue }
    private var constraints: TableConstraints { catalogue.constraints }

    init(_ transaction: ChangeTransaction, _ resource: Resource, lock: String) {
        self.transaction = transaction
        self.resource = resource
        self.lock = lock
    }

    /// Calls a closure for each foreign key that refers to changed rows.
    /// - Parameter visit: Receives the foreign key, its effect, and values of the referenced columns. It returns false
    ///   to stop.
    mutating func follow(
        _ change: Change, keys: [[SQLValue]],
        _ visit: (inout Cascade, TableConstraints.Reference, Effect, [[SQLValue]]) throws -> Bool
    ) throws {
        let isRemoval = change.kind == .delete
        let set = change.appliesRules && change.kind == .update ? resource.writes.update?.set ?? [:] : [:]
        let columns = (change.rows.flatMap(\.names) + change.defaults.map(\.field) + set.keys.sorted())
            .compactMap { resource.declaredField($0)?.column }
        var steps: [Step] = []
        for target in targets(in: resource.table, changing: isRemoval ? nil : columns) {
            let values = try keys.flatMap { try self.values(of: target, key: $0) }
            steps.append(Step(target: target, values: try fresh(values, target, isRemoval), isRemoval: isRemoval))
        }
        while !steps.isEmpty {
            var next: [Step] = []
            for step in steps {
                for reference in constraints.references(to: step.target.table)
                where reference.parentColumns == step.target.columns {
                    for start in stride(from: 0, to: step.values.count, by: Self.batchSize) {
                        let rows = Array(step.values[start..<min(start + Self.batchSize, step.values.count)])
                        let effect = Self.effect(of: step.isRemoval ? reference.onDelete : reference.onUpdate, step)
                        guard try visit(&self, reference, effect, rows) else { return }
                        // The rows of other databases are not followed: a caller with a role may change none of them.
                        guard effect != .rejection, reference.database == nil else { continue }
                        let isRemoval = effect == .removal
                        for target in targets(in: reference.table, changing: isRemoval ? nil : reference.columns) {
                            let found = try self.values(of: target, reference, rows)
                            let values = try fresh(found, target, isRemoval)
                            if !values.isEmpty {
                                next.append(Step(target: target, values: values, isRemoval: isRemoval))
                            }
                        }
                    }
                }
            }
            steps = next
        }
    }

    private static func effect(of action: TableConstraints.Action, _ step: Step) -> Effect {
        switch action {
        case .restrict, .noAction: .rejection
        case .cascade: step.isRemoval ? .removal : .change
        case .setNull, .setDefault: .change
        }
    }

    /// Returns the lists of columns of a table to which foreign keys refer.
    /// - Parameter columns: The changed columns; nil for all columns.
    private func targets(in table: String, changing columns: [String]?) -> [Target] {
        let changed = columns.map { Set($0.map { $0.lowercased() }) }
        var targets: [Target] = []
        for reference in constraints.references(to: table) where !reference.parentColumns.isEmpty {
            let target = Target(table: reference.parent, columns: reference.parentColumns)
            guard !targets.contains(target) else { continue }
            if let changed, changed.isDisjoint(with: target.columns.map { $0.lowercased() }) { continue }
            targets.append(target)
        }
        return targets
    }

    /// Returns the values that were not returned before.
    /// - Throws: ``ServiceError`` if there are too many values.
    private mutating func fresh(
        _ values: [[SQLValue]], _ target: Target, _ isRemoval: Bool
    ) throws -> [[SQLValue]] {
        let key = Seen(target: target, isRemoval: isRemoval)
        let fresh = values.filter { seen[key, default: []].insert($0).inserted }
        valueCount += fresh.count
        guard valueCount <= Self.maximumRows else { throw tooManyRows }
        return fresh
    }

    private var tooManyRows: ServiceError {
        ServiceError(
            .rowInUse,
            "the change would extend to more than \(Self.maximumRows) rows that refer to the \(resource.singular); remove some of these rows first"
        )
    }

    // MARK: Statements

    /// Returns the values of columns in the row with a key.
    private func values(of target: Target, key: [SQLValue]) throws -> [[SQLValue]] {
        var scope = StatementScope()
        var source = try RowSource(resource, planner, &scope)
        source.conditions += source.isSubject
        for (field, value) in zip(resource.keyFields, key) { scope.bind(.value(field.bound(value)), as: field.name) }
        let columns = target.columns.map(source.table.column).joined(separator: ", ")
        return try rows(source.select(columns) + lock, scope, count: target.columns.count)
    }

    /// Returns the values of columns in the rows that refer to given rows.
    private func values(
        of target: Target, _ reference: TableConstraints.Reference, _ referenced: [[SQLValue]]
    ) throws -> [[SQLValue]] {
        var scope = StatementScope()
        let child = scope.reference(to: reference.table)
        let columns = target.columns.map(child.column).joined(separator: ", ")
        let sql = select(columns, child, reference, referenced, &scope)
        return try rows(sql, scope, count: target.columns.count)
    }

    /// Returns true if rows refer to given rows.
    func hasRows(_ reference: TableConstraints.Reference, _ referenced: [[SQLValue]]) throws -> Bool {
        var scope = StatementScope()
        let child = scope.reference(to: reference.table)
        return try !rows(select("1", child, reference, referenced, &scope, limit: " LIMIT 1"), scope, count: 1).isEmpty
    }

    /// Returns true if the caller may make a change of all rows that refer to given rows.
    /// - Throws: ``ServiceError`` if there are too many rows.
    mutating func isPermitted(
        _ effect: Effect, _ reference: TableConstraints.Reference, _ referenced: [[SQLValue]]
    ) throws -> Bool {
        // The database itself rejects the change.
        guard effect != .rejection else { return true }
        var scope = StatementScope()
        let child = scope.reference(to: reference.table, in: reference.database)
        let counted = select("COUNT(*)", child, reference, referenced, &scope)
        guard reference.database == nil else { return try isZero(counted, scope) }
        let count = try number(counted, scope)
        guard count > 0 else { return true }
        rowCount += count
        guard rowCount <= Self.maximumRows else { throw tooManyRows }
        for resource in catalogue.resources where constraints.isSame(resource.table, reference.table) {
            guard let condition = Self.condition(of: effect, reference, resource) else { continue }
            let checksRows =
                effect == .change
                && !(resource.condition.isEverything && resource.writes.update?.check.isEverything != false)
            guard !checksRows || resource.hasKey else { continue }
            var scope = StatementScope()
            var source = try RowSource(resource, planner, &scope)
            try source.require(condition, &scope)
            let parent = scope.reference(to: reference.parent)
            source.conditions += links(reference, parent, source.table, referenced, &scope)
            func select(_ columns: String) -> String {
                source.select(columns, from: "\(parent.sql) JOIN ") + lock
            }
            guard try number(select("COUNT(*)"), scope) == count else { continue }
            if checksRows {
                let key = resource.keyFields
                let columns = key.map { source.table.column($0.column) }.joined(separator: ", ")
                let keys = try rows(select(columns), scope, count: key.count)
                    .map { row in zip(key, row).map { $0.shown($1) } }
                let set = reference.columns.map { $0.lowercased() }
                changedRows.append(
                    CascadedRows(
                        resource: resource, keys: keys,
                        hasNewKeys: key.contains { set.contains($0.column.lowercased()) },
                        relation: relation(of: reference)))
            }
            return true
        }
        return false
    }

    /// Returns the condition on the rows of a resource that the caller may change in this way; nil if it may change
    /// none.
    private static func condition(
        of effect: Effect, _ reference: TableConstraints.Reference, _ resource: Resource
    ) -> Filter? {
        switch effect {
        case .rejection: return nil
        case .removal: return resource.writes.delete?.condition
        case .change:
            guard let update = resource.writes.update else { return nil }
            let fields = reference.columns.compactMap { resource.visibleField(ofColumn: $0)?.name }
            let isPermitted = fields.count == reference.columns.count && fields.allSatisfy(update.fields.contains)
            return isPermitted ? update.condition : nil
        }
    }

    private func select(
        _ columns: String, _ child: TableReference, _ reference: TableConstraints.Reference,
        _ referenced: [[SQLValue]], _ scope: inout StatementScope, limit: String = ""
    ) -> String {
        let parent = scope.reference(to: reference.parent)
        let conditions = links(reference, parent, child, referenced, &scope).joined(separator: " AND ")
        return "SELECT \(columns) FROM \(parent.sql) JOIN \(child.sql) WHERE \(conditions)\(limit)\(lock)"
    }

    /// Returns the conditions that select the referenced rows, and join them with the referring rows. In a comparison,
    /// SQLite uses the collation of the left operand. For a foreign key, it uses the collation of the referenced
    /// column.
    private func links(
        _ reference: TableConstraints.Reference, _ parent: TableReference, _ child: TableReference,
        _ referenced: [[SQLValue]], _ scope: inout StatementScope
    ) -> [String] {
        let columns = reference.parentColumns.map { catalogue.compared($0, of: parent) }
        let joined = zip(columns, reference.columns).map { "\($0) = \(catalogue.compared($1, of: child))" }
        // A list of consecutive integers would be compared as a range, which can contain numbers with a fraction.
        let rows = scope.bind(.rows(referenced), to: "keys")
        return joined + ["(\(columns.joined(separator: ", "))) IN (\(rows))"]
    }

    private func rows(_ sql: String, _ scope: StatementScope, count: Int) throws -> [[SQLValue]] {
        let statement = ChangePlan.Statement(sql: sql, arguments: scope.arguments, parameters: scope.parameters)
        let rows = try transaction.query(statement)
        defer { rows.close() }
        var values: [[SQLValue]] = []
        while try rows.next() {
            let row = (0..<count).map { rows.value(at: $0) }
            if !row.contains(.null) { values.append(row) }
        }
        return values
    }

    private func number(_ sql: String, _ scope: StatementScope) throws -> Int {
        guard case .integer(let count)? = try rows(sql, scope, count: 1).first?.first else { return 0 }
        return Int(clamping: count)
    }

    /// Returns true if a query of a table in another database returns zero. The account of the connection possibly has
    /// no privilege to read the table.
    private func isZero(_ sql: String, _ scope: StatementScope) throws -> Bool {
        do {
            return try number(sql, scope) == 0
        } catch let error as DatabaseError where [.failed, .missingTable, .missingColumn].contains(error.code) {
            return false
        }
    }

    // MARK: Names

    /// Returns the name of the relation of a foreign key, from the referenced rows to the referring rows; nil if the
    /// caller does not see such a relation. The name of a relation of another resource begins with the name of the
    /// resource.
    func relation(of reference: TableConstraints.Reference) -> String? {
        guard reference.database == nil else { return nil }
        func columns(_ pairs: some Sequence<(String, String)>) -> Set<[String]> {
            Set(pairs.map { [$0.lowercased(), $1.lowercased()] })
        }
        let wanted = columns(zip(reference.parentColumns, reference.columns))
        let owners = catalogue.resources.filter { constraints.isSame($0.table, reference.parent) }
        let ordered = owners.filter { $0.name == resource.name } + owners.filter { $0.name != resource.name }
        for owner in ordered {
            let relation = owner.relations.first { relation in
                relation.joins.isEmpty && columns(relation.columns.map { ($0.from, $0.to) }) == wanted
                    && catalogue[relation.target].map { constraints.isSame($0.table, reference.table) } == true
            }
            if let relation {
                return owner.name == resource.name ? relation.name : "\(owner.name).\(relation.name)"
            }
        }
        return nil
    }
}

extension Resource {
    /// Returns the field of a column of the resource's table, unless clients do not see it. The names of columns are
    /// compared as the databases compare them, without regard to the case of letters.
    func visibleField(ofColumn column: String) -> Field? {
        fields.first { $0.relation == nil && $0.column.lowercased() == column.lowercased() }
    }

    /// Returns the field of a column of the resource's table, even if clients do not see it.
    func storedField(ofColumn column: String) -> Field? {
        visibleField(ofColumn: column)
            ?? concealed.fields.first { $0.relation == nil && $0.column.lowercased() == column.lowercased() }
    }
}

extension ServiceError {
    /// Returns the error for a row that cannot be removed or changed because other rows refer to it.
    /// - Parameter relation: The name of the relation to these rows; nil if the caller does not see it.
    static func rowInUse(_ resource: Resource, _ change: Change, relation: String? = nil) -> ServiceError {
        let rows = relation.map { "rows of the relation \($0)" } ?? "other rows"
        let effect = change.kind == .delete ? "removed" : "changed in this way"
        var error = ServiceError(
            .rowInUse,
            "\(rows) refer to the \(resource.singular), so it cannot be \(effect); remove or change these rows first")
        error.relation = relation
        return error
    }
}
