public import DuetPersistedDocuments

extension PersistedQueryManifest {
    /// Adds the document of an operation under its hash.
    ///
    /// After all operations of an app are added, `json(_:)` returns the manifest in a format that
    /// `duet serve --persisted-queries` reads.
    /// - Throws: `PersistedQueryManifestError` if another document already has the identifier.
    public mutating func add(_ document: OperationDocument) throws(PersistedQueryManifestError) {
        try add(
            Operation(document: document.text, name: document.name, type: document.kind.rawValue),
            from: document.name ?? "a \(document.kind.rawValue) without a name")
    }
}
