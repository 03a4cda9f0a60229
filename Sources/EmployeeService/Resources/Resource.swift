import SQLDatabase

/// A kind of thing the API offers: the names of its fields, and where in the database they are.
///
/// Nothing outside this module knows a table's or a column's name, and nothing in it is made from what a client sends.
public struct Resource: Sendable {
    /// A field under its API name, in both styles.
    public struct Field: Sendable, Hashable {
        /// `employeeNumber`.
        public let name: String
        /// The column, with its table's alias.
        let column: String
    }

    /// What the API calls it: `employees`.
    public let name: String
    /// `employees AS e`, joins included.
    let from: String
    /// All fields, in the order of the documentation.
    public let fields: [Field]
    /// The fields shown when none are asked for.
    public let defaultFields: [String]
    /// Other resources that can be attached to each of its rows.
    public let relations: [Relation]
    /// The columns that lists can be sorted by.
    let sortColumns: [SortColumn]
    /// The columns that make a row unique, in the order that lists have by default.
    let key: [SortColumn]

    /// The names of the fields that lists can be sorted by.
    public var sortFields: [String] { sortColumns.map(\.label) }

    func field(_ name: String) -> Field? { fields.first { $0.name == name } }
}

/// Rows of another resource that belong to a row, such as an employee's titles.
public struct Relation: Sendable {
    /// What the API calls it: `titles`.
    public let name: String
    /// The field of the row above that they belong by; also the name of the statement's list parameter.
    let key: String
    /// The column that has the key's values.
    let foreignKey: String
    let from: String
    /// Its fields, all of which are shown.
    public let fields: [Resource.Field]
    /// What must hold besides, such as that a period goes on.
    var conditions: [String] = []
    /// Behind the foreign key: newest first. Empty where there is one row at most.
    let order: String
}

/// A column that rows are ordered by.
struct SortColumn: Sendable, Hashable {
    let column: String
    let label: String
    let kind: Kind
    var descending = false

    /// What a cursor holds for it.
    enum Kind: Sendable, Hashable {
        case integer, text, date
    }
}
