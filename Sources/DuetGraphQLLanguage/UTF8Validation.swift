internal import DuetJSON

/// Validates UTF-8 (RFC 3629): no overlong forms, no surrogates, no code points above U+10FFFF.
enum UTF8Validation {
    /// Returns the offset of the first byte that is not part of a valid character; nil if all bytes are valid.
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
            let length = UTF8Sequence.validLength(in: UnsafeRawBufferPointer(bytes), at: position)
            if length == 0 { return position }
            position += length
        }
        return nil
    }
}
