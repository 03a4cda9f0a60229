public import DuetSQLDatabase

/// Rows of a resource that belong to a row of another one, or of the same: an employee's titles, a department's employees.
public struct Relation: Sendable, Hashable {
    /// How many rows belong to a row, and so the form in which they are shown.
    public enum Size: Sendable, Hashable {
        /// One row or, if `isOptional`, none: an object. If several rows belong, the first one in the relation's order is shown; a
        /// filter looks at all of them.
        case one(isOptional: Bool)
        /// A few rows: all of them, if no number is asked for. `typical` is an estimate for the cost of a request.
        case few(typical: Int)
        /// Any number of rows: a page of at most `pageSize`, if no number is asked for.
        case many(pageSize: Int)
    }

    /// Two columns whose values are equal: one of the table before, one of the next table on the way to the target.
    public struct ColumnPair: Sendable, Hashable {
        /// The column of the table before.
        public var from: String
        /// The column of the next table.
        public var to: String
        /// The collation that the columns compare by, such as `NOCASE`. Columns of one collation need none. If theirs differ, the
        /// database would choose by the order of the operands or refuse to compare.
        public var collation: String?

        /// Creates a pair.
        public init(_ from: String, _ to: String, collation: String? = nil) {
            self.from = from
            self.to = to
            self.collation = collation
        }

        /// An expression for the column of the next table, to be compared with the other one. The collation of a left operand counts
        /// in both databases.
        func comparable(_ column: String) -> String { collation.map { "\(column) COLLATE \($0)" } ?? column }
    }

    /// The comparison of the columns that rows belong by.
    public enum Equality: String, Sendable, Hashable, CaseIterable {
        /// Values that the database finds equal have the same type and the same bytes, as integers and texts of a
        /// binary collation have. Statements read the rows by their own columns, which is fast.
        case bytes
        /// Values may be equal and have other bytes: texts under a collation that ignores case or spaces after a text,
        /// or values of different types. Statements join the rows above, and the database compares.
        case database
    }

    /// A table on the way from the resource to the target.
    public struct Join: Sendable, Hashable {
        /// The name of the table.
        public var table: String
        /// The columns by which it is joined to the table before.
        public var columns: [ColumnPair]
        /// The conditions of its rows.
        public var conditions: [Condition]
        /// True if each row has a row in the next table, as a foreign key sees to. A statement then leaves the target
        /// out where it needs no other column of it. SQLite checks foreign keys only for writers that ask for it.
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

    /// A condition on a column of a table on the way.
    public enum Condition: Sendable, Hashable {
        /// The column has that value.
        case equal(String, SQLValue)
        /// The column's value is not that of a column of the table before.
        case differs(String, fromPrevious: String)
    }

    /// A column that the rows are ordered by.
    public enum Order: Sendable, Hashable {
        /// A field of the target.
        case field(String, descending: Bool = false)
        /// A column of a table on the way, by its position in ``joins``.
        case join(Int, column: String, descending: Bool = false)
    }

    /// The name, such as `titles`.
    public var name: String
    /// The name of the resource that the rows belong to.
    public var target: String
    /// How many rows there are.
    public var size: Size
    /// The tables on the way to the target; empty if the target's table follows the resource's own.
    public var joins: [Join]
    /// The columns by which the target is joined to the last table on the way.
    public var columns: [ColumnPair]
    /// The order of the rows where none is asked for; the target's key comes last.
    public var order: [Order]
    /// The comparison of the columns. Without one, integers, dates, bytes and identifiers compare by their bytes, and
    /// all else as the database compares.
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

    /// True if the rows are shown as a list.
    public var isToMany: Bool { if case .one = size { false } else { true } }

    /// An estimate of the number of rows, if no number is asked for.
    var typicalSize: Int {
        switch size {
        case .one: 1
        case .few(let typical): typical
        case .many(let pageSize): pageSize
        }
    }

    /// The columns of the resource's own table that the rows belong by.
    var parentColumns: [String] { keyPairs.map(\.from) }

    /// The columns by which the first table on the way is joined.
    var keyPairs: [ColumnPair] { joins.first?.columns ?? columns }

    /// The columns with the same values in the first table on the way: the target's own, if there is no other.
    var keyColumns: [String] { keyPairs.map(\.to) }
}
