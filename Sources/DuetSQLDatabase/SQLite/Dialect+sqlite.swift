extension Dialect {
    /// The dialect of SQLite. The database is a file, or is in the memory of the process.
    ///
    /// - SQLite does not accept a list of rows in `IN`, and a compound SELECT has at most 500 parts.
    /// - The comparison of two values depends on the declared types of their columns, and an argument has no type.
    public static let sqlite = Dialect(
        "sqlite", isEmbedded: true, rowLock: "", rowsPrefix: "VALUES ", repeatsQueries: false,
        comparesArgumentsAsColumns: false, equatesDifferentTexts: false,
        distinctBytes: { column, _ in ["typeof(\(column))", "\(column) COLLATE BINARY"] }, storesTimesAsTexts: true,
        fractionDigits: 18, patternOperator: .glob, foldsNames: true)
}
