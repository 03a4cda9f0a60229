/// A JSON value (RFC 8259) whose objects keep the order of their members.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The member of that name; `nil` where there is none, or where this is no object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// The whole number that this is, if it is one that fits: `10004`, and `10004.0` or `1.0004e4`, which mean the same to JSON
    /// Schema (2020-12, Validation §6.1.1).
    public var integerValue: Int64? {
        switch self {
        case .integer(let integer): integer
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// What it is called in a message to a person.
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

/// The members of a JSON object, in the order they were written; no name twice.
public struct JSONObject: Sendable, Hashable {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, without quotes and escapes.
        public var key: String
        /// What the name stands for.
        public var value: JSONValue
    }

    /// The members, in their order.
    public private(set) var members: [Member] = []

    /// An object without members.
    public init() {}

    /// Reading gives the member of that name; writing replaces it in its place, adds it at the end, or removes it.
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

    /// Adds a member that is known not to be there yet.
    mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number without fraction.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; a name that stands there twice has its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}

extension JSONObject {
    /// An object of names and values; a name that is there twice has its last value.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        // A look at all members is faster for a few of them, and takes long for thousands.
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

    /// An object of a literal: `JSONObject(["type": "string"])`.
    public init(_ members: KeyValuePairs<String, JSONValue>) {
        self.init(members.lazy.map { ($0.key, $0.value) })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object; a name that is there twice has its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
