import APIDescription
import ResourceService
import SQLDatabase

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

    /// A database with a description.
    /// - Throws: `DatabaseError`; `DescriptionMismatch` if the database does not have what the description names.
    static func foreign(
        _ url: DatabaseURL, _ configuration: DatabaseConfiguration, _ api: APIDescription,
        observer: @escaping DatabaseObserver
    ) async throws -> ServedDatabase {
        try await ForeignDatabase.with(url) { try await ForeignDatabase.check(api, against: $0) }
        return ServedDatabase(
            database: ForeignDatabase.open(url, configuration, observer: observer), api: api, kind: .described)
    }

    /// A database without a description.
    /// - Throws: `DatabaseError`; `CatalogueError` if there is nothing to describe.
    static func introspected(
        _ url: DatabaseURL, _ configuration: DatabaseConfiguration, observer: @escaping DatabaseObserver
    ) async throws -> ServedDatabase {
        let api = try await ForeignDatabase.introspect(url).api
        return ServedDatabase(
            database: ForeignDatabase.open(url, configuration, observer: observer), api: api, kind: .introspected)
    }
}
