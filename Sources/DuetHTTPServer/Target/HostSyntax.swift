import DuetHTTPSemantics
import NIOCore

extension String {
    /// True for `uri-host [ ":" port ]`: the value of a `Host` field, or the authority of a request target (RFC 9112
    /// §3.2, RFC 3986 §3.2.2 and §3.2.3).
    ///
    /// An empty text is valid, because a client sends an empty `Host` field if its target has no authority. An empty
    /// host before a port is not valid (RFC 9110 §4.2.1), and user information is not valid either (§4.2.4).
    var isHost: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let first = bytes.first else { return true }
            let end = first == .openingBracket ? bytes.endOfIPLiteral : bytes.endOfName
            guard let end, end > 0 else { return false }
            guard end < bytes.count else { return true }
            return bytes[end] == .colon && bytes[(end + 1)...].allSatisfy(\.isDigit)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The position after the registered name at the beginning; `nil` if a byte before the colon is not valid in a
    /// registered name. The syntax of registered names includes IPv4 addresses.
    fileprivate var endOfName: Int? {
        var position = 0
        while position < count, self[position] != .colon {
            if self[position] == .percent {
                guard position + 2 < count, self[position + 1].isHexadecimal, self[position + 2].isHexadecimal else {
                    return nil
                }
                position += 3
            } else {
                guard self[position].isUnreserved || self[position].isSubDelimiter else { return nil }
                position += 1
            }
        }
        return position
    }

    /// The position after the IP literal in brackets at the beginning; `nil` if there is no valid IP literal. HTTP does
    /// not allow zone identifiers in IPv6 addresses (RFC 9844).
    fileprivate var endOfIPLiteral: Int? {
        guard let end = firstIndex(of: .closingBracket) else { return nil }
        let address = UnsafeBufferPointer(rebasing: self[1..<end])
        return address.isIPv6 || address.isFutureAddress ? end + 1 : nil
    }

    private var isIPv6: Bool {
        guard allSatisfy({ $0.isHexadecimal || $0 == .colon || $0 == .dot }) else { return false }
        guard case .v6? = try? SocketAddress(ipAddress: String(decoding: self, as: UTF8.self), port: 0) else {
            return false
        }
        return true
    }

    /// True for `IPvFuture`: `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
    private var isFutureAddress: Bool {
        guard let dot = firstIndex(of: .dot), dot > 1, dot + 1 < count, self[0].lowercased == UInt8(ascii: "v") else {
            return false
        }
        return self[1..<dot].allSatisfy(\.isHexadecimal)
            && self[(dot + 1)...].allSatisfy { $0.isUnreserved || $0.isSubDelimiter || $0 == .colon }
    }
}

extension UInt8 {
    fileprivate static var openingBracket: UInt8 { 0x5B }
    fileprivate static var closingBracket: UInt8 { 0x5D }
}
