import DuetJSON
import Yams

extension JSONValue {
    /// The maximum length of a line, as far as the values allow.
    private static let width = 120

    /// The value as YAML in the order of its members: small values on one line, texts of several lines as blocks.
    /// - Throws: `YamlError` if the value cannot be written.
    func yaml() throws -> String {
        try serialize(node: node, indent: 2, width: Self.width, allowUnicode: true)
    }

    private var node: Node {
        switch self {
        case .null: Node("null", Tag(.null))
        case .bool(let bool): Node("\(bool)", Tag(.bool))
        case .integer(let integer): Node("\(integer)", Tag(.int))
        case .double(let double): Node("\(double)", Tag(.float))
        case .string(let string): Self.node(string)
        case .array(let elements): Node(elements.map(\.node), Tag(.seq), fitsLine ? .flow : .block)
        case .object(let object):
            Node(object.members.map { (Self.node($0.key), $0.value.node) }, Tag(.map), fitsLine ? .flow : .block)
        }
    }

    /// A text, in quotes where it would be read as another value.
    private static func node(_ string: String) -> Node {
        let style: Node.Scalar.Style =
            if string.contains("\n") {
                .literal
            } else if string.utf8.count > width - 20 {
                .folded
            } else {
                Resolver.default.resolveTag(of: Node(string)) == .str ? .any : .singleQuoted
            }
        return Node(string, Tag(.str), style)
    }

    /// True if the value is short enough for a line, beside its name and indentation.
    private var fitsLine: Bool { compactBytes.count <= Self.width - 30 }
}
