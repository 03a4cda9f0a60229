/// Finds well-formed UTF-8 byte sequences (The Unicode Standard, table 3-7; RFC 3629). Overlong forms, surrogates, and
/// code points above U+10FFFF are not well-formed.
public enum UTF8Sequence {
    /// Returns the offset of the first byte that is not part of a well-formed sequence; nil if all bytes are valid.
    package static func firstInvalidByte(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        let count = bytes.count
        while position < count {
            if position + 8 <= count,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            let length = validLength(in: bytes, at: position)
            if length == 0 { return position }
            position += length
        }
        return nil
    }

    /// Returns the length of the well-formed sequence of one to four bytes at the position, or 0 if there is none.
    public static func validLength(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        let (length, isWhole) = scan(bytes, position)
        return isWhole ? length : 0
    }

    /// Returns the number of bytes at an invalid position that one U+FFFD replaces: the longest prefix of a well-formed
    /// sequence, at least one byte ("substitution of maximal subparts").
    public static func invalidLength(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        max(1, scan(bytes, position).length)
    }

    private static func scan(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> (length: Int, isWhole: Bool) {
        let lead = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x00...0x7F: return (1, true)
        case 0xC2...0xDF: length = 2
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: length = 3
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF1...0xF3: length = 4
        case 0xF4:
            length = 4
            second = 0x80...0x8F
        default: return (1, false)
        }
        for offset in 1..<length {
            let index = position + offset
            guard index < bytes.count, (offset == 1 ? second : 0x80...0xBF).contains(bytes[index]) else {
                return (offset, false)
            }
        }
        return (length, true)
    }
}
