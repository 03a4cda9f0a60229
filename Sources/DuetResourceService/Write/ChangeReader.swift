import DuetResultSetJSON
import DuetSQLDatabase

/// Converts requests for writes to changes. Both styles use it.
struct ChangeReader: Sendable {
    private let catalogue: Catalogue
    private let hooks: ChangeHooks
    private let dates: DateEncoding

    init(_ service: ResourceService) {
        catalogue = service.catalogue
        hooks = service.hooks
        dates = service.encoding.dates
    }

    /// Returns the change of a write. Its rows contain only the values that the path or the key arguments determine.
    /// - Parameters:
    ///   - key: The key of the row in the path; empty for a new row of the resource.
    ///   - relatedKey: The values of the fields that identify the related row; empty if there is none.
    func change(_ write: Write, key: [SQLValue], relatedKey: [SQLValue]) throws -> Change {
        let changed = try catalogue.changedResource(of: write)
        var change = Change(write.kind, of: changed.name, rows: write.kind == .delete ? [] : [RowValues()])
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
                let index = resource.keyFields.firstIndex(where: { $0.column == pair.from })
            else { continue }
            row[field.name] = key[index]
        }
        if case .relatedItem(_, let names) = write.place {
            for (name, value) in zip(names, relatedKey) { row[name] = value }
        }
        return row
    }

    /// Reads an input into the row of a change. A value that the path determines takes precedence.
    /// - Throws: ``ServiceError`` with the code `malformed-body` or `validation-failed`.
    func read(
        _ input: some WriteInput, for write: Write, into change: inout Change, ignoring ignored: [String] = [],
        omitsNull: Bool = false
    ) throws {
        let values = try values(of: input, for: write, ignoring: ignored, omitsNull: omitsNull)
        change.rows = change.rows.map(values.merging)
    }

    /// Returns the values of an input.
    func values(
        of input: some WriteInput, for write: Write, ignoring ignored: [String] = [], omitsNull: Bool = false
    ) throws -> RowValues {
        try InputReader.values(
            of: input, for: write, hooks[catalogue.changedResource(of: write).name], dates: dates, ignoring: ignored,
            omitsNull: omitsNull)
    }
}
