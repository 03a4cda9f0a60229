import DuetHTTPSemantics

/// Percent-encoding (RFC 3986 §2.1) of UTF-8.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes all characters except the unreserved characters (§2.3), so that the result contains no delimiters.
    static func component(_ text: String) -> String {
        encode(text) { $0.isUnreserved }
    }

    /// Encodes all characters except the slash and those that a path segment can contain (§3.3).
    static func path(_ text: String) -> String {
        encode(text) { byte in
            byte.isUnreserved || byte.isSubDelimiter || byte == .slash || byte == .colon || byte == UInt8(ascii: "@")
        }
    }

    private static func encode(_ text: String, where isPlain: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
