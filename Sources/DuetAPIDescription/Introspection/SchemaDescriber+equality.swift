import DuetResourceService
import DuetSQLDatabase

/// The comparison of foreign key columns.
extension SchemaDescriber {
    /// Returns the pair of columns for each part of a foreign key.
    func columns(of key: ForeignKey, from table: SchemaTable, to target: SchemaTable) -> [(TableColumn?, TableColumn?)]
    {
        zip(key.columns, key.referencedColumns).map { (table.column(named: $0), target.column(named: $1)) }
    }

    /// Returns the equality of a relation with these pairs of columns. Returns nil if this equality is the default for
    /// the types of the fields, because the description then omits it.
    func equality(
        _ pairs: [(TableColumn?, TableColumn?)], joins: Int, from: [FieldType?], to: [FieldType?]
    ) -> Relation.Equality? {
        let equality: Relation.Equality = pairs.allSatisfy(comparesBytes) ? .bytes : .database
        return equality == Relation.Equality(joins: joins, from: from, to: to) ? nil : equality
    }

    /// Returns the collation of the referenced column if the referencing column has a different collation, otherwise
    /// nil. SQLite checks the foreign key with the collation of the referenced column (sqlite.org/foreignkeys.html,
    /// section 3). MariaDB does not allow a foreign key between columns with different collations.
    func collation(_ column: TableColumn?, _ referenced: TableColumn?) -> String? {
        guard !schema.dialect.rejectsMixedCollations, let column, let referenced else { return nil }
        let (own, other) = (schema.comparisonCollation(of: column), schema.comparisonCollation(of: referenced))
        return own == other ? nil : other
    }

    /// Returns the column pairs of a relation that follows a foreign key. The first column of each pair is in the
    /// referencing table or, if `isInverse` is true, in the referenced table.
    func pairs(
        _ key: ForeignKey, _ columns: [(TableColumn?, TableColumn?)], isInverse: Bool
    ) -> [Relation.ColumnPair] {
        zip(zip(key.columns, key.referencedColumns), columns).map { names, columns in
            let collation = collation(columns.0, columns.1)
            return isInverse
                ? .init(names.1, names.0, collation: collation) : .init(names.0, names.1, collation: collation)
        }
    }

    /// Returns true if two values of the columns are equal in SQL exactly if the database returns equal bytes for them.
    private func comparesBytes(_ left: TableColumn?, _ right: TableColumn?) -> Bool {
        guard let left, let right else { return false }
        return schema.comparisonClass(of: left).comparesBytes(with: schema.comparisonClass(of: right))
    }
}

extension TableColumn {
    /// True if MariaDB sorts the values by their position in the declaration but compares them as texts.
    var isOrdinal: Bool {
        switch type {
        case .enumeration, .set: true
        default: false
        }
    }
}

extension FieldType {
    /// True if a field of this type needs ``Field/isOrdinal`` for an ordinal column (``TableColumn/isOrdinal``). An
    /// enumeration does not need it, because lists always sort the values of an enumeration as texts.
    var isPlainText: Bool {
        switch self {
        case .text, .identifier: true
        default: false
        }
    }
}

extension SchemaDescriber.TableResource {
    /// Returns the types of the columns' fields; nil for a hidden column.
    func types(of columns: [String]) -> [FieldType?] { columns.map { field(ofColumn: $0)?.type } }
}
