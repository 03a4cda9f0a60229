import DuetResultSetJSON
import DuetSQLDatabase

/// Converts requests for writes to changes. Both styles use it.
struct ChangeReader: Sendable {
    let context: InputContext
    var catalogue: Catalogue { context.catalogue }
    var dates: DateEncoding { context.dates }

    init(_ service: ResourceService) {
        context = InputContext(
            catalogue: service.catalogue, hooks: service.hooks, dates: service.encoding.dates)
    }

    /// Returns the change of a write. Its rows contain only the values that the path or the key arguments determine.
    /// - Parameters:
    ///   - key: The key of the row in the path; empty for a new row of the resource.
    ///   - relatedKey: The values of the fields that identify the related row; empty if there is none.
    func change(_ write: Write, key: [SQLValue], relatedKey: [SQLValue]) throws -> Change {
        if write.link != nil { return try link(write, key: key, relatedKey: relatedKey) }
        let changed = try catalogue.changedResource(of: write)
        var change = Change(write.kind, of: changed.name, rows: write.kind == .delete ? [] : [RowValues()])
        change.appliesRules = write.origin == .derived
        guard let name = write.place.relation else {
            if write.place == .item { change.key = key }
            return change
        }
        let resource = try catalogue.required(write.resource)
        change.parent = Change.Parent(resource.name, key: key, relation: name)
        change.rows = [fixed(write, try resource.requiredRelation(name), of: resource, to: changed, key, relatedKey)]
        return change
    }

    /// Returns the values of a related row that the path determines: the fields that identify it, and the fields of the
    /// columns that refer to the parent row.
    private func fixed(
        _ write: Write, _ relation: Relation, of resource: Resource, to target: Resource, _ key: [SQLValue],
        _ relatedKey: [SQLValue]
    ) -> RowValues {
        var row = RowValues()
        // With intermediate tables, no column of the row itself refers to the parent row.
        for pair in relation.joins.isEmpty ? relation.columns : [] {
            guard let field = target.ownField(ofColumn: pair.to),
                let index = resource.keyFields.firstIndex(where: { $0.column == pair.from }),
                // In a batch, the key of the parent row can become known later.
                key.indices.contains(index)
            else { continue }
            row[field.name] = key[index]
        }
        if case .relatedItem(_, let names) = write.place {
            for (name, value) in zip(names, relatedKey) { row[name] = value }
        }
        return row
    }

    /// Reads an input into the row of a change. A value that the path determines takes precedence.
    /// - Parameter earlier: The earlier changes of the same transaction, to whose rows the input can refer.
    /// - Throws: ``ServiceError`` with the code `malformed-body` or `validation-failed`.
    func read(
        _ input: some WriteInput, for write: Write, into change: inout Change, ignoring ignored: [String] = [],
        omitsNull: Bool = false, earlier: EarlierSteps = EarlierSteps()
    ) throws {
        var context = context
        context.earlier = earlier
        let row = try InputReader.row(of: input, for: write, in: context, ignoring: ignored, omitsNull: omitsNull)
        try checkPath(row.values, of: write, change)
        change.rows = change.rows.map(row.values.merging)
        if !row.related.isEmpty { change.related = [row.related] }
    }

    /// Returns the values of an input without related rows.
    func values(
        of input: some WriteInput, for write: Write, ignoring ignored: [String] = [], omitsNull: Bool = false
    ) throws -> RowValues {
        try InputReader.values(of: input, for: write, in: context, ignoring: ignored, omitsNull: omitsNull)
    }
}
