/// An operation whose document is written in GraphQL, and whose data is any `Decodable` type.
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
/// The properties have the response names of the document. A property that the document does not select is an error, and so is a
/// value that is missing or `null` where the property is not optional.
public protocol DocumentOperation: GraphQLOperation where Data: Decodable {
    /// The text of the document: one operation and the fragments that it uses.
    /// - Throws: ``ModelError`` if the text cannot be read, as by `Bundle.graphQLDocument(named:)`.
    static var source: String { get throws(ModelError) }

    /// The form of dates in responses; milliseconds since 1970 if the type does not say otherwise.
    static var dates: DateCoding { get }
}

/// A query whose document is written in GraphQL.
public protocol DocumentQuery: DocumentOperation, GraphQLQuery {}

/// A mutation whose document is written in GraphQL.
public protocol DocumentMutation: DocumentOperation, GraphQLMutation {}

extension DocumentOperation {
    /// Milliseconds since 1970.
    public static var dates: DateCoding { .epochMilliseconds }

    /// The document, read once. Its text is the canonical form of ``source``, with `__typename` in each object.
    /// - Throws: ``ModelError`` with the code `invalidDocument`.
    public static func document() throws(ModelError) -> OperationDocument {
        try DocumentTable.document(of: Self.self) { () throws(ModelError) in
            try OperationDocument(kind, source: try source, of: "\(Self.self)")
        }
    }

    /// Decodes the data.
    /// - Throws: ``ModelError`` with the path of the value that the type cannot be decoded from.
    public static func decode(_ data: ResponseValue) throws(ModelError) -> Data {
        try data.decode(Data.self, names: try document().names, dates: dates)
    }
}
