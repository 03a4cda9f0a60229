/// All that is wrong with a document or a schema; at least one error.
public struct GraphQLErrors: Error, Sendable, RandomAccessCollection {
    /// The errors in the order they were found.
    public let errors: [GraphQLError]

    /// Those errors.
    public init(_ errors: [GraphQLError]) { self.errors = errors }

    /// Always 0.
    public var startIndex: Int { errors.startIndex }
    /// The number of errors.
    public var endIndex: Int { errors.endIndex }
    /// The error at that position.
    public subscript(position: Int) -> GraphQLError { errors[position] }
}

extension GraphQLErrors: CustomStringConvertible {
    /// A paragraph per error.
    public var description: String { errors.map(\.description).joined(separator: "\n\n") }
}
