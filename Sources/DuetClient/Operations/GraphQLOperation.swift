public import DuetJSON
import Synchronization

/// A query, a mutation or a subscription with the values of its variables.
///
/// Conform to ``GraphQLQuery`` or ``GraphQLMutation``. If `Data` is a ``DataDecodable`` model, the document is created
/// from the model:
///
///     struct EmployeeQuery: GraphQLQuery {
///         typealias Data = EmployeeScreen
///         var id: String
///         var variables: JSONObject { ["id": .string(id)] }
///     }
public protocol GraphQLOperation: Sendable {
    /// The Swift type of the root object of the response.
    associatedtype Data: Sendable

    /// The kind of the operation.
    static var kind: OperationKind { get }

    /// The values of the variables that the document declares.
    var variables: JSONObject { get }

    /// Returns the document. All values of an operation type have the same document.
    /// - Throws: ``ModelError`` if no document can be created from the model.
    static func document() throws(ModelError) -> OperationDocument

    /// Decodes the root object.
    /// - Throws: ``ModelError`` if the response does not match the model.
    static func decode(_ data: ResponseValue) throws(ModelError) -> Data
}

/// An operation that reads data.
public protocol GraphQLQuery: GraphQLOperation {}

/// An operation that writes data.
public protocol GraphQLMutation: GraphQLOperation {}

extension GraphQLOperation {
    /// No variables.
    public var variables: JSONObject { [:] }
}

extension GraphQLQuery {
    /// A query.
    public static var kind: OperationKind { .query }
}

extension GraphQLMutation {
    /// A mutation.
    public static var kind: OperationKind { .mutation }
}

extension GraphQLOperation where Data: DataDecodable {
    /// Returns the document of the model. The name of the operation is the name of this type. The first call
    /// creates the document, and all later calls return this document.
    public static func document() throws(ModelError) -> OperationDocument {
        try DocumentTable.document(of: Self.self) { () throws(ModelError) in
            try OperationDocument(
                kind, name: QueryBuilder.name(ofType: "\(Self.self)"), map: try MappingDecoder.map(Data.self))
        }
    }

    /// Returns a document for a text that already exists, such as a text that `duet generate` has generated. The
    /// first call creates the document, and all later calls return this document.
    /// - Parameters:
    ///   - name: The name of the operation in the text.
    ///   - text: A document with this operation and its fragments. It must select the fields that the model reads.
    ///   - variables: The variables that the text declares.
    /// - Throws: ``ModelError`` if the model cannot be mapped.
    public static func document(
        name: String, text: String, variables: [VariableDefinition]
    ) throws(ModelError) -> OperationDocument {
        try DocumentTable.document(of: Self.self) { () throws(ModelError) in
            OperationDocument(
                kind, name: name, text: text, map: try MappingDecoder.map(Data.self), variables: variables)
        }
    }

    /// Decodes the model.
    public static func decode(_ data: ResponseValue) throws(ModelError) -> Data {
        try Data(from: try data.object())
    }
}

/// The documents of all operation types. A process stores one document for each operation type that it uses.
enum DocumentTable {
    private static let documents = Mutex<[ObjectIdentifier: OperationDocument]>([:])

    /// Returns the stored document of an operation type. If there is none, creates and stores it.
    /// - Throws: The error of `make`. An error is not stored, so the next call runs `make` again.
    static func document(
        of operation: Any.Type, _ make: () throws(ModelError) -> OperationDocument
    ) throws(ModelError) -> OperationDocument {
        let key = ObjectIdentifier(operation)
        if let document = documents.withLock({ $0[key] }) { return document }
        // Two tasks may create the document at the same time. Both tasks get the document that is stored first.
        let document = try make()
        return documents.withLock { documents in
            if let first = documents[key] { return first }
            documents[key] = document
            return document
        }
    }
}
