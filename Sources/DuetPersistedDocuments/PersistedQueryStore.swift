/// A store of documents that clients identify by a hash or an identifier.
///
/// `InMemoryPersistedQueryStore` conforms to this protocol. `PersistedQueries` of the module `DuetPersistedQueries`,
/// which stores documents in a table, conforms as well. To use a store with `DuetGraphQLHTTP`, pass the argument
/// `persistedQueries: .automatic(store)`.
///
/// The functions do not throw. After an error, a store returns nil, and the client sends the text.
public protocol PersistedQueryStore: Sendable {
    /// Returns the text of the document with a hash; nil if the store does not contain it.
    func document(_ hash: DocumentHash) async -> String?

    /// Returns the text of the document with an identifier of a manifest; nil if the store does not contain it or has
    /// no manifest.
    func document(named id: String) async -> String?

    /// Stores a document.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller must verify it.
    func register(_ document: String, as hash: DocumentHash) async
}
