public import DuetSQLDatabase

/// The query of an ``Attachment``, stated in parts. The adapter creates the statement from the parts.
///
///     AttachedQuery(
///         select: "product, quantity", from: "invoice_lines", key: "invoice", where: "quantity >= :least",
///         orderBy: ["position"], arguments: ["least": 2])
///
///     SELECT invoice, product, quantity FROM (invoice_lines)
///     WHERE (invoice) IN (:keys) AND (quantity >= :least) ORDER BY 1, (position)
///
/// The parameter `:keys` is the list of the keys of all parent rows. The statement selects, compares and sorts by the
/// same columns, the *key columns*. A row therefore always belongs to the parent row with whose key the database has
/// compared it, and the rows of one key are consecutive. The adapter does not read the SQL of the parts.
///
/// The parts must not contain values from clients. Use parameters for such values.
///
/// A query with other clauses, such as `GROUP BY`, `UNION` or `WITH`, is a derived table: `from: "(SELECT …) AS t"`.
/// The database may read the whole derived table before it applies the condition on the keys. To prevent this, repeat
/// the condition inside the table: `(SELECT … WHERE invoice IN (:keys) GROUP BY …) AS t`. A `LIMIT` inside a derived
/// table applies to the rows of all keys together.
public struct AttachedQuery: Sendable {
    /// An expression by which rows are sorted. A string literal is an ascending order.
    public enum Order: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The order from the lowest to the highest value of an SQL expression.
        case ascending(String)
        /// The order from the highest to the lowest value of an SQL expression.
        case descending(String)

        /// Creates an ascending order.
        public init(stringLiteral value: String) {
            self = .ascending(value)
        }

        /// The parentheses make more than an expression, such as `position LIMIT 1`, an error of the database.
        fileprivate var sql: String {
            switch self {
            case .ascending(let expression): "(\(expression))"
            case .descending(let expression): "(\(expression)) DESC"
            }
        }
    }

    /// The name of the list parameter for the keys.
    static let parameter = "keys"

    /// The key columns.
    let key: [String]
    /// The maximum number of rows of all keys together.
    let limit: Int?
    let arguments: Arguments
    /// The statement.
    let sql: String
    /// The clauses `FROM` and `WHERE` of the statement.
    private let rows: String

    /// Creates a query.
    /// - Parameters:
    ///   - columns: The select list without the key columns and without further clauses. If it is empty, the statement
    ///     selects only the key columns. For all columns of a table, write `items.*`, because MariaDB rejects `*` after
    ///     another column.
    ///   - tables: The clause `FROM`: a table, a join or a derived table.
    ///   - key: The key columns. The attachment has the same number of columns in the parent rows. A key column can be
    ///     an expression, for example `CAST(invoice AS CHAR)`.
    ///   - condition: A condition on the rows, in addition to the condition on the keys.
    ///   - order: The order of the rows of one key.
    ///   - limit: The maximum number of rows, which must not be negative. Only a query for one parent row can have a
    ///     limit, because the limit would otherwise apply to the rows of all parent rows together.
    ///   - arguments: The arguments of the parameters in the parts. `:keys` has no argument.
    public init(
        select columns: String, from tables: String, key: [String], where condition: String? = nil,
        orderBy order: [Order] = [], limit: Int? = nil, arguments: Arguments = [:]
    ) {
        self.key = key
        self.limit = limit
        self.arguments = arguments
        // The parentheses of the key columns are necessary for an expression with an operator such as OR. The other
        // parentheses make more than a clause, such as a UNION, an error of the database.
        rows =
            " FROM (\(tables)) WHERE (\(Self.list(key))) IN (:\(Self.parameter))"
            + (condition.map { " AND (\($0))" } ?? "")
        // The key columns are sorted by their positions, because another column can have the name of a key column.
        let places = key.indices.map { "\($0 + 1)" }
        sql =
            "SELECT \(Self.list(key + (columns.isEmpty ? [] : [columns])))\(rows)"
            + " ORDER BY \(Self.list(places + order.map(\.sql)))" + (limit.map { " LIMIT \($0)" } ?? "")
    }

    /// Creates a query whose key is one column.
    /// - Parameters:
    ///   - columns: The select list without the key column. If it is empty, the statement selects only the key column.
    ///     For all columns of a table, write `items.*`, because MariaDB rejects `*` after another column.
    ///   - tables: The clause `FROM`: a table, a join or a derived table.
    ///   - key: The key column, or an expression.
    ///   - condition: A condition on the rows, in addition to the condition on the keys.
    ///   - order: The order of the rows of one key.
    ///   - limit: The maximum number of rows, which must not be negative. Only a query for one parent row can have a
    ///     limit, because the limit would otherwise apply to the rows of all parent rows together.
    ///   - arguments: The arguments of the parameters in the parts. `:keys` has no argument.
    public init(
        select columns: String, from tables: String, key: String, where condition: String? = nil,
        orderBy order: [Order] = [], limit: Int? = nil, arguments: Arguments = [:]
    ) {
        self.init(
            select: columns, from: tables, key: [key], where: condition, orderBy: order, limit: limit,
            arguments: arguments)
    }

    /// The statement that counts the rows of each key. It selects the key columns and the number of rows.
    var count: String {
        "SELECT \(Self.list(key + ["COUNT(*)"]))\(rows) GROUP BY \(Self.list(key))"
    }

    private static func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
