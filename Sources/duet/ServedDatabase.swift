import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase

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
    /// A sentence about each part of the database that the API omits.
    var omissions: [String] = []

    /// True for the employees database, which Duet has created.
    var isOwn: Bool { kind == .employees }

    /// Opens a database that Duet does not own.
    /// - Parameter description: The description; nil to create one from the tables.
    /// - Throws: The errors of `ForeignDatabase.api`.
    static func foreign(
        _ location: DatabaseLocation, _ configuration: DatabaseConfiguration, _ description: APIDescription?,
        observer: @escaping DatabaseObserver
    ) async throws -> ServedDatabase {
        let readable = try await ForeignDatabase.with(await location.readable()) {
            try await ForeignDatabase.api(description, of: $0)
        }
        return ServedDatabase(
            database: ForeignDatabase.open(
                location, configuration, writes: readable.api.catalogue.hasDerivedWrites, observer: observer),
            api: readable.api,
            kind: description == nil ? .introspected : .described, omissions: readable.omissions)
    }
}
