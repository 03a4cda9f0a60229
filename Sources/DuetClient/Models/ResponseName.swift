/// The response name of a field, as a coding key. A model uses it to encode its properties under their response names.
public struct ResponseName: CodingKey, ExpressibleByStringLiteral {
    /// The response name.
    public let stringValue: String
    /// `nil`.
    public var intValue: Int? { nil }

    /// Creates a key from a literal.
    public init(stringLiteral value: String) { stringValue = value }
    /// Creates a key.
    public init(stringValue: String) { self.stringValue = stringValue }
    /// Returns `nil`, because a response name is not a number.
    public init?(intValue: Int) { nil }
}
