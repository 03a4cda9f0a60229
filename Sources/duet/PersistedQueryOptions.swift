import ArgumentParser
import DuetAPIDescription
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase
import DuetServer
import Foundation

/// The options of `duet serve` for persisted queries.
struct PersistedQueryOptions: ParsableArguments {
    private static let standard = PersistedDocumentSettings()

    static let automaticPersistedQueries = Setting(
        "automatic-persisted-queries", "Let clients register queries and execute them by their hash",
        default: standard.isAutomatic)
    static let manifests = Setting<String, [String]>(
        "persisted-queries",
        """
        Manifests of queries to load at start: Apollo's persisted query manifests, or maps from ids to operations. In the \
        environment variable, separate them with commas
        """, valueName: "file", default: [], defaultText: "none", requirement: "a list of files"
    ) { list in
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    static let persistedOnly = Setting(
        "persisted-only", "Reject every query that is not in a manifest", default: standard.isExclusive)
    static let persistedQueryStore = Setting<Bool, Bool?>(
        "persisted-query-store",
        "Store registered queries in the database, so that other servers and later starts can use them",
        valueName: nil, default: nil, defaultText: "true for employees; other databases are only read",
        requirement: "true or false"
    ) { $0 }
    static let persistedQueryFile = Setting<String, String?>(
        "persisted-query-file",
        "SQLite file to store registered queries in, instead of the database; created if it does not exist",
        valueName: "file", default: nil, defaultText: "none", requirement: "a file"
    ) { $0 }
    static let persistedQueryTTL = Setting(
        "persisted-query-ttl", "Time after the last use until a registered query expires",
        default: standard.configuration.timeToLive, in: 1...3_155_760_000)
    static let persistedQueryMemory = Setting(
        "persisted-query-memory", "Maximum memory for registered queries",
        default: standard.configuration.maximumMemory, in: 0...(1 << 40), unit: "bytes")
    static let maxPersistedQueries = Setting(
        "max-persisted-queries", "Maximum number of registered queries in the database",
        default: standard.configuration.maximumRows, in: 1...1_000_000_000)

    @Flag(Self.automaticPersistedQueries) var automaticPersistedQueries: Bool?
    @Option(
        name: .customLong(Self.manifests.name), parsing: .upToNextOption, help: Self.manifests.help,
        completion: .file(extensions: ["json"]))
    var manifests: [String] = []
    @Flag(Self.persistedOnly) var persistedOnly: Bool?
    @Flag(Self.persistedQueryStore) var persistedQueryStore: Bool?
    @Option(Self.persistedQueryFile) var persistedQueryFile: String?
    @Option(Self.persistedQueryTTL) var persistedQueryTTL: Double?
    @Option(Self.persistedQueryMemory) var persistedQueryMemory: Int?
    @Option(Self.maxPersistedQueries) var maxPersistedQueries: Int?

    /// Opens the database for registered queries.
    /// - Parameters:
    ///   - database: The served database.
    ///   - isOwn: True if Duet may write to the served database.
    /// - Returns: The database for registered queries; nil if queries are stored only in memory.
    /// - Throws: `ValidationError` if the options cannot be combined, if the file contains other tables, or if the
    ///   queries would be stored in a read-only database; `DatabaseError`.
    func store(beside database: Database, isOwn: Bool) async throws -> Database? {
        let isInDatabase = try Self.persistedQueryStore.value(persistedQueryStore)
        if let path = try Self.persistedQueryFile.value(persistedQueryFile) {
            guard isInDatabase != true else {
                throw ValidationError(
                    "\(Self.persistedQueryFile.source(persistedQueryFile)) and \(Self.persistedQueryStore.source(persistedQueryStore)) cannot be combined"
                )
            }
            if FileManager.default.fileExists(atPath: path) {
                let tables = try await ForeignDatabase.with(DatabaseURL(location: .sqlite(path: path))) {
                    try await ForeignDatabase.schema(of: $0).tables
                }
                guard tables.allSatisfy(Self.isStore) else {
                    throw ValidationError(
                        "\(Self.persistedQueryFile.source(persistedQueryFile)): \(path) contains other tables, so it is not modified; use a separate file"
                    )
                }
            }
            var configuration = DatabaseConfiguration(poolSize: 2)
            configuration.createsMissingFile = true
            let file = Database(DatabaseURL(location: .sqlite(path: path)), configuration: configuration)
            do {
                try await PersistedQueries.createTable(in: file)
            } catch {
                await file.close()
                throw error
            }
            return file
        }
        guard isOwn else {
            guard isInDatabase != true else {
                throw ValidationError(
                    """
                    \(Self.persistedQueryStore.source(persistedQueryStore)): this database is only read; specify a file with \
                    --\(Self.persistedQueryFile.name)
                    """)
            }
            return nil
        }
        return isInDatabase == false ? nil : database
    }

    /// Returns true if Duet has created the table for registered queries. Another program can use the same name.
    private static func isStore(_ table: SchemaTable) -> Bool {
        table.kind == .table && table.name == "duet_persisted_queries"
            && table.columns.map(\.name) == ["hash", "document", "bytes", "used_at", "is_reused"]
    }

    /// Returns the settings for persisted queries, with the operations of the manifests.
    /// - Throws: `ValidationError` for an invalid value. If a manifest cannot be used, the function prints a message
    ///   and throws `ExitCode` 66.
    func settings() throws -> PersistedDocumentSettings {
        var settings = PersistedDocumentSettings()
        settings.isAutomatic = try Self.automaticPersistedQueries.value(automaticPersistedQueries)
        settings.isExclusive = try Self.persistedOnly.value(persistedOnly)
        settings.configuration.timeToLive = try Self.persistedQueryTTL.value(persistedQueryTTL)
        settings.configuration.maximumMemory = try Self.persistedQueryMemory.value(persistedQueryMemory)
        settings.configuration.maximumRows = try Self.maxPersistedQueries.value(maxPersistedQueries)
        let files = manifests.isEmpty ? try Self.manifests.value(nil) : manifests
        let exclusive = Self.persistedOnly.source(persistedOnly)
        guard !settings.isExclusive || !files.isEmpty else {
            throw ValidationError(
                """
                \(exclusive) requires a manifest, because all other queries are rejected; specify one with \
                --persisted-queries or DUET_PERSISTED_QUERIES
                """)
        }
        do throws(PersistedQueryManifestError) {
            settings.manifest = try PersistedQueryManifest(contentsOf: files)
        } catch {
            throw StartFailure.report("\(Self.manifests.source(manifests.first)): \(error.description)", status: 66)
        }
        guard !settings.isExclusive || !settings.manifest.operations.isEmpty else {
            throw StartFailure.report(
                """
                \(files.joined(separator: ", ")): the manifest contains no operations, and \(exclusive) rejects all \
                other queries
                """, status: 66)
        }
        return settings
    }
}
