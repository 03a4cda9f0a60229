/// The escapes of strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Returns the position after the escape at `position`, or `nil` if the escape is invalid.
    static func end(of bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
        guard position + 1 < bytes.count else { return nil }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return position + 2
        case UInt8(ascii: "u"):
            guard let unit = unit(bytes, at: position + 2) else { return nil }
            switch unit {
            case 0xD800...0xDBFF:
                guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
                    bytes[position + 7] == UInt8(ascii: "u"), let low = self.unit(bytes, at: position + 8),
                    (0xDC00...0xDFFF).contains(low)
                else { return nil }
                return position + 12
            case 0xDC00...0xDFFF: return nil
            default: return position + 6
            }
        default: return nil
        }
    }

    /// Returns the text of a string whose escapes ``end(of:at:)`` has checked.
    static func text(of bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let byte = bytes[position]
                guard byte == UInt8(ascii: "\\"), position + 1 < bytes.count else {
                    text.append(byte)
                    position += 1
                    continue
                }
                switch bytes[position + 1] {
                case UInt8(ascii: "b"): text.append(0x08)
                case UInt8(ascii: "f"): text.append(0x0C)
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "u"):
                    var scalar = unit(bytes, at: position + 2) ?? 0xFFFD
                    position += 4
                    if (0xD800...0xDBFF).contains(scalar), let low = unit(bytes, at: position + 4) {
                        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low &- 0xDC00)
                        position += 6
                    }
                    text.append(contentsOf: Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8))
                default: text.append(bytes[position + 1])
                }
                position += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads four hexadecimal digits.
    private static func unit(_ bytes: UnsafeRawBufferPointer, at position: Int) -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                unit = unit << 4 | UInt32(byte | 0x20 - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return unit
    }
}
