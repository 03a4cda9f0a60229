/// A store of documents that clients name by a hash or an identifier.
///
/// `InMemoryPersistedQueryStore` is one, and so is `PersistedQueries` of the module `DuetPersistedQueries`, which
/// stores documents in a table. `DuetGraphQLHTTP` answers requests from a store: `persistedQueries: .automatic(store)`.
///
/// No function throws: a store that fails returns nil, and the client sends the text.
public protocol PersistedQueryStore: Sendable {
    /// Returns the text of the document with a hash; nil if the store does not have it.
    func document(_ hash: DocumentHash) async -> String?

    /// Returns the text of the document with an identifier of a manifest; nil if the store does not have it, or has no
    /// manifest.
    func document(named id: String) async -> String?

    /// Stores a document.
    /// - Parameters:
    ///   - document: The text of a valid document.
    ///   - hash: The hash of the text. The caller has compared them.
    func register(_ document: String, as hash: DocumentHash) async
}
