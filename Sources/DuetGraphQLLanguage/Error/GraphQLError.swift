/// An entry of the `errors` list of a response (specification, section 7.1.6). The parser throws this error, validation
/// returns it, and a resolver throws it to report an error to the client.
///
/// The value has the size of a pointer, so a function that throws it needs little stack space.
public struct GraphQLError: Error, Sendable {
    private struct Content: Sendable {
        var message: String
        var locations: [SourceLocation]
        var path: [PathElement]?
        var extensions: ObjectValue
        var underlyingError: (any Error)?
    }

    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    private var storage: Storage

    private var content: Content {
        get { storage.content }
        set { storage = Storage(newValue) }
    }

    /// Creates an error with the message.
    public init(
        _ message: String, locations: [SourceLocation] = [], path: [PathElement]? = nil,
        extensions: ObjectValue = [:], underlyingError: (any Error)? = nil
    ) {
        storage = Storage(
            Content(
                message: message, locations: locations, path: path, extensions: extensions,
                underlyingError: underlyingError))
    }

    /// The description of the problem, for the developer who reads the response.
    public var message: String {
        get { content.message }
        set { content.message = newValue }
    }

    /// The locations in the document; empty if the error has no location.
    public var locations: [SourceLocation] {
        get { content.locations }
        set { content.locations = newValue }
    }

    /// The path from the root to the response field in which the error occurred; nil for a request error.
    public var path: [PathElement]? {
        get { content.path }
        set { content.path = newValue }
    }

    /// The entries of `extensions`, in order.
    public var extensions: ObjectValue {
        get { content.extensions }
        set { content.extensions = newValue }
    }

    /// The error that a resolver or a scalar threw, if any. The JSON of the response does not contain it.
    public var underlyingError: (any Error)? {
        get { content.underlyingError }
        set { content.underlyingError = newValue }
    }

    /// The member `extensions.code`, by which a client distinguishes errors.
    public var code: String? {
        get {
            if case .string(let code)? = extensions["code"] { return code }
            return nil
        }
        set { extensions["code"] = newValue.map(Value.string) }
    }

    /// Returns a syntax error in a document (specification, section 2).
    static func syntax(_ description: String, at location: SourceLocation) -> GraphQLError {
        GraphQLError("Syntax Error: \(description)", locations: [location])
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The message, followed by the locations.
    public var description: String {
        locations.isEmpty
            ? message : message + " (" + locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ") + ")"
    }
}

/// One step of a response path: a response name or a list index.
public enum PathElement: Sendable, Hashable {
    /// The response name of a field.
    case key(String)
    /// The index of a list item, from 0.
    case index(Int)
}

extension PathElement: CustomStringConvertible {
    /// The name or the index.
    public var description: String {
        switch self {
        case .key(let name): name
        case .index(let index): "\(index)"
        }
    }
}

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
