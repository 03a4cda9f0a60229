import DuetJSON
import Yams

extension JSONValue {
    /// Returns the value as YAML. Members remain in their order. Small values are on one line, and multi-line texts are
    /// blocks.
    /// - Throws: `YamlError` if the value cannot be written.
    func yaml() throws -> String {
        var nodes = YAMLNodes()
        return try serialize(node: nodes.node(self), indent: 2, width: YAMLNodes.width, allowUnicode: true)
    }
}

/// Creates the nodes of a YAML document. Most texts of an OpenAPI document occur many times, and equal texts share a
/// node.
private struct YAMLNodes {
    /// The preferred maximum length of a line.
    static let width = 120
    /// The maximum length of a value on one line, excluding its name and indentation.
    private static let maximumFlowLength = width - 30

    private let nullTag = Tag(.null)
    private let boolTag = Tag(.bool)
    private let integerTag = Tag(.int)
    private let doubleTag = Tag(.float)
    private let textTag = Tag(.str)
    private let arrayTag = Tag(.seq)
    private let objectTag = Tag(.map)

    private var texts: [String: Node] = [:]

    mutating func node(_ value: JSONValue) -> Node { node(value, fitsLine: false) }

    /// - Parameter fitsLine: True if the enclosing value is written on one line.
    private mutating func node(_ value: JSONValue, fitsLine: Bool) -> Node {
        switch value {
        case .null: return Node("null", nullTag)
        case .bool(let bool): return Node("\(bool)", boolTag)
        case .integer(let integer): return Node("\(integer)", integerTag)
        case .double(let double): return Node("\(double)", doubleTag)
        case .string(let string): return node(string)
        case .array(let elements):
            let fitsLine = fitsLine || value.compactLength(upTo: Self.maximumFlowLength) != nil
            return Node(elements.map { node($0, fitsLine: fitsLine) }, arrayTag, fitsLine ? .flow : .block)
        case .object(let object):
            let fitsLine = fitsLine || value.compactLength(upTo: Self.maximumFlowLength) != nil
            return Node(
                object.members.map { (node($0.key), node($0.value, fitsLine: fitsLine)) }, objectTag,
                fitsLine ? .flow : .block)
        }
    }

    /// Returns the node of a text, quoted if it would be parsed as another type.
    private mutating func node(_ string: String) -> Node {
        if let known = texts[string] { return known }
        let style: Node.Scalar.Style =
            if string.contains("\n") {
                .literal
            } else if string.utf8.count > Self.width - 20 {
                .folded
            } else {
                Resolver.default.resolveTag(of: Node(string)) == .str ? .any : .singleQuoted
            }
        let node = Node(string, textTag, style)
        texts[string] = node
        return node
    }
}

extension JSONValue {
    /// Returns the number of bytes of the value as compact JSON; nil if it exceeds `maximum`.
    fileprivate func compactLength(upTo maximum: Int) -> Int? {
        var length = 0
        func add(_ count: Int?) -> Bool {
            guard let count else { return false }
            length += count
            return length <= maximum
        }
        switch self {
        case .array(let elements):
            guard add(2 + max(0, elements.count - 1)) else { return nil }
            for element in elements where !add(element.compactLength(upTo: maximum - length)) { return nil }
        case .object(let object):
            guard add(2 + max(0, object.members.count - 1)) else { return nil }
            for member in object.members {
                guard add(JSONValue.string(member.key).compactLength(upTo: maximum - length)), add(1),
                    add(member.value.compactLength(upTo: maximum - length))
                else { return nil }
            }
        case .string(let string) where string.utf8.count > maximum: return nil
        default: guard add(compactBytes.count) else { return nil }
        }
        return length
    }
}
