import APIDescription
import DatabaseSchema
import Employees
import Foundation
import ResourceService
import SQLDatabase

/// A database that is not Duet's. It is only read.
enum ForeignDatabase {
    /// Returns true if a database holds tables, and none of the employees database. A database that cannot be read is not another one.
    static func isOther(_ url: DatabaseURL) async throws -> Bool {
        if case .sqlite(let path) = url.location, !FileManager.default.fileExists(atPath: path) { return false }
        do {
            return try await with(url) { try await EmployeeSchema.isOther($0) }
        } catch let error as DatabaseError where error.code != .busy && error.code != .timeout {
            // Opening it for use gives the error that says what to do.
            return false
        }
    }

    /// Returns true for a SQLite file with content and without tables. It is of another program, and Duet writes nothing into it.
    static func isWithoutTables(_ url: DatabaseURL) async throws -> Bool {
        guard case .sqlite(let path) = url.location,
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size > 0
        else { return false }
        do {
            return try await with(url) { try await $0.read { try EmployeeSchema.inspect($0) } == .empty }
        } catch is DatabaseError {
            // Opening it for use gives the error that says what to do.
            return false
        }
    }

    /// Opens the database to read it.
    static func open(_ url: DatabaseURL, _ configuration: DatabaseConfiguration, observer: DatabaseObserver? = nil)
        -> Database
    {
        var configuration = configuration
        configuration.access = .readOnly
        return Database(url, configuration: configuration, observer: observer)
    }

    /// The schema of the database.
    /// - Throws: `DatabaseError`.
    static func schema(of database: Database) async throws -> DatabaseSchema {
        try await database.read(timeout: .none) { try DatabaseSchema.read($0) }
    }

    /// Describes the database.
    /// - Throws: `DatabaseError`; `CatalogueError` if there is nothing to describe.
    static func introspect(_ url: DatabaseURL) async throws -> IntrospectedDescription {
        try await with(url) { try IntrospectedDescription(of: try await schema(of: $0)) }
    }

    /// Runs a closure with the opened database.
    static func with<Value: Sendable>(
        _ url: DatabaseURL, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = open(url, DatabaseConfiguration(poolSize: 1))
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// Checks that a database has what a description names.
    /// - Throws: `DescriptionMismatch` with the errors; `DatabaseError`.
    static func check(_ api: APIDescription, against database: Database) async throws {
        let errors = api.validate(against: try await schema(of: database)).filter { $0.severity == .error }
        guard errors.isEmpty else { throw DescriptionMismatch(errors: errors) }
    }

    /// Reads a description from a file.
    /// - Throws: `DescriptionError` if it has mistakes; `DescriptionFileError` if it cannot be read.
    static func description(_ path: String) throws -> APIDescription {
        try APIDescription(reading: try DescriptionFile.text(path), file: DescriptionFile.name(of: path))
    }
}

/// A description of another database.
struct DescriptionMismatch: Error, CustomStringConvertible {
    let errors: [SchemaFinding]

    var description: String { errors.map { "\($0)" }.joined(separator: "\n") }
}
