/// The fields that a model or a document selects of one object, with all that is selected below them.
///
/// A document is printed from it, the normalizer reads a response by it, and the missing part of a query is a part of it.
public struct ObjectMap: Sendable, Hashable {
    /// The GraphQL type of the object, where the model names it.
    public var typeName: String?
    /// The Swift type that the map was made from; empty if it was made from a document.
    public var modelName: String
    /// The fields, in the order in which they are printed.
    public var fields: [FieldMap]
    /// The fields that are selected only if the object has a certain type.
    public var typeCases: [TypeCase]

    /// A map of these fields.
    public init(
        typeName: String? = nil, modelName: String = "", fields: [FieldMap] = [], typeCases: [TypeCase] = []
    ) {
        self.typeName = typeName
        self.modelName = modelName
        self.fields = fields
        self.typeCases = typeCases
    }

    /// The field with that response name.
    public subscript(responseName: String) -> FieldMap? {
        fields.first { $0.responseName == responseName }
    }
}

/// One selected field.
public struct FieldMap: Sendable, Hashable {
    /// The name in the schema.
    public var name: String
    /// The response name, where it is another one than the name.
    public var alias: String?
    /// The arguments, in the order in which they are printed.
    public var arguments: Arguments
    /// The conditions under which the field is selected; all must hold.
    public var conditions: [FieldCondition]
    /// The selection below the field; `nil` for a field without fields.
    public var object: ObjectMap?
    /// The properties of models that the value is read for; none in a map of a document. They have no part in comparisons, so
    /// that equal selections are equal wherever they are read.
    public var readers: [FieldReader]

    /// A field.
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

    /// The name of the field's value in a response.
    public var responseName: String { alias ?? name }

    /// The place in the Swift source that reads the field, or the first of several.
    public var place: SourcePlace? { readers.first?.place }

    /// Returns true if both select the same.
    public static func == (left: FieldMap, right: FieldMap) -> Bool {
        left.name == right.name && left.alias == right.alias && left.arguments == right.arguments
            && left.conditions == right.conditions && left.object == right.object
    }

    /// Hashes everything but the readers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(alias)
        hasher.combine(arguments)
        hasher.combine(conditions)
        hasher.combine(object)
    }
}

/// Fields for objects of one type: an inline fragment (specification, section 2.8.2).
public struct TypeCase: Sendable, Hashable {
    /// The type that the object has or implements.
    public var typeName: String
    /// The fields.
    public var object: ObjectMap

    /// Fields for objects of that type.
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

    /// A condition on that variable.
    public init(variable: String, selects: Bool) {
        self.variable = variable
        self.selects = selects
    }
}
