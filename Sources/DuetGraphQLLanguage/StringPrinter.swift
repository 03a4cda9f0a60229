/// Prints a string as a string literal (specification, section 2.10.4).
package enum StringPrinter {
    /// Returns the literal in quotes. Quotes, backslashes and control characters are escaped.
    package static func literal(_ value: String) -> String {
        var result = "\""
        var plain = value.startIndex
        for index in value.unicodeScalars.indices {
            let scalar = value.unicodeScalars[index]
            guard scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || (0x7F...0x9F).contains(scalar.value) else {
                continue
            }
            result.unicodeScalars.append(contentsOf: value.unicodeScalars[plain..<index])
            result += escape(scalar)
            plain = value.unicodeScalars.index(after: index)
        }
        result.unicodeScalars.append(contentsOf: value.unicodeScalars[plain...])
        return result + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\u{8}": return "\\b"
        case "\t": return "\\t"
        case "\n": return "\\n"
        case "\u{C}": return "\\f"
        case "\r": return "\\r"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
