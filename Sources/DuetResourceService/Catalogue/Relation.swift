public import DuetSQLDatabase

/// A relation from a resource to a target resource, such as the titles of an employee or the employees of a department.
public struct Relation: Sendable, Hashable {
    /// The number of related rows per row. It determines the representation in responses.
    public enum Size: Sendable, Hashable {
        /// One row, or no row if `isOptional`. In responses, the relation is an object or null. If several related rows
        /// exist, responses contain the first row in the relation's order, but filters consider all related rows.
        case one(isOptional: Bool)
        /// A few rows. Responses contain all of them, unless the client specifies a maximum number of rows. `typical`
        /// is an estimate of the number of related rows, for the cost of a request.
        case few(typical: Int)
        /// Any number of rows. Responses contain a page of at most `pageSize` rows, unless the client specifies a
        /// maximum number of rows.
        case many(pageSize: Int)
    }

    /// The two columns of a join condition: a column of the previous table, and a column of the next table on the path
    /// to the target.
    public struct ColumnPair: Sendable, Hashable {
        /// The column of the previous table.
        public var from: String
        /// The column of the next table.
        public var to: String
        /// The collation of the comparison, such as `NOCASE`; nil if both columns have the same collation. If the
        /// collations differ and this property is nil, SQLite uses the collation of the left operand, and MariaDB may
        /// refuse the comparison.
        public var collation: String?

        /// Creates a pair.
        public init(_ from: String, _ to: String, collation: String? = nil) {
            self.from = from
            self.to = to
            self.collation = collation
        }

        /// Returns a column as an operand of the join condition, with ``collation`` if it is not nil. An explicit
        /// collation takes precedence over the collations of the columns.
        func comparable(_ column: String) -> String { collation.map { "\(column) COLLATE \($0)" } ?? column }
    }

    /// The comparison of the columns of a relation.
    public enum Equality: String, Sendable, Hashable, CaseIterable {
        /// Equal values have the same type and the same bytes, for example integers, and texts with a binary collation.
        /// Statements compare the columns of the related rows with the values of the parent rows, which is fast.
        case bytes
        /// Equal values can have different bytes, for example texts with a collation that ignores case or trailing
        /// spaces, or values of different types. Statements join the related rows with the keys of the parent rows, so
        /// that only the database decides which values are equal.
        case database
    }

    /// An intermediate table on the path from the resource to the target.
    public struct Join: Sendable, Hashable {
        /// The name of the table.
        public var table: String
        /// The columns that join the table to the previous table.
        public var columns: [ColumnPair]
        /// The conditions on the rows of the table.
        public var conditions: [Condition]
        /// True if each row is guaranteed to have a row in the next table, for example by a foreign key. If all joins
        /// of a relation have this guarantee, a statement that needs only the join columns of the target omits the
        /// target table. SQLite enforces foreign keys only on connections that enable `PRAGMA foreign_keys`.
        public var isEnforced: Bool

        /// Creates a join.
        public init(
            _ table: String, on columns: [ColumnPair], where conditions: [Condition] = [], isEnforced: Bool = true
        ) {
            self.table = table
            self.columns = columns
            self.conditions = conditions
            self.isEnforced = isEnforced
        }
    }

    /// A condition on a column of an intermediate table.
    public enum Condition: Sendable, Hashable {
        /// The column has the given value.
        case equal(String, SQLValue)
        /// The value of the column differs from the value of a column of the previous table.
        case differs(String, fromPrevious: String)
    }

    /// A column by which the rows are ordered.
    public enum Order: Sendable, Hashable {
        /// A field of the target.
        case field(String, descending: Bool = false)
        /// A column of the intermediate table with this index in ``joins``.
        case join(Int, column: String, descending: Bool = false)
    }

    /// The name, such as `titles`.
    public var name: String
    /// The name of the target resource.
    public var target: String
    /// The number of related rows.
    public var size: Size
    /// The intermediate tables; empty if the target is joined to the resource directly.
    public var joins: [Join]
    /// The columns that join the target to the previous table.
    public var columns: [ColumnPair]
    /// The default order of the rows. Rows that are equal in this order are ordered by the key of the target.
    public var order: [Order]
    /// The comparison of the columns. If it is nil, the types of the columns determine the comparison:
    /// ``Equality/bytes`` if the columns of each pair have the same type, and this type is an integer, a date, binary
    /// data or an identifier; otherwise ``Equality/database``. A Boolean counts as an integer. If the classes of the
    /// columns are known (``Catalogue/comparisonClasses``) and equal values can have different bytes, the comparison is
    /// ``Equality/database``.
    public var equality: Equality?
    /// A sentence for the documentation.
    public var description: String

    /// Creates a relation.
    public init(
        _ name: String, to target: String, _ size: Size, through joins: [Join] = [], on columns: [ColumnPair],
        order: [Order] = [], equality: Equality? = nil, description: String
    ) {
        self.name = name
        self.target = target
        self.size = size
        self.joins = joins
        self.columns = columns
        self.order = order
        self.equality = equality
        self.description = description
    }

    /// True if responses contain the related rows as a list.
    public var isToMany: Bool { if case .one = size { false } else { true } }

    /// An estimate of the number of related rows in a response if the client does not specify a maximum number of rows.
    var typicalSize: Int {
        switch size {
        case .one: 1
        case .few(let typical): typical
        case .many(let pageSize): pageSize
        }
    }

    /// The columns of the resource's table in the join conditions.
    var parentColumns: [String] { keyPairs.map(\.from) }

    /// The pairs of columns that join the first table of the path to the resource's table.
    var keyPairs: [ColumnPair] { joins.first?.columns ?? columns }

    /// The columns of the first table of the path, which are compared with ``parentColumns``. Without intermediate
    /// tables, this table is the target.
    var keyColumns: [String] { keyPairs.map(\.to) }
}
