import DuetAPIDescription
import DuetEmployees
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// Opens databases that Duet does not own. Duet writes to such a database only if its description permits writes.
enum ForeignDatabase {
    /// The content of a database that is served without a description.
    enum Content {
        /// An employees database that Duet has created, or no content: a missing or empty database becomes an employees
        /// database. The case also covers a database that cannot be read. The server then opens it as an employees
        /// database, which throws an error that says what to do.
        case employees
        /// Tables that Duet has not created. Their names do not matter.
        case otherTables
        /// A SQLite file with content but without tables. It belongs to another program, so Duet does not write to it.
        case noTables
    }

    /// Determines the content of a database.
    /// - Throws: `DatabaseError` if another program locks the database for too long, or if this process cannot open an
    ///   existing SQLite file.
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
        } catch let error as DatabaseError
            where ![.busy, .timeout].contains(error.code) && !(size != nil && error.code == .unavailable)
        {
            return .employees
        }
    }

    /// Opens the database.
    /// - Parameter writes: True to permit writes.
    static func open(
        _ location: DatabaseLocation, _ configuration: DatabaseConfiguration, writes: Bool = false,
        observer: DatabaseObserver? = nil
    ) -> Database {
        var configuration = configuration
        configuration.access = writes ? .existing : .readOnly
        return location.database(configuration, observer: observer)
    }

    /// Reads the schema of the database.
    /// - Parameter withOtherDatabases: True to read the foreign keys of other databases that refer to this one.
    /// - Throws: `DatabaseError`.
    static func schema(
        of database: Database, withOtherDatabases: Bool = false
    ) async throws -> DatabaseSchema {
        try await database.read(timeout: .none) {
            try DatabaseSchema.read($0, withOtherDatabases: withOtherDatabases)
        }
    }

    /// Creates a description of the database from its schema and its rows.
    /// - Parameters:
    ///   - rows: The number of rows of each table that are read; nil to read no rows.
    ///   - writes: True to permit clients to write the rows of tables with a key.
    /// - Throws: `DatabaseError`; `CatalogueError` if there is nothing to describe.
    static func introspect(
        _ url: DatabaseURL, rows: DatabaseContents.Rows? = DatabaseContents.defaultRows, writes: Bool = false
    ) async throws -> IntrospectedDescription {
        try await with(url) { database in
            let (schema, contents) = try await inspect(database, rows: rows)
            return try IntrospectedDescription(of: schema, contents: contents, writes: writes)
        }
    }

    /// Reads the schema of the database, and its rows to determine the types of fields.
    /// - Parameter rows: The number of rows of each table that are read; nil to read no rows.
    /// - Throws: `DatabaseError`.
    static func inspect(
        _ database: Database, rows: DatabaseContents.Rows? = DatabaseContents.defaultRows
    ) async throws -> (DatabaseSchema, DatabaseContents) {
        let schema = try await schema(of: database)
        guard let rows else { return (schema, DatabaseContents()) }
        let limit = rows == .all ? Duration.seconds(3_600) : .seconds(10)
        return (schema, try await DatabaseContents.read(database, schema, rows: rows, limit: limit))
    }

    /// Runs a closure with the opened database.
    static func with<Value: Sendable>(
        _ url: DatabaseURL, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.access = .readOnly
        return try await Database.with(url, configuration: configuration, body)
    }

    /// An API, and a sentence about each part of the database that it omits because it cannot be read or may not be
    /// exposed, or whose rows were not read. A description from a file omits nothing by itself.
    struct ReadableAPI {
        let api: APIDescription
        var omissions: [String] = []
    }

    /// The maximum time for which the start of a server reads rows to determine the types of fields.
    private static let maximumReadingTime = Duration.seconds(1)

    /// Returns the API of a database: from a description if `description` is not nil, otherwise from the schema and the
    /// rows.
    /// - Throws: `DescriptionMismatch` if the database lacks a table or column of the description; `DatabaseError`;
    ///   `CatalogueError` if there is nothing to describe.
    static func api(_ description: APIDescription?, of database: Database) async throws -> ReadableAPI {
        // The checks of a delete by a caller with a role follow all foreign keys.
        let schema = try await schema(of: database, withOtherDatabases: description?.roles.isEmpty == false)
        guard let description else {
            let contents = try await DatabaseContents.read(
                database, schema, limit: maximumReadingTime / 4, total: maximumReadingTime)
            let introspected = try IntrospectedDescription(of: schema, contents: contents)
            var readable = ReadableAPI(api: introspected.api.fitted(to: schema), omissions: introspected.omissions)
            for (table, failure) in contents.failures.sorted(by: { $0.key < $1.key }) {
                let sentence =
                    switch failure {
                    case .timeLimit:
                        "Not all rows of \(table) were read in the time for the start, so the types of its fields can be those of the declarations. For types that fit the rows, create a description with duet introspect and start with --api."
                    case .error(let message): "Not all rows of \(table) can be read: \(message)"
                    }
                readable.omissions.append(sentence)
            }
            return readable
        }
        let errors = description.validate(against: schema).filter { $0.severity == .error }
        guard errors.isEmpty else { throw DescriptionMismatch(errors: errors) }
        return ReadableAPI(api: description.fitted(to: schema))
    }

    /// Reads a description from a file.
    /// - Throws: `DescriptionError` if it has errors; `DescriptionFileError` if it cannot be read.
    static func description(_ path: String) throws -> APIDescription {
        try APIDescription(reading: try DescriptionFile.text(path), file: DescriptionFile.name(of: path))
    }
}

/// The error for a description that does not match the database.
struct DescriptionMismatch: Error, CustomStringConvertible {
    let errors: [SchemaFinding]

    var description: String { errors.map { "\($0)" }.joined(separator: "\n") }
}
