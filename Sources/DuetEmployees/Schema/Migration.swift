internal import Crypto
package import DuetSQLDatabase

/// A migration of the schema. After a release, a migration never changes; a change of the schema requires a new
/// migration.
package struct Migration: Sendable {
    /// The one-based version number.
    package let version: Int
    package let name: String
    private let scripts: [Dialect: [UInt8]]

    /// All migrations in order. Their scripts are the files `sql/*.sql`, which are compiled into the program.
    package static let all: [Migration] = [
        Migration(
            version: 1, name: "employees",
            scripts: [
                .sqlite: PackageResources.V0001_employees_sqlite_sql,
                .mariaDB: PackageResources.V0001_employees_mariadb_sql,
            ]),
        Migration(
            version: 2, name: "indexes",
            scripts: [
                .sqlite: PackageResources.V0002_indexes_sqlite_sql,
                .mariaDB: PackageResources.V0002_indexes_mariadb_sql,
            ]),
        Migration(
            version: 3, name: "persisted-queries",
            scripts: [
                .sqlite: PackageResources.V0003_persisted_queries_sqlite_sql,
                .mariaDB: PackageResources.V0003_persisted_queries_mariadb_sql,
            ]),
    ]

    /// Returns the script for a dialect.
    package func script(for dialect: Dialect) -> String {
        String(decoding: scripts[dialect] ?? [], as: UTF8.self)
    }

    /// Returns the SHA-256 hash of the script for a dialect. The database stores this hash, so that a later change of
    /// the migration is detected.
    func checksum(for dialect: Dialect) -> String {
        SHA256.hash(data: scripts[dialect] ?? []).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
