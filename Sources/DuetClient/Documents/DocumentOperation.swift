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
