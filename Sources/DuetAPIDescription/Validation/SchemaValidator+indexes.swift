import DuetResourceService
import DuetSQLDatabase

/// The search for orders, filters and relations that no index serves.
extension SchemaValidator {
    /// A column in the order of an index or of a list.
    private typealias Term = TableIndex.Column

    /// Notes the sorts, default orders, named filters and relations that no index serves. Whole lists are omitted,
    /// because they have few rows, and so are views, which have no indexes.
    mutating func noteMissingIndexes(_ indexes: DatabaseIndexes) {
        var noted: Set<String> = []
        for resource in description.catalogue.resources {
            if resource.isPaged { noteOrders(of: resource, indexes, &noted) }
            for filter in resource.filters { note(filter, of: resource, indexes, &noted) }
            for relation in resource.relations { note(relation, of: resource, indexes, &noted) }
        }
    }

    /// Returns the table of a resource; nil if it has no indexes, or if its rows are few.
    private func indexedTable(of resource: Resource) -> SchemaTable? {
        if case .few = resource.collection { return nil }
        return indexedTable(named: resource.table)
    }

    private func indexedTable(named name: String) -> SchemaTable? {
        guard let table = table(named: name), table.kind == .table, table.failure == nil else { return nil }
        return table
    }

    // MARK: Orders

    private mutating func noteOrders(
        of resource: Resource, _ indexes: DatabaseIndexes, _ noted: inout Set<String>
    ) {
        guard let table = indexedTable(of: resource) else { return }
        if !resource.order.isEmpty, let missing = missing(resource.order, of: resource, table, indexes) {
            report([missing], [resource.name, "order"], "the default order of \(resource.name)", &noted)
        }
        // One note has all sorts, because an introspected description has many.
        let sorts = resource.sortFields.compactMap { name in
            missing([SortField(name)], of: resource, table, indexes).map { (name, $0) }
        }
        report(
            sorts.map(\.1), [resource.name, "sort"],
            "\(resource.name) sorted by \(sorts.map(\.0).joined(separator: ", "))", &noted)
    }

    /// Returns an index that would serve an order of a list; nil if an index serves it, or none can.
    private func missing(
        _ order: [SortField], of resource: Resource, _ table: SchemaTable, _ indexes: DatabaseIndexes
    ) -> MissingIndex? {
        let isToOne = order.first.flatMap { resource.field($0.field)?.relation }
        if let name = isToOne {
            guard let relation = resource.relation(name), order.count == 1, relation.joins.isEmpty,
                let target = description.catalogue[relation.target], let targetTable = indexedTable(of: target),
                let field = resource.field(order[0].field)
            else { return nil }
            // The database reads the rows of the target in order, and finds the rows of the resource for each of them.
            if !finds([field.column], in: indexes.of(targetTable)) {
                return missing([Term(name: field.column, isDescending: false)], of: targetTable)
            }
            let found = relation.columns.map(\.from)
            guard !finds(found, in: indexes.of(table)) else { return nil }
            return missing(found.map { Term(name: $0, isDescending: false) }, of: table)
        }
        guard let terms = terms(order + keyTerms(of: resource, after: order), of: resource),
            !serves(terms, after: [], indexes.of(table))
        else { return nil }
        return missing(terms, of: table)
    }

    /// Returns the terms of the key that follow an order and make it unique.
    private func keyTerms(of resource: Resource, after order: [SortField]) -> [SortField] {
        resource.key.filter { name in !order.contains { $0.field == name } }.map { SortField($0) }
    }

    /// Returns the columns of an order; nil if a field is not a column of the resource's table.
    private func terms(_ order: [SortField], of resource: Resource) -> [Term]? {
        let terms = order.compactMap { sort in
            resource.field(sort.field).flatMap { field in
                field.relation == nil ? Term(name: field.column, isDescending: sort.descending) : nil
            }
        }
        return terms.count == order.count ? terms : nil
    }

    /// Returns true if an index has an order, in one of the two directions.
    /// - Parameter fixed: The columns that have one value in all rows of the list.
    private func serves(_ terms: [Term], after fixed: [String], _ indexes: [TableIndex]) -> Bool {
        let terms = terms.filter { term in !fixed.contains { isEqual($0, term.name) } }
        // SQLite sorts only the rows with equal values in the first columns.
        let needed = dialect.sortsWithinEqualValues ? Array(terms.prefix(1)) : terms
        return indexes.contains { index in
            let start = index.columns.prefix(fixed.count)
            guard start.count == fixed.count,
                start.allSatisfy({ column in !column.isPartial && fixed.contains { isEqual($0, column.name) } })
            else { return false }
            let rest = index.columns.dropFirst(fixed.count).prefix(needed.count)
            guard rest.count == needed.count,
                zip(rest, needed).allSatisfy({ !$0.isPartial && isEqual($0.name, $1.name) })
            else {
                return false
            }
            return Set(zip(rest, needed).map { $0.isDescending == $1.isDescending }).count <= 1
        }
    }

    // MARK: Filters

    private mutating func note(
        _ filter: NamedFilter, of resource: Resource, _ indexes: DatabaseIndexes, _ noted: inout Set<String>
    ) {
        let path = [resource.name, "filters", filter.name]
        let subject = "the filter \(filter.name) of \(resource.name)"
        let compared: [(resource: Resource, field: String)]
        switch filter.meaning {
        case .compare(_, .notEqual): return
        case .compare(let fields, _): compared = fields.map { (resource, $0) }
        case .some(let name, let field, _):
            guard let relation = resource.relation(name), let target = description.catalogue[relation.target] else {
                return
            }
            compared = [(target, field)]
        // Each of the two values of a flag usually selects many rows.
        case .flag: return
        }
        for (resource, name) in compared {
            guard let field = resource.field(name), field.relation == nil, let table = indexedTable(of: resource),
                !finds([field.column], in: indexes.of(table))
            else { continue }
            let index = missing([Term(name: field.column, isDescending: false)], of: table)
            report([index].compactMap(\.self), path, subject, &noted)
        }
    }

    /// Returns true if an index begins with one of the columns.
    private func finds(_ columns: [String], in indexes: [TableIndex]) -> Bool {
        indexes.contains { index in columns.contains { isEqual($0, index.columns.first?.name) } }
    }

    // MARK: Relations

    private mutating func note(
        _ relation: Relation, of resource: Resource, _ indexes: DatabaseIndexes, _ noted: inout Set<String>
    ) {
        guard let target = description.catalogue[relation.target] else { return }
        let path = [resource.name, "relations", relation.name]
        let subject = "the relation \(resource.name).\(relation.name)"
        for join in relation.joins {
            guard let table = indexedTable(named: join.table) else { continue }
            noteKey(join.columns.map(\.to), of: table, indexes, path, subject, &noted)
        }
        guard let table = indexedTable(of: target) else { return }
        let columns = relation.columns.map(\.to)
        guard !noteKey(columns, of: table, indexes, path, subject, &noted) else { return }
        guard case .many = relation.size, relation.joins.isEmpty else { return }
        let order = relation.order.compactMap(\.sortField)
        guard let terms = terms(order + keyTerms(of: target, after: order), of: target),
            !serves(terms, after: columns, indexes.of(table))
        else { return }
        let fixed = columns.map { Term(name: $0, isDescending: false) }
        let rest = terms.filter { term in !columns.contains { isEqual($0, term.name) } }
        report([missing(fixed + rest, of: table)].compactMap(\.self), path, "the order of \(subject)", &noted)
    }

    /// Notes columns of a relation for which no index exists.
    /// - Returns: True if there is none.
    @discardableResult
    private mutating func noteKey(
        _ columns: [String], of table: SchemaTable, _ indexes: DatabaseIndexes, _ path: [String], _ subject: String,
        _ noted: inout Set<String>
    ) -> Bool {
        guard !columns.isEmpty, !finds(columns, in: indexes.of(table)) else { return false }
        let index = missing(columns.map { Term(name: $0, isDescending: false) }, of: table)
        report([index].compactMap(\.self), path, subject, &noted)
        return true
    }

    // MARK: Findings

    private func isEqual(_ name: String?, _ other: String?) -> Bool { name?.lowercased() == other?.lowercased() }

    /// An index that the database lacks.
    private struct MissingIndex {
        let table: String
        /// The columns as SQL.
        let columns: String
        let statement: String
    }

    /// Returns the index with these columns; nil if no index can contain them.
    private func missing(_ terms: [Term], of table: SchemaTable) -> MissingIndex? {
        let columns = terms.compactMap { column($0.name, of: table) }
        guard columns.count == terms.count, !columns.contains(where: { $0.isTooLongForIndex(dialect) }) else {
            return nil
        }
        // An index can be read in both directions.
        let isReversed = terms.allSatisfy(\.isDescending)
        let list = zip(columns, terms).map { column, term in
            SQLIdentifier.quoted(column.name) + (term.isDescending && !isReversed ? " DESC" : "")
        }.joined(separator: ", ")
        let name = String(([table.name] + columns.map(\.name)).joined(separator: "_").prefix(64))
        return MissingIndex(
            table: table.name, columns: list,
            statement: "CREATE INDEX \(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table.name)) (\(list))")
    }

    /// Notes that indexes are missing, except those that another finding has.
    private mutating func report(
        _ indexes: [MissingIndex], _ path: [String], _ subject: String, _ noted: inout Set<String>
    ) {
        let new = indexes.filter { noted.insert("\($0.table) (\($0.columns))").inserted }
        guard !new.isEmpty else { return }
        let statements = new.map(\.statement)
        report(
            .note, .missingIndex, path,
            "no index serves \(subject), so a request can read all rows; "
                + "to add \(new.count == 1 ? "one" : "indexes"): \(statements.joined(separator: "; "))",
            statements: statements)
    }
}

extension TableColumn {
    /// True if the database cannot index whole values of the column.
    fileprivate func isTooLongForIndex(_ dialect: Dialect) -> Bool {
        guard dialect.indexesBeginnings else { return false }
        let type = declaredType.lowercased()
        return ["text", "blob", "json", "geometry"].contains { type.contains($0) }
    }
}

extension APIDescription {
    /// Returns a note for each sort, default order, named filter and relation that no index serves, with the statement
    /// that creates an index.
    package func missingIndexes(_ schema: DatabaseSchema, _ indexes: DatabaseIndexes) -> [SchemaFinding] {
        var validator = SchemaValidator(self, schema)
        validator.noteMissingIndexes(indexes)
        return validator.findings.sortedByPlace
    }
}
