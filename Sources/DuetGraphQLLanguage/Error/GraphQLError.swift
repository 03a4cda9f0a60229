/// The engine's one error: what stands in a response's `errors` list (specification, section 7.1.2).
///
/// It is as small as a pointer, so that a function that can throw it needs no room for it.
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

    /// An error with that message.
    public init(
        _ message: String, locations: [SourceLocation] = [], path: [PathElement]? = nil,
        extensions: ObjectValue = [:], underlyingError: (any Error)? = nil
    ) {
        storage = Storage(
            Content(
                message: message, locations: locations, path: path, extensions: extensions,
                underlyingError: underlyingError))
    }

    /// What went wrong, for the developer who reads the response.
    public var message: String {
        get { content.message }
        set { content.message = newValue }
    }

    /// Where in the document it is; empty if it belongs to no place there.
    public var locations: [SourceLocation] {
        get { content.locations }
        set { content.locations = newValue }
    }

    /// Which field of the response it is about, from the root; nil for a request error.
    public var path: [PathElement]? {
        get { content.path }
        set { content.path = newValue }
    }

    /// The entries of `extensions`, in order.
    public var extensions: ObjectValue {
        get { content.extensions }
        set { content.extensions = newValue }
    }

    /// The error that a resolver or a scalar threw, if one did; it never reaches a response by itself.
    public var underlyingError: (any Error)? {
        get { content.underlyingError }
        set { content.underlyingError = newValue }
    }

    /// `extensions.code`, by which a client tells errors apart.
    public var code: String? {
        get {
            if case .string(let code)? = extensions["code"] { return code }
            return nil
        }
        set { extensions["code"] = newValue.map(Value.string) }
    }

    /// A document that is not GraphQL (specification, section 2).
    static func syntax(_ description: String, at location: SourceLocation) -> GraphQLError {
        GraphQLError("Syntax Error: \(description)", locations: [location])
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The message, then the locations.
    public var description: String {
        locations.isEmpty
            ? message : message + " (" + locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ") + ")"
    }
}

/// One step of a response path: a response name or a place in a list.
public enum PathElement: Sendable, Hashable {
    /// A field's response name.
    case key(String)
    /// A list's item, from 0.
    case index(Int)
}
