import DuetGraphQLLanguage

extension OperationDocument {
    /// A document that is written in GraphQL.
    /// - Parameters:
    ///   - kind: the kind that the operation must have.
    ///   - source: the text, with exactly one operation.
    ///   - owner: the name of the Swift type that the document belongs to, for messages.
    /// - Throws: ``ModelError`` with the code `invalidDocument`, and with line and column in the message.
    public convenience init(_ kind: OperationKind, source: String, of owner: String) throws(ModelError) {
        let written = try SourceDocument(source, kind: kind, owner: owner)
        let sent = written.addingTypeNames()
        self.init(
            kind, name: written.operation.name?.value, text: try sent.canonicalText(), map: try sent.map(),
            variables: try written.variables(), names: SelectedNames(try written.map()))
    }
}
