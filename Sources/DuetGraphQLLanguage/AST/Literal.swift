/// A value as written in a document (specification, section 2.10). Coercion converts a literal to a ``Value``. The
/// specification uses the term *value* for both.
public struct Literal: Sendable {
    /// The kinds of literals.
    public enum Kind: Sendable {
        /// A variable. A constant literal contains no variables.
        case variable(Name)
        /// The digits of an integer, of any length.
        case int(String)
        /// The text of a decimal number, of any length.
        case float(String)
        /// The value of a string, and true if it is a block string.
        case string(String, isBlock: Bool)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
        /// A name other than `true`, `false` and `null`.
        case `enum`(String)
        /// `[…]`.
        case list([Literal])
        /// `{…}`, with the fields in order. Validation rejects repeated names.
        case object([LiteralField])
    }

    /// The kind of the literal, with its value.
    public var kind: Kind
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a literal.
    public init(_ kind: Kind, range: SourceRange = .none) {
        self.kind = kind
        self.range = range
    }
}

/// A field of an object literal: `name: value`.
public struct LiteralField: Sendable {
    /// The field's name.
    public var name: Name
    /// The value.
    public var value: Literal
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a field.
    public init(name: Name, value: Literal, range: SourceRange = .none) {
        self.name = name
        self.value = value
        self.range = range
    }
}

/// The description of a definition, as a string literal.
public struct StringLiteral: Sendable {
    /// The value.
    public var value: String
    /// True if the string is a block string.
    public var isBlock: Bool
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a string.
    public init(_ value: String, isBlock: Bool = false, range: SourceRange = .none) {
        self.value = value
        self.isBlock = isBlock
        self.range = range
    }
}
