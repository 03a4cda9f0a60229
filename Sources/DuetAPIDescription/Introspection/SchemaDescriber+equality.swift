import DuetDatabaseSchema
import DuetResourceService
import DuetSQLDatabase

/// The comparison of foreign key columns.
extension SchemaDescriber {
    /// Returns the pair of columns for each part of a foreign key.
    func columns(of key: ForeignKey, from table: Table, to target: Table) -> [(TableColumn?, TableColumn?)] {
        zip(key.columns, key.referencedColumns).map { (table.column(named: $0), target.column(named: $1)) }
    }

    /// Returns the value of `equality` for a relation with these pairs of columns; nil if it is the default for the
    /// types of the fields.
    func equality(
        _ pairs: [(TableColumn?, TableColumn?)], joins: Int, from: [FieldType?], to: [FieldType?]
    ) -> Relation.Equality? {
        let equality: Relation.Equality = pairs.allSatisfy(comparesBytes) ? .bytes : .database
        return equality == Relation.Equality(joins: joins, from: from, to: to) ? nil : equality
    }

    /// Returns the collation of the referenced column if the collations of a foreign key's columns differ. SQLite
    /// checks the key with this collation (sqlite.org/foreignkeys.html, section 3). MariaDB does not allow such keys.
    func collation(_ column: TableColumn?, _ referenced: TableColumn?) -> String? {
        guard schema.dialect == .sqlite, let column, let referenced else { return nil }
        let (own, other) = (column.collation ?? "BINARY", referenced.collation ?? "BINARY")
        return own == other ? nil : other
    }

    /// Returns the column pairs of a foreign key, starting from the referencing table or, if inverse, from the
    /// referenced table.
    func pairs(
        _ key: ForeignKey, _ columns: [(TableColumn?, TableColumn?)], isInverse: Bool
    ) -> [Relation.ColumnPair] {
        zip(zip(key.columns, key.referencedColumns), columns).map { names, columns in
            let collation = collation(columns.0, columns.1)
            return isInverse
                ? .init(names.1, names.0, collation: collation) : .init(names.0, names.1, collation: collation)
        }
    }

    /// Returns true if a comparison of the columns in SQL has the same result as a comparison of the bytes that are
    /// read.
    private func comparesBytes(_ left: TableColumn?, _ right: TableColumn?) -> Bool {
        guard let left, let right else { return false }
        switch schema.dialect {
        case .sqlite:
            // The declared type determines how values are stored, and which values are converted before a comparison.
            guard [left.collation, right.collation].allSatisfy({ $0 == nil || $0 == "BINARY" }),
                let affinity = Affinity(left.declaredType)
            else { return false }
            return affinity == Affinity(right.declaredType)
        case .mariaDB:
            switch (left.type, right.type) {
            case (.text, .text), (.text, .character), (.character, .text), (.character, .character):
                return [left, right].allSatisfy { $0.collation?.hasSuffix("nopad_bin") == true }
            case (.integer, .integer), (.bits, .bits): return true
            case (.enumeration, _), (.set, _), (.json, _), (.other, _): return false
            // Binary columns pad their values to the length of the column.
            case (.binary, .binary):
                return left.declaredType == right.declaredType
                    || ![left, right].contains { $0.declaredType.hasPrefix("binary") }
            case (.decimal(_, let scale), .decimal(_, let other)): return scale == other
            default: return left.type == right.type
            }
        }
    }
}

/// The storage form of the values of a SQLite column (sqlite.org/datatype3.html#determination_of_column_affinity).
enum Affinity {
    /// `INTEGER` and `NUMERIC`, which store equal numbers in the same form.
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
    /// True if a field of this type needs ``Field/isOrdinal`` for an ordinal column. An enumeration does not need it,
    /// because lists always sort an enumeration by its texts.
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
