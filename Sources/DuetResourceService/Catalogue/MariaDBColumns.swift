import DuetSQLDatabase

/// The *narrow* columns of a MariaDB database: columns whose character sets do not support all Unicode characters, such
/// as `latin1` and `utf8mb3`. They are read from the database, not from the description of the API.
public struct NarrowColumns: Sendable {
    private var collations: [String: [String: NarrowCollation]] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a column if its character set does not support all characters.
    public mutating func add(_ column: String, of table: String, collation: String) {
        collations[table, default: [:]][column.lowercased()] = NarrowCollation(collation)
    }

    /// Returns the collation of a narrow column; nil if the column supports all characters.
    func collation(_ column: String, of table: String) -> NarrowCollation? {
        collations[table]?[column.lowercased()]
    }
}

/// A collation of a character set that does not support all characters. MariaDB refuses to compare a column that has
/// such a collation with a text that contains an unsupported character.
struct NarrowCollation: Sendable, Hashable {
    let name: String

    /// Creates the collation with a name; nil if the character set of the collation supports all characters.
    init?(_ name: String) {
        self.name = name
        if ["utf8mb4", "utf16", "utf16le", "utf32"].contains(characterSet) { return nil }
    }

    var characterSet: Substring { name.prefix { $0 != "_" } }

    /// Returns an expression that converts the text of a parameter to the character set and collation of the column, so
    /// that an index on the column can be used. The expression is NULL if the text contains a character that the column
    /// cannot store.
    func converted(_ parameter: String) -> String {
        let narrow = "CONVERT(\(parameter) USING \(characterSet))"
        return "IF(CONVERT(\(narrow) USING utf8mb4) = BINARY \(parameter), \(narrow), NULL) COLLATE \(name)"
    }

    /// A binary collation, for the comparison with a text that the column cannot store.
    static let binary = " COLLATE utf8mb4_nopad_bin"

    /// Returns the comparison of an expression of this collation with a parameter, whose text can contain a character
    /// that the column cannot store.
    func comparison(_ expression: String, _ sign: String, _ parameter: String) -> String {
        let converted = converted(parameter)
        // No text of the column is equal to a text that it cannot store. A binary collation ensures this result.
        let collation = ["=", "<>"].contains(sign) ? Self.binary : ""
        let wide = "CONVERT(\(expression) USING utf8mb4)\(collation) \(sign) \(parameter)"
        return "IF(\(converted) IS NULL, \(wide), \(expression) \(sign) \(converted))"
    }
}

extension NarrowCollation? {
    /// Returns an expression for a parameter that can be compared with a column of this collation.
    func comparable(_ parameter: String) -> String { self?.converted(parameter) ?? parameter }
}

extension Catalogue {
    /// Returns the collation of a field's column if the column is narrow; nil if the column supports all characters.
    func narrowCollation(of field: Field, _ resource: Resource) -> NarrowCollation? {
        narrowColumns.collation(field.column, of: table(of: field, resource))
    }

    /// Returns the table with the column of a field: the resource's table, or the table of the field's relation.
    func table(of field: Field, _ resource: Resource) -> String {
        let relation = field.relation.flatMap(resource.relation)
        return relation.map { self[$0.target]?.table ?? "" } ?? resource.table
    }

    /// Returns the collation for the comparison of a relation's column with a column of the parent rows. Returns nil if
    /// the relation's column supports all characters of the parent column: the relation's column is not narrow, or both
    /// columns have the same character set.
    func narrowCollation(of pair: Relation.ColumnPair, _ relation: Relation, of parent: Resource) -> NarrowCollation? {
        let table = relation.joins.first?.table ?? self[relation.target]?.table ?? ""
        guard let narrow = narrowColumns.collation(pair.to, of: table),
            narrow.characterSet != narrowColumns.collation(pair.from, of: parent.table)?.characterSet
        else { return nil }
        return pair.collation.flatMap(NarrowCollation.init) ?? narrow
    }
}

/// The maximum lengths of the texts and bytes in the columns of a MariaDB database. They are read from the database,
/// not from the description of the API.
///
/// If MariaDB sorts rows, it compares only the beginning of each value (`max_sort_length`). An order by a long column
/// therefore consists of the beginning of the value and a digest of the whole value; see ``OrderColumn``.
public struct ColumnLengths: Sendable {
    private var lengths: [String: [String: Int]] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a column.
    /// - Parameter length: The maximum number of characters of a text, or of bytes; `Int.max` if it is unknown.
    public mutating func add(_ column: String, of table: String, length: Int) {
        lengths[table, default: [:]][column.lowercased()] = length
    }

    /// Returns the maximum length of a column's values; nil for a column that is not in the list, because its values
    /// are short.
    func length(_ column: String, of table: String) -> Int? { lengths[table]?[column.lowercased()] }
}
