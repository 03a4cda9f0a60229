/// Base64url without padding (RFC 4648 §5, RFC 7515 §2).
///
/// The decoder accepts exactly one text for each sequence of bytes. If it accepted padding, the standard alphabet, or
/// unused bits that are not zero, a token would have several spellings.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The six bits of each character; 255 for other bytes.
    private static let sextets: [UInt8] = {
        var sextets = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { sextets[Int(character)] = UInt8(value) }
        return sextets
    }()

    /// Returns the bytes of a text; nil if the text is not the encoding of any bytes.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        let sextets = sextets
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for character in text {
            let sextet = sextets[Int(character)]
            guard sextet < 64 else { return nil }
            buffer = buffer << 6 | UInt32(sextet)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        guard buffer & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    /// Returns the text of bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
