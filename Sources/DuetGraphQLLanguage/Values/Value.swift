/// A value inside the engine: a coerced argument, a variable, a default value, what a scalar is made from and what it gives.
public enum Value: Sendable, Hashable {
    /// No value, said explicitly.
    case null
    /// A whole number.
    case int(Int64)
    /// A number with a fraction, or too large for ``int(_:)``.
    case double(Double)
    /// A text.
    case string(String)
    /// True or false.
    case bool(Bool)
    /// An enum's value, by name.
    case `enum`(String)
    /// A list.
    case list([Value])
    /// An input object, or an object of a custom scalar.
    case object(ObjectValue)
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A list.
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
    /// An object, its fields in that order.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ObjectValue(elements)) }
}

extension Value: CustomStringConvertible {
    /// As messages show it: like JSON, with spaces, and enum values without quotes.
    public var description: String {
        switch self {
        case .null: "null"
        case .int(let value): String(value)
        case .double(let value): Self.text(of: value)
        case .string(let value): StringPrinter.literal(value)
        case .bool(let value): String(value)
        case .enum(let value): value
        case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let fields):
            fields.isEmpty ? "{}" : "{ " + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + " }"
        }
    }

    /// Without a fraction if it has none, as in JSON.
    package static func text(of value: Double) -> String {
        if value.magnitude < 1e15, let integer = Int64(exactly: value) { return String(integer) }
        return String(value)
    }
}
