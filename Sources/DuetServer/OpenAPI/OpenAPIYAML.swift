import DuetJSON
import DuetResourceService
import NIOCore
import Yams

/// An OpenAPI document as YAML. Members remain in their order. Small values are on one line, and multi-line texts are
/// blocks.
struct OpenAPIYAML: OpenAPIOutput {
    private(set) var buffer = ByteBuffer()
    /// The number of objects around this one.
    private let depth: Int
    private let nodes: YAMLNodes

    init() { self.init(depth: 0, YAMLNodes()) }

    private init(depth: Int, _ nodes: YAMLNodes) {
        self.depth = depth
        self.nodes = nodes
    }

    func nested() -> OpenAPIYAML { OpenAPIYAML(depth: depth + 1, nodes) }

    mutating func add(_ name: String, _ value: JSONValue) throws {
        let member = Node([(nodes.text(name), nodes.node(value))], nodes.objectTag, .block)
        let text = try serialize(node: member, indent: 2, width: YAMLNodes.width - 2 * depth, allowUnicode: true)
        guard depth > 0 else {
            buffer.writeString(text)
            return
        }
        var lines = ByteBufferView(ByteBuffer(string: text))
        while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
            if end > lines.startIndex { indent(depth) }
            buffer.writeBytes(lines[...end])
            lines = lines[(end + 1)...]
        }
    }

    mutating func add(_ name: String, _ object: consuming OpenAPIYAML) {
        indent(depth)
        buffer.writeString("\(name):\(object.buffer.readableBytes == 0 ? " {}" : "")\n")
        buffer.writeBuffer(&object.buffer)
    }

    private mutating func indent(_ depth: Int) {
        for _ in 0..<depth { buffer.writeStaticString("  ") }
    }
}

/// Creates the nodes of a YAML document.
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
    let objectTag = Tag(.map)

    /// - Parameter fitsLine: True if the enclosing value is written on one line.
    func node(_ value: JSONValue, fitsLine: Bool = false) -> Node {
        switch value {
        case .null: return Node("null", nullTag)
        case .bool(let bool): return Node("\(bool)", boolTag)
        case .integer(let integer): return Node("\(integer)", integerTag)
        case .double(let double): return Node("\(double)", doubleTag)
        case .string(let string): return text(string)
        case .array(let elements):
            let fitsLine = fitsLine || value.compactLength(upTo: Self.maximumFlowLength) != nil
            return Node(elements.map { node($0, fitsLine: fitsLine) }, arrayTag, fitsLine ? .flow : .block)
        case .object(let object):
            let fitsLine = fitsLine || value.compactLength(upTo: Self.maximumFlowLength) != nil
            return Node(
                object.members.map { (text($0.key), node($0.value, fitsLine: fitsLine)) }, objectTag,
                fitsLine ? .flow : .block)
        }
    }

    /// Returns the node of a text, quoted if it would be parsed as another type.
    func text(_ string: String) -> Node {
        let style: Node.Scalar.Style =
            if string.utf8.contains(UInt8(ascii: "\n")) {
                .literal
            } else if string.utf8.count > Self.width - 20 {
                .folded
            } else {
                isPlain(string) ? .any : .singleQuoted
            }
        return Node(string, textTag, style)
    }

    /// Returns true if a text without quotes is parsed as a text.
    private func isPlain(_ string: String) -> Bool {
        // Only few texts can be of another type. They are compared with the patterns of the types, which takes longer.
        switch string.utf8.first ?? UInt8(ascii: "~") {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            if string.utf8.count > 5 || !Self.words.contains(string.lowercased()) { return true }
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "<"), UInt8(ascii: "="):
            break
        default: return true
        }
        return Resolver.default.resolveTag(of: Node(string)) == .str
    }

    /// The words that YAML 1.1 parses as a Boolean or null.
    private static let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
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
