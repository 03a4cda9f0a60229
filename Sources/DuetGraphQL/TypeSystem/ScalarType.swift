/// A scalar type (specification, section 3.5).
public final class ScalarType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The URL of the specification of the scalar's format: `@specifiedBy`.
    public let specifiedByURL: String?
    /// The coercion of input and output values.
    public let coercion: ScalarCoercion
    /// The cost of a value of the type; nil if it is not specified. ``CostModel`` defines its effect.
    public let weight: Double?
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates a scalar type.
    public init(
        _ name: String, coercion: ScalarCoercion = .unchanged, specifiedByURL: String? = nil,
        description: String? = nil, weight: Double? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.coercion = coercion
        self.specifiedByURL = specifiedByURL
        self.description = description
        self.weight = weight
        self.definitions = definitions
    }
}

/// The functions that coerce the input and output values of a scalar. Each function throws an error for an invalid
/// value. The client receives the message of a `GraphQLError`.
public struct ScalarCoercion: Sendable {
    /// Converts a value from a resolver to a value in the response.
    public var serialize: @Sendable (Value) throws -> Value
    /// Converts the value of a variable to a value for a resolver.
    public var parseValue: @Sendable (Value) throws -> Value
    /// Converts a literal in a document, with the variables of the request, to a value for a resolver.
    public var parseLiteral: @Sendable (Literal, ObjectValue) throws -> Value

    /// Creates a coercion from the functions. Without `parseLiteral`, a literal is converted to the corresponding JSON
    /// value and passed to `parseValue`.
    public init(
        serialize: @escaping @Sendable (Value) throws -> Value = { $0 },
        parseValue: @escaping @Sendable (Value) throws -> Value = { $0 },
        parseLiteral: (@Sendable (Literal, ObjectValue) throws -> Value)? = nil
    ) {
        self.serialize = serialize
        self.parseValue = parseValue
        self.parseLiteral = parseLiteral ?? { try parseValue($0.untypedValue(variables: $1)) }
    }

    /// A coercion that does not change values.
    public static let unchanged = ScalarCoercion()
}
