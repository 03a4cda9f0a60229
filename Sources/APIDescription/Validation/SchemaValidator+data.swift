public import DatabaseSchema
import ResourceService
public import SQLDatabase

extension APIDescription {
    /// Searches the rows of a database for values that make requests fail: NULL in keys, zero dates, and required
    /// rows that are missing.
    ///
    /// Tables and columns that are missing are left out, because ``validate(against:)`` reports them.
    /// - Parameters:
    ///   - connection: A connection in a transaction of any kind.
    ///   - schema: The schema of the database.
    ///   - rowLimit: The maximum number of rows of each table that are read.
    /// - Returns: the findings in the order of their places in the description.
    /// - Throws: `DatabaseError`.
    public func validateData(
        of connection: Connection, _ schema: DatabaseSchema, rowLimit: Int = 10_000
    ) throws -> [SchemaFinding] {
        var validator = SchemaValidator(self, schema)
        try validator.validateData(connection, rowLimit: rowLimit)
        return validator.findings.sortedByPlace
    }
}

extension SchemaValidator {
    fileprivate mutating func validateData(_ connection: Connection, rowLimit: Int) throws {
        for resource in description.catalogue.resources {
            guard let table = table(named: resource.table), table.failure == nil else { continue }
            try searchForNull(in: resource, table, connection, rowLimit)
            try searchForZeroDates(in: resource, table, connection, rowLimit)
            for relation in resource.relations where relation.size == .one(isOptional: false) {
                try searchForMissingRow(relation, of: resource, table, connection, rowLimit)
            }
        }
    }

    private mutating func searchForNull(
        in resource: Resource, _ table: Table, _ connection: Connection, _ rowLimit: Int
    ) throws {
        let columns = resource.key.compactMap(resource.field).compactMap { column($0.column, of: table) }
        guard columns.count == resource.key.count, columns.contains(where: \.isNullable) else { return }
        let occurrence = try DatabaseSchema.searchForNull(
            in: columns.map(\.name), of: table.name, connection, rowLimit: rowLimit)
        guard occurrence == .found else { return }
        report(
            .error, .nullInKey, [resource.name, "key"],
            "\(resource.name): a row of \(table.name) has NULL in the key (\(columns.map(\.name).joined(separator: ", "))); a list that shows it fails"
        )
    }

    private mutating func searchForZeroDates(
        in resource: Resource, _ table: Table, _ connection: Connection, _ rowLimit: Int
    ) throws {
        let fields = resource.fields.filter { field in
            guard field.relation == nil, !field.isNullable, let column = column(field.column, of: table) else {
                return false
            }
            switch column.type {
            case .date, .dateTime, .timestamp: return true
            default: return false
            }
        }
        guard !fields.isEmpty else { return }
        let columns = fields.compactMap { column($0.column, of: table)?.name }
        let found = try DatabaseSchema.searchForZeroDates(in: columns, of: table.name, connection, rowLimit: rowLimit)
        for (field, occurrence) in zip(fields, found) where occurrence == .found {
            report(
                .error, .zeroDate, [resource.name, "fields", field.name],
                "\(resource.name).\(field.name): a row of \(table.name) has a date such as 0000-00-00, which is shown as null; add nullable: true"
            )
        }
    }

    private mutating func searchForMissingRow(
        _ relation: Relation, of resource: Resource, _ table: Table, _ connection: Connection, _ rowLimit: Int
    ) throws {
        guard let target = description.catalogue[relation.target].flatMap({ self.table(named: $0.table) }),
            target.failure == nil
        else { return }
        var from = "(SELECT * FROM \(SQLIdentifier.quoted(table.name)) LIMIT \(rowLimit)) AS t0"
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
                conditions.append("\(previous.alias).\(names[0]) = \(alias).\(names[1])")
            }
            // Conditions with values need arguments; relations with them are not searched.
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
