/// The escapes of strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Reads the escape at a position, and moves the position to its end.
    /// - Throws: The fault of an invalid escape.
    static func character(
        in text: UnsafeRawBufferPointer, at position: inout Int
    ) throws(JSONFault) -> Unicode.Scalar {
        let start = position
        let letter = position + 1 < text.count ? text[position + 1] : 0
        position += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var scalar = try codeUnit(in: text, at: &position)
            if 0xD800...0xDBFF ~= scalar, position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
                text[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let low = try codeUnit(in: text, at: &position)
                if 0xDC00...0xDFFF ~= low { scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00) }
            }
            guard let character = Unicode.Scalar(scalar) else { throw JSONFault("an unpaired surrogate", at: start) }
            return character
        default: throw JSONFault("an unknown escape sequence", at: start)
        }
    }

    /// Reads a UTF-16 code unit of four hexadecimal digits.
    private static func codeUnit(
        in text: UnsafeRawBufferPointer, at position: inout Int
    ) throws(JSONFault) -> UInt32 {
        let start = position
        var unit: UInt32 = 0
        while position < start + 4 {
            let digit: UInt8
            switch position < text.count ? text[position] : 0 {
            case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte - UInt8(ascii: "0")
            case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6: digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: throw JSONFault("four hexadecimal digits are expected", at: start)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// Returns the text of a string, without escapes.
    /// - Parameter text: The text between the quotes. The indexer has checked its escapes.
    static func text(of text: UnsafeRawBufferPointer) -> String {
        // No escape is shorter than the UTF-8 of its character.
        String(unsafeUninitializedCapacity: text.count) { target in
            let target = UnsafeMutableRawBufferPointer(target)
            var written = 0
            var position = 0
            while position < text.count {
                let start = position
                while position < text.count, text[position] != UInt8(ascii: "\\") { position += 1 }
                UnsafeMutableRawBufferPointer(rebasing: target[written...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: text[start..<position]))
                written += position - start
                guard position < text.count, let character = try? character(in: text, at: &position) else { continue }
                for byte in character.utf8 {
                    target[written] = byte
                    written += 1
                }
            }
            return written
        }
    }
}
