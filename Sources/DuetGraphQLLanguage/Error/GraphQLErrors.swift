/// All errors of a document or a schema. The list contains at least one error.
public struct GraphQLErrors: Error, Sendable, RandomAccessCollection {
    /// The errors in the order of their detection.
    public let errors: [GraphQLError]

    /// Creates a list of the errors.
    public init(_ errors: [GraphQLError]) { self.errors = errors }

    /// Always 0.
    public var startIndex: Int { errors.startIndex }
    /// The number of errors.
    public var endIndex: Int { errors.endIndex }
    /// The error at the position.
    public subscript(position: Int) -> GraphQLError { errors[position] }
}

extension GraphQLErrors: CustomStringConvertible {
    /// The errors, with an empty line between them.
    public var description: String { errors.map(\.description).joined(separator: "\n\n") }
}
