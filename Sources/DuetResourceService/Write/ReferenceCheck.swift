import DuetSQLDatabase

/// The checks of references between rows. A caller can refer only to rows that it sees, so a hidden row and a missing
/// row cause the same error.
extension ChangeTransaction {
    /// Checks that the rows to which the values of a change refer exist for the caller.
    ///
    /// The database enforces its foreign keys itself. This check is necessary if the caller does not see all rows. It
    /// precedes the statement, because a statement with several errors reports only one of them, and a reference to a
    /// hidden row is not an error of the database.
    /// - Throws: ``ServiceError`` with the code `reference-missing`.
    func checkReferences(of resource: Resource, _ change: Change) throws {
        guard seesOnlySomeRows else { return }
        for row in change.rows {
            for link in planner.catalogue.links(from: row, of: resource) where isLimited(link) {
                if change.kind == .insert, refersToItself(link, row, resource) { continue }
                if try isMissing(link, row, resource) {
                    throw ServiceError.missingReference(link.columns, of: resource)
                }
            }
        }
    }

    /// Checks that the rows to which changed rows refer exist for the caller, if the values of the change are only a
    /// part of the reference.
    /// - Throws: ``ServiceError`` with the code `reference-missing`.
    func checkReferences(of resource: Resource, _ change: Change, _ outcome: ChangeOutcome) throws {
        guard seesOnlySomeRows else { return }
        for (index, key) in outcome.keys.enumerated() {
            guard let row = change.rows.count == 1 ? change.rows.first : change.rows.dropFirst(index).first else {
                continue
            }
            for link in planner.catalogue.links(from: row, of: resource)
            where isLimited(link) && Self.values(of: link, row, resource) == nil {
                guard try !exists(planner.presence(of: link, resource, key)) else { continue }
                throw ServiceError.missingReference(link.columns, of: resource)
            }
        }
    }

    var seesOnlySomeRows: Bool { planner.catalogue.view != .whole || planner.catalogue.hasConditions }

    /// Returns true if the caller does not see all rows to which a link leads.
    func isLimited(_ link: ReferenceLink) -> Bool {
        !link.targets.isEmpty
            && (planner.catalogue.view != .whole || link.targets.contains { !$0.condition.isEverything })
    }

    /// Returns the error for a change that violates a foreign key, after the statement has failed. The statement had no
    /// effect, so the rows are those before the change.
    func referenceError(
        of resource: Resource, _ change: Change, _ violation: ConstraintViolation?
    ) throws -> ServiceError {
        let keys = change.key.map { [$0] } ?? change.keys ?? []
        if change.kind == .delete || violation?.kind == .rowInUse {
            return try rowInUseError(of: resource, change, keys: keys)
        }
        let links = change.rows.flatMap { row in
            planner.catalogue.links(from: row, of: resource).map { (row, $0) }
        }
        // If the caller does not see all rows, the first reference is reported that is missing for the caller.
        if planner.catalogue.view == .whole, let name = violation?.name,
            let (_, link) = links.first(where: { $0.1.name == name })
        {
            return ServiceError.missingReference(link.columns, of: resource)
        }
        for (row, link) in links where try isMissing(link, row, resource) {
            return ServiceError.missingReference(link.columns, of: resource)
        }
        // The values are only a part of a reference. A hidden row has this error, too.
        if let (_, link) = links.first(where: { isLimited($0.1) && Self.values(of: $0.1, $0.0, resource) == nil }) {
            return ServiceError.missingReference(link.columns, of: resource)
        }
        // The values that the rules set are not checked before the statement, because they can refer to hidden rows.
        let rules = resource.writes
        let set = change.appliesRules ? (change.kind == .insert ? rules.create?.set : rules.update?.set) ?? [:] : [:]
        let columns = set.keys.compactMap { resource.declaredField($0)?.column.lowercased() }
        let reference = planner.catalogue.constraints[resource.table].references.first { reference in
            reference.columns.contains { columns.contains($0.lowercased()) }
        }
        if let reference {
            let pairs = zip(reference.columns, reference.parentColumns).map { Relation.ColumnPair($0, $1) }
            return ServiceError.missingReference(pairs, of: resource)
        }
        if change.kind == .update, links.isEmpty || violation?.kind == .foreignKey, canBeReferenced(resource, change) {
            return try rowInUseError(of: resource, change, keys: keys)
        }
        // SQLite does not report which foreign key is violated.
        if let (_, link) = links.first(where: { Self.values(of: $0.1, $0.0, resource) == nil }) {
            return ServiceError.missingReference(link.columns, of: resource)
        }
        return ServiceError(
            .referenceMissing, "the values refer to a row that does not exist; create it first, or use another value")
    }

    /// Returns true if other rows can refer to one of the columns that an update changes.
    private func canBeReferenced(_ resource: Resource, _ change: Change) -> Bool {
        let set = change.appliesRules ? resource.writes.update?.set ?? [:] : [:]
        let names = change.rows.flatMap(\.names) + change.defaults.map(\.field) + set.keys
        let columns = Set(names.compactMap { resource.declaredField($0)?.column.lowercased() })
        return planner.catalogue.constraints.references(to: resource.table).contains { reference in
            !columns.isDisjoint(with: reference.parentColumns.map { $0.lowercased() })
        }
    }

    /// Returns the error for a transaction whose end the database has rejected because of a deferred foreign key.
    static func deferredReferenceError(of resource: Resource, _ change: Change) -> ServiceError {
        change.kind == .delete
            ? .rowInUse(resource, change)
            : ServiceError(
                .referenceMissing,
                "the values refer to a row that does not exist; create it first, or use another value")
    }

    /// Returns true if the row to which the values of a new or changed row refer does not exist for the caller. If the
    /// values are only a part of the reference, the result is false.
    private func isMissing(_ link: ReferenceLink, _ row: RowValues, _ resource: Resource) throws -> Bool {
        guard let values = Self.values(of: link, row, resource) else { return false }
        func conditions(_ parent: TableReference, _ scope: inout StatementScope) -> [String] {
            zip(link.columns, values).map { pair, value in
                let parameter = scope.bind(.value(value), to: pair.to)
                return "\(planner.catalogue.compared(pair.to, of: parent)) = \(parameter)"
            }
        }
        guard isLimited(link) else {
            var scope = StatementScope()
            let parent = scope.reference(to: link.table)
            let conditions = conditions(parent, &scope).joined(separator: " AND ")
            return try !exists(statement("SELECT 1 FROM \(parent.sql) WHERE \(conditions)", scope))
        }
        for target in link.targets {
            var scope = StatementScope()
            var source = try RowSource(target, planner, &scope)
            source.conditions += conditions(source.table, &scope)
            if try exists(statement(source.select("1"), scope)) { return false }
        }
        return true
    }

    func statement(_ sql: String, _ scope: StatementScope) -> ChangePlan.Statement {
        ChangePlan.Statement(sql: sql, arguments: scope.arguments, parameters: scope.parameters)
    }

    /// Returns true if a new row refers to itself. The row is checked after the statement, like each new row.
    private func refersToItself(_ link: ReferenceLink, _ row: RowValues, _ resource: Resource) -> Bool {
        guard planner.catalogue.constraints.isSame(link.table, resource.table) else { return false }
        return link.columns.allSatisfy { pair in
            guard let from = resource.storedField(ofColumn: pair.from), let value = row[from.name],
                let to = resource.storedField(ofColumn: pair.to), let own = row[to.name]
            else { return false }
            return from.bound(value) == to.bound(own)
        }
    }

    /// Returns the values of a row for the columns of a link; nil if the row has no value for one of them.
    static func values(of link: ReferenceLink, _ row: RowValues, _ resource: Resource) -> [SQLValue]? {
        let values = link.columns.compactMap { pair in
            resource.storedField(ofColumn: pair.from).flatMap { field in row[field.name].map(field.bound) }
        }
        return values.count == link.columns.count ? values : nil
    }
}

/// A reference from the rows of a resource to the rows of a table: a foreign key of the database, or a to-one relation
/// without intermediate tables.
struct ReferenceLink {
    /// The name of the foreign key, if the database reports it.
    let name: String?
    /// The table to which the reference leads.
    let table: String
    /// The columns of the row, and those of the table.
    let columns: [Relation.ColumnPair]
    /// The resources of the table, including those that clients do not see; empty if no resource has the table.
    let targets: [Resource]
}

extension Catalogue {
    /// Returns the references for which a row has values. They include relations that clients do not see.
    func links(from row: RowValues, of resource: Resource) -> [ReferenceLink] {
        var links: [ReferenceLink] = []
        func add(_ name: String?, _ table: String, _ columns: [Relation.ColumnPair], _ targets: [Resource]) {
            let values = columns.compactMap { resource.storedField(ofColumn: $0.from) }
                .compactMap { row[$0.name] }
            guard !values.isEmpty, !values.contains(.null) else { return }
            links.append(ReferenceLink(name: name, table: table, columns: columns, targets: targets))
        }
        for reference in constraints[resource.table].references where !reference.parentColumns.isEmpty {
            let columns = zip(reference.columns, reference.parentColumns).map { Relation.ColumnPair($0, $1) }
            add(reference.name, reference.parent, columns, resources(ofTable: reference.parent))
        }
        for relation in resource.relations + resource.concealed.relations {
            guard case .one = relation.size, relation.joins.isEmpty, let target = self[relation.target],
                !links.contains(where: { isSame($0, relation, target) })
            else { continue }
            add(nil, target.table, relation.columns, [target])
        }
        return links
    }

    /// True if a reference of the rows leads to a table of which the caller does not see all rows.
    func hasLimitedReferences(of resource: Resource) -> Bool {
        func isLimited(_ targets: [Resource]) -> Bool {
            !targets.isEmpty && (view != .whole || targets.contains { !$0.condition.isEverything })
        }
        return constraints[resource.table].references.contains { isLimited(resources(ofTable: $0.parent)) }
            || (resource.relations + resource.concealed.relations).contains { relation in
                guard case .one = relation.size, relation.joins.isEmpty, let target = self[relation.target] else {
                    return false
                }
                return isLimited([target])
            }
    }

    private func isSame(_ link: ReferenceLink, _ relation: Relation, _ target: Resource) -> Bool {
        constraints.isSame(link.table, target.table)
            && Set(link.columns.map { [$0.from.lowercased(), $0.to.lowercased()] })
                == Set(relation.columns.map { [$0.from.lowercased(), $0.to.lowercased()] })
    }
}

extension Planner {
    /// Returns the statement that returns a row if the row to which a link of another row leads exists for the caller.
    fileprivate func presence(
        of link: ReferenceLink, _ resource: Resource, _ key: [SQLValue]
    ) throws -> ChangePlan.Statement {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope, .all)
        source.conditions += source.isSubject
        for (field, value) in zip(resource.keyFields, key) { scope.bind(.value(field.bound(value)), as: field.name) }
        // A row without a visible target also matches if a reference is NULL.
        var alternatives = link.columns.map { "\(source.table.column($0.from)) IS NULL" }
        for target in link.targets {
            var parent = try RowSource(target, self, &scope)
            parent.conditions += link.columns.map { pair in
                let column = catalogue.compared(pair.to, of: parent.table)
                return "\(pair.comparable(column)) = \(catalogue.compared(pair.from, of: source.table))"
            }
            alternatives.append("EXISTS (\(parent.select("1")))")
        }
        source.conditions.append("(\(alternatives.joined(separator: " OR ")))")
        return ChangePlan.Statement(
            sql: source.select("1"), arguments: scope.arguments, parameters: scope.parameters)
    }
}

extension ServiceError {
    /// Returns the error for a row that refers to a row that does not exist for the caller. It contains only the names
    /// of fields that the caller sees.
    fileprivate static func missingReference(_ columns: [Relation.ColumnPair], of resource: Resource) -> ServiceError {
        let fields = columns.compactMap { resource.visibleField(ofColumn: $0.from)?.name }
        let subject = fields.isEmpty ? "the row" : fields.joined(separator: ", ")
        return ServiceError(
            .referenceMissing, "there is no row to which \(subject) refers; create it first, or use another value",
            fields: fields.map { FieldError(field: $0, message: "refers to a row that does not exist") })
    }
}
