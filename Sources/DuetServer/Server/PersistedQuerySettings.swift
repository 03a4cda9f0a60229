package import DuetPersistedDocuments
package import DuetPersistedQueries

/// What the server can be told about persisted queries; each has a flag and an environment variable.
package struct PersistedQuerySettings: Sendable {
    /// Whether clients may register documents, by sending one with its hash.
    package var isAutomatic = true
    /// Whether nothing is answered but what the manifests list.
    package var isExclusive = false
    /// The documents known from the start.
    package var manifest = PersistedQueryManifest()
    /// How much is kept, and for how long.
    package var configuration = PersistedQueriesConfiguration()

    package init() {}
}
