import DuetGraphQLLanguage
public import Foundation

/// An operation that is defined by a GraphQL document and whose data is any `Decodable` type.
///
/// Conform to ``DocumentQuery`` or ``DocumentMutation``:
///
///     struct EmployeeQuery: DocumentQuery {
///         struct Data: Decodable, Sendable {
///             struct Employee: Decodable, Sendable {
///                 let id: String
///                 let firstName: String
///             }
///             let employee: Employee?
///         }
///         static let source = "query Employee($id: ID!) { employee(id: $id) { id firstName } }"
///         var id: String
///         var variables: JSONObject { ["id": .string(id)] }
///     }
///
/// The property names are the response names of the document. Decoding fails if the document does not select a field
/// for a property, or if the value of a non-optional property is missing or `null`.
public protocol DocumentOperation: GraphQLOperation where Data: Decodable {
    /// The text of the document: one operation and the fragments that it uses.
    /// - Throws: ``ModelError`` if the text cannot be read, for example by `Bundle.graphQLDocument(named:)`.
    static var source: String { get throws(ModelError) }

    /// The representation of dates in responses. The default is milliseconds since 1970.
    static var dates: DateCoding { get }
}

/// A query that is defined by a GraphQL document.
public protocol DocumentQuery: DocumentOperation, GraphQLQuery {}

/// A mutation that is defined by a GraphQL document.
public protocol DocumentMutation: DocumentOperation, GraphQLMutation {}

extension DocumentOperation {
    /// Milliseconds since 1970.
    public static var dates: DateCoding { .epochMilliseconds }

    /// Returns the document that the client sends. ``source`` is parsed only once. The text that the client sends is
    /// ``source`` without comments and unnecessary white space, with `__typename` in each object except the root.
    /// - Throws: ``ModelError`` with the code `invalidDocument`.
    public static func document() throws(ModelError) -> OperationDocument {
        try DocumentTable.document(of: Self.self) { () throws(ModelError) in
            try OperationDocument(kind, source: try source, of: "\(Self.self)")
        }
    }

    /// Decodes the data.
    /// - Throws: ``ModelError`` with the path of the value that cannot be decoded.
    public static func decode(_ data: ResponseValue) throws(ModelError) -> Data {
        try data.decode(Data.self, names: try document().names, dates: dates)
    }
}

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

extension Bundle {
    /// Returns the text of a GraphQL document in a file of the bundle.
    ///
    ///     static var source: String {
    ///         get throws(ModelError) { try Bundle.module.graphQLDocument(named: "Employee") }
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the file without `.graphql`.
    ///   - subdirectory: The folder of the file in the bundle; `nil` for the top level.
    /// - Throws: ``ModelError`` with the code `invalidDocument` if the bundle has no such file, or the file is not
    ///   UTF-8.
    public func graphQLDocument(
        named name: String, subdirectory: String? = nil
    ) throws(ModelError) -> String {
        guard let url = url(forResource: name, withExtension: "graphql", subdirectory: subdirectory) else {
            throw ModelError(
                .invalidDocument,
                "The bundle \(bundleURL.lastPathComponent) has no file \(name).graphql. Add the file to the resources of the target."
            )
        }
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw ModelError(
                .invalidDocument, "The file \(name).graphql cannot be read as UTF-8: \(error.localizedDescription)")
        }
    }
}
