import DuetSQLDatabase

/// The statements of changes. As in the statements of questions, the SQL contains only names of the catalogue, and all
/// values are bound as arguments.
extension Planner {
    /// Returns the plan of a change.
    /// - Throws: ``CatalogueError`` for an unknown name, or for a field that is not a column of the resource's table;
    ///   ``ServiceError`` for a change of several rows without a condition.
    func plan(_ change: Change) throws -> ChangePlan {
        let resource = try resource(change.resource)
        switch change.kind {
        case .insert: return .insert(try change.rows.map { try insert($0, change, resource) })
        case .update:
            guard change.rows.count == 1, let row = change.rows.first else {
                throw CatalogueError("an update of \(resource.name) needs one row of values")
            }
            let key = change.key.map { key in zip(resource.key, key).map { row[$0] ?? $1 } }
            return .update(try update(row, change, resource), key: key)
        case .delete:
            var scope = StatementScope()
            let source = try rows(of: change, resource, &scope)
            return .delete(statement(source.delete(dialect), scope))
        case .upsert: return .upsert(try change.rows.map { try upsert($0, change, resource) })
        case .replace: throw CatalogueError("a replacement of \(resource.name) is planned as an update or an insert")
        }
    }

    /// Returns the statement that returns a row if the row with a key exists and matches a condition.
    /// - Parameters:
    ///   - condition: A condition of the request. It considers only the rows that the caller sees.
    ///   - rule: A condition of the rules for writes. It is evaluated with all rows of the database.
    ///   - visibility: The rows that are read.
    ///   - isLocking: True to lock the row until the end of the transaction. On SQLite, the write transaction has
    ///     already locked the whole database.
    func presence(
        of resource: Resource, _ key: [SQLValue], where condition: Filter = .everything,
        satisfying rule: Filter = .everything, relatedTo parent: Change.Parent? = nil, isLocking: Bool = false,
        visibility: RowSource.Visibility = .conditional
    ) throws -> ChangePlan.Statement {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope, visibility)
        restrict(&source, to: key, &scope)
        try restrict(&source, to: parent, &scope)
        try restrict(&source, to: condition, &scope)
        try source.require(rule, &scope)
        return statement(source.select("1") + (isLocking ? dialect.rowLock : ""), scope)
    }

    /// Returns the statement that returns a row if a row matches a condition.
    func presence(of resource: Resource, where condition: Filter) throws -> ChangePlan.Statement {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope)
        try restrict(&source, to: condition, &scope)
        return statement(source.select("1"), scope)
    }

    func statement(_ sql: String, _ scope: StatementScope) -> ChangePlan.Statement {
        ChangePlan.Statement(sql: sql, arguments: scope.arguments, parameters: scope.parameters)
    }

    // MARK: Statements

    private func insert(_ row: RowValues, _ change: Change, _ resource: Resource) throws -> ChangePlan.Insert {
        var scope = StatementScope()
        var columns = try assignments(row, resource, &scope)
        if change.appliesRules { columns += try setColumns(resource.writes.create?.set, of: resource, &scope) }
        if let parent = change.parent {
            columns += try parentColumns(parent, resource, except: columns.map(\.column), &scope)
        }
        let names = columns.map { SQLIdentifier.quoted($0.column) }.joined(separator: ", ")
        var sql = "INSERT INTO \(TableReference.insertTarget(resource.table))"
        if columns.isEmpty {
            sql += dialect.emptyRow
        } else {
            sql += " (\(names)) VALUES (\(columns.map(\.value).joined(separator: ", ")))"
        }
        let key = row.values(of: resource.key)
        let returned = key == nil ? resource.keyFields : []
        if key == nil {
            sql += " RETURNING " + returned.map { SQLIdentifier.quoted($0.column) }.joined(separator: ", ")
        }
        return ChangePlan.Insert(statement: statement(sql, scope), key: key, returned: returned)
    }

    private func update(_ row: RowValues, _ change: Change, _ resource: Resource) throws -> ChangePlan.Statement? {
        // The rules set their values with each update, even if the request has no values or only related rows.
        let set = change.appliesRules ? resource.writes.update?.set ?? [:] : [:]
        guard !row.isEmpty || !change.defaults.isEmpty || !set.isEmpty else { return nil }
        var scope = StatementScope()
        var columns = try assignments(row, resource, &scope)
        columns += try change.defaults.map { (try resource.requiredField($0.field).column, $0.expression) }
        columns += try setColumns(set, of: resource, &scope)
        let assignments = columns.map { "\(SQLIdentifier.quoted($0.column)) = \($0.value)" }
        let source = try rows(of: change, resource, &scope)
        return statement(source.update(assignments.joined(separator: ", ")), scope)
    }

    private func upsert(_ row: RowValues, _ change: Change, _ resource: Resource) throws -> ChangePlan.Upsert {
        guard !resource.key.isEmpty, let key = row.values(of: resource.key) else {
            throw CatalogueError("an upsert of \(resource.name) needs the whole key")
        }
        var existing = change
        existing.key = key
        var others = row
        for name in resource.key { others[name] = nil }
        return ChangePlan.Upsert(
            presence: try presence(
                of: resource, key, where: change.condition, relatedTo: change.parent, isLocking: true),
            update: try update(others, existing, resource), insert: try insert(row, change, resource))
    }

    // MARK: Values

    /// Returns the columns for which a row has a value, and the expressions of the values.
    private func assignments(
        _ row: RowValues, _ resource: Resource, _ scope: inout StatementScope
    ) throws -> [(column: String, value: String)] {
        try row.elements.map { name, value in
            let field = try resource.requiredField(name)
            guard field.relation == nil else {
                throw CatalogueError("\(resource.name).\(name) cannot be written; it is a column of another table")
            }
            return (field.column, assigned(value, to: field, &scope))
        }
    }

    /// Returns the columns that the rules for a change set, and the expressions of their values.
    private func setColumns(
        _ set: [String: Operand]?, of resource: Resource, _ scope: inout StatementScope
    ) throws -> [(column: String, value: String)] {
        try (set ?? [:]).sorted { $0.key < $1.key }.map { name, operand in
            let field = try resource.requiredField(name)
            switch operand {
            case .value(let value): return (field.column, assigned(value, to: field, &scope))
            case .parameter(let parameter):
                let bound = scope.bind(
                    PlanParameter(name: parameter, field: field, resource: resource.name, isList: false, form: .value))
                return (field.column, stored(bound, as: field.type))
            }
        }
    }

    /// Returns the columns of a new row that refer to the parent row, except the given columns.
    private func parentColumns(
        _ parent: Change.Parent, _ resource: Resource, except known: [String], _ scope: inout StatementScope
    ) throws -> [(column: String, value: String)] {
        let parentResource = try self.resource(parent.resource)
        let relation = try parentResource.requiredRelation(parent.relation)
        guard relation.joins.isEmpty, relation.target == resource.name else {
            throw CatalogueError(
                "\(parentResource.name).\(relation.name) does not lead to \(resource.name) without intermediate tables")
        }
        return try relation.columns.filter { !known.contains($0.to) }.map { pair in
            guard let index = parentResource.keyFields.firstIndex(where: { $0.column == pair.from }) else {
                throw CatalogueError(
                    "\(parentResource.name).\(relation.name) needs the column \(pair.from), which is not part of the key"
                )
            }
            return (pair.to, assigned(parent.key[index], to: parentResource.keyFields[index], &scope))
        }
    }

    /// Returns the expression that converts a value of a client to the stored value. For times that are compared in UTC
    /// (`FieldType.isComparedInUTC`), the value is the text of the comparison, which differs from the stored form.
    private func assigned(_ value: SQLValue, to field: Field, _ scope: inout StatementScope) -> String {
        stored(scope.bind(.value(field.bound(value)), to: field.name), as: field.type)
    }

    func stored(_ parameter: String, as type: FieldType) -> String {
        switch type {
        case .dateTime(_, .julianDays): "julianday(\(parameter))"
        case .dateTime(_, .offset): "\(parameter) || '+00:00'"
        default: parameter
        }
    }

    // MARK: Rows

    /// Returns the source of the rows that a change updates or deletes.
    private func rows(of change: Change, _ resource: Resource, _ scope: inout StatementScope) throws -> RowSource {
        if let keys = change.keys { return try rows(of: resource, with: keys, &scope) }
        let readsOnlyTable = readsOnlyTable(change.condition, resource) && readsOnlyTable(resource.condition, resource)
        var source = try RowSource(resource, self, &scope, readsOnlyTable ? .conditional : .all)
        if let key = change.key {
            guard resource.hasKey else { throw CatalogueError("\(resource.name) has no key") }
            restrict(&source, to: key, &scope)
        } else if change.condition.isEverything {
            throw ServiceError(.emptyFilter, "a change of several rows of \(resource.name) needs a condition")
        }
        if readsOnlyTable {
            try restrict(&source, to: change.condition, &scope)
        } else {
            // The statement cannot join other tables, and MariaDB does not permit a DELETE to read its own table. The
            // inner query is evaluated first, and its result is stored in a temporary table.
            guard resource.hasKey else {
                throw CatalogueError("\(resource.name) has no key, so a condition cannot read other tables")
            }
            var inner = try RowSource(resource, self, &scope)
            try restrict(&inner, to: change.condition, &scope)
            let key = resource.keyFields.map(\.column)
            let names = key.map(SQLIdentifier.quoted).joined(separator: ", ")
            let columns = key.map(source.table.column).joined(separator: ", ")
            let read = inner.select(key.map(inner.table.column).joined(separator: ", "))
            source.conditions.append("(\(columns)) IN (SELECT \(names) FROM (\(read)) AS \(scope.alias()))")
        }
        return source
    }

    /// Restricts a source to the rows that refer to a parent row. With intermediate tables, no column of the rows
    /// refers to the parent row.
    private func restrict(
        _ source: inout RowSource, to parent: Change.Parent?, _ scope: inout StatementScope
    ) throws {
        guard let parent else { return }
        let relation = try resource(parent.resource).requiredRelation(parent.relation)
        guard relation.joins.isEmpty else { return }
        for column in try parentColumns(parent, source.resource, except: [], &scope) {
            source.conditions.append("\(source.compared(column.column)) = \(column.value)")
        }
    }

    /// Restricts a source to the row with a key.
    private func restrict(_ source: inout RowSource, to key: [SQLValue], _ scope: inout StatementScope) {
        source.conditions += source.isSubject
        for (field, value) in zip(source.resource.keyFields, key) {
            scope.bind(.value(field.bound(value)), as: field.name)
        }
    }

    /// Returns true if a filter reads only columns of the resource's own table.
    private func readsOnlyTable(_ filter: Filter, _ resource: Resource) -> Bool {
        switch filter {
        case .compare(let name, _, _), .isNull(let name, _): resource.declaredField(name)?.relation == nil
        case .all(let filters), .any(let filters): filters.allSatisfy { readsOnlyTable($0, resource) }
        case .not(let filter): readsOnlyTable(filter, resource)
        case .related, .aggregate: false
        }
    }
}

extension RowSource {
    /// Returns the statement `UPDATE … SET … WHERE …`.
    fileprivate func update(_ assignments: String) -> String {
        "UPDATE \(table.sql) SET \(assignments) WHERE \(allConditions.joined(separator: " AND "))"
    }

    /// Returns the statement `DELETE … WHERE …`.
    fileprivate func delete(_ dialect: Dialect) -> String {
        let target = dialect.deletesByAlias ? "\(table.alias) " : ""
        return "DELETE \(target)FROM \(table.sql) WHERE \(allConditions.joined(separator: " AND "))"
    }
}
