import DuetGraphQL
import Foundation

/// Creates Swift literals and literal expressions.
enum SwiftLiteral {
    /// Returns a single-line string literal.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // Escape direction marks, because an editor could display them as different source text.
            case _
            where scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Returns the delimiters of a raw multi-line string literal that contains the text.
    static func rawDelimiters(for text: String) -> (start: String, end: String) {
        var hashes = "#"
        while text.contains("\"\"\"" + hashes) || text.contains("\\" + hashes) { hashes += "#" }
        return (hashes + "\"\"\"", "\"\"\"" + hashes)
    }

    /// Returns an expression of the type `ArgumentValue` for a literal.
    /// - Parameter types: The types of the variables, by variable name.
    static func argument(_ literal: Literal, types: [String: String]) -> String {
        switch literal.kind {
        case .variable(let name): ".variable(\(string(name.value)), \(string(types[name.value] ?? "")))"
        case .int(let text): Int64(text) == nil ? ".double(\(text))" : text
        case .float(let text): text
        case .string(let text, _): string(text)
        case .boolean(let value): value ? "true" : "false"
        case .null: "nil"
        case .enum(let name): ".enumeration(\(string(name)))"
        case .list(let elements): "[" + elements.map { argument($0, types: types) }.joined(separator: ", ") + "]"
        case .object(let fields) where fields.isEmpty: "[:]"
        case .object(let fields):
            "["
                + fields.map { "\(string($0.name.value)): \(argument($0.value, types: types))" }.joined(separator: ", ")
                + "]"
        }
    }

    /// Returns an expression of the type `JSONValue` for the default value of a variable.
    static func json(_ literal: Literal) -> String {
        switch literal.kind {
        case .variable: ".null"
        case .int(let text): Int64(text) == nil ? ".double(\(text))" : ".integer(\(text))"
        case .float(let text): ".double(\(text))"
        case .string(let text, _): ".string(\(string(text)))"
        case .boolean(let value): ".bool(\(value))"
        case .null: ".null"
        case .enum(let name): ".string(\(string(name)))"
        case .list(let elements): ".array([" + elements.map(json).joined(separator: ", ") + "])"
        case .object(let fields) where fields.isEmpty: ".object([:])"
        case .object(let fields):
            ".object([" + fields.map { "\(string($0.name.value)): \(json($0.value))" }.joined(separator: ", ") + "])"
        }
    }
}
