/// Replaces the JSON escapes that YAML does not support: surrogate pairs (RFC 8259, section 7).
enum JSONEscapes {
    /// Returns the text with surrogate pairs replaced by the characters that they encode. A text that does not begin
    /// with `{` is not JSON, and remains unchanged.
    static func joined(_ text: String) -> String {
        guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), text.utf8.contains(UInt8(ascii: "\\")) else {
            return text
        }
        return text.replacing(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/) { match in
            guard let high = UInt32(match.1, radix: 16), let low = UInt32(match.2, radix: 16),
                let scalar = Unicode.Scalar(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            else { return String(match.0) }
            return String(Character(scalar))
        }
    }
}
