import DuetResourceService
import DuetSQLDatabase

extension DatabaseSchema {
    /// Returns the collation by which statements compare the values of a column. If another program has defined the
    /// collation of the column, it is the default collation.
    func comparisonCollation(of column: TableColumn) -> String? {
        hasUnknownCollation(column) ? dialect.defaultCollation : column.collation ?? dialect.defaultCollation
    }

    /// Returns the class of a column by the comparison of its values. Introspection and the service both use it to
    /// decide which columns are compared by their bytes.
    func comparisonClass(of column: TableColumn) -> ComparisonClass {
        dialect.enforcesTypes ? column.enforcedClass : hintedClass(of: column)
    }

    /// The class of a column that can have values of any type.
    private func hintedClass(of column: TableColumn) -> ComparisonClass {
        let collation = comparisonCollation(of: column)
        let affinity = Affinity(column.declaredType)
        // A column without conversion can contain the equal values 1 and 1.0.
        let isConverted = affinity != nil && affinity != .bytes
        // The values of a DATE column are read as dates, and equal values of any other column as texts.
        let name = column.type == .date ? "date" : isConverted ? "\(affinity ?? .text)" : "any"
        return ComparisonClass(
            name, collation: collation, isExact: isConverted && collation == dialect.defaultCollation,
            explicitCollation: hasUnknownCollation(column) ? dialect.defaultCollation : nil)
    }
}

extension TableColumn {
    /// The class of a column that has only values of its type.
    fileprivate var enforcedClass: ComparisonClass {
        switch type {
        case .integer, .boolean:
            return ComparisonClass("integer", isExact: true, digits: .init(precision: 20, scale: 0))
        case .float: return ComparisonClass("float", isExact: true, .single)
        case .double: return ComparisonClass("double", isExact: true, .double)
        case .decimal(let precision, let scale):
            // A value of a ZEROFILL column begins with zeros.
            let isPlain = !declaredType.lowercased().contains("zerofill")
            return ComparisonClass(
                isPlain ? "decimal \(scale ?? 0)" : declaredType, isExact: isPlain, .decimal,
                digits: precision.map { .init(precision: $0, scale: scale ?? 0) })
        case .text, .character:
            // MariaDB compares texts by their bytes under a collation with this ending.
            return ComparisonClass(
                "text", collation: collation, isExact: collation?.hasSuffix("nopad_bin") == true)
        case .enumeration, .set, .json, .other:
            return ComparisonClass(declaredType, collation: collation, isExact: false)
        // A column of the type BINARY pads its values to the length of the column.
        case .binary:
            return ComparisonClass(declaredType.hasPrefix("binary") ? declaredType : "bytes", isExact: true)
        default: return ComparisonClass(declaredType, isExact: true)
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
