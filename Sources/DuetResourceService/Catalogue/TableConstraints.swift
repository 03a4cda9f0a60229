/// The constraints of the tables of a database. They are read from the database, not from the description of the API.
///
/// The database enforces the constraints. The service uses them to describe a violation by the names of the API, and to
/// follow the actions of foreign keys.
public struct TableConstraints: Sendable, Hashable {
    /// A primary key, a unique constraint or a unique index.
    public struct Unique: Sendable, Hashable {
        /// The name. The name of a primary key is `PRIMARY`.
        public var name: String
        /// The columns. Expressions are omitted.
        public var columns: [String]

        /// Creates a unique key.
        public init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
        }
    }

    /// The effect of a foreign key on the referring rows if the referenced row is removed or changed. The raw value is
    /// the spelling of SQL.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// The statement fails.
        case restrict = "RESTRICT"
        /// The statement fails if a referring row exists at its end.
        case noAction = "NO ACTION"
        /// The referring rows are removed or changed, too.
        case cascade = "CASCADE"
        /// The referring columns become NULL.
        case setNull = "SET NULL"
        /// The referring columns get their default values.
        case setDefault = "SET DEFAULT"
    }

    /// A foreign key.
    public struct Reference: Sendable, Hashable {
        /// The name; nil on SQLite, which does not report it.
        public var name: String?
        /// The name of the database of the table with the foreign key; nil for the database of the connection.
        public var database: String?
        /// The table with the foreign key.
        public var table: String
        /// The referring columns.
        public var columns: [String]
        /// The referenced table.
        public var parent: String
        /// The referenced columns, one for each element of ``columns``. The list is empty if they are unknown.
        public var parentColumns: [String]
        /// The effect of a delete of the referenced row.
        public var onDelete: Action
        /// The effect of a change of the referenced columns.
        public var onUpdate: Action
        /// True if the database checks the foreign key at the end of the transaction.
        public var isDeferred: Bool

        /// Creates a foreign key.
        public init(
            name: String? = nil, database: String? = nil, table: String, columns: [String], parent: String,
            parentColumns: [String],
            onDelete: Action = .noAction, onUpdate: Action = .noAction, isDeferred: Bool = false
        ) {
            self.name = name
            self.database = database
            self.table = table
            self.columns = columns
            self.parent = parent
            self.parentColumns = parentColumns
            self.onDelete = onDelete
            self.onUpdate = onUpdate
            self.isDeferred = isDeferred
        }
    }

    /// The constraints of one table.
    public struct Table: Sendable, Hashable {
        /// The unique keys, including the primary key.
        public var unique: [Unique] = []
        /// The foreign keys of the table.
        public var references: [Reference] = []
        /// The names of the CHECK constraints.
        public var checks: [String] = []
        /// The names of the triggers.
        public var triggers: [String] = []
        /// The columns whose values the database generates, for example as the next number.
        public var automaticColumns: Set<String> = []
        /// True if the account of the connection cannot see whether the table has triggers.
        public var hidesTriggers = false
        /// True if a change of an unknown table can change rows of the table: if a foreign key refers to a table of
        /// another database, or if the rows are stored in other tables.
        public var changesWithUnknownTables = false
        /// True for a view.
        public var isView = false
        /// The tables and views that a view reads; nil for a table, and for a view whose tables are unknown.
        public var baseTables: Set<String>?
        /// The reason why rows of the table cannot be written in a transaction, as a sentence; nil if they can.
        public var rejectsWrites: String?

        /// Creates an empty list of constraints.
        public init() {}

        /// Creates the constraints of a view, which has none.
        /// - Parameter baseTables: The tables and views that the view reads; nil if they are unknown.
        public init(viewOf baseTables: Set<String>?) {
            isView = true
            self.baseTables = baseTables
        }
    }

    private var tables: [String: Table] = [:]
    /// The names of the tables, by their names in lower case.
    private var folded: [String: String] = [:]
    /// The foreign keys, by the name of the referenced table.
    private var referring: [String: [Reference]] = [:]

    /// Creates a list without tables.
    public init() {}

    /// Creates a list.
    /// - Parameters:
    ///   - tables: The tables, by their names in the spelling of the database.
    ///   - outer: The foreign keys of tables in other databases that refer to these tables.
    public init(_ tables: [String: Table], outer: [Reference] = []) {
        self.tables = tables
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            folded[name.lowercased()] = name
            for reference in table.references { referring[reference.parent, default: []].append(reference) }
        }
        for var reference in outer {
            reference.parent = self.name(of: reference.parent)
            referring[reference.parent, default: []].append(reference)
        }
    }

    /// Returns the constraints of a table. A name in a description can have other letter cases than in the database.
    public subscript(table: String) -> Table { tables[name(of: table)] ?? Table() }

    /// Returns the foreign keys that refer to a table.
    public func references(to table: String) -> [Reference] { referring[name(of: table)] ?? [] }

    /// Returns true if both names are names of the same table.
    func isSame(_ table: String, _ other: String) -> Bool { name(of: table) == name(of: other) }

    /// Returns the names of all tables in lower case such that only a change of one of them can change the rows of the
    /// given tables and views. They are the tables themselves, the tables of views, the referenced tables of foreign
    /// keys that change referring rows, and all tables with triggers, because a trigger can change any table.
    /// - Returns: nil if any table can change the rows, or if that is unknown.
    func sources(of tables: Set<String>) -> Set<String>? {
        var sources: Set<String> = []
        var rest = tables.map(name(of:)) + self.tables.filter { !$0.value.triggers.isEmpty }.map(\.key)
        while let name = rest.popLast() {
            guard let table = self.tables[name], !table.hidesTriggers, !table.changesWithUnknownTables else {
                return nil
            }
            guard sources.insert(name).inserted else { continue }
            if table.isView {
                guard let baseTables = table.baseTables else { return nil }
                rest += baseTables.map(self.name(of:))
            }
            for reference in table.references where reference.onDelete.changesRows || reference.onUpdate.changesRows {
                rest.append(self.name(of: reference.parent))
            }
        }
        return Set(sources.map { $0.lowercased() })
    }

    private func name(of table: String) -> String {
        tables[table] == nil ? folded[table.lowercased()] ?? table : table
    }
}

extension TableConstraints.Action {
    /// True if the database changes or removes the referring rows.
    package var changesRows: Bool {
        switch self {
        case .restrict, .noAction: false
        case .cascade, .setNull, .setDefault: true
        }
    }
}
