public import DuetPersistedDocuments

extension PersistedQueryManifest {
    /// Adds the document of an operation under its hash.
    ///
    /// A manifest of all operations of an app, written with `json(_:)`, is one that `duet serve --persisted-queries` reads.
    /// - Throws: `PersistedQueryManifestError` if the identifier is that of another document already.
    public mutating func add(_ document: OperationDocument) throws(PersistedQueryManifestError) {
        try add(
            Operation(
                id: document.hash, document: document.text, name: document.name, type: document.kind.rawValue),
            from: document.name ?? "a \(document.kind.rawValue) without a name")
    }
}
