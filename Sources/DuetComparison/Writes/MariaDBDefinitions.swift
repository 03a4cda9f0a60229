import DuetSQLDatabase

/// The statements that create the tables, views and triggers of a database in another database.
struct MariaDBDefinitions: Sendable {
    private(set) var tables: [String] = []
    /// The columns of each table that an insert can set.
    private(set) var columns: [(table: String, columns: [String])] = []
    private(set) var views: [String] = []
    private(set) var triggers: [(mode: String, statement: String)] = []

    /// The engines whose tables have all rows in their own database. For example, a table of FEDERATED writes the rows
    /// of another server.
    private static let engines = ["innodb", "aria", "myisam", "memory"]

    /// Reads the definitions.
    /// - Throws: ``CopyError`` if the copy could write to another database.
    init(_ connection: Connection, of database: String) throws {
        let names = try connection.rows(
            "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME <> 'information_schema'", columns: 1)
        let reach = DefinitionReach(database: database, visible: names.map { $0[0] })
        for table in try connection.rows(
            "SELECT TABLE_NAME, TABLE_TYPE, ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME",
            columns: 3)
        {
            let name = Self.quoted(table[0])
            switch table[1] {
            case "VIEW":
                let definition = try connection.rows("SHOW CREATE VIEW \(name)", columns: 2)
                if let text = definition.first?[1] {
                    let view = Self.withoutDefiner(text)
                    views.append(reach.ofPrinted(text) == nil ? view : Self.readOnly(view))
                }
            case "BASE TABLE", "SYSTEM VERSIONED":
                guard let text = try connection.rows("SHOW CREATE TABLE \(name)", columns: 2).first?[1] else {
                    continue
                }
                guard Self.engines.contains(table[2].lowercased()) else {
                    throw CopyError(
                        "the table \(table[0]) cannot be copied, because the copy of a table of the engine \(table[2]) could write to other data"
                    )
                }
                try Self.check(reach.ofPrinted(text), "the table \(table[0])")
                tables.append(text)
                let columns = try connection.rows(
                    "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = :table AND IS_GENERATED = 'NEVER' AND EXTRA NOT LIKE '%GENERATED%' ORDER BY ORDINAL_POSITION",
                    ["table": .value(.text(table[0]))], columns: 1)
                self.columns.append((table[0], columns.map { $0[0] }))
            default: break
            }
        }
        for trigger in try connection.rows(
            "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY EVENT_OBJECT_TABLE, EVENT_MANIPULATION, ACTION_TIMING, ACTION_ORDER",
            columns: 1)
        {
            guard let row = try connection.rows("SHOW CREATE TRIGGER \(Self.quoted(trigger[0]))", columns: 3).first
            else { continue }
            let text = Self.withoutDefiner(row[2])
            try Self.check(reach.ofTrigger(text, mode: row[1]), "the trigger \(trigger[0])")
            triggers.append((row[1], text))
        }
    }

    static func quoted(_ name: String) -> String { "`\(name.replacing("`", with: "``"))`" }

    /// A definition with a definer can be created only by an account with further privileges.
    private static func withoutDefiner(_ text: String) -> String {
        text.replacing(/\sDEFINER=(`[^`]*`|'[^']*'|[^\s@]+)@(`[^`]*`|'[^']*'|\S+)/, with: "", maxReplacements: 1)
    }

    /// A view with this algorithm is never updatable, so that no trigger writes to another database through the view.
    private static func readOnly(_ view: String) -> String {
        view.replacing(/ALGORITHM=(UNDEFINED|MERGE)/, with: "ALGORITHM=TEMPTABLE", maxReplacements: 1)
    }

    private static func check(_ reason: String?, _ object: String) throws {
        guard let reason else { return }
        throw CopyError(
            "\(object) cannot be copied, because its definition contains \(reason): the copy could write to another database"
        )
    }
}

extension Connection {
    /// Returns the first columns of the rows of a query as texts. NULL is the empty text. The number of columns is a
    /// parameter, because MariaDB reports the columns of some `SHOW` statements only after the execution.
    func rows(_ sql: String, _ arguments: Arguments = [:], columns: Int) throws -> [[String]] {
        let result = try query(sql, arguments)
        defer { result.close() }
        var rows: [[String]] = []
        while try result.next() {
            rows.append(
                (0..<columns).map { index in
                    switch result.value(at: index) {
                    case .text(let text): text
                    case .integer(let number): String(number)
                    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
                    default: ""
                    }
                })
        }
        return rows
    }
}
