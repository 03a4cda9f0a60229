import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Returns the description with the narrow columns of a MariaDB database, and with the lengths of its columns. A
    /// narrow column has a character set that does not support all Unicode characters. If necessary, statements convert
    /// a value before they compare it with a narrow column. For SQLite, the description is unchanged.
    public func fitted(to schema: DatabaseSchema) -> APIDescription {
        var classes = ComparisonClasses()
        // SQLite does not report the collations of a view's columns. If some collation is unknown, the columns of views
        // are compared by their bytes.
        let ofView = ComparisonClass("any", collation: "BINARY", isExact: false, explicitCollation: "BINARY")
        let hasUnknown = schema.tables.contains { $0.columns.contains(where: schema.hasUnknownCollation) }
        for table in schema.tables where schema.dialect == .mariaDB || table.kind == .table || hasUnknown {
            for column in table.columns {
                let isOfView = schema.dialect == .sqlite && table.kind == .view
                classes.add(column.name, of: table.name, isOfView ? ofView : column.comparisonClass(schema))
            }
        }
        var description = self
        description.catalogue.comparisonClasses = classes
        guard schema.dialect == .mariaDB else { return description }
        var narrow = NarrowColumns()
        var lengths = ColumnLengths()
        for table in schema.tables {
            for column in table.columns {
                if let collation = column.collation { narrow.add(column.name, of: table.name, collation: collation) }
                if let length = column.type.length { lengths.add(column.name, of: table.name, length: length) }
            }
        }
        description.catalogue.narrowColumns = narrow
        description.catalogue.columnLengths = lengths
        return description
    }
}

extension ColumnType {
    /// The maximum number of characters or bytes of a value; `Int.max` if it is unknown, and nil for a type whose
    /// values are short.
    fileprivate var length: Int? {
        switch self {
        case .text(let length), .binary(let length): length ?? .max
        case .character(let length): length
        case .set(let texts): texts.reduce(0) { $0 + $1.unicodeScalars.count + 1 }
        case .json, .other: .max
        default: nil
        }
    }
}
