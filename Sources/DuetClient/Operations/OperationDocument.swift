public import DuetJSON
import DuetPersistedDocuments
import Synchronization

/// The kind of an operation (specification, section 2.4).
public enum OperationKind: String, Sendable, Hashable {
    /// An operation that reads data.
    case query
    /// An operation that writes data.
    case mutation
    /// An operation that receives events.
    case subscription

    /// The usual name of the root type for this kind of operation.
    var rootTypeName: String {
        switch self {
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
    }
}

/// A variable that an operation declares.
public struct VariableDefinition: Sendable, Hashable {
    /// The name, without `$`.
    public var name: String
    /// The type in the document, such as `ID!`.
    public var type: String
    /// The default value of the variable.
    public var defaultValue: JSONValue?

    /// Creates a variable.
    public init(_ name: String, _ type: String, defaultValue: JSONValue? = nil) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
    }
}

/// A document with one operation, and values that the client derives from the document. All requests of the operation
/// use the same document.
public final class OperationDocument: Sendable {
    /// The kind of the operation.
    public let kind: OperationKind
    /// The name of the operation, if it has one.
    public let name: String?
    /// The text that the client sends.
    public let text: String
    /// The SHA-256 hash of the text in lowercase hexadecimal digits, as used for persisted queries.
    public let hash: String
    /// The fields that the operation selects.
    public let map: ObjectMap
    /// The variables that the operation declares.
    public let variables: [VariableDefinition]
    /// False for a document that is created for a single request. The server must not register such a document as a
    /// persisted query.
    public let isRegistrable: Bool

    /// The response names that the document selects. A `Decodable` type can read only these names. The property is
    /// `nil` for the document of a ``DataDecodable`` model, because the model itself defines the names.
    let names: SelectedNames?

    private let defaults: JSONObject
    private let constantSelection: ResolvedSelection?

    /// Creates a document.
    /// - Parameters:
    ///   - kind: The kind of the operation.
    ///   - name: The name of the operation, if it has one.
    ///   - text: A document that contains this operation and its fragments.
    ///   - map: The fields that the text selects.
    ///   - variables: The variables that the text declares.
    ///   - isRegistrable: False if the server must not register the document as a persisted query.
    public convenience init(
        _ kind: OperationKind, name: String?, text: String, map: ObjectMap, variables: [VariableDefinition],
        isRegistrable: Bool = true
    ) {
        self.init(
            kind, name: name, text: text, map: map, variables: variables, isRegistrable: isRegistrable, names: nil)
    }

    init(
        _ kind: OperationKind, name: String?, text: String, map: ObjectMap, variables: [VariableDefinition],
        isRegistrable: Bool = true, names: SelectedNames?
    ) {
        self.kind = kind
        self.name = name
        self.text = text
        var map = map
        // ``CachePolicies`` use the usual names of the root types, such as `Query`.
        if map.typeName == nil { map.typeName = kind.rootTypeName }
        self.map = map
        self.variables = variables
        self.isRegistrable = isRegistrable
        self.names = names
        hash = DocumentHash(of: text).description
        defaults = JSONObject(
            variables.compactMap { definition in definition.defaultValue.map { (definition.name, $0) } })
        constantSelection = variables.isEmpty ? ResolvedSelection(map, variables: [:], connections: []) : nil
    }

    /// Creates a document with the fields of a map. The text and the variables are derived from the map.
    /// - Throws: ``ModelError`` with the code `variableConflict`.
    public convenience init(
        _ kind: OperationKind, name: String?, map: ObjectMap, isRegistrable: Bool = true
    ) throws(ModelError) {
        let map = map.addingTypeNames(isRoot: true)
        let result = try QueryBuilder.document(kind, name: name, map: map)
        self.init(
            kind, name: name, text: result.text, map: map, variables: result.variables, isRegistrable: isRegistrable)
    }

    /// Returns the selected fields for given values of the variables.
    /// - Parameter connections: The names of the connection fields whose pages the cache merges.
    func selection(variables: JSONObject, connections: Set<String> = []) -> ResolvedSelection {
        if let constantSelection, connections.isEmpty { return constantSelection }
        var values = defaults
        for member in variables.members { values[member.key] = member.value }
        return ResolvedSelection(map, variables: values, connections: connections)
    }

    /// The cache key of the operation's root object.
    var rootKey: CacheKey { kind == .mutation ? .mutationRoot : .queryRoot }
}

extension ObjectMap {
    /// Returns this map with `__typename` added to each object that needs the field. An object needs the field if the
    /// model does not define the type of the object, or if the object has type cases. The root never needs the field.
    func addingTypeNames(isRoot: Bool = false) -> ObjectMap {
        var map = self
        for index in map.fields.indices {
            if let object = map.fields[index].object { map.fields[index].object = object.addingTypeNames() }
        }
        for index in map.typeCases.indices {
            // The object that contains the type case already selects `__typename`.
            map.typeCases[index].object = map.typeCases[index].object.addingTypeNames(isRoot: true)
        }
        let isUntyped = map.typeName == nil && map.mayHaveIdentity
        if !isRoot, isUntyped || !map.typeCases.isEmpty, map["__typename"] == nil {
            map.fields.insert(FieldMap("__typename"), at: 0)
        }
        return map
    }
}
