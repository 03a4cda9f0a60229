extension FieldValueScanner {
    /// Reads the text up to one of the delimiters, or the rest of the value, without the white space around it.
    package mutating func text(until delimiters: StaticString) -> String {
        let range = bytes(while: { byte in !delimiters.withUTF8Buffer { $0.contains(byte) } })
        return String(decoding: slice(range), as: UTF8.self)[...].trimmingOptionalWhitespace()
    }

    /// Reads a quoted string without its quotes and escapes (RFC 9110 §5.6.4), or the text up to one of the delimiters.
    package mutating func value(until delimiters: StaticString) -> String {
        guard consume(.quote) else { return text(until: delimiters) }
        var text: [UInt8] = []
        while let byte = next {
            advance()
            if byte == .quote { break }
            if byte == .backslash, let escaped = next {
                advance()
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
    package func trimmingOptionalWhitespace() -> String {
        let isSpace: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
        var bytes = utf8.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }
}
