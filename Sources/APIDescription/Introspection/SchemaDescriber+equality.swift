import DatabaseSchema
import DuetResourceService
import DuetSQLDatabase

/// The comparison of the columns of foreign keys.
extension SchemaDescriber {
    /// The two columns of each part of a foreign key.
    func columns(of key: ForeignKey, from table: Table, to target: Table) -> [(TableColumn?, TableColumn?)] {
        zip(key.columns, key.referencedColumns).map { (table.column(named: $0), target.column(named: $1)) }
    }

    /// The comparison of a relation by these pairs of columns; nil if it is the one that the fields' types mean.
    func equality(
        _ pairs: [(TableColumn?, TableColumn?)], joins: Int, from: [FieldType?], to: [FieldType?]
    ) -> Relation.Equality? {
        let equality: Relation.Equality = pairs.allSatisfy(comparesBytes) ? .bytes : .database
        return equality == Relation.Equality(joins: joins, from: from, to: to) ? nil : equality
    }

    /// The collation of a foreign key's columns if theirs differ: that of the referenced one, by which SQLite checks the key
    /// (sqlite.org/foreignkeys.html, section 3). MariaDB has no such keys.
    func collation(_ column: TableColumn?, _ referenced: TableColumn?) -> String? {
        guard schema.dialect == .sqlite, let column, let referenced else { return nil }
        let (own, other) = (column.collation ?? "BINARY", referenced.collation ?? "BINARY")
        return own == other ? nil : other
    }

    /// The columns of a foreign key, from the table that has it or from the one that it refers to.
    func pairs(
        _ key: ForeignKey, _ columns: [(TableColumn?, TableColumn?)], isInverse: Bool
    ) -> [Relation.ColumnPair] {
        zip(zip(key.columns, key.referencedColumns), columns).map { names, columns in
            let collation = collation(columns.0, columns.1)
            return isInverse
                ? .init(names.1, names.0, collation: collation) : .init(names.0, names.1, collation: collation)
        }
    }

    /// Returns true if two values of the columns are equal if, and only if, they are read as the same value.
    private func comparesBytes(_ left: TableColumn?, _ right: TableColumn?) -> Bool {
        guard let left, let right else { return false }
        switch schema.dialect {
        case .sqlite:
            // The declared type says how values are stored, and which of them are converted before they are compared.
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
            // Two binary columns pad their values to their own lengths.
            case (.binary, .binary):
                return left.declaredType == right.declaredType
                    || ![left, right].contains { $0.declaredType.hasPrefix("binary") }
            case (.decimal(_, let scale), .decimal(_, let other)): return scale == other
            default: return left.type == right.type
            }
        }
    }
}

/// The form in which SQLite stores the values of a column (sqlite.org/datatype3.html#determination_of_column_affinity).
enum Affinity {
    /// `INTEGER` and `NUMERIC`, which store equal numbers alike.
    case numeric
    case real, text, bytes

    /// - Returns: nil for a column that stores values as they are.
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
    /// True if MariaDB sorts the values by their positions in the declaration and compares them by their texts.
    var isOrdinal: Bool {
        switch type {
        case .enumeration, .set: true
        default: false
        }
    }
}

extension FieldType {
    /// True if a field of an ordinal column needs ``Field/isOrdinal``. Lists sort an enumeration by its texts without it.
    var isPlainText: Bool {
        switch self {
        case .text, .identifier: true
        default: false
        }
    }
}

extension SchemaDescriber.TableResource {
    /// The types of columns, nil for a hidden one.
    func types(of columns: [String]) -> [FieldType?] { columns.map { field(ofColumn: $0)?.type } }
}
