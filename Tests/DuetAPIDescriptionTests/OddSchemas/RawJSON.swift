/// Splits JSON texts without converting the values, so that a test can compare each digit.
enum RawJSON {
    /// Returns the texts of an array's elements.
    static func elements(_ array: some StringProtocol) -> [String] { parts(array) }

    /// Returns the names and the texts of an object's members. The names must not contain escapes.
    static func members(_ object: some StringProtocol) -> [(name: String, value: String)] {
        parts(object).map { part in
            let rest = part.utf8.dropFirst()
            let end = rest.firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
            return (String(rest[..<end]) ?? "", String(rest[end...].dropFirst(2)) ?? "")
        }
    }

    /// Returns the text of the member at a path, or an empty text if the member does not exist.
    static func member(_ object: some StringProtocol, _ path: String...) -> String {
        path.reduce(String(object)) { object, name in
            let start = "\"\(name)\":"
            guard let part = parts(object).first(where: { $0.utf8.starts(with: start.utf8) }) else { return "" }
            return String(part.utf8.dropFirst(start.utf8.count)) ?? ""
        }
    }

    /// Returns the JSON string of a text.
    static func string(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\r": json += "\\r"
            case "\t": json += "\\t"
            case "\u{00}"..."\u{0F}": json += "\\u000" + String(scalar.value, radix: 16)
            case "\u{10}"..."\u{1F}": json += "\\u00" + String(scalar.value, radix: 16)
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    /// Returns the value of a JSON string, or any other JSON text unchanged.
    static func text(_ json: String) -> String {
        guard json.hasPrefix("\"") else { return json }
        var text = ""
        var isEscaped = false
        var digits = ""
        for scalar in json.unicodeScalars.dropFirst().dropLast() {
            if isEscaped {
                switch scalar {
                case "n": text += "\n"
                case "r": text += "\r"
                case "t": text += "\t"
                case "u": digits = "u"
                default: text.unicodeScalars.append(scalar)
                }
                isEscaped = false
            } else if !digits.isEmpty {
                digits.unicodeScalars.append(scalar)
                guard digits.count == 5 else { continue }
                if let code = UInt32(digits.dropFirst(), radix: 16), let scalar = Unicode.Scalar(code) {
                    text.unicodeScalars.append(scalar)
                }
                digits = ""
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func parts(_ text: some StringProtocol) -> [String] {
        var text = String(text)
        return text.withUTF8 { parts(UnsafeRawBufferPointer($0)) }
    }

    private static func parts(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var parts: [String] = []
        var (depth, start, isInString, isEscaped) = (0, 1, false, false)
        // A loop over indexes is much faster than `enumerated()` without optimization.
        var next = 0
        while next < bytes.count {
            let (index, byte) = (next, bytes[next])
            next += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0, index > start {
                    parts.append(
                        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
                }
            case UInt8(ascii: ",") where depth == 1:
                parts.append(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
                start = index + 1
            default: break
            }
        }
        return parts
    }
}
