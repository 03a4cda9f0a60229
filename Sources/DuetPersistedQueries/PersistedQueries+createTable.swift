public import DuetSQLDatabase

extension PersistedQueries {
    /// Creates the table `duet_persisted_queries` and its index if they do not exist. On MariaDB, this requires the
    /// privileges CREATE and INDEX.
    /// - Throws: `DatabaseError`.
    public static func createTable(in database: Database) async throws {
        guard let script = scripts[database.dialect] else {
            throw DatabaseError(.failed, "there is no script that creates the table in \(database.dialect.title)")
        }
        try await database.write { try $0.executeScript(String(decoding: script, as: UTF8.self)) }
    }

    private static let scripts: [Dialect: [UInt8]] = [
        .sqlite: PackageResources.V0003_persisted_queries_sqlite_sql,
        .mariaDB: PackageResources.V0003_persisted_queries_mariadb_sql,
    ]
}
