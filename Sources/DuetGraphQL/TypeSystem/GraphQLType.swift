/// A type of a field, an argument or a variable: a named type, a list or a non-null type (specification, section
/// 3.4.1).
///
/// In code, a type is written as in a document: `"[Employee!]!"`.
public enum GraphQLType: Sendable, Hashable {
    /// A named type.
    case named(TypeName)
    /// A list of the inner type.
    indirect case list(GraphQLType)
    /// A non-null type. The inner type is a nullable type.
    indirect case nonNull(GraphQLType)

    /// Creates a type from its text. A text that is not a type becomes a name that no schema contains.
    public init(_ text: String) {
        if let reference = try? Parser.parseType(Source(text)) {
            self.init(reference)
        } else {
            self = .named(TypeName(text))
        }
    }

    /// Creates a type from a reference in a document.
    public init(_ reference: TypeReference) {
        self =
            switch reference {
            case .named(let name): .named(TypeName(name.value))
            case .list(let inner, _): .list(GraphQLType(inner))
            case .nonNull(let inner, _): .nonNull(GraphQLType(inner))
            }
    }

    /// The name of the type inside all lists and non-null types.
    public var typeName: TypeName {
        var type = self
        while true {
            switch type {
            case .named(let name): return name
            case .list(let inner), .nonNull(let inner): type = inner
            }
        }
    }

    /// The type without the outer non-null.
    public var nullable: GraphQLType {
        if case .nonNull(let inner) = self { return inner }
        return self
    }

    /// True if the type is non-null.
    public var isNonNull: Bool {
        if case .nonNull = self { return true }
        return false
    }

    /// Returns the type with another name inside all lists and non-null types.
    func replacingName(_ replace: (TypeName) -> TypeName) -> GraphQLType {
        switch self {
        case .named(let name): .named(replace(name))
        case .list(let inner): .list(inner.replacingName(replace))
        case .nonNull(let inner): .nonNull(inner.replacingName(replace))
        }
    }
}

extension GraphQLType: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The type as written in a document.
    public var description: String {
        switch self {
        case .named(let name): name.name
        case .list(let inner): "[\(inner)]"
        case .nonNull(let inner): "\(inner)!"
        }
    }

    /// Creates a type from its text.
    public init(stringLiteral value: String) { self.init(value) }
}

/// A reference to a named type. In a schema, the reference also contains the index of the type, so `schema[name]` needs
/// no search.
public struct TypeName: Sendable {
    /// The type's name.
    public let name: String
    /// The index in the schema's list of types; -1 if the reference is not part of a schema.
    let index: Int32

    /// Creates a reference that is not part of a schema yet.
    public init(_ name: String) {
        self.name = name
        index = -1
    }

    init(_ name: String, index: Int) {
        self.name = name
        self.index = Int32(index)
    }
}

extension TypeName: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Returns true if the names are equal.
    public static func == (left: TypeName, right: TypeName) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    /// Creates a reference from a name.
    public init(stringLiteral value: String) { self.init(value) }
    /// The name.
    public var description: String { name }
}
