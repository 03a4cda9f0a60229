/// A type as written in a document: `Name`, `[Type]`, `Type!` (specification, section 2.12).
public enum TypeReference: Sendable {
    /// The name of a type.
    case named(Name)
    /// A list of the inner type.
    indirect case list(TypeReference, SourceRange)
    /// The non-null form of the inner type. The inner type is never itself non-null.
    indirect case nonNull(TypeReference, SourceRange)

    /// The name inside all brackets.
    public var name: Name {
        var type = self
        while true {
            switch type {
            case .named(let name): return name
            case .list(let inner, _), .nonNull(let inner, _): type = inner
            }
        }
    }

    /// The number of lists around the name.
    package var listDepth: Int {
        var depth = 0
        var type = self
        while true {
            switch type {
            case .named: return depth
            case .nonNull(let inner, _): type = inner
            case .list(let inner, _):
                type = inner
                depth += 1
            }
        }
    }

    /// The range in the source text.
    public var range: SourceRange {
        switch self {
        case .named(let name): name.range
        case .list(_, let range), .nonNull(_, let range): range
        }
    }

    /// True if the type ends with an exclamation mark.
    public var isNonNull: Bool {
        if case .nonNull = self { return true }
        return false
    }
}

extension TypeReference: CustomStringConvertible {
    /// The type as written in a document.
    public var description: String {
        switch self {
        case .named(let name): name.value
        case .list(let inner, _): "[\(inner)]"
        case .nonNull(let inner, _): "\(inner)!"
        }
    }
}
