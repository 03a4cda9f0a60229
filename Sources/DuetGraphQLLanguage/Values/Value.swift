public import DuetJSON

/// A GraphQL value that is not part of a document: a coerced argument, a variable, a default value, or the input or
/// output of a scalar.
public enum Value: Sendable, Hashable {
    /// An explicit null.
    case null
    /// An integer.
    case int(Int64)
    /// A number that has a fraction or is too large for ``int(_:)``.
    case double(Double)
    /// A string.
    case string(String)
    /// A Boolean.
    case bool(Bool)
    /// The name of an enum value.
    case `enum`(String)
    /// A list.
    case list([Value])
    /// An input object, or an object of a custom scalar.
    case object(ObjectValue)
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a null value.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a list.
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
    /// Creates an object with the fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ObjectValue(elements)) }
}

extension Value: CustomStringConvertible {
    /// The value as text for messages. The text is similar to JSON, but has spaces, and has no quotes around field
    /// names and enum values.
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

    /// Returns the text of a number. An integer with a magnitude less than 10^15 is written without a fraction.
    package static func text(of value: Double) -> String {
        if value.magnitude < 1e15, let integer = Int64(exactly: value) { return String(integer) }
        return String(value)
    }
}

extension Value {
    /// Creates a value from JSON, such as the variables of a request.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let items): self = .list(items.map(Value.init))
        case .object(let object): self = .object(ObjectValue(object))
        }
    }
}

extension ObjectValue {
    /// Creates an object from a JSON object, with the same order of members.
    public init(_ json: JSONObject) { self.init(json.members.lazy.map { ($0.key, Value($0.value)) }) }
}

extension JSONValue {
    /// Creates JSON from a value. An enum value becomes a string.
    public init(_ value: DuetGraphQLLanguage.Value) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .string(let text), .enum(let text): self = .string(text)
        case .list(let items): self = .array(items.map(JSONValue.init))
        case .object(let fields):
            var object = JSONObject()
            for field in fields { object[field.name] = JSONValue(field.value) }
            self = .object(object)
        }
    }
}
