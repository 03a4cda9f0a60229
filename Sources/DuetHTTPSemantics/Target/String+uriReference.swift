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
