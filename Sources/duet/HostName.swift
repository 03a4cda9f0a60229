import NIOCore

/// A name or an address of a server, as the field `Host` has it without a port (RFC 9110, section 7.2).
struct HostName {
    /// In lower case; an IPv6 address in its canonical form (RFC 5952), in brackets.
    let text: String

    /// - Returns: nil for what is neither a host name in ASCII nor an IP address.
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

    /// Labels of letters, digits, hyphens and underscores with dots between them (RFC 1123, section 2.1). A dot may be at the end.
    private static func isName(_ text: String) -> Bool {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        // Clients take a name whose last label is a number for an IPv4 address.
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
