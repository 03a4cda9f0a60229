import DuetSQLDatabase

/// The columns of a MariaDB database whose character sets lack some characters, such as `latin1` and `utf8mb3`. They
/// are read from the database, not from the description of the API.
public struct NarrowColumns: Sendable {
    private var collations: [String: [String: NarrowCollation]] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a column if its character set lacks some characters.
    public mutating func add(_ column: String, of table: String, collation: String) {
        collations[table, default: [:]][column.lowercased()] = NarrowCollation(collation)
    }

    /// Returns the collation of a column; nil if the column accepts all characters.
    func collation(_ column: String, of table: String) -> NarrowCollation? {
        collations[table]?[column.lowercased()]
    }
}

/// A collation of a character set that lacks some characters. MariaDB refuses to compare a column that has such a
/// collation with a text that contains a missing character.
struct NarrowCollation: Sendable, Hashable {
    let name: String

    /// - Returns: nil if the character set contains all characters.
    init?(_ name: String) {
        self.name = name
        if ["utf8mb4", "utf16", "utf16le", "utf32"].contains(characterSet) { return nil }
    }

    var characterSet: Substring { name.prefix { $0 != "_" } }

    /// Returns an expression for the text in the character set and collation of the column, so that an index on the
    /// column is usable. The expression is NULL if the text contains a character that the column cannot store.
    func converted(_ parameter: String) -> String {
        let narrow = "CONVERT(\(parameter) USING \(characterSet))"
        return "IF(CONVERT(\(narrow) USING utf8mb4) = BINARY \(parameter), \(narrow), NULL) COLLATE \(name)"
    }
}

extension NarrowCollation? {
    /// Returns an expression for a parameter that is comparable with a column of this collation.
    func comparable(_ parameter: String) -> String { self?.converted(parameter) ?? parameter }
}

extension Catalogue {
    /// Returns the collation of a field's column; nil if the column accepts all characters.
    func narrowCollation(of field: Field, _ resource: Resource) -> NarrowCollation? {
        let relation = field.relation.flatMap(resource.relation)
        let table = relation.map { self[$0.target]?.table ?? "" } ?? resource.table
        return narrowColumns.collation(field.column, of: table)
    }

    /// Returns the conditions that select a row by the arguments of a ``Subject``.
    func keyConditions(of resource: Resource, alias: String? = nil) -> [String] {
        resource.keyFields.map { field in
            let column = (alias.map { "\($0)." } ?? "") + SQLIdentifier.quoted(field.column)
            return "\(column) = \(narrowCollation(of: field, resource).comparable(":\(field.name)"))"
        }
    }

    /// Returns the statement that checks whether a row with the key of a ``Subject`` exists.
    func existence(of resource: Resource) -> String {
        "SELECT 1 FROM \(SQLIdentifier.quoted(resource.table))"
            + " WHERE \(keyConditions(of: resource).joined(separator: " AND "))"
    }

    /// Returns the collation of the column of a relation that is compared with a column of the parent rows; nil if the
    /// parent column contains no character that this column lacks.
    func narrowCollation(of pair: Relation.ColumnPair, _ relation: Relation, of parent: Resource) -> NarrowCollation? {
        let table = relation.joins.first?.table ?? self[relation.target]?.table ?? ""
        guard let narrow = narrowColumns.collation(pair.to, of: table),
            narrow.characterSet != narrowColumns.collation(pair.from, of: parent.table)?.characterSet
        else { return nil }
        return pair.collation.flatMap(NarrowCollation.init) ?? narrow
    }
}
