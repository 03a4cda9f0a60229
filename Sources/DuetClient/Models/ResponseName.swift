/// The response name of a field, as a coding key for the encoding of a model.
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
