import DuetGraphQLHTTP
package import DuetPersistedDocuments
package import DuetPersistedQueries

/// The settings of persisted queries. Each setting has a flag and an environment variable.
package struct PersistedDocumentSettings: Sendable {
    /// True if clients may register a document by sending it with its hash.
    package var isAutomatic = true
    /// True if only the documents of manifests are executed.
    package var isExclusive = false
    /// The documents of the manifests.
    package var manifest = PersistedQueryManifest()
    /// The size and the expiration of the cache.
    package var configuration = PersistedQueriesConfiguration()

    package init() {}

    /// The documents that clients may execute.
    var policy: PersistedQueryPolicy { isExclusive ? .listedOnly : isAutomatic ? .automatic : .listedOrText }
}
