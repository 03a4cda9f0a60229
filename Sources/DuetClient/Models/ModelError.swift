/// The reason why a model could not be mapped or decoded.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The response has no value for a field that the model reads.
        case missing
        /// The response has `null` for a field that the model reads as a value.
        case unexpectedNull
        /// The value is of another type than the model reads.
        case typeMismatch
        /// The model reads a field that is not in the document, because it did not read it when it was mapped.
        case unmapped
        /// Two fields of one object have one response name and different arguments or names.
        case conflict
        /// The model contains itself without a maximum depth.
        case recursion
        /// A variable is used with two types.
        case variableConflict
        /// The document of the operation is no GraphQL document of one operation.
        case invalidDocument
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and the remedy, for a person.
    public var message: String
    /// The path of the field from the root: response names, and indexes of lists.
    public var path: [PathElement]

    /// An error of that kind.
    public init(_ code: Code, _ message: String, path: [PathElement] = []) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The path and the message.
    public var description: String {
        path.isEmpty ? message : "\(path.pathDescription): \(message)"
    }

    /// The same error, seen from the object above.
    func below(_ element: PathElement) -> ModelError {
        ModelError(code, message, path: [element] + path)
    }
}

/// One step of a path in a response (specification, section 7.1.2).
public enum PathElement: Sendable, Hashable {
    /// The response name of a field.
    case field(String)
    /// An index in a list, from 0.
    case index(Int)
}

extension Sequence<PathElement> {
    /// The path as a person writes it: `employees.nodes[3].lastName`.
    public var pathDescription: String {
        reduce(into: "") { text, element in
            switch element {
            case .field(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
