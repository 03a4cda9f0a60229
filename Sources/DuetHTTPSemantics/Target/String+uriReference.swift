extension String {
    /// The reference with percent-encoding of the characters that a URI must not contain (RFC 3986).
    ///
    /// Request targets can contain such characters. Links and redirections must not contain them.
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
