/// Scans the value of a header field (RFC 9110 §5.6).
struct FieldScanner {
    private var rest: Substring.UTF8View

    init(_ value: String) {
        rest = value[...].utf8
    }

    /// True if the whole value was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Skips spaces and tabs.
    mutating func skipWhitespace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips a character if it is next. Returns true if the character was skipped.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, byte == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads the text up to one of the delimiters, or the rest of the value.
    mutating func text(until delimiters: StaticString) -> String {
        let isDelimiter = delimiters.withUTF8Buffer { buffer in { (byte: UInt8) in buffer.contains(byte) } }
        let text = rest.prefix { !isDelimiter($0) }
        rest = rest[text.endIndex...]
        return Substring(text).trimmingOptionalWhitespace()
    }

    /// Reads a quoted string without its quotes and escapes (§5.6.4), or the text up to one of the delimiters.
    mutating func value(until delimiters: StaticString) -> String {
        guard take("\"") else { return text(until: delimiters) }
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Substring {
    /// Returns the text without leading and trailing spaces and tabs.
    func trimmingOptionalWhitespace() -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = utf8.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }
}
