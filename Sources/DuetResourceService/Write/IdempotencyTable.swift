package import DuetSQLDatabase

/// The table `duet_idempotency_keys`, which `duet prepare` creates.
package enum IdempotencyTable {
    /// The name.
    package static let name = "duet_idempotency_keys"

    /// Returns the statements that create the table and its index if they do not exist.
    /// - Throws: `DatabaseError` with the code `failed` for a database of another kind.
    package static func statements(for dialect: Dialect) throws -> [String] {
        guard let statements = statements[dialect] else {
            throw DatabaseError(.failed, "there is no statement that creates the table in \(dialect.title)")
        }
        return statements
    }

    /// Creates the table if it does not exist.
    /// - Throws: `DatabaseError`; with the code `missing-column` if another program has created a table with the name.
    package static func create(in database: Database) async throws {
        let statements = try statements(for: database.dialect)
        try await database.write { connection in
            for statement in statements { try connection.executeScript(statement) }
            let row = try connection.query(
                "SELECT hash, payload, contract, result, answers, created_at FROM \(name) LIMIT 1")
            _ = try row.next()
            row.close()
        }
    }

    private static let statements: [Dialect: [String]] = [
        .sqlite: [
            """
            CREATE TABLE IF NOT EXISTS \(name) (
                hash BLOB NOT NULL PRIMARY KEY,
                payload BLOB NOT NULL,
                contract BLOB,
                result TEXT,
                answers BLOB,
                created_at INTEGER NOT NULL
            )
            """,
            "CREATE INDEX IF NOT EXISTS \(name)_created_at ON \(name) (created_at)",
        ],
        .mariaDB: [
            """
            CREATE TABLE IF NOT EXISTS \(name) (
                hash BINARY(32) NOT NULL PRIMARY KEY,
                payload BINARY(32) NOT NULL,
                contract BINARY(16),
                result LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
                answers MEDIUMBLOB,
                created_at BIGINT NOT NULL,
                INDEX \(name)_created_at (created_at)
            ) ENGINE = InnoDB
            """
        ],
    ]
}
