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
