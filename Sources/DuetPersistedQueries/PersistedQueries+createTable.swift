public import DuetSQLDatabase

extension PersistedQueries {
    /// Creates the table `duet_persisted_queries` and its index if they do not exist. On MariaDB, this requires the
    /// privileges CREATE and INDEX.
    /// - Throws: `DatabaseError`.
    public static func createTable(in database: Database) async throws {
        try await database.write { connection in
            let script =
                connection.dialect == .sqlite
                ? PackageResources.V0003_persisted_queries_sqlite_sql
                : PackageResources.V0003_persisted_queries_mariadb_sql
            try connection.executeScript(String(decoding: script, as: UTF8.self))
        }
    }
}
