import DuetJSON
import NIOCore

/// Writes JSON values as YAML (1.2, core schema) in the order of their members: small values on one line, texts over
/// several lines as blocks.
struct YAMLWriter {
    /// The maximum length of a line, as far as the values allow.
    private static let width = 120
    private var text = ""

    /// The document of an object.
    static func document(_ object: JSONObject) -> String {
        var writer = YAMLWriter()
        writer.write(object, indentation: 0)
        return writer.text
    }

    // MARK: Blocks

    /// - Parameter isElement: True if the first member follows the dash of an element.
    private mutating func write(_ object: JSONObject, indentation: Int, isElement: Bool = false) {
        for (index, member) in object.members.enumerated() {
            if index > 0 || !isElement { indent(indentation) }
            let key = Self.scalar(member.key, isFlow: false)
            text += "\(key):"
            write(member.value, after: key.count + 1, indentation)
        }
    }

    private mutating func write(_ elements: [JSONValue], indentation: Int) {
        for element in elements {
            indent(indentation)
            text += "-"
            if case .object(let object) = element, indentation + 2 + Self.flow(element).count > Self.width {
                text += " "
                write(object, indentation: indentation + 2, isElement: true)
            } else {
                write(element, after: 1, indentation)
            }
        }
    }

    /// The value of a member or an element, of which `prefix` characters are on the line already.
    private mutating func write(_ value: JSONValue, after prefix: Int, _ indentation: Int) {
        let line = Self.flow(value)
        let fits = indentation + prefix + 1 + line.count <= Self.width
        switch value {
        case .object(let object) where !fits && !object.members.isEmpty:
            text += "\n"
            write(object, indentation: indentation + 2)
        case .array(let elements) where !fits && !elements.isEmpty:
            text += "\n"
            write(elements, indentation: indentation + 2)
        case .string(let string) where string.contains("\n") && Self.isFitForBlock(string):
            writeLines(string, indentation: indentation + 2)
        case .string(let string) where !fits && Self.isFitForBlock(string) && !string.contains("  "):
            text += " >-\n"
            fold(string, indentation: indentation + 2)
        default: text += " \(line)\n"
        }
    }

    private mutating func writeLines(_ string: String, indentation: Int) {
        let endsLine = string.hasSuffix("\n")
        text += endsLine ? " |\n" : " |-\n"
        for line in string.split(separator: "\n", omittingEmptySubsequences: false).dropLast(endsLine ? 1 : 0) {
            if !line.isEmpty { indent(indentation) }
            text += line + "\n"
        }
    }

    private mutating func fold(_ string: String, indentation: Int) {
        var length = 0
        for word in string.split(separator: " ") {
            if length > 0, length + 1 + word.count > Self.width {
                text += "\n"
                length = 0
            }
            if length == 0 {
                indent(indentation)
                length = indentation
            } else {
                text += " "
                length += 1
            }
            text += word
            length += word.count
        }
        text += "\n"
    }

    private mutating func indent(_ count: Int) { text += String(repeating: " ", count: count) }

    /// True if the text has no control characters, and no spaces at the beginning or the end of a line.
    private static func isFitForBlock(_ string: String) -> Bool {
        let lines = string.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.first?.isEmpty == false && !string.hasSuffix("\n\n")
            && lines.allSatisfy { $0.first != " " && $0.last != " " && $0.unicodeScalars.allSatisfy(isPrintable) }
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control && scalar.value != 0xFEFF
            && !(0x2028...0x2029).contains(scalar.value)
    }

    // MARK: Lines

    private static func flow(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let string): scalar(string, isFlow: true)
        case .array(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
        case .object(let object):
            "{\(object.members.map { "\(scalar($0.key, isFlow: true)): \(flow($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// A text: plain where it cannot be mistaken for anything else, in single quotes, or in double quotes as JSON has
    /// it.
    private static func scalar(_ string: String, isFlow: Bool) -> String {
        let isPlain =
            isFlow
            ? string.wholeMatch(of: /[A-Za-z$\/][A-Za-z0-9_$.\/+-]*( [A-Za-z0-9_$.\/+-]+)*/) != nil
            : string.wholeMatch(of: /[A-Za-z$\/][A-Za-z0-9_$.\/+{}-]*/) != nil
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        if isPlain, !words.contains(string.lowercased()) { return string }
        guard string.unicodeScalars.allSatisfy(isPrintable) else {
            var writer = JSONWriter()
            writer.write(string)
            return String(buffer: writer.buffer)
        }
        return "'\(string.replacing("'", with: "''"))'"
    }
}
