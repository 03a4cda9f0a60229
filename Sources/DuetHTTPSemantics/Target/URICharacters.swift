/// The characters of URIs (RFC 3986 §2).
extension UInt8 {
    @inlinable package static var percent: UInt8 { 0x25 }
    @inlinable package static var ampersand: UInt8 { 0x26 }
    @inlinable package static var plus: UInt8 { 0x2B }
    @inlinable package static var colon: UInt8 { 0x3A }
    @inlinable package static var questionMark: UInt8 { 0x3F }

    /// The value of a hexadecimal digit in either case.
    @inlinable package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// True for a hexadecimal digit in either case.
    @inlinable package var isHexadecimal: Bool { hexadecimalValue != nil }

    /// True for `unreserved` (§2.3): characters whose meaning does not depend on percent-encoding.
    @inlinable package var isUnreserved: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case .hyphen, .dot, UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// True for `sub-delims` (§2.2).
    @inlinable package var isSubDelimiter: Bool {
        switch self {
        case 0x21, 0x24, 0x26...0x2C, .semicolon, .equals: true
        default: false
        }
    }
}

extension String {
    /// The text as a URI reference: the characters that a URI must not contain are percent-encoded (RFC 3986).
    ///
    /// A received request target can contain such characters. A link or a redirection must not contain them.
    package var uriReference: String {
        func isAllowed(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard !utf8.allSatisfy(isAllowed) else { return self }
        return utf8.map { byte in
            isAllowed(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
