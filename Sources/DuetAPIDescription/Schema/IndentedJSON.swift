import DuetJSON

/// Formats JSON for human readers. Each member of the outermost object is on a separate line. A nested object or array
/// is on one line if it is short, otherwise each of its members or elements is on a separate line.
enum IndentedJSON {
    private static let maximumLineLength = 100

    static func text(of value: JSONValue) -> String {
        var text = ""
        write(value, 0, to: &text)
        return text
    }

    private static func write(_ value: JSONValue, _ depth: Int, to text: inout String) {
        let compact = oneLine(value)
        if 2 * depth + compact.count <= maximumLineLength, depth > 0 {
            text += compact
            return
        }
        let indentation = String(repeating: "  ", count: depth + 1)
        switch value {
        case .object(let object) where !object.members.isEmpty:
            text += "{"
            for (index, member) in object.members.enumerated() {
                text += "\(index == 0 ? "" : ",")\n\(indentation)\(JSONValue.string(member.key).compactText): "
                write(member.value, depth + 1, to: &text)
            }
            text += "\n\(indentation.dropLast(2))}"
        case .array(let values) where !values.isEmpty:
            text += "["
            for (index, value) in values.enumerated() {
                text += "\(index == 0 ? "" : ",")\n\(indentation)"
                write(value, depth + 1, to: &text)
            }
            text += "\n\(indentation.dropLast(2))]"
        default: text += compact
        }
    }

    private static func oneLine(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            "{\(object.members.map { "\(JSONValue.string($0.key).compactText): \(oneLine($0.value))" }.joined(separator: ", "))}"
        case .array(let values): "[\(values.map(oneLine).joined(separator: ", "))]"
        default: value.compactText
        }
    }
}
