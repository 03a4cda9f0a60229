import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Returns the description with the properties of the columns that the planner needs, but that the description does
    /// not have:
    ///
    /// - The classes of columns that are compared in the same way.
    /// - For a database with character sets, such as MariaDB, the narrow columns. The character set of a narrow column
    ///   does not support all Unicode characters. If necessary, statements convert a value before they compare it with
    ///   a narrow column.
    /// - For a database that does not compare long texts completely, such as MariaDB, the lengths of columns.
    ///
    /// It also gets the constraints of the tables, which writes need.
    public func fitted(to schema: DatabaseSchema) -> APIDescription {
        let dialect = schema.dialect
        var classes = ComparisonClasses()
        var narrow = NarrowColumns()
        var lengths = ColumnLengths()
        // If some collation is unknown, and the collations of a view's columns are unknown, the columns of views are
        // compared by their bytes.
        let ofView = ComparisonClass(
            "any", collation: dialect.defaultCollation, isExact: false, explicitCollation: dialect.defaultCollation)
        let hasUnknown = schema.tables.contains { $0.columns.contains(where: schema.hasUnknownCollation) }
        for table in schema.tables {
            let isOfView = table.kind == .view && !dialect.reportsCollationsOfViews
            for column in table.columns {
                if !isOfView {
                    classes.add(column.name, of: table.name, schema.comparisonClass(of: column))
                } else if hasUnknown {
                    classes.add(column.name, of: table.name, ofView)
                }
                if dialect.hasCharacterSets, let collation = column.collation {
                    narrow.add(column.name, of: table.name, collation: collation)
                }
                if !dialect.ordersLongTexts, let length = column.type.length {
                    lengths.add(column.name, of: table.name, length: length)
                }
            }
        }
        var description = self
        description.catalogue.comparisonClasses = classes
        description.catalogue.constraints = TableConstraints(
            Dictionary(schema.tables.map { ($0.name, $0.constraints) }, uniquingKeysWith: { first, _ in first }),
            outer: schema.outerReferences)
        if dialect.hasCharacterSets { description.catalogue.narrowColumns = narrow }
        if !dialect.ordersLongTexts { description.catalogue.columnLengths = lengths }
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
