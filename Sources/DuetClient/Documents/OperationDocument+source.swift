import DuetGraphQLLanguage

extension OperationDocument {
    /// Creates a document from GraphQL text.
    /// - Parameters:
    ///   - kind: The required kind of the operation.
    ///   - source: The text, with exactly one operation.
    ///   - owner: The name of the Swift type that has the document, for error messages.
    /// - Throws: ``ModelError`` with the code `invalidDocument`. The message contains the line and the column.
    public convenience init(_ kind: OperationKind, source: String, of owner: String) throws(ModelError) {
        let written = try SourceDocument(source, kind: kind, owner: owner)
        let sent = written.addingTypeNames()
        self.init(
            kind, name: written.operation.name?.value, text: try sent.canonicalText(), map: try sent.map(),
            variables: try written.variables(), names: SelectedNames(try written.map()))
    }
}
