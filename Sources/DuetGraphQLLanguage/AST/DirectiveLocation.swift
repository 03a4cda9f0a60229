/// A location at which a directive may occur (specification, section 3.13).
public enum DirectiveLocation: String, Sendable, Hashable, CaseIterable {
    case query = "QUERY"
    case mutation = "MUTATION"
    case subscription = "SUBSCRIPTION"
    case field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    case fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT"
    case variableDefinition = "VARIABLE_DEFINITION"
    case schema = "SCHEMA"
    case scalar = "SCALAR"
    case object = "OBJECT"
    case fieldDefinition = "FIELD_DEFINITION"
    case argumentDefinition = "ARGUMENT_DEFINITION"
    case interface = "INTERFACE"
    case union = "UNION"
    case `enum` = "ENUM"
    case enumValue = "ENUM_VALUE"
    case inputObject = "INPUT_OBJECT"
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
