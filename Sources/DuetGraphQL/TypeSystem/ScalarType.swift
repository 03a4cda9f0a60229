/// A scalar type (specification, section 3.5).
public final class ScalarType: Sendable {
    /// Its name.
    public let name: String
    /// What it is, in Markdown.
    public let description: String?
    /// Where its format is specified: `@specifiedBy`.
    public let specifiedByURL: String?
    /// How its values come in and go out.
    public let coercion: ScalarCoercion
    /// The nodes it was made from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// A scalar type.
    public init(
        _ name: String, coercion: ScalarCoercion = .unchanged, specifiedByURL: String? = nil,
        description: String? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.coercion = coercion
        self.specifiedByURL = specifiedByURL
        self.description = description
        self.definitions = definitions
    }
}

/// How a scalar's values come in and go out. Each function throws if the value is none of the scalar; a ``GraphQLError``'s message
/// reaches the client.
public struct ScalarCoercion: Sendable {
    /// From what a resolver gives to what the response says.
    public var serialize: @Sendable (Value) throws -> Value
    /// From a variable's value to what a resolver is given.
    public var parseValue: @Sendable (Value) throws -> Value
    /// From a literal in a document, and the request's variables, to what a resolver is given.
    public var parseLiteral: @Sendable (Literal, ObjectValue) throws -> Value

    /// Those functions. Without one for literals, a literal is taken as the value it would be in JSON.
    public init(
        serialize: @escaping @Sendable (Value) throws -> Value = { $0 },
        parseValue: @escaping @Sendable (Value) throws -> Value = { $0 },
        parseLiteral: (@Sendable (Literal, ObjectValue) throws -> Value)? = nil
    ) {
        self.serialize = serialize
        self.parseValue = parseValue
        self.parseLiteral = parseLiteral ?? { try parseValue($0.untypedValue(variables: $1)) }
    }

    /// Every value goes through as it is.
    public static let unchanged = ScalarCoercion()
}
