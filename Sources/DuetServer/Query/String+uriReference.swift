extension String {
    /// The same reference, with percent-encoding for what has no place in a URI (RFC 3986): requests come with such characters,
    /// links and redirections must not have them.
    var uriReference: String {
        func isFit(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
        guard !utf8.allSatisfy(isFit) else { return self }
        return utf8.map { byte in
            isFit(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
