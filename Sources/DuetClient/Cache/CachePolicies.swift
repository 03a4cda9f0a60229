public import DuetJSON

/// How objects of a service are identified and related in the normalized cache.
public struct CachePolicies: Sendable {
    /// The fields that identify the objects of a type: `["Employee": ["id"]]`. An object whose response lacks one of them is cached by
    /// its path.
    public var keyFields: [String: [String]]
    /// The key of an object, asked before ``keyFields``; `nil` leaves the decision to them.
    public var cacheKeyForObject: (@Sendable (CacheObject) -> CacheKey?)?
    /// Fields that name an entity by an argument, so that an entity got from a list is found by its own query.
    public var lookups: [FieldLookup]
    /// The names of fields that are connections and whose pages are merged into one list as they arrive.
    ///
    /// A query without `after` then shows all pages; one with `after` always goes to the server.
    public var connections: Set<String>
    /// The types of interfaces and unions.
    public var types: TypeConditions
    /// How long fields are fresh.
    public var timeToLive: TimeToLive

    /// These policies.
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

    /// The key of an object; `nil` if it has no identity of its own.
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

    /// The selected fields that identify an object.
    func keyFields(in map: ObjectMap) -> [FieldMap] {
        let plain = map.fields.filter { $0.object == nil && $0.arguments.elements.isEmpty }
        // A closure may ask for any field.
        if cacheKeyForObject != nil { return plain }
        let names = map.typeName.map { keyFields[$0] ?? [] } ?? keyFields.values.flatMap(\.self)
        return plain.filter { $0.name == "__typename" || names.contains($0.name) }
    }

    /// The entity that a field names by its arguments; `nil` if no lookup is declared for it.
    func entity(of field: Selection.Field, in typeName: String?) -> CacheKey? {
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

    /// An `ID` can be a string or a whole number, and both are the same to a service (specification, section 3.5.5).
    private static func keyPart(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let string): string
        case .integer(let integer): String(integer)
        default: nil
        }
    }
}

/// A field that names an entity by its arguments: `employee(id: "10004")` names the employee with that key.
public struct FieldLookup: Sendable, Hashable {
    /// The type that has the field; `Query` for the root.
    public var typeName: String
    /// The name of the field.
    public var field: String
    /// The type of the entity.
    public var entity: String
    /// The arguments that are the fields of the entity's key, in the order of these.
    public var arguments: [String]

    /// A lookup of an entity by a field.
    public init(_ typeName: String = "Query", field: String, entity: String, arguments: [String] = ["id"]) {
        self.typeName = typeName
        self.field = field
        self.entity = entity
        self.arguments = arguments
    }
}

extension CacheKey {
    /// The key of an entity: `Employee:10004`.
    ///
    /// A dot in a part is escaped, as dots separate a key from the path of objects without identity below it.
    public static func entity(_ typeName: String, _ parts: [String]) -> CacheKey {
        let text = parts.map { part in
            guard part.utf8.contains(where: { [0x25, 0x2E, 0x3A].contains($0) }) else { return part }
            return part.replacing("%", with: "%25").replacing(".", with: "%2E").replacing(":", with: "%3A")
        }
        return CacheKey("\(typeName):\(text.joined(separator: ":"))")
    }

    /// The key of an entity whose key is one field.
    public static func entity(_ typeName: String, _ id: String) -> CacheKey { entity(typeName, [id]) }
}

/// The scalar fields of one object of a response, for a policy that decides its key.
public struct CacheObject {
    /// The type: `__typename` of the response, or the type that the model names.
    public let typeName: String?
    private let field: (String) -> JSONValue?

    init(typeName: String?, field: @escaping (String) -> JSONValue?) {
        self.typeName = typeName
        self.field = field
    }

    /// The value of a selected field without arguments, by its name in the schema; `nil` if the response does not have it.
    public subscript(field: String) -> JSONValue? { self.field(field) }
}
