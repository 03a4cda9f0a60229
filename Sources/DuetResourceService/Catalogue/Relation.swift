public import DuetSQLDatabase

/// A relation from a resource to a resource, such as the titles of an employee or the employees of a department.
public struct Relation: Sendable, Hashable {
    /// The number of related rows per row, which decides their representation.
    public enum Size: Sendable, Hashable {
        /// One row, or none if `isOptional`: an object. If there are several related rows, the first one in the
        /// relation's order is shown. A filter considers all of them.
        case one(isOptional: Bool)
        /// A few rows: all of them, unless the client requests a number. `typical` is an estimate for the cost of a
        /// request.
        case few(typical: Int)
        /// Any number of rows: a page of at most `pageSize`, unless the client requests a number.
        case many(pageSize: Int)
    }

    /// Two columns with equal values: one of the previous table, one of the next table on the path to the target.
    public struct ColumnPair: Sendable, Hashable {
        /// The column of the previous table.
        public var from: String
        /// The column of the next table.
        public var to: String
        /// The collation of the comparison, such as `NOCASE`; nil for columns with the same collation. If the
        /// collations differ, the database would choose one by the order of the operands, or refuse the comparison.
        public var collation: String?

        /// Creates a pair.
        public init(_ from: String, _ to: String, collation: String? = nil) {
            self.from = from
            self.to = to
            self.collation = collation
        }

        /// Returns an expression for the column of the next table in a comparison with the column of the previous
        /// table. Both databases use the collation of the left operand.
        func comparable(_ column: String) -> String { collation.map { "\(column) COLLATE \($0)" } ?? column }
    }

    /// The comparison of the columns of a relation.
    public enum Equality: String, Sendable, Hashable, CaseIterable {
        /// Values that are equal in the database have the same type and the same bytes, for example integers, and texts
        /// of a binary collation. Statements select the rows by their own columns, which is fast.
        case bytes
        /// Equal values can have different bytes: texts under a collation that ignores case or trailing spaces, or
        /// values of different types. Statements join the parent rows, and the database compares the columns.
        case database
    }

    /// An intermediate table on the path from the resource to the target.
    public struct Join: Sendable, Hashable {
        /// The name of the table.
        public var table: String
        /// The columns that join the table to the previous table.
        public var columns: [ColumnPair]
        /// The conditions on its rows.
        public var conditions: [Condition]
        /// True if each row has a row in the next table, as a foreign key guarantees. A statement then omits the target
        /// where it needs no other column of it. SQLite enforces foreign keys only on connections that request it.
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

    /// A column in the order of the rows.
    public enum Order: Sendable, Hashable {
        /// A field of the target.
        case field(String, descending: Bool = false)
        /// A column of an intermediate table, by its index in ``joins``.
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
    /// The default order of the rows. The target's key follows.
    public var order: [Order]
    /// The comparison of the columns. If it is nil, integers, dates, bytes and identifiers compare by their bytes, and
    /// all other types as the database compares them.
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

    /// True if the related rows are shown as a list.
    public var isToMany: Bool { if case .one = size { false } else { true } }

    /// An estimate of the number of related rows, if the client requests no number.
    var typicalSize: Int {
        switch size {
        case .one: 1
        case .few(let typical): typical
        case .many(let pageSize): pageSize
        }
    }

    /// The columns of the resource's own table in the join.
    var parentColumns: [String] { keyPairs.map(\.from) }

    /// The columns that join the first table of the path.
    var keyPairs: [ColumnPair] { joins.first?.columns ?? columns }

    /// The columns of the first table of the path that equal ``parentColumns``. Without intermediate tables, they
    /// belong to the target.
    var keyColumns: [String] { keyPairs.map(\.to) }
}
