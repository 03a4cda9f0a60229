import DuetSQLDatabase
import Foundation

/// Copies a database to another database on the same MariaDB server: its tables with their rows, views and triggers.
/// Stored routines, events and sequences are not copied.
///
/// All copies have names that begin with ``prefix``, and only databases that a copy has created are dropped.
struct MariaDBCopy: Sendable {
    /// The original, and the account that copies it.
    let original: DatabaseURL.MariaDBLocation
    /// The name of the base; the beginning of the names of all copies.
    let name: String

    static let prefix = "duet_compare_"

    init(original: DatabaseURL.MariaDBLocation) {
        self.original = original
        name = Self.prefix + UUID().uuidString.prefix(8).lowercased()
    }

    func url(_ database: String) -> DatabaseURL {
        var location = original
        location.database = database
        return DatabaseURL(location: .mariaDB(location))
    }

    /// Creates a copy of the database `source`, runs a closure, and drops the copy, even if the task is canceled.
    /// - Throws: ``CopyError`` if the account may not create the copy, or if a definition names its own database.
    func with<Value>(
        _ copy: String, of source: String, _ body: () async throws -> Value
    ) async throws -> Value {
        try CopyError.check(url(copy), isNot: url(original.database))
        do {
            try await create(copy)
        } catch let error as CopyError {
            throw error
        } catch let error as DatabaseError where error.backendCode == "1007" {
            // Another program has created the database.
            throw error
        } catch {
            // The database exists if the task was canceled after its creation.
            try? await Task { try await drop(copy) }.value
            throw error
        }
        let result: Result<Value, any Error>
        do {
            try await fill(copy, from: source)
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        // An unstructured task is not canceled with the current task.
        try await Task { try await drop(copy) }.value
        return try result.get()
    }

    private func create(_ copy: String) async throws {
        do {
            try await connected(original.database, .existing) { database in
                try await database.write(timeout: .none) { connection in
                    let defaults = try connection.rows(
                        "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = DATABASE()",
                        columns: 2)
                    let (set, collation) = (defaults.first?.first ?? "utf8mb4", defaults.first?.last ?? "")
                    let clause = collation.isEmpty ? "" : " COLLATE \(collation)"
                    try connection.executeUnparsed("CREATE DATABASE `\(copy)` CHARACTER SET \(set)\(clause)")
                }
            }
        } catch let error as DatabaseError where ["1044", "1227"].contains(error.backendCode) {
            throw CopyError(
                "the account \(original.user) cannot create a database for the copies: \(error.message); permit it, for example with GRANT ALL ON `\(Self.prefix.replacing("_", with: "\\_"))%`.* TO the account"
            )
        }
    }

    private func drop(_ copy: String) async throws {
        guard copy.hasPrefix(Self.prefix) else { throw CopyError("\(copy) is not a copy") }
        try await connected(original.database, .existing) { database in
            try await database.write(timeout: .none) { try $0.executeUnparsed("DROP DATABASE IF EXISTS `\(copy)`") }
        }
    }

    /// With `REPEATABLE READ`, `INSERT … SELECT` locks the rows that it reads, so writers of the original would wait.
    private static let readingWithoutLocks = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"

    private func fill(_ copy: String, from source: String) async throws {
        let definitions = try await connected(source, .readOnly) { database in
            try await database.read(timeout: .none) { try MariaDBDefinitions($0, of: source) }
        }
        try await connected(copy, .existing) { database in
            try await database.write(timeout: .none) { connection in
                for statement in [
                    "SET foreign_key_checks = 0", "SET check_constraint_checks = 0",
                    "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'", Self.readingWithoutLocks,
                ] { try connection.executeUnparsed(statement) }
                for statement in definitions.tables { try connection.executeUnparsed(statement) }
                for (table, columns) in definitions.columns where !columns.isEmpty {
                    let list = columns.map(MariaDBDefinitions.quoted).joined(separator: ", ")
                    let name = MariaDBDefinitions.quoted(table)
                    let insert = "INSERT INTO \(name) (\(list)) SELECT \(list) FROM `\(source)`.\(name)"
                    do {
                        try connection.executeUnparsed(insert)
                    } catch let error as DatabaseError where error.backendCode == "1665" {
                        // The binary log of the server contains statements, which READ COMMITTED does not permit.
                        try connection.executeUnparsed("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                        try connection.executeUnparsed(insert)
                    }
                }
                // A view can use other views, so views are created until no further one can be.
                var left = definitions.views
                var failed = left.count + 1
                while !left.isEmpty, left.count < failed {
                    failed = left.count
                    left = left.filter { statement in
                        do {
                            try connection.executeUnparsed(statement)
                            return false
                        } catch { return true }
                    }
                }
                for trigger in definitions.triggers {
                    try connection.executeUnparsed("SET sql_mode = '\(trigger.mode)'")
                    try connection.executeUnparsed(trigger.statement)
                }
            }
        }
    }

    private func connected<Value: Sendable>(
        _ name: String, _ access: DatabaseAccess, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.statementTimeout = nil
        configuration.access = access
        return try await Database.with(url(name), configuration: configuration, body)
    }
}
