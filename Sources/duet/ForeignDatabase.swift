import APIDescription
import DatabaseSchema
import DuetResourceService
import DuetSQLDatabase
import Employees
import Foundation

/// A database that is not Duet's. It is only read.
enum ForeignDatabase {
    /// The content of a database that is served without a description.
    enum Content {
        /// The employees, or nothing at all, which becomes an employees database. Also what cannot be read: opening it for use gives the
        /// error that says what to do.
        case employees
        /// Tables, and none of the employees.
        case otherTables
        /// A SQLite file with content and without tables. It is of another program, and Duet writes nothing into it.
        case noTables
    }

    /// Looks at a database.
    /// - Throws: `DatabaseError` if it is in use by another program for too long.
    static func content(of url: DatabaseURL) async throws -> Content {
        var size: Int?
        if case .sqlite(let path) = url.location {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return .employees }
            size = attributes[.size] as? Int
        }
        do {
            switch try await with(url, EmployeeSchema.state) {
            case .other: return .otherTables
            case .empty where size.map { $0 > 0 } == true: return .noTables
            default: return .employees
            }
        } catch let error as DatabaseError where error.code != .busy && error.code != .timeout {
            return .employees
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

    /// The API of a database: by a description, or else by its schema.
    /// - Throws: `DescriptionMismatch` if the database does not have what the description names; `DatabaseError`; `CatalogueError` if
    ///   there is nothing to describe.
    static func api(_ description: APIDescription?, of database: Database) async throws -> APIDescription {
        let schema = try await schema(of: database)
        guard let description else { return try IntrospectedDescription(of: schema).api.fitted(to: schema) }
        let errors = description.validate(against: schema).filter { $0.severity == .error }
        guard errors.isEmpty else { throw DescriptionMismatch(errors: errors) }
        return description.fitted(to: schema)
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
