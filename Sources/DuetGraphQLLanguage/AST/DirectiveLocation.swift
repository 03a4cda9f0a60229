/// A location at which a directive may occur (specification, section 3.13).
public enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
    /// A query operation: `query @directive { … }`.
    case query = "QUERY"
    /// A mutation operation: `mutation @directive { … }`.
    case mutation = "MUTATION"
    /// A subscription operation: `subscription @directive { … }`.
    case subscription = "SUBSCRIPTION"
    /// A field in a selection set: `name @directive`.
    case field = "FIELD"
    /// The definition of a named fragment: `fragment Name on Type @directive { … }`.
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    /// A reference to a named fragment in a selection set: `...Name @directive`.
    case fragmentSpread = "FRAGMENT_SPREAD"
    /// A fragment without a name in a selection set: `... on Type @directive { … }`.
    case inlineFragment = "INLINE_FRAGMENT"
    /// The definition of a variable of an operation: `($name: Type @directive)`.
    case variableDefinition = "VARIABLE_DEFINITION"
    /// The definition or extension of the schema: `schema @directive { … }`.
    case schema = "SCHEMA"
    /// The definition or extension of a scalar type: `scalar Name @directive`.
    case scalar = "SCALAR"
    /// The definition or extension of an object type: `type Name @directive { … }`.
    case object = "OBJECT"
    /// The definition of a field of an object or interface type: `name: Type @directive`.
    case fieldDefinition = "FIELD_DEFINITION"
    /// The definition of an argument of a field or directive: `(name: Type @directive)`.
    case argumentDefinition = "ARGUMENT_DEFINITION"
    /// The definition or extension of an interface type: `interface Name @directive { … }`.
    case interface = "INTERFACE"
    /// The definition or extension of a union type: `union Name @directive = …`.
    case union = "UNION"
    /// The definition or extension of an enum type: `enum Name @directive { … }`.
    case `enum` = "ENUM"
    /// The definition of a value of an enum type: `VALUE @directive`.
    case enumValue = "ENUM_VALUE"
    /// The definition or extension of an input object type: `input Name @directive { … }`.
    case inputObject = "INPUT_OBJECT"
    /// The definition of a field of an input object type: `name: Type @directive`.
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}

extension DirectiveLocation {
    /// Creates the location of a directive on an operation.
    public init(_ operation: OperationType) {
        self =
            switch operation {
            case .query: .query
            case .mutation: .mutation
            case .subscription: .subscription
            }
    }

    /// Creates the location of a directive on the definition of a type.
    public init(_ kind: TypeKind) {
        self =
            switch kind {
            case .scalar: .scalar
            case .object: .object
            case .interface: .interface
            case .union: .union
            case .enum: .enum
            case .inputObject: .inputObject
            }
    }
}
