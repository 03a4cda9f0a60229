/// An error in mapping or decoding a model.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The response or the cache has no value for a field that the model reads.
        case missing
        /// The value of a field is `null`, but the model does not read the field as an optional.
        case unexpectedNull
        /// The value of a field does not have the type that the model reads.
        case typeMismatch
        /// The model reads a field that the document does not select. A ``DataDecodable`` model did not read this
        /// field when the document was created.
        case unmapped
        /// Two fields of an object have the same response name, but different names or arguments.
        case conflict
        /// The model contains itself without a maximum depth, or in a property that is neither an optional nor a list.
        case recursion
        /// A variable is used with two different types.
        case variableConflict
        /// The document of the operation is not a valid GraphQL document with one operation.
        case invalidDocument
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and its remedy.
    public var message: String
    /// The path of the field from the root: response names and list indexes.
    public var path: [PathElement]

    /// Creates an error.
    public init(_ code: Code, _ message: String, path: [PathElement] = []) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The path and the message.
    public var description: String {
        path.isEmpty ? message : "\(path.pathDescription): \(message)"
    }

    /// Returns this error as an error of the parent object or list: adds an element at the beginning of the path.
    func below(_ element: PathElement) -> ModelError {
        ModelError(code, message, path: [element] + path)
    }
}

/// An element of a path in a response (specification, section 7.1.4).
public enum PathElement: Sendable, Hashable {
    /// The response name of a field.
    case field(String)
    /// An index in a list, starting at 0.
    case index(Int)
}

extension Sequence<PathElement> {
    /// The path in dot notation: `employees.nodes[3].lastName`.
    public var pathDescription: String {
        reduce(into: "") { text, element in
            switch element {
            case .field(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
