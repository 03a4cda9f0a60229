public import DuetJSON
import Synchronization

/// A query, a mutation or a subscription with the values of its variables.
///
/// Conform to ``GraphQLQuery`` or ``GraphQLMutation``. With a ``DataDecodable`` model as `Data` the document is made from the model:
///
///     struct EmployeeQuery: GraphQLQuery {
///         typealias Data = EmployeeScreen
///         var id: String
///         var variables: JSONObject { ["id": .string(id)] }
///     }
public protocol GraphQLOperation: Sendable {
    /// The model of the root object.
    associatedtype Data: Sendable

    /// The kind of the operation.
    static var kind: OperationKind { get }

    /// The values of the variables that the document declares.
    var variables: JSONObject { get }

    /// The document. It is the same for all values of the type.
    /// - Throws: ``ModelError`` if the model has no document.
    static func document() throws(ModelError) -> OperationDocument

    /// Reads the root object.
    /// - Throws: ``ModelError`` if the response is not the model's.
    static func decode(_ data: ResponseValue) throws(ModelError) -> Data
}

/// An operation that reads.
public protocol GraphQLQuery: GraphQLOperation {}

/// An operation that writes.
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
    /// The document of the model, with the name of this type. It is made once.
    public static func document() throws(ModelError) -> OperationDocument {
        try DocumentTable.document(of: Self.self) { () throws(ModelError) in
            try OperationDocument(
                kind, name: QueryBuilder.name(ofType: "\(Self.self)"), map: try MappingDecoder.map(Data.self))
        }
    }

    /// A document whose text is written already, such as `duet generate` does. It is made once.
    /// - Parameters:
    ///   - name: The name of the operation in the text.
    ///   - text: A document of this one operation and its fragments. It selects the fields that the model reads.
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

    /// Reads the model.
    public static func decode(_ data: ResponseValue) throws(ModelError) -> Data {
        try Data(from: try data.object())
    }
}

/// The documents of operations, each made once in a process. Its size is bounded by the number of types in a program.
enum DocumentTable {
    private static let documents = Mutex<[ObjectIdentifier: OperationDocument]>([:])

    /// - Throws: The error of `make`, each time that it fails.
    static func document(
        of operation: Any.Type, _ make: () throws(ModelError) -> OperationDocument
    ) throws(ModelError) -> OperationDocument {
        let key = ObjectIdentifier(operation)
        if let document = documents.withLock({ $0[key] }) { return document }
        // Two tasks may both make it, and both get the first one.
        let document = try make()
        return documents.withLock { documents in
            if let first = documents[key] { return first }
            documents[key] = document
            return document
        }
    }
}
