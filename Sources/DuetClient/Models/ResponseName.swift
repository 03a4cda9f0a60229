/// The response name of a field, as a key for the encoding of a model.
public struct ResponseName: CodingKey, ExpressibleByStringLiteral {
    /// The name.
    public let stringValue: String
    /// No number.
    public var intValue: Int? { nil }

    /// That name.
    public init(stringLiteral value: String) { stringValue = value }
    /// That name.
    public init(stringValue: String) { self.stringValue = stringValue }
    /// None: a response name is no number.
    public init?(intValue: Int) { nil }
}
