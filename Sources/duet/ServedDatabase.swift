import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Logging

/// The database of a server, with the description of its API.
struct ServedDatabase {
    /// The source of the API.
    enum Kind {
        /// The employees database, which Duet writes to.
        case employees
        /// A description in a file.
        case described
        /// The schema of the database.
        case introspected
    }

    let database: Database
    let api: APIDescription
    let kind: Kind

    /// True if Duet may write to the database.
    var isOwn: Bool { kind == .employees }

    /// Opens a database that Duet does not own.
    /// - Parameters:
    ///   - description: The description; nil to create one from the tables.
    ///   - logger: Receives notices about the created description.
    /// - Throws: The errors of `ForeignDatabase.api`.
    static func foreign(
        _ url: DatabaseURL, _ configuration: DatabaseConfiguration, _ description: APIDescription?,
        logger: Logger, observer: @escaping DatabaseObserver
    ) async throws -> ServedDatabase {
        let api = try await ForeignDatabase.with(url) {
            try await ForeignDatabase.api(description, of: $0, logger: logger)
        }
        return ServedDatabase(
            database: ForeignDatabase.open(url, configuration, observer: observer), api: api,
            kind: description == nil ? .introspected : .described)
    }
}
