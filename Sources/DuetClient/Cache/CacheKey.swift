public import DuetJSON

/// The key of a record in a normalized cache.
///
/// An entity is an object that ``CachePolicies`` can identify. The key of an entity has the form `Employee:10004`. Any
/// other object has no identity. Its key starts with the key of the entity or root that contains the object, followed
/// by the path to the object: `Employee:10004.titles.0`.
///
/// Two keys are equal if their bytes are equal.
public struct CacheKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: UTF8Text

    /// Creates a key.
    public init(_ text: String) { self.text = UTF8Text(text) }
    /// Creates a key.
    public init(stringLiteral text: String) { self.init(text) }

    /// The text of the key.
    public var description: String { text.string }
    /// The number of bytes of the text.
    var byteCount: Int { text.string.utf8.count }

    /// The key of the record with the fields of `Query`.
    public static let queryRoot: CacheKey = "QUERY_ROOT"
    /// The key of the record with the fields of `Mutation`. This record is never cached.
    public static let mutationRoot: CacheKey = "MUTATION_ROOT"

    /// Returns the key of an object without identity: the key of its owner (this key), followed by the field.
    func appending(_ field: FieldKey) -> CacheKey { CacheKey("\(text.string).\(field)") }

    /// Returns the key of an object without identity in a list: the key of the list (this key), followed by the index.
    func appending(_ index: Int) -> CacheKey { CacheKey("\(text.string).\(index)") }

    /// Returns true if this is the key of an object without identity that the owner contains, directly or indirectly.
    func isBelow(_ owner: CacheKey) -> Bool {
        let (bytes, prefix) = (text.string.utf8, owner.text.string.utf8)
        return bytes.count > prefix.count && bytes.starts(with: prefix)
            && bytes[bytes.index(bytes.startIndex, offsetBy: prefix.count)] == UInt8(ascii: ".")
    }
}

/// The key of a field in a record: the name of the field and its arguments in canonical form, such as
/// `titles({"current":true})`.
///
/// The arguments are sorted by name and encoded as JSON. Different arguments therefore result in different keys.
public struct FieldKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: UTF8Text

    /// Creates a key.
    public init(_ text: String) { self.text = UTF8Text(text) }
    /// Creates a key.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates the key of a field with the values of its arguments.
    public init(_ name: String, arguments: JSONObject) {
        if arguments.members.isEmpty {
            self.init(name)
        } else {
            var text = name + "("
            CanonicalJSON.append(.object(arguments), to: &text)
            self.init(text + ")")
        }
    }

    /// The text of the key.
    public var description: String { text.string }
}

/// Serializes JSON with sorted member names. Equal values have equal texts, and different values have different texts.
enum CanonicalJSON {
    static func append(_ value: JSONValue, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        // A double without a fraction is written as an integer, because JSON does not distinguish the two types.
        case .double(let double): text += Int64(exactly: double).map(String.init) ?? double.description
        case .string(let string): append(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                append(element, to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                append(member.key, to: &text)
                text += ":"
                append(member.value, to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
