extension Dialect {
    /// The dialect of SQLite. The database is a file, or is in the memory of the process.
    ///
    /// - SQLite does not accept a list of rows in `IN`, and a compound SELECT has at most 500 parts.
    /// - The comparison of two values depends on the declared types of their columns, and an argument has no type.
    /// - A connection enforces foreign keys only if it has enabled them (sqlite.org/foreignkeys.html, section 2).
    /// - For compatibility, a primary key can contain NULL (sqlite.org/lang_createtable.html).
    public static let sqlite = Dialect(
        "sqlite", title: "SQLite", isEmbedded: true, rowLock: "", rowsPrefix: "VALUES ", repeatsQueries: false,
        upsert: Upsert(
            clause: { "ON CONFLICT (\($0)) DO UPDATE SET" }, newValue: { "excluded.\($0)" }, greatest: "MAX"),
        comparesArgumentsAsColumns: false, equatesDifferentTexts: false,
        distinctBytes: { column, _ in ["typeof(\(column))", "\(column) COLLATE BINARY"] }, storesTimesAsTexts: true,
        fractionDigits: 18, defaultCollation: "BINARY", rejectsMixedCollations: false, patternOperator: .glob,
        foldsNames: true,
        tableNames: """
            SELECT name, type = 'table' AND sql LIKE 'CREATE TABLE%' FROM sqlite_master
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
            """, enforcesTypes: false, enforcesForeignKeys: false, allowsNullInKeys: true,
        reportsCollationsOfViews: false)
}
