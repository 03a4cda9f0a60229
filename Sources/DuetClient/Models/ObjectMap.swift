/// The fields that a model or a document selects on an object, with all nested selections.
///
/// A map has three uses: the client prints a document from it, normalizes responses with it, and derives the missing
/// part of a query from it.
public struct ObjectMap: Sendable, Hashable {
    /// The GraphQL type of the object, if the model defines it.
    public var typeName: String?
    /// The name of the Swift type that the map was created from; empty if it was created from a document.
    public var modelName: String
    /// The fields, in the order in which they are printed.
    public var fields: [FieldMap]
    /// The fields that are selected only for objects of certain types.
    public var typeCases: [TypeCase]
    /// False for an object without identity that no model represents, such as the aggregates of a field. If the object
    /// has no type name, `__typename` is not selected.
    var mayHaveIdentity = true

    /// Creates a map.
    public init(
        typeName: String? = nil, modelName: String = "", fields: [FieldMap] = [], typeCases: [TypeCase] = []
    ) {
        self.typeName = typeName
        self.modelName = modelName
        self.fields = fields
        self.typeCases = typeCases
    }

    /// The field with the given response name.
    public subscript(responseName: String) -> FieldMap? {
        fields.first { $0.responseName == responseName }
    }
}

/// A selected field.
public struct FieldMap: Sendable, Hashable {
    /// The name of the field in the schema.
    public var name: String
    /// The response name, if it differs from the name.
    public var alias: String?
    /// The arguments, in the order in which they are printed.
    public var arguments: Arguments
    /// The conditions under which the field is selected. All conditions must be true.
    public var conditions: [FieldCondition]
    /// The selection set of the field; `nil` for a field without a selection set.
    public var object: ObjectMap?
    /// The calls in models that read the field; empty in the map of a written document. Comparisons of fields ignore
    /// the readers, so that equal selections are equal even if different models read them.
    public var readers: [FieldReader]

    /// Creates a field.
    public init(
        _ name: String, alias: String? = nil, arguments: Arguments = [:], conditions: [FieldCondition] = [],
        object: ObjectMap? = nil, readers: [FieldReader] = []
    ) {
        self.name = name
        self.alias = alias
        self.arguments = arguments
        self.conditions = conditions
        self.object = object
        self.readers = readers
    }

    /// The response name of the field.
    public var responseName: String { alias ?? name }

    /// The location of the first call in the Swift source that reads the field.
    public var place: SourcePlace? { readers.first?.place }

    /// Returns true if both fields select the same value. The readers are not compared.
    public static func == (left: FieldMap, right: FieldMap) -> Bool {
        left.name == right.name && left.alias == right.alias && left.arguments == right.arguments
            && left.conditions == right.conditions && left.object == right.object
    }

    /// Hashes all properties except the readers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(alias)
        hasher.combine(arguments)
        hasher.combine(conditions)
        hasher.combine(object)
    }
}

/// Fields with a type condition: an inline fragment (specification, section 2.9.2).
public struct TypeCase: Sendable, Hashable {
    /// The type condition: the name of an object type, an interface or a union.
    public var typeName: String
    /// The fields.
    public var object: ObjectMap

    /// Creates fields with a type condition.
    public init(on typeName: String, _ object: ObjectMap) {
        self.typeName = typeName
        self.object = object
    }
}

/// A directive `@include` or `@skip` whose condition is a variable (specification, section 3.13).
public struct FieldCondition: Sendable, Hashable {
    /// The name of the variable, without `$`.
    public var variable: String
    /// The value of the variable that selects the field: `true` for `@include`, `false` for `@skip`.
    public var selects: Bool

    /// Creates a condition on a variable.
    public init(variable: String, selects: Bool) {
        self.variable = variable
        self.selects = selects
    }
}

extension ObjectMap {
    /// Adds the fields of another selection of the same object, as CollectFields and CollectSubfields do
    /// (specification, section 6.3.2).
    /// - Parameter positions: The lookup of this map's fields by response name. Pass the same variable in all calls on
    ///   one map.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ other: ObjectMap, _ positions: inout FieldPositions) throws(ModelError) {
        mayHaveIdentity = mayHaveIdentity || other.mayHaveIdentity
        for field in other.fields { try merge(field, &positions) }
        for typeCase in other.typeCases { try merge(typeCase) }
    }

    /// Adds a field.
    /// - Parameter positions: The lookup of this map's fields by response name. Pass the same variable in all calls on
    ///   one map.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ field: FieldMap, _ positions: inout FieldPositions) throws(ModelError) {
        guard let position = positions.position(of: field.responseName, in: fields) else {
            fields.append(field)
            return
        }
        guard fields[position].name == field.name, fields[position].arguments == field.arguments else {
            throw ModelError(
                .conflict,
                "Two fields of \(modelName.isEmpty ? "one object" : modelName) have the response name \(field.responseName), but different names or arguments. Give one of the fields an alias."
            )
        }
        for reader in field.readers where !fields[position].readers.contains(reader) {
            fields[position].readers.append(reader)
        }
        var object = field.object
        if fields[position].conditions != field.conditions {
            // The merged field must be selected if the conditions of at least one selection are true. One list of
            // conditions cannot express this, so the field gets no conditions. Instead, the subfields of each selection
            // get the conditions of this selection.
            fields[position].object = fields[position].object?.adding(fields[position].conditions)
            object = object?.adding(field.conditions)
            fields[position].conditions = []
        }
        guard let object else { return }
        if fields[position].object == nil {
            fields[position].object = object
        } else {
            var positions = FieldPositions()
            try fields[position].object?.merge(object, &positions)
        }
    }

    /// Adds the fields of a type case.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ typeCase: TypeCase) throws(ModelError) {
        if let index = typeCases.firstIndex(where: { $0.typeName == typeCase.typeName }) {
            var positions = FieldPositions()
            try typeCases[index].object.merge(typeCase.object, &positions)
        } else {
            typeCases.append(typeCase)
        }
    }

    /// Returns a map of the same fields with additional conditions.
    func adding(_ conditions: [FieldCondition]) -> ObjectMap {
        guard !conditions.isEmpty else { return self }
        var map = self
        for index in map.fields.indices {
            let own = map.fields[index].conditions
            map.fields[index].conditions = conditions + own.filter { !conditions.contains($0) }
        }
        for index in map.typeCases.indices {
            map.typeCases[index].object = map.typeCases[index].object.adding(conditions)
        }
        return map
    }
}

/// Finds the fields of an ``ObjectMap`` by their response names. For a map with many fields, a dictionary is used.
///
/// Response names are unique. Between two calls, fields may be appended but not removed.
struct FieldPositions {
    /// The position after the last result. Merged selections usually have equal fields in the same order, so this
    /// position is tested first.
    private var next = 0
    /// The positions of the first ``indexedCount`` fields, if the map has more than ``longestScan`` fields.
    private var byName: [String: Int] = [:]
    private var indexedCount = 0

    private static let longestScan = 16

    /// Returns the position of the field with the response name; `nil` if the map has no such field. If the method
    /// returns `nil`, the caller must append the field.
    mutating func position(of responseName: String, in fields: [FieldMap]) -> Int? {
        let position =
            next < fields.count && fields[next].responseName == responseName ? next : find(responseName, in: fields)
        next = (position ?? fields.count) + 1
        return position
    }

    private mutating func find(_ responseName: String, in fields: [FieldMap]) -> Int? {
        guard fields.count > Self.longestScan else { return fields.firstIndex { $0.responseName == responseName } }
        while indexedCount < fields.count {
            byName[fields[indexedCount].responseName] = indexedCount
            indexedCount += 1
        }
        return byName[responseName]
    }
}
