/// Validates a text in UTF-8 that arrives in pieces (Unicode Standard, table 3-7). It detects an error at the first
/// byte that no continuation can make valid.
struct UTF8Validator {
    /// The number of bytes that the current character still needs.
    private var missing = 0
    /// The values that the next byte may have if the current character is incomplete.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// True if the text does not end within a character.
    var isComplete: Bool { self.missing == 0 }

    /// Validates the next piece.
    /// - Returns: False if the text is invalid. The validator must not be used afterwards.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < bytes.count {
            if self.missing == 0 {
                // Most texts consist mostly of ASCII characters.
                while offset &+ 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    offset &+= 8
                }
                guard offset < bytes.count else { return true }
            }
            guard self.append(bytes[offset]) else { return false }
            offset &+= 1
        }
        return true
    }

    private mutating func append(_ byte: UInt8) -> Bool {
        if self.missing > 0 {
            guard self.allowed.contains(byte) else { return false }
            self.missing &-= 1
            self.allowed = 0x80...0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: self.missing = 1
        case 0xE0: self.begin(2, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: self.missing = 2
        // Surrogates are not characters.
        case 0xED: self.begin(2, 0x80...0x9F)
        case 0xF0: self.begin(3, 0x90...0xBF)
        case 0xF1...0xF3: self.missing = 3
        // U+10FFFF is the last character.
        case 0xF4: self.begin(3, 0x80...0x8F)
        default: return false
        }
        return true
    }

    private mutating func begin(_ missing: Int, _ allowed: ClosedRange<UInt8>) {
        self.missing = missing
        self.allowed = allowed
    }
}
