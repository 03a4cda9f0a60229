/// Finds the tables of transactions in the events of a binary log of MariaDB.
///
/// In the row format, events name the tables. In the statement format, they contain the text of a statement, which
/// names the table only in simple forms. The tables that foreign keys change are not in the log.
struct BinaryLogTransactions {
    enum Event: Hashable {
        /// The beginning of a transaction.
        /// - isStandalone: True if the transaction is one statement, without an event for its end.
        /// - isDefinition: True if the transaction contains a change of definitions.
        case begin(GlobalTransactionID, isStandalone: Bool, isDefinition: Bool)
        /// Rows of a table follow.
        case rows(database: String, table: String)
        /// A statement that has run with a default database.
        case statement(String, database: String)
        /// The end of a transaction.
        case end
        /// An event that can change any table.
        case unknown
    }

    /// A transaction, and the names in lower case of the tables of the database that it has changed; nil if they are
    /// unknown.
    typealias Transaction = (id: GlobalTransactionID, tables: Set<String>?)

    /// The name of the database in lower case.
    private let database: String
    /// The names of the tables that are not views, in lower case.
    private let tables: Set<String>
    private var current: (transaction: Transaction, isStandalone: Bool, isDefinition: Bool)?
    private let definitions: DefinitionChanges

    /// - Parameters:
    ///   - database: The name of the database.
    ///   - tables: The names of its tables without views.
    ///   - definitions: The object that receives the changes of definitions in the database.
    init(database: String, tables: Set<String>, definitions: DefinitionChanges) {
        self.definitions = definitions
        self.database = database.lowercased()
        self.tables = Set(tables.map { $0.lowercased() })
    }

    /// Adds the next event of the log.
    /// - Returns: The transaction that has ended.
    mutating func add(_ event: Event) -> Transaction? {
        switch event {
        case .begin(let id, let isStandalone, let isDefinition):
            // The tables of a transaction without an end are unknown.
            let unfinished = current?.transaction.id
            // Triggers, foreign keys and views may differ from those with which the tables of a question were found.
            current = ((id, definitions.areUnknown ? nil : []), isStandalone, isDefinition)
            return unfinished.map { ($0, nil) }
        case .rows(let database, let table):
            if database.lowercased() == self.database { add(table.lowercased()) }
        case .statement(let text, let database):
            switch text {
            case "COMMIT", "ROLLBACK": return end()
            case "BEGIN": break
            default: add(text, database: database.lowercased())
            }
            if current?.isStandalone == true { return end() }
        case .end: return end()
        case .unknown:
            current?.transaction.tables = nil
            if current?.isDefinition == true { definitions.add() }
            if current?.isStandalone == true { return end() }
        }
        return nil
    }

    private mutating func end() -> Transaction? { current.take()?.transaction }

    private mutating func add(_ table: String) { current?.transaction.tables?.insert(table) }

    private mutating func add(_ statement: String, database: String) {
        switch LoggedStatement(statement, isDefinition: current?.isDefinition == true) {
        case .savepoint: return
        case .changesRows(of: let table) where database == self.database && tables.contains(table): add(table)
        // A view, or a table of another database whose trigger can change a table of this one.
        case .changesRows, .other: current?.transaction.tables = nil
        case .definition:
            current?.transaction.tables = nil
            if database == self.database || statement.lowercased().contains(self.database) {
                definitions.add()
            }
        }
    }
}
