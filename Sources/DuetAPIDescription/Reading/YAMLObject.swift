import Yams

/// A mapping of a YAML document, whose members are accessed by name.
struct YAMLObject {
    /// A member: its name, its value, and the location of the name.
    struct Member {
        let name: String
        let value: Node
        let mark: Mark?
    }

    let members: [Member]
    let mark: Mark?

    /// Creates the object for a node; nil if the node is not a mapping with scalar keys.
    init?(_ node: Node) {
        guard case .mapping(let pairs) = node else { return nil }
        var members: [Member] = []
        members.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            guard let name = key.scalar?.string else { return nil }
            members.append(Member(name: name, value: value, mark: key.mark))
        }
        self.members = members
        mark = pairs.mark
    }

    /// Returns the member with the given name.
    subscript(name: String) -> Member? { members.first { $0.name == name } }
}

/// A mapping of a description whose names have been checked. The members are accessed by the properties of `Mapping`.
struct MappedObject<Mapping: DescriptionMapping> {
    let object: YAMLObject
    var mark: Mark? { object.mark }

    subscript(property: PartialKeyPath<Mapping>) -> YAMLObject.Member? { object[name(of: property)] }

    /// Returns the name of the member with a property.
    func name(of property: PartialKeyPath<Mapping>) -> String {
        let member = Mapping.members.member(property)
        assert(member != nil, "the table of \(Mapping.self) lacks a property")
        return member?.definition.name ?? ""
    }
}

extension Node {
    /// The value of a scalar; nil for a mapping or a list.
    var scalarValue: YAMLScalar? {
        guard case .scalar(let scalar) = self else { return nil }
        return scalar.style == .plain || scalar.style == .any ? YAMLScalar(plain: scalar.string) : .text(scalar.string)
    }

    /// The text of a scalar; nil if the scalar is not a text.
    var text: String? {
        guard case .text(let text) = scalarValue else { return nil }
        return text
    }

    /// The elements of a list; for any other node, an array that contains only the node.
    var nodes: [Node] {
        guard case .sequence(let nodes) = self else { return [self] }
        return Array(nodes)
    }

    /// The kind of the value for error messages: `a list`.
    var kindName: String {
        switch self {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        case .scalar(let scalar):
            switch scalarValue {
            case .null: "null"
            case .bool, .integer, .unsigned, .double: scalar.string
            case .text, nil: "\"\(scalar.string)\""
            }
        }
    }
}

/// The value of a scalar according to the core schema of YAML 1.2 (yaml.org/spec/1.2.2, section 10.3). In that schema,
/// `yes`, `1:30` and `2024-01-31` are texts. Unlike in that schema, octal and hexadecimal numbers, infinity and NaN are
/// also texts here.
enum YAMLScalar {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above the largest `Int64`.
    case unsigned(UInt64)
    case double(Double)
    case text(String)

    /// Creates the value of an unquoted text.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.number(text) ?? .text(text)
        }
    }

    private static func number(_ text: String) -> YAMLScalar? {
        guard let first = text.utf8.first, signs.contains(first) || digits.contains(first),
            text.utf8.allSatisfy({ digits.contains($0) || signs.contains($0) || exponents.contains($0) }),
            text.utf8.contains(where: digits.contains)
        else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        if let integer = UInt64(text) { return .unsigned(integer) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let signs = [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")]
    private static let exponents = [UInt8(ascii: "e"), UInt8(ascii: "E")]
}
