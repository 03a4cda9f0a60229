public import DuetJSON

/// The key of a row: the value of its single key argument, or the values of all key arguments by name.
///
/// ```swift
/// let order: RowKey = 7
/// let line: RowKey = ["orderId": 7, "productId": 11]
/// ```
public struct RowKey: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral
{
    private enum Content: Hashable {
        case single(JSONValue)
        case parts(JSONObject)
    }

    private let content: Content

    /// Creates a key of one value.
    public init(_ value: some InputValue) { content = .single(value.inputValue) }
    /// Creates a key of several values.
    public init(parts: JSONObject) { content = .parts(parts) }
    /// Creates a key of one text.
    public init(stringLiteral value: String) { self.init(value) }
    /// Creates a key of one number.
    public init(integerLiteral value: Int) { self.init(value) }
    /// Creates a key of several values.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(parts: JSONObject(elements.map { ($0.0, $0.1) }))
    }

    /// The variables of the key arguments.
    func variables(_ names: MutationNames) -> JSONObject {
        switch content {
        case .single(let value): JSONObject(names.key.prefix(1).map { ($0.name, value) })
        case .parts(let parts): parts
        }
    }
}
