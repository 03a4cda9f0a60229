import DuetHTTPServer
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
        try write(name, value, depth: depth)
        try flush(if: buffer.readableBytes >= Self.pieceSize)
    }

    mutating func open(_ name: String) {
        endLine()
        indent(depth)
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

    private mutating func indent(_ depth: Int) {
        for _ in 0..<depth { buffer.writeStaticString("  ") }
    }

    private mutating func flush(if isFull: Bool) throws {
        guard isFull else { return }
        try receive(buffer)
        buffer.clear()
    }
}

// MARK: Values

extension OpenAPIYAML {
    /// Writes a member of an object. The YAML library writes only values with texts that ``YAMLText`` does not support,
    /// because its nodes take three times as long.
    private mutating func write(_ name: String, _ value: JSONValue, depth: Int) throws {
        let isBlock = value.isBlock
        guard let key = YAMLText.plain(name, inFlow: false),
            let text = isBlock ? "" : YAMLText.oneLine(value, inFlow: false),
            2 * depth + key.utf8.count + 2 + text.utf8.count <= YAMLNodes.width
        else {
            return try write(Node([(nodes.text(name), nodes.node(value))], nodes.objectTag, .block), depth: depth)
        }
        indent(depth)
        buffer.writeString(key)
        buffer.writeStaticString(isBlock ? ":\n" : ": ")
        switch value {
        case .array(let elements) where isBlock: for element in elements { try write(element, depth: depth) }
        case .object(let object) where isBlock:
            for member in object.members { try write(member.key, member.value, depth: depth + 1) }
        default:
            buffer.writeString(text)
            buffer.writeStaticString("\n")
        }
    }

    /// Writes an element of an array.
    private mutating func write(_ element: JSONValue, depth: Int) throws {
        if element.isBlock, case .object(let object) = element {
            let start = buffer.writerIndex
            for member in object.members { try write(member.key, member.value, depth: depth + 1) }
            // Replaces a blank of the indentation of the first member.
            buffer.setInteger(UInt8(ascii: "-"), at: start + 2 * depth)
        } else if !element.isBlock, let text = YAMLText.oneLine(element, inFlow: false),
            2 * depth + 2 + text.utf8.count <= YAMLNodes.width
        {
            indent(depth)
            buffer.writeStaticString("- ")
            buffer.writeString(text)
            buffer.writeStaticString("\n")
        } else {
            try write(Node([nodes.node(element)], nodes.arrayTag, .block), depth: depth)
        }
    }

    /// Writes a node with the YAML library.
    private mutating func write(_ node: Node, depth: Int) throws {
        let text = try serialize(node: node, indent: 2, width: YAMLNodes.width - 2 * depth, allowUnicode: true)
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
}

/// Most values of an OpenAPI document, as the YAML library would write them.
private enum YAMLText {
    /// Returns a scalar, or a value in flow style; nil if it contains a text of another kind.
    static func oneLine(_ value: JSONValue, inFlow: Bool) -> String? {
        switch value {
        case .null: return "null"
        case .bool(let bool): return "\(bool)"
        case .integer(let integer): return "\(integer)"
        case .double(let double): return "\(double)"
        case .string(let string): return text(string, inFlow: inFlow)
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                guard let text = oneLine(element, inFlow: true) else { return nil }
                texts.append(text)
            }
            return "[" + texts.joined(separator: ", ") + "]"
        case .object(let object):
            var text = "{"
            for member in object.members {
                guard let key = plain(member.key, inFlow: true), let value = oneLine(member.value, inFlow: true)
                else { return nil }
                if text.utf8.count > 1 { text += ", " }
                text += key
                text += ": "
                text += value
            }
            return text + "}"
        }
    }

    private static func text(_ string: String, inFlow: Bool) -> String? {
        // References begin with a character that begins a comment in texts without quotes.
        if string.utf8.first == UInt8(ascii: "#"),
            string.utf8.allSatisfy({ isSafe($0, inFlow: true) || $0 == UInt8(ascii: "#") })
        {
            return "'\(string)'"
        }
        return plain(string, inFlow: inFlow)
    }

    /// Returns a text that needs no quotes, or the status code of a response in quotes; nil for any other text.
    static func plain(_ string: String, inFlow: Bool) -> String? {
        let utf8 = string.utf8
        guard utf8.count <= YAMLNodes.maximumQuotableLength, let first = utf8.first, let last = utf8.last else {
            return nil
        }
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            if utf8.count <= 5, YAMLNodes.words.contains(string.lowercased()) { return nil }
        case UInt8(ascii: "$"), UInt8(ascii: "/"): break
        case UInt8(ascii: "1")...UInt8(ascii: "5"):
            let isStatus = utf8.count == 3 && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isStatus ? "'\(string)'" : nil
        default: return nil
        }
        guard last != UInt8(ascii: " "), utf8.allSatisfy({ isSafe($0, inFlow: inFlow) }) else { return nil }
        return string
    }

    /// Returns true if a byte after the first one is allowed in a text without quotes.
    private static func isSafe(_ byte: UInt8, inFlow: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "#"), UInt8(ascii: "'"): false
        case UInt8(ascii: ","), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"):
            !inFlow
        default: (0x20...0x7E).contains(byte)
        }
    }
}

/// Creates the nodes of a YAML document.
private struct YAMLNodes {
    /// The preferred maximum length of a line.
    static let width = 120
    /// The maximum length of a text that is not a block.
    static let maximumQuotableLength = width - 20

    private let nullTag = Tag(.null)
    private let boolTag = Tag(.bool)
    private let integerTag = Tag(.int)
    private let doubleTag = Tag(.float)
    private let textTag = Tag(.str)
    let arrayTag = Tag(.seq)
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
            let fitsLine = fitsLine || !value.isBlock
            return Node(elements.map { node($0, fitsLine: fitsLine) }, arrayTag, fitsLine ? .flow : .block)
        case .object(let object):
            let fitsLine = fitsLine || !value.isBlock
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
            } else if string.utf8.count > Self.maximumQuotableLength {
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
    static let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
}

extension JSONValue {
    /// The maximum length of an array or object on one line, excluding its name and indentation.
    private static let maximumFlowLength = YAMLNodes.width - 30

    /// True for an array or object that is written on several lines.
    fileprivate var isBlock: Bool {
        switch self {
        case .array, .object: compactLength(upTo: Self.maximumFlowLength) == nil
        default: false
        }
    }

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
        case .string(let string) where string.utf8.allSatisfy(Self.isUnescaped): return string.utf8.count + 2
        default: guard add(compactBytes.count) else { return nil }
        }
        return length
    }

    /// Returns true for the bytes that JSON never escapes.
    private static func isUnescaped(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
