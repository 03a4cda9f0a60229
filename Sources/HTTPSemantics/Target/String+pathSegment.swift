extension String {
    /// The text as a segment of a path, with percent-encoding for all but unreserved characters (RFC 3986 §2.3).
    package var pathSegment: String {
        utf8.map { byte in
            byte.isUnreserved
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
