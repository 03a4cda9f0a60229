public import DuetJSON

/// The rules by which a cache identifies objects, merges pages of lists, and determines whether values are fresh.
///
/// An entity is an object that the rules can identify.
public struct CachePolicies: Sendable {
    /// The names of the fields that identify the objects of a type, for example `["Employee": ["id"]]`. If the response
    /// to a query lacks one of these fields for an object, the key of the object is its path.
    public var keyFields: [String: [String]]
    /// Returns the key of an object. If this closure returns `nil`, ``keyFields`` determines the key.
    public var cacheKeyForObject: (@Sendable (CacheObject) -> CacheKey?)?
    /// The fields whose arguments identify an entity. A query with one of these fields can read the entity from the
    /// cache, even if another query has fetched the entity as part of a list.
    public var lookups: [FieldLookup]
    /// The names of the connection fields whose pages the cache merges into one list.
    ///
    /// The cached value of a field without the arguments `after` and `before` is the list of all merged pages. A field
    /// with one of these arguments has no cached value, so the server must return the page.
    public var connections: Set<String>
    /// The object types of each interface and union.
    public var types: TypeConditions
    /// The durations for which fields are fresh.
    public var timeToLive: TimeToLive

    /// Creates policies.
    public init(
        keyFields: [String: [String]] = [:], lookups: [FieldLookup] = [], connections: Set<String> = [],
        types: TypeConditions = TypeConditions(), timeToLive: TimeToLive = TimeToLive(),
        cacheKeyForObject: (@Sendable (CacheObject) -> CacheKey?)? = nil
    ) {
        self.keyFields = keyFields
        self.lookups = lookups
        self.connections = connections
        self.types = types
        self.timeToLive = timeToLive
        self.cacheKeyForObject = cacheKeyForObject
    }

    /// Returns the key of an object, or `nil` if the object has no identity.
    func key(of object: CacheObject) -> CacheKey? {
        if let key = cacheKeyForObject?(object) { return key }
        guard let typeName = object.typeName, let fields = keyFields[typeName] else { return nil }
        var parts: [String] = []
        for field in fields {
            guard let part = Self.keyPart(object[field]) else { return nil }
            parts.append(part)
        }
        return CacheKey.entity(typeName, parts)
    }

    /// Returns the selected fields that the policies need to identify an object.
    func keyFields(in map: ObjectMap) -> [FieldMap] {
        let plain = map.fields.filter { $0.object == nil && $0.arguments.elements.isEmpty }
        // `cacheKeyForObject` may read any scalar field without arguments.
        if cacheKeyForObject != nil { return plain }
        let names = map.typeName.map { keyFields[$0] ?? [] } ?? keyFields.values.flatMap(\.self)
        return plain.filter { $0.name == "__typename" || names.contains($0.name) }
    }

    /// Returns the key of the entity that the field's arguments identify. Returns `nil` if the policies have no lookup
    /// for the field, if the type is unknown, or if an argument of the lookup is neither a string nor a whole number.
    func entity(of field: ResolvedSelection.Field, in typeName: String?) -> CacheKey? {
        guard !lookups.isEmpty, let typeName,
            let lookup = lookups.first(where: { $0.field == field.name && $0.typeName == typeName })
        else { return nil }
        var parts: [String] = []
        for argument in lookup.arguments {
            guard let part = Self.keyPart(field.arguments[argument]) else { return nil }
            parts.append(part)
        }
        return CacheKey.entity(lookup.entity, parts)
    }

    /// Returns a part of a key. An `ID` can be a string or a whole number (specification, section 3.5.5). Both forms of
    /// an `ID` result in the same part.
    private static func keyPart(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let string): string
        case .integer(let integer): String(integer)
        default: nil
        }
    }
}

/// A field whose arguments identify an entity: `employee(id: "10004")` identifies the employee with the id `10004`.
public struct FieldLookup: Sendable, Hashable {
    /// The type that declares the field. For a root field, it is `Query`.
    public var typeName: String
    /// The name of the field.
    public var field: String
    /// The type of the entity.
    public var entity: String
    /// The arguments that correspond to the entity's key fields, in the order of the key fields.
    public var arguments: [String]

    /// Creates a lookup of an entity by a field.
    public init(_ typeName: String = "Query", field: String, entity: String, arguments: [String] = ["id"]) {
        self.typeName = typeName
        self.field = field
        self.entity = entity
        self.arguments = arguments
    }
}

extension CacheKey {
    /// Returns the key of an entity: `Employee:10004`.
    ///
    /// In each part, the characters `%`, `.` and `:` are percent-encoded, because `.` and `:` are delimiters of keys. A
    /// colon separates the parts. A dot separates the key of an entity from the path to an object that the entity
    /// contains.
    public static func entity(_ typeName: String, _ parts: [String]) -> CacheKey {
        let text = parts.map { part in
            guard part.utf8.contains(where: { [0x25, 0x2E, 0x3A].contains($0) }) else { return part }
            return part.replacing("%", with: "%25").replacing(".", with: "%2E").replacing(":", with: "%3A")
        }
        return CacheKey("\(typeName):\(text.joined(separator: ":"))")
    }

    /// Returns the key of an entity with a single key field.
    public static func entity(_ typeName: String, _ id: String) -> CacheKey { entity(typeName, [id]) }
}

/// The scalar fields of an object in a response. ``CachePolicies/cacheKeyForObject`` derives the key of the object from
/// these fields.
public struct CacheObject {
    /// The type: `__typename` of the response, or the type of the model.
    public let typeName: String?
    private let field: (String) -> JSONValue?

    init(typeName: String?, field: @escaping (String) -> JSONValue?) {
        self.typeName = typeName
        self.field = field
    }

    /// The value of a selected field without arguments; `nil` if the response does not contain the field.
    /// - Parameter field: The name of the field in the schema.
    public subscript(field: String) -> JSONValue? { self.field(field) }
}
