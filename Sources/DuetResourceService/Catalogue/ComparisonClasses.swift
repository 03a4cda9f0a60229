/// The classes of the columns of a database. Two columns of one class are compared like a column and a value of the
/// other column that is bound to a parameter. The classes are read from the database, not from the description of the
/// API.
///
/// For columns of different classes, the database converts a bound value in another way than a column. For example,
/// MariaDB compares a `YEAR` with the number 1 as 2001 if the number is bound, and as 1 if it is in a column.
/// Statements for the related rows then join the tables.
public struct ComparisonClasses: Sendable {
    private var classes: [String: [String: ComparisonClass]] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a column.
    public mutating func add(_ column: String, of table: String, _ value: ComparisonClass) {
        classes[table.lowercased(), default: [:]][column.lowercased()] = value
    }

    /// Returns the class of a column; nil if it is unknown.
    func of(_ column: String, in table: String) -> ComparisonClass? {
        classes[table.lowercased()]?[column.lowercased()]
    }
}

/// The class of a column; see ``ComparisonClasses``.
public struct ComparisonClass: Sendable, Hashable {
    /// A number whose value in a result set must be converted before it is bound.
    public enum Number: Sendable, Hashable {
        /// A number of 32 bits, which is read as the shortest decimal number.
        case single
        /// A number of 64 bits, which needs no conversion.
        case double
        /// An exact number, which is read as a text.
        case decimal
    }

    /// The name of the values' type.
    public var name: String
    /// The collation of a text; nil for other values.
    public var collation: String?
    /// True if equal values of the class have equal bytes in a result set.
    public var isExact: Bool
    /// The kind of number; nil for other values, and for integers.
    public var number: Number?
    /// The collation that each comparison and order must specify; nil for the collation of the column. SQLite cannot
    /// compare values by a collation that another program has defined.
    public var explicitCollation: String?
    /// The digits of an exact number; nil for other values, and if the column can have numbers with more digits.
    public var digits: Digits?

    /// The maximum number of digits of an exact number.
    public struct Digits: Sendable, Hashable {
        /// The number of all digits.
        public var precision: Int
        /// The number of digits after the decimal point.
        public var scale: Int

        /// Creates the digits of a type such as `DECIMAL(precision, scale)`.
        public init(precision: Int, scale: Int) {
            self.precision = precision
            self.scale = scale
        }
    }

    /// Creates a class.
    public init(
        _ name: String, collation: String? = nil, isExact: Bool, _ number: Number? = nil,
        explicitCollation: String? = nil, digits: Digits? = nil
    ) {
        self.name = name
        self.collation = collation
        self.isExact = isExact
        self.number = number
        self.explicitCollation = explicitCollation
        self.digits = digits
    }
}

extension ComparisonClass {
    /// Returns true if the database compares columns of the two classes like columns of one class.
    /// - Parameter ignoresCollation: True if the comparison specifies a collation.
    func isComparable(with other: ComparisonClass, ignoresCollation: Bool = false) -> Bool {
        name == other.name && (ignoresCollation || collation == other.collation)
    }

    /// Returns true if values of columns of the two classes are equal exactly if their bytes in a result set are equal.
    package func comparesBytes(with other: ComparisonClass) -> Bool {
        isComparable(with: other) && isExact && other.isExact
    }
}

extension Catalogue {
    /// Returns an expression for a column, as an operand of a comparison or a term of an order.
    func compared(_ expression: String, _ column: String, of table: String) -> String {
        guard let collation = comparisonClasses.of(column, in: table)?.explicitCollation else { return expression }
        return "\(expression) COLLATE \(collation)"
    }

    /// Returns an expression for a field, as an operand of a comparison or a term of an order.
    func compared(_ expression: String, _ field: Field, of resource: Resource) -> String {
        field.type.isComparedInUTC
            ? "duet_utc(\(expression))" : compared(expression, field.column, of: table(of: field, resource))
    }

    /// The result of a comparison of the classes of a relation's columns.
    enum ClassComparison {
        /// The columns of each pair have the same class, and equal values have equal bytes.
        case exact
        /// The columns of each pair have the same class.
        case same
        /// The columns of a pair have different classes.
        case different
    }

    /// Compares the classes of a relation's columns. Returns nil if the class of a column is unknown.
    /// - Parameter keysOnly: True to compare only the columns that are compared with the columns of the parent rows.
    func classes(
        of relation: Relation, _ parent: Resource, keysOnly: Bool = false
    ) -> ClassComparison? {
        let tables = [parent.table] + relation.joins.map(\.table) + [self[relation.target]?.table ?? ""]
        var steps = Array(zip(zip(tables, tables.dropFirst()), relation.joins.map(\.columns) + [relation.columns]))
        if keysOnly { steps = Array(steps.prefix(1)) }
        var result = ClassComparison.exact
        for ((from, to), pairs) in steps {
            for pair in pairs {
                guard let left = comparisonClasses.of(pair.from, in: from),
                    let right = comparisonClasses.of(pair.to, in: to)
                else { return nil }
                guard left.isComparable(with: right, ignoresCollation: pair.collation != nil) else { return .different }
                if pair.collation != nil || !left.comparesBytes(with: right) { result = .same }
            }
        }
        return result
    }

    /// Returns the kinds of the numbers in the columns of the parent rows that a relation compares.
    func keyNumbers(of relation: Relation, _ parent: Resource) -> [ComparisonClass.Number?] {
        relation.parentColumns.map { column in
            if let known = comparisonClasses.of(column, in: parent.table) { return known.number }
            let field = parent.ownField(ofColumn: column)
            if case .decimal? = field?.type { return .decimal }
            return field?.isSingle == true ? .single : nil
        }
    }
}
