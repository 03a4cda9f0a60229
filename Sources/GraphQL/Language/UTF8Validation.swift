/// Whether bytes are UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Validation {
    /// The offset of the first byte that is not part of a character, or nil.
    static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = 0
        let count = bytes.count
        while position < count {
            if position + 8 <= count,
                UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + position).loadUnaligned(as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            let length = sequenceLength(in: bytes, at: position)
            if length == 0 { return position }
            position += length
        }
        return nil
    }

    /// The length of the character that begins there, at least two bytes, or 0 if none does.
    private static func sequenceLength(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        func continues(_ offset: Int, in range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            position + offset < bytes.count && range.contains(bytes[position + offset])
        }
        switch bytes[position] {
        case 0xC2...0xDF: return continues(1) ? 2 : 0
        case 0xE0: return continues(1, in: 0xA0...0xBF) && continues(2) ? 3 : 0
        case 0xED: return continues(1, in: 0x80...0x9F) && continues(2) ? 3 : 0
        case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
        case 0xF0: return continues(1, in: 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
        case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
        case 0xF4: return continues(1, in: 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
        default: return 0
        }
    }
}
