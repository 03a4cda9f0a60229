/// An element that a schema coordinate can refer to (specification, section 2.14).
public enum SchemaElement: Sendable {
    /// A named type, with the coordinate `Type`.
    case type(NamedType)
    /// A field of an object or interface type, with the coordinate `Type.field`.
    case field(SchemaField)
    /// A field of an input object type, with the coordinate `Type.field`.
    case inputField(SchemaInputValue)
    /// A value of an enum type, with the coordinate `Type.VALUE`.
    case enumValue(SchemaEnumValue)
    /// An argument of a field or of a directive, with the coordinate `Type.field(argument:)` or
    /// `@directive(argument:)`.
    case argument(SchemaInputValue)
    /// A directive, with the coordinate `@directive`.
    case directive(SchemaDirective)
}

extension Schema {
    /// Returns the element at a coordinate.
    /// - Returns: The element, or nil if the last part of the coordinate does not exist.
    /// - Throws: An error if the containing element does not exist, or cannot contain such an element.
    public func element(at coordinate: SchemaCoordinate) throws(GraphQLError) -> SchemaElement? {
        switch coordinate {
        case .type(let name): return type(named: name).map(SchemaElement.type)
        case .directive(let name): return directive(named: name).map(SchemaElement.directive)
        case .directiveArgument(let name, let argument):
            guard let directive = directive(named: name) else {
                throw GraphQLError("Expected \"@\(name)\" to be defined as a directive in the schema.")
            }
            return directive.arguments[argument].map(SchemaElement.argument)
        case .member(let typeName, let name):
            switch type(named: typeName) {
            case .object(let type): return type.fields[name].map(SchemaElement.field)
            case .interface(let type): return type.fields[name].map(SchemaElement.field)
            case .inputObject(let type): return type.fields[name].map(SchemaElement.inputField)
            case .enum(let type): return type.values[name].map(SchemaElement.enumValue)
            case .scalar, .union, nil:
                throw Self.missing(typeName, "an Enum, Input Object, Object or Interface type")
            }
        case .argument(let typeName, let fieldName, let name):
            guard let fields = type(named: typeName)?.fields else {
                throw Self.missing(typeName, "an object type or interface type")
            }
            guard let field = fields[fieldName] else {
                throw GraphQLError(
                    "Expected \"\(fieldName)\" to exist as a field of type \"\(typeName)\" in the schema.")
            }
            return field.arguments[name].map(SchemaElement.argument)
        }
    }

    private static func missing(_ name: String, _ kind: String) -> GraphQLError {
        GraphQLError("Expected \"\(name)\" to be defined as \(kind) in the schema.")
    }
}
