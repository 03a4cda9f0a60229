/// A SQLite database: a file, or a database in the memory of this process.
final class SQLiteBackend: Backend {
    private enum Location {
        /// `watcher` is the source of the version; nil for a file that is opened as ``DatabaseAccess/immutable``.
        case file(path: String, watcher: CommitWatcher?)
        case memory(SQLiteMemory)
    }

    private let location: Location
    var dialect: Dialect { .sqlite }

    /// Creates the backend of a file.
    init(path: String, _ configuration: DatabaseConfiguration) {
        let watcher =
            configuration.access == .immutable ? nil : CommitWatcher(path: path, configuration: configuration)
        location = .file(path: path, watcher: watcher)
    }

    /// Creates the backend of a new database in memory.
    init() { location = .memory(SQLiteMemory()) }

    func connect(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> any BackendConnection {
        switch location {
        case .file(let path, let watcher):
            let connection = try SQLiteConnection(
                path: path, configuration: configuration, interrupt: interrupt, waitsForLocks: waitsForLocks)
            // The opening of the watcher can wait for locks, so the next connection that may wait opens it.
            if waitsForLocks { try watcher?.open() }
            return connection
        case .memory(let memory):
            return try memory.connect(configuration, interrupt, waitsForLocks: waitsForLocks)
        }
    }

    var version: DatabaseVersion? {
        if case .file(_, let watcher) = location { watcher?.version() } else { nil }
    }

    var commitDetection: CommitDetection {
        if case .file(_, let watcher?) = location { .position { watcher.position() } } else { .none }
    }

    func close() {
        switch location {
        case .file(_, let watcher): watcher?.close()
        case .memory(let memory): memory.close()
        }
    }
}

extension Dialect {
    /// The dialect of SQLite. The database is a file, or is in the memory of the process.
    ///
    /// - SQLite does not accept a list of rows in `IN`, and a compound SELECT has at most 500 parts.
    /// - The comparison of two values depends on the declared types of their columns, and an argument has no type.
    /// - A connection enforces foreign keys only if it has enabled them (sqlite.org/foreignkeys.html, section 2).
    /// - For compatibility, a primary key can contain NULL (sqlite.org/lang_createtable.html).
    public static let sqlite = Dialect(
        "sqlite", title: "SQLite", isEmbedded: true, rowLock: "", rowsPrefix: "VALUES ", repeatsQueries: false,
        sortsWithinEqualValues: true,
        defaultValue: .query(
            "SELECT dflt_value FROM pragma_table_xinfo(:table) WHERE name = :column COLLATE NOCASE",
            expression: SQLiteDefault.expression),
        upsert: Upsert(
            clause: { "ON CONFLICT (\($0)) DO UPDATE SET" }, newValue: { "excluded.\($0)" }, greatest: "MAX"),
        comparesArgumentsAsColumns: false, equatesDifferentTexts: false,
        distinctBytes: { column, _ in ["typeof(\(column))", "\(column) COLLATE BINARY"] }, storesTimesAsTexts: true,
        fractionDigits: 18, defaultCollation: "BINARY", rejectsMixedCollations: false, patternOperator: .glob,
        aggregates: SQLiteAggregates.spellings, dateParts: .function, foldsNames: true,
        tableNames: """
            SELECT name, type = 'table' AND sql LIKE 'CREATE TABLE%' FROM sqlite_master
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
            """, enforcesTypes: false, enforcesForeignKeys: false, allowsNullInKeys: true,
        reportsCollationsOfViews: false)
}
