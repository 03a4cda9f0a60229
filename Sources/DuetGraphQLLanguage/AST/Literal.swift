/// A value as it is written in a document (specification, section 2.9, where the production is called Value). What it comes to
/// once it is coerced is a ``Value``.
public struct Literal: Sendable {
    /// The forms of a literal.
    public enum Kind: Sendable {
        /// A variable; never in a constant literal.
        case variable(Name)
        /// An integer's digits, of any number.
        case int(String)
        /// A decimal number as it is written, of any length.
        case float(String)
        /// A string's value; whether it was written as a block string.
        case string(String, isBlock: Bool)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
        /// A name that is none of the three before.
        case `enum`(String)
        /// `[…]`.
        case list([Literal])
        /// `{…}`, its fields in order; a name may stand there twice until validation refuses it.
        case object([LiteralField])
    }

    /// What it is.
    public var kind: Kind
    /// Where it stands.
    public var range: SourceRange

    /// A literal.
    public init(_ kind: Kind, range: SourceRange = .none) {
        self.kind = kind
        self.range = range
    }
}

/// `name: value` in an input object's literal.
public struct LiteralField: Sendable {
    /// The field's name.
    public var name: Name
    /// Its value.
    public var value: Literal
    /// Where it stands.
    public var range: SourceRange

    /// A field.
    public init(name: Name, value: Literal, range: SourceRange = .none) {
        self.name = name
        self.value = value
        self.range = range
    }
}

/// A string that describes a definition.
public struct StringLiteral: Sendable {
    /// Its value.
    public var value: String
    /// Whether it was written as a block string.
    public var isBlock: Bool
    /// Where it stands.
    public var range: SourceRange

    /// A string.
    public init(_ value: String, isBlock: Bool = false, range: SourceRange = .none) {
        self.value = value
        self.isBlock = isBlock
        self.range = range
    }
}
