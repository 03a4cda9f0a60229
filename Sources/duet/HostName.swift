import NIOCore

/// A host name or an IP address as in the `Host` field, without the port (RFC 9110, section 7.2).
struct HostName {
    /// The text in lower case. An IPv6 address is in canonical form (RFC 5952), in brackets.
    let text: String

    /// - Returns: Nil if the text is neither an ASCII host name nor an IP address.
    init?(_ text: String) {
        let text = text.lowercased()
        let isInBrackets = text.hasPrefix("[") && text.hasSuffix("]")
        switch try? SocketAddress(ipAddress: isInBrackets ? String(text.dropFirst().dropLast()) : text, port: 0) {
        case .v6(let address)?: self.text = "[\(SocketAddress.v6(address).ipAddress ?? text)]"
        case .v4? where !isInBrackets: self.text = text
        default:
            guard Self.isName(text) else { return nil }
            self.text = text
        }
    }

    /// Returns true for labels of letters, digits, hyphens and underscores, separated by dots (RFC 1123, section 2.1).
    /// A trailing dot is allowed.
    private static func isName(_ text: String) -> Bool {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        // Clients interpret a name whose last label is a number as an IPv4 address.
        guard text.utf8.count <= 254, let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { byte in
                    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || [UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
                }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
