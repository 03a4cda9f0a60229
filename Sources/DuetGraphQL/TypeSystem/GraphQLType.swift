/// A type of a field, an argument or a variable: a named type, a list or a non-null type (specification, section 3.4.1).
///
/// In code it is written as in a document: `"[Employee!]!"`.
public enum GraphQLType: Sendable, Hashable {
    /// A named type.
    case named(TypeName)
    /// A list of another type.
    indirect case list(GraphQLType)
    /// Another type without null; that one is never itself non-null.
    indirect case nonNull(GraphQLType)

    /// The type of that text; what is not a type becomes a name that no schema knows.
    public init(_ text: String) {
        if let reference = try? Parser.parseType(Source(text)) {
            self.init(reference)
        } else {
            self = .named(TypeName(text))
        }
    }

    /// The type that is written so.
    public init(_ reference: TypeReference) {
        self =
            switch reference {
            case .named(let name): .named(TypeName(name.value))
            case .list(let inner, _): .list(GraphQLType(inner))
            case .nonNull(let inner, _): .nonNull(GraphQLType(inner))
            }
    }

    /// The name inside all lists and non-null types.
    public var typeName: TypeName {
        var type = self
        while true {
            switch type {
            case .named(let name): return name
            case .list(let inner), .nonNull(let inner): type = inner
            }
        }
    }

    /// Without the outer non-null.
    public var nullable: GraphQLType {
        if case .nonNull(let inner) = self { return inner }
        return self
    }

    /// Whether it excludes null.
    public var isNonNull: Bool {
        if case .nonNull = self { return true }
        return false
    }

    /// The same type around another name.
    func replacingName(_ replace: (TypeName) -> TypeName) -> GraphQLType {
        switch self {
        case .named(let name): .named(replace(name))
        case .list(let inner): .list(inner.replacingName(replace))
        case .nonNull(let inner): .nonNull(inner.replacingName(replace))
        }
    }
}

extension GraphQLType: CustomStringConvertible, ExpressibleByStringLiteral {
    /// As it is written.
    public var description: String {
        switch self {
        case .named(let name): name.name
        case .list(let inner): "[\(inner)]"
        case .nonNull(let inner): "\(inner)!"
        }
    }

    /// As it is written.
    public init(stringLiteral value: String) { self.init(value) }
}

/// A reference to a named type. In a schema it also knows the type's place, so `schema[name]` needs no search.
public struct TypeName: Sendable {
    /// The type's name.
    public let name: String
    /// The place in the schema's list of types; -1 outside of a schema.
    let index: Int32

    /// A reference that is not yet part of a schema.
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
    /// References are equal if the names are.
    public static func == (left: TypeName, right: TypeName) -> Bool { left.name == right.name }
    /// By name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    /// That name.
    public init(stringLiteral value: String) { self.init(value) }
    /// The name.
    public var description: String { name }
}
