import DuetHummingbird
import DuetJSON
import DuetResourceService
import NIOCore
import Yams

/// An OpenAPI document as YAML. Members remain in their order. Small values are on one line, and multi-line texts are
/// blocks.
struct OpenAPIYAML: OpenAPITextOutput {
    private var buffer = ByteBuffer()
    /// The number of objects around the members.
    private var depth: Int
    /// The depth of the document, or of the members of a part.
    private let rootDepth: Int
    /// True if the open object has no member yet.
    private var isEmpty = true
    private let nodes: YAMLNodes
    private let receive: (ByteBuffer) throws -> Void
    /// The text of a part; nil for the document.
    private let storage: CompressedBody.Writer?

    init(to receive: @escaping (ByteBuffer) throws -> Void) {
        self.receive = receive
        storage = nil
        (depth, rootDepth) = (0, 0)
        nodes = YAMLNodes()
    }

    private init(part storage: CompressedBody.Writer, depth: Int, _ nodes: YAMLNodes) {
        receive = storage.write
        self.storage = storage
        (self.depth, rootDepth) = (depth, depth)
        self.nodes = nodes
    }

    func part(depth: Int) throws -> OpenAPIYAML {
        OpenAPIYAML(part: try Self.partStorage(), depth: depth, nodes)
    }

    mutating func add(_ name: String, _ value: JSONValue) throws {
        endLine()
        let member = Node([(nodes.text(name), nodes.node(value))], nodes.objectTag, .block)
        let text = try serialize(node: member, indent: 2, width: YAMLNodes.width - 2 * depth, allowUnicode: true)
        if depth == 0 {
            buffer.writeString(text)
        } else {
            var lines = ByteBufferView(ByteBuffer(string: text))
            while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
                if end > lines.startIndex { indent() }
                buffer.writeBytes(lines[...end])
                lines = lines[(end + 1)...]
            }
        }
        try flush(if: buffer.readableBytes >= Self.pieceSize)
    }

    mutating func open(_ name: String) {
        endLine()
        indent()
        buffer.writeString("\(name):")
        depth += 1
        isEmpty = true
    }

    mutating func close() {
        if isEmpty { buffer.writeStaticString(" {}\n") }
        depth -= 1
        isEmpty = false
    }

    mutating func add(_ part: consuming OpenAPIYAML) throws {
        guard !part.isEmpty else { return }
        endLine()
        try flush(if: true)
        try part.flush(if: true)
        try part.storage?.finish().forEachPiece(receive)
    }

    mutating func finish() throws { try flush(if: true) }

    /// Ends the line of the name of the open object, before its first member.
    private mutating func endLine() {
        if isEmpty, depth > rootDepth { buffer.writeStaticString("\n") }
        isEmpty = false
    }

    private mutating func indent() {
        for _ in 0..<depth { buffer.writeStaticString("  ") }
    }

    private mutating func flush(if isFull: Bool) throws {
        guard isFull else { return }
        try receive(buffer)
        buffer.clear()
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
