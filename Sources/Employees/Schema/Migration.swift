internal import Crypto
package import DuetSQLDatabase

/// One step of the schema's history. Steps are never changed once released; a change is a new step.
package struct Migration: Sendable {
    /// 1 for the first.
    package let version: Int
    package let name: String
    private let scripts: [Dialect: [UInt8]]

    /// All steps, in order. Their texts are `sql/*.sql`, compiled in.
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

    /// The statements for that database.
    package func script(for dialect: Dialect) -> String {
        String(decoding: scripts[dialect] ?? [], as: UTF8.self)
    }

    /// SHA-256 of the script, recorded so that a step changed after the fact is noticed.
    func checksum(for dialect: Dialect) -> String {
        SHA256.hash(data: scripts[dialect] ?? []).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
