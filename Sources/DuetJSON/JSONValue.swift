/// A JSON value (RFC 8259). Objects preserve the order of their members.
public enum JSONValue: Sendable, Hashable {
    /// The literal `null`. A member with this value differs from a missing member.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent, in the range of `Int64`.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// A text, without quotes and escapes.
    case string(String)
    /// The elements of an array, in order.
    case array([JSONValue])
    /// The members of an object. Their names are unique.
    case object(JSONObject)

    /// The member with the name; `nil` if it does not exist or the value is not an object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// The value as an integer, if it is an integer in the range of `Int64`: `10004`, `10004.0` or `1.0004e4`. These
    /// numbers are equal in JSON Schema (2020-12, Validation §6.1.1).
    public var integerValue: Int64? {
        switch self {
        case .integer(let integer): integer
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The name of the type in messages.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object, in the order of the text. Names are unique.
public struct JSONObject: Sendable, Hashable {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, without quotes and escapes.
        public var key: String
        /// The value of the member.
        public var value: JSONValue
    }

    /// The members, in order.
    public private(set) var members: [Member] = []

    /// Creates an object without members.
    public init() {}

    /// The member with the name, or `nil`. Assigning a value replaces the member at its position or appends it;
    /// assigning `nil` removes it.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key.hasSameUTF8(as: key) }?.value }
        set {
            let index = members.firstIndex { $0.key.hasSameUTF8(as: key) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (let index?, nil): members.remove(at: index)
            case (nil, nil): break
            }
        }
    }

    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Appends a member whose name does not exist yet.
    mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a null value.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object. If a name occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}

extension JSONObject {
    /// Creates an object from names and values. If a name occurs more than once, the last value is used.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        // A linear search is faster for a few members, but slow for thousands.
        var positions: [UTF8Text: Int]?
        for (key, value) in members {
            guard positions != nil || self.members.count >= 32 else {
                self[key] = value
                continue
            }
            var known =
                positions
                ?? Dictionary(
                    self.members.enumerated().map { (UTF8Text($1.key), $0) }, uniquingKeysWith: { first, _ in first })
            positions = nil
            if let position = known[UTF8Text(key)] {
                self.members[position].value = value
            } else {
                known[UTF8Text(key)] = self.members.count
                append(key, value)
            }
            positions = known
        }
    }

    /// Creates an object from a literal: `JSONObject(["type": "string"])`.
    public init(_ members: KeyValuePairs<String, JSONValue>) {
        self.init(members.lazy.map { ($0.key, $0.value) })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object. If a name occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONValue: Encodable {
    /// Encodes the value. Integers are encoded as 64-bit integers.
    /// - Throws: The errors of the encoder, for example for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: MemberName.self)
            for member in object.members {
                try container.encode(member.value, forKey: MemberName(stringValue: member.key))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
