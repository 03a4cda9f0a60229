import APIDescription
import DuetResourceService
import DuetSQLDatabase

/// The database of a server, and the description of its API.
struct ServedDatabase {
    /// The source of the API.
    enum Kind {
        /// The employees database, which Duet writes.
        case employees
        /// A description in a file.
        case described
        /// The schema of the database.
        case introspected
    }

    let database: Database
    let api: APIDescription
    let kind: Kind

    /// True if Duet may write into the database.
    var isOwn: Bool { kind == .employees }

    /// A database that is not Duet's.
    /// - Parameter description: Without one, the tables are described.
    /// - Throws: As `ForeignDatabase.api`.
    static func foreign(
        _ url: DatabaseURL, _ configuration: DatabaseConfiguration, _ description: APIDescription?,
        observer: @escaping DatabaseObserver
    ) async throws -> ServedDatabase {
        let api = try await ForeignDatabase.with(url) { try await ForeignDatabase.api(description, of: $0) }
        return ServedDatabase(
            database: ForeignDatabase.open(url, configuration, observer: observer), api: api,
            kind: description == nil ? .introspected : .described)
    }
}
