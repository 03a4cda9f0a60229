package import DuetJSON

/// A store that finds documents in memory without a suspension.
package protocol PersistedQueryLookup: PersistedQueryStore {
    /// Returns the document with a hash from a manifest or from memory; nil if neither contains it.
    func knownDocument(_ hash: DocumentHash) -> UTF8Text?

    /// Returns the document of a manifest with a hash; nil if the hash is unknown.
    func listedDocument(_ hash: DocumentHash) -> UTF8Text?

    /// Returns the document of a manifest with an identifier; nil if the identifier is unknown.
    func listedDocument(named id: String) -> UTF8Text?

    /// Returns true if a manifest contains a document with exactly this text.
    func isListed(_ document: UTF8Text) -> Bool
}
