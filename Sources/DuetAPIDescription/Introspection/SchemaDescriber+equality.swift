import DuetDatabaseSchema
import DuetResourceService
import DuetSQLDatabase

/// The comparison of foreign key columns.
extension SchemaDescriber {
    /// Returns the pair of columns for each part of a foreign key.
    func columns(of key: ForeignKey, from table: Table, to target: Table) -> [(TableColumn?, TableColumn?)] {
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
        guard schema.dialect == .sqlite, let column, let referenced else { return nil }
        // Values of a column with an unknown collation are compared by their bytes.
        func known(_ column: TableColumn) -> String {
            schema.hasUnknownCollation(column) ? "BINARY" : column.collation ?? "BINARY"
        }
        let (own, other) = (known(column), known(referenced))
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
        switch schema.dialect {
        case .sqlite:
            // The declared type determines how values are stored, and which values are converted before a comparison.
            guard [left.collation, right.collation].allSatisfy({ $0 == nil || $0 == "BINARY" }),
                let affinity = Affinity(left.declaredType)
            else { return false }
            // The values of a DATE column are read as dates, and equal values of any other column as texts.
            return affinity == Affinity(right.declaredType) && (left.type == .date) == (right.type == .date)
        case .mariaDB:
            switch (left.type, right.type) {
            case (.text, .text), (.text, .character), (.character, .text), (.character, .character):
                return [left, right].allSatisfy { $0.collation?.hasSuffix("nopad_bin") == true }
            case (.integer, .integer), (.bits, .bits): return true
            case (.enumeration, _), (.set, _), (.json, _), (.other, _): return false
            // A column of the type BINARY pads its values to the length of the column.
            case (.binary, .binary):
                return left.declaredType == right.declaredType
                    || ![left, right].contains { $0.declaredType.hasPrefix("binary") }
            // The values of a ZEROFILL column begin with zeros.
            case (.decimal(_, let scale), .decimal(_, let other)):
                return scale == other && ![left, right].contains { $0.declaredType.contains("zerofill") }
            default: return left.type == right.type
            }
        }
    }
}

/// The type affinity of a SQLite column (sqlite.org/datatype3.html#determination_of_column_affinity). It determines how
/// the column converts values before it stores them.
enum Affinity {
    /// The affinities `INTEGER` and `NUMERIC`. Both store equal numbers as equal values.
    case numeric
    case real, text, bytes

    /// Creates the affinity of a declared type; nil for a column that stores values without conversion.
    init?(_ declaredType: String) {
        let name = declaredType.uppercased()
        if name.contains("INT") {
            self = .numeric
        } else if name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT") {
            self = .text
        } else if name.contains("BLOB") {
            self = .bytes
        } else if name.isEmpty || name == "ANY" {
            return nil
        } else if name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB") {
            self = .real
        } else {
            self = .numeric
        }
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
