/// The SQL dialect of a backend: the capabilities of the database, and the spellings in which databases differ.
///
/// The defaults are the SQL standard, or the behavior of most databases. A dialect is a class, because many values
/// refer to it, but it never changes.
public final class Dialect: Sendable {
    /// The name: `sqlite`, `mariadb`.
    public let name: String
    /// The name of the product, for messages: `SQLite`, `MariaDB`.
    package let title: String

    // MARK: Connections

    /// True if the database runs in this process, so that a statement takes no round trip. The thread of the caller
    /// then reads single rows, each row has its own INSERT, and only one connection writes at a time.
    package let isEmbedded: Bool
    /// The clause at the end of a query that locks the rows until the end of the transaction; empty if a write
    /// transaction locks the whole database.
    package let rowLock: String
    /// True if a statement that creates a table or an index also commits the transaction.
    package let commitsDefinitions: Bool
    /// A lock of the whole server with a name; nil if only one connection writes at a time.
    package let namedLock: NamedLock?

    /// The statements for a lock whose name consists of a prefix and the name of the database.
    package struct NamedLock: Sendable {
        /// Returns a query that waits for the lock. Its only value is 1 if the connection has the lock.
        package let acquire: @Sendable (_ prefix: String, _ seconds: Int) -> String
        /// Returns a statement that releases the lock.
        package let release: @Sendable (_ prefix: String) -> String

        package init(
            acquire: @escaping @Sendable (_ prefix: String, _ seconds: Int) -> String,
            release: @escaping @Sendable (_ prefix: String) -> String
        ) {
            self.acquire = acquire
            self.release = release
        }
    }

    // MARK: Statements

    /// The text before the rows of the condition `(a, b) IN ((?, ?), …)`.
    package let rowsPrefix: String
    /// True if one statement can repeat a query for each of many keys by `UNION ALL`, each with its own order and
    /// limit.
    package let repeatsQueries: Bool
    /// True if a subquery for each row takes so long that a statement finds the first related rows of all rows
    /// together, with `ROW_NUMBER`.
    package let numbersFirstRows: Bool
    /// The join operator that also determines the order in which the tables are read.
    package let orderedJoin: String
    /// True if an index that has the order of the first columns is enough for an order by more columns, because the
    /// database sorts only the rows with equal values in the first columns.
    package let sortsWithinEqualValues: Bool
    /// The text after `INSERT INTO table` for a row without values.
    package let emptyRow: String
    /// True if a `DELETE` from a table with an alias repeats the alias before `FROM`.
    package let deletesByAlias: Bool
    /// The default value of a column in an `UPDATE`.
    package let defaultValue: DefaultValue
    /// The clause of an `INSERT` that updates a row which already exists.
    package let upsert: Upsert
    /// Returns an insert that adds no row if a row with the same key exists. The argument is the text after `INSERT`.
    /// If another transaction has added the row and has not ended, the statement fails at once.
    package let insertIfAbsent: @Sendable (_ text: String) -> String

    /// The spelling of the default value of a column in an `UPDATE`.
    package enum DefaultValue: Sendable {
        /// The keyword `DEFAULT`.
        case keyword
        /// The query returns the default value as it is in the definition of the table, for the parameters `table` and
        /// `column`. The closure converts it to an expression.
        case query(String, expression: @Sendable (_ definition: String) -> String)
    }

    /// The spelling of an `INSERT` that updates a row which already exists.
    package struct Upsert: Sendable {
        /// Returns the text before the list of assignments.
        package let clause: @Sendable (_ key: String) -> String
        /// Returns the expression for the value of a column in the row that could not be inserted.
        package let newValue: @Sendable (_ column: String) -> String
        /// The function that returns the greater of two values.
        package let greatest: String

        package init(
            clause: @escaping @Sendable (_ key: String) -> String,
            newValue: @escaping @Sendable (_ column: String) -> String, greatest: String
        ) {
            self.clause = clause
            self.newValue = newValue
            self.greatest = greatest
        }
    }

    // MARK: Values

    /// True if an argument is compared in the same way as the column from which its value was read.
    package let comparesArgumentsAsColumns: Bool
    /// True if the database compares numbers exactly only if the argument has the type of the column.
    package let comparesNumbersByType: Bool
    /// True if texts can be equal by rules of Unicode, and if values of other types can be equal although their texts
    /// differ.
    package let equatesDifferentTexts: Bool
    /// A function that returns the expressions of a `GROUP BY` that separates values with different bytes.
    package let distinctBytes: @Sendable (_ column: String, _ isFloatingPoint: Bool) -> [String]
    /// True if columns contain times and UUIDs as texts, in any of their spellings.
    package let storesTimesAsTexts: Bool
    /// The maximum number of digits of a fraction of a second in a column of times.
    package let fractionDigits: Int
    /// True if a column of dates can contain a zero date, which answers show as null.
    package let hasZeroDates: Bool
    /// True if the order of a column with fixed choices is the order of their definition.
    package let ordersChoicesByIndex: Bool
    /// True if `ORDER BY` compares texts of any length completely.
    package let ordersLongTexts: Bool
    /// True if an index contains only the beginnings of texts and binary values of any length.
    package let indexesBeginnings: Bool
    /// True if a collation belongs to a character set, and a column has a character set.
    package let hasCharacterSets: Bool
    /// The collation of a text column for which the schema has none; nil if the schema has the collation of each text
    /// column.
    package let defaultCollation: String?
    /// True if the comparison of two columns with different collations is an error. Otherwise the collation of the left
    /// operand applies.
    package let rejectsMixedCollations: Bool
    /// The operator that compares code points with a pattern.
    package let patternOperator: PatternOperator
    /// The spellings of aggregates.
    let aggregates: AggregateSpellings

    /// An operator that compares the code points of a text with a pattern.
    package enum PatternOperator: Sendable {
        /// `GLOB` of SQLite.
        case glob
        /// `LIKE … ESCAPE '|'` with a binary collation.
        case like
    }

    /// The way in which a statement computes the parts of dates, and checks the types of stored values.
    package let dateParts: DateParts

    /// A way to compute the parts of dates, and to check the types of stored values, in a statement.
    package enum DateParts: Sendable {
        /// The functions of ``SQLiteDatePart`` and ``SQLiteStoredValue``.
        case function
        /// Functions of MariaDB, such as `DATE_FORMAT`.
        case expressions
    }

    // MARK: Schemas

    /// True if names of tables that differ only in case are equal.
    package let foldsNames: Bool
    /// A query that returns the name of each table and view of the current schema, and 1 for a table without special
    /// features.
    package let tableNames: String
    /// True if a column has only values of its declared type. Otherwise the type is a hint, and rows can have any
    /// values.
    package let enforcesTypes: Bool
    /// True if each foreign key is enforced. Otherwise a connection can write rows without referenced rows.
    package let enforcesForeignKeys: Bool
    /// True if a column of a primary key can be NULL.
    package let allowsNullInKeys: Bool
    /// True if the schema has the collations of the columns of views.
    package let reportsCollationsOfViews: Bool

    package init(
        _ name: String, title: String? = nil, isEmbedded: Bool = false, rowLock: String = " FOR UPDATE",
        commitsDefinitions: Bool = false, namedLock: NamedLock? = nil, rowsPrefix: String = "",
        repeatsQueries: Bool = true, numbersFirstRows: Bool = false, orderedJoin: String = "CROSS JOIN",
        sortsWithinEqualValues: Bool = false,
        emptyRow: String = " DEFAULT VALUES",
        deletesByAlias: Bool = false, defaultValue: DefaultValue = .keyword,
        upsert: Upsert = Upsert(
            clause: { "ON CONFLICT (\($0)) DO UPDATE SET" }, newValue: { "excluded.\($0)" }, greatest: "GREATEST"),
        insertIfAbsent: @escaping @Sendable (_ text: String) -> String = { "INSERT \($0) ON CONFLICT DO NOTHING" },
        comparesArgumentsAsColumns: Bool = true,
        comparesNumbersByType: Bool = false, equatesDifferentTexts: Bool = true,
        distinctBytes: @escaping @Sendable (_ column: String, _ isFloatingPoint: Bool) -> [String] = {
            column, isFloat in
            isFloat ? [column] : ["CAST(\(column) AS BINARY)"]
        },
        storesTimesAsTexts: Bool = false, fractionDigits: Int = 6, hasZeroDates: Bool = false,
        ordersChoicesByIndex: Bool = false, ordersLongTexts: Bool = true, indexesBeginnings: Bool = false,
        hasCharacterSets: Bool = false,
        defaultCollation: String? = nil, rejectsMixedCollations: Bool = true,
        patternOperator: PatternOperator = .like, aggregates: AggregateSpellings = AggregateSpellings(),
        dateParts: DateParts = .expressions, foldsNames: Bool = false,
        tableNames: String = """
        SELECT table_name, table_type = 'BASE TABLE' FROM information_schema.tables
        WHERE table_schema = CURRENT_SCHEMA
        """,
        enforcesTypes: Bool = true, enforcesForeignKeys: Bool = true, allowsNullInKeys: Bool = false,
        reportsCollationsOfViews: Bool = true
    ) {
        self.name = name
        self.title = title ?? name
        self.isEmbedded = isEmbedded
        self.rowLock = rowLock
        self.commitsDefinitions = commitsDefinitions
        self.namedLock = namedLock
        self.rowsPrefix = rowsPrefix
        self.repeatsQueries = repeatsQueries
        self.numbersFirstRows = numbersFirstRows
        self.orderedJoin = orderedJoin
        self.sortsWithinEqualValues = sortsWithinEqualValues
        self.emptyRow = emptyRow
        self.deletesByAlias = deletesByAlias
        self.defaultValue = defaultValue
        self.upsert = upsert
        self.insertIfAbsent = insertIfAbsent
        self.comparesArgumentsAsColumns = comparesArgumentsAsColumns
        self.comparesNumbersByType = comparesNumbersByType
        self.equatesDifferentTexts = equatesDifferentTexts
        self.distinctBytes = distinctBytes
        self.storesTimesAsTexts = storesTimesAsTexts
        self.fractionDigits = fractionDigits
        self.hasZeroDates = hasZeroDates
        self.ordersChoicesByIndex = ordersChoicesByIndex
        self.ordersLongTexts = ordersLongTexts
        self.indexesBeginnings = indexesBeginnings
        self.hasCharacterSets = hasCharacterSets
        self.defaultCollation = defaultCollation
        self.rejectsMixedCollations = rejectsMixedCollations
        self.patternOperator = patternOperator
        self.aggregates = aggregates
        self.dateParts = dateParts
        self.foldsNames = foldsNames
        self.tableNames = tableNames
        self.enforcesTypes = enforcesTypes
        self.enforcesForeignKeys = enforcesForeignKeys
        self.allowsNullInKeys = allowsNullInKeys
        self.reportsCollationsOfViews = reportsCollationsOfViews
    }
}

extension Dialect: Hashable, CaseIterable, CustomStringConvertible {
    /// Returns true if both are the same dialect.
    public static func == (left: Dialect, right: Dialect) -> Bool { left === right }
    /// Adds the identity of the dialect to a hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The dialects of the backends in this module.
    public static let allCases = [sqlite, mariaDB]

    /// The name.
    public var description: String { name }
}
