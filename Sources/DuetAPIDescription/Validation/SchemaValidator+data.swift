import DuetResourceService
import DuetResultSetJSON
public import DuetSQLDatabase

extension APIDescription {
    /// Reads all rows of a database as the server reads them for requests. Finds the values that make requests fail,
    /// and the required related rows that are missing.
    ///
    /// Missing tables and columns are skipped, because ``validate(against:)`` reports them. Each resource is read in a
    /// transaction of its own, so that no lock is held between two resources. At most one row is in memory at a time.
    /// - Parameters:
    ///   - database: The database.
    ///   - schema: The schema of the database.
    /// - Returns: The findings in the order of their locations in the description.
    /// - Throws: `DatabaseError` if the database cannot be read. If only the rows of one resource cannot be read, the
    ///   result has a finding.
    public func validateData(of database: Database, _ schema: DatabaseSchema) async throws -> [SchemaFinding] {
        var validator = SchemaValidator(self, schema)
        for resource in catalogue.resources { try await validator.validateData(of: resource, in: database) }
        return validator.findings.sortedByPlace
    }
}

extension SchemaValidator {
    fileprivate mutating func validateData(of resource: Resource, in database: Database) async throws {
        guard let table = table(named: resource.table), table.failure == nil else { return }
        do {
            self = try await database.read(timeout: .none) { [self] connection in
                var validator = self
                for found in try description.catalogue.mismatches(of: resource, connection) {
                    validator.report(found, of: resource, table)
                }
                for relation in resource.relations where relation.size == .one(isOptional: false) {
                    try validator.searchForMissingRow(relation, of: resource, table, connection)
                }
                return validator
            }
        } catch let error as DatabaseError where error.isOfTable {
            guard !error.isChangeOfSchema else { return }
            report(
                .error, .unreadableTable, [resource.name],
                "\(resource.name): the rows of \(table.name) cannot be read: \(error.message)")
        }
    }

    private mutating func report(_ found: ValueMismatches, of resource: Resource, _ table: SchemaTable) {
        let field = found.first.member
        if found.first.isNull, resource.key.contains(field) {
            report(
                .error, .nullInKey, [resource.name, "key"],
                "\(resource.name): a row of \(table.name) has NULL in the key (\(resource.key.joined(separator: ", "))); lists with this row fail"
            )
            return
        }
        let parts = zip(resource.key.compactMap(resource.field), found.key).map { $0.shown($1).keyText }
        let key = parts.isEmpty ? "" : "the key \(parts.joined(separator: ", "))"
        let rows =
            switch (found.count, key.isEmpty) {
            case (1, true): ""
            case (1, false): " (the row with \(key))"
            case (_, true): " (\(found.count) rows)"
            case (_, false): " (\(found.count) rows, the first with \(key))"
            }
        report(
            .error, .value, [resource.name, "fields", field],
            ServiceError(describing: found.first).detail + rows)
    }

    private mutating func searchForMissingRow(
        _ relation: Relation, of resource: Resource, _ table: SchemaTable, _ connection: Connection
    ) throws {
        guard let target = description.catalogue[relation.target].flatMap({ self.table(named: $0.table) }),
            target.failure == nil
        else { return }
        var from = "\(SQLIdentifier.quoted(table.name)) AS t0"
        var previous = (alias: "t0", table: table)
        var joins = relation.joins
        joins.append(Relation.Join(target.name, on: relation.columns))
        for (index, join) in joins.enumerated() {
            guard let next = self.table(named: join.table) else { return }
            let alias = "t\(index + 1)"
            var conditions: [String] = []
            for pair in join.columns {
                guard let left = column(pair.from, of: previous.table), let right = column(pair.to, of: next) else {
                    return
                }
                let names = [left, right].map { SQLIdentifier.quoted($0.name) }
                let collation = [left, right].contains(where: schema.hasUnknownCollation) ? " COLLATE BINARY" : ""
                conditions.append("\(previous.alias).\(names[0])\(collation) = \(alias).\(names[1])")
            }
            // Conditions with values would need arguments, so relations with conditions are not checked.
            guard join.conditions.isEmpty else { return }
            from +=
                " LEFT JOIN \(SQLIdentifier.quoted(next.name)) AS \(alias) ON \(conditions.joined(separator: " AND "))"
            previous = (alias, next)
        }
        guard let last = joins.last?.columns.first, let end = column(last.to, of: target) else { return }
        let column = "\(previous.alias).\(SQLIdentifier.quoted(end.name))"
        let rows = try connection.query("SELECT 1 FROM \(from) WHERE \(column) IS NULL LIMIT 1")
        defer { rows.close() }
        guard try rows.next() else { return }
        report(
            .error, .missingRow, [resource.name, "relations", relation.name],
            "\(resource.name).\(relation.name) is required, but a row of \(table.name) has no row in \(target.name); use one: optional, or add the row"
        )
    }
}
