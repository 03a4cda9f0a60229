/// Low-level functions that write values as JSON bytes to an address. The caller reserves the space, according to the
/// bounds in this type, so that one check of the capacity is sufficient for many values.
public enum JSONBytes {
    /// The maximum number of bytes of an integer, such as `-9223372036854775808`.
    @inlinable
    public static var longestInteger: Int { 20 }

    /// The maximum number of bytes of a floating-point number, such as `-2.2250738585072014e-308`.
    @inlinable
    public static var longestDouble: Int { 24 }

    /// The maximum number of bytes of a string literal: six for each byte of the string (`\u001f`), two for the quotes,
    /// and eight because ``write(string:to:)`` stores whole words of eight bytes.
    @inlinable
    public static func longestString(utf8Count: Int) -> Int { utf8Count * 6 + 2 + 8 }

    /// The digits of the numbers from 00 to 99, in pairs.
    @usableFromInline
    static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748\
        49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697\
        9899
        """

    /// Writes an integer as decimal digits.
    /// - Returns: The number of bytes written, at most ``longestInteger``.
    @inlinable
    public static func write(_ value: Int64, to target: UnsafeMutableRawPointer) -> Int {
        let negative = value < 0
        if negative { target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
        return write(value.magnitude, to: target + (negative ? 1 : 0)) + (negative ? 1 : 0)
    }

    /// Writes an integer as decimal digits.
    /// - Returns: The number of bytes written, at most ``longestInteger``.
    @inlinable
    public static func write(_ value: UInt64, to target: UnsafeMutableRawPointer) -> Int {
        let count = digitCount(value)
        let pairs = UnsafeRawPointer(Self.pairs.utf8Start)
        var rest = value
        var position = count
        while rest >= 100 {
            let pair = Int(truncatingIfNeeded: rest % 100)
            rest /= 100
            position -= 2
            (target + position).copyMemory(from: pairs + pair * 2, byteCount: 2)
        }
        if rest >= 10 {
            target.copyMemory(from: pairs + Int(truncatingIfNeeded: rest) * 2, byteCount: 2)
        } else {
            target.storeBytes(of: UInt8(truncatingIfNeeded: rest) &+ UInt8(ascii: "0"), as: UInt8.self)
        }
        return count
    }

    /// Writes a finite number as the shortest digits that parse to the same number.
    /// - Returns: The number of bytes written, at most ``longestDouble``.
    @inlinable
    public static func write(_ value: Double, to target: UnsafeMutableRawPointer) -> Int {
        precondition(value.isFinite, "JSON has no number for NaN and the infinities")
        var text = value.description
        return text.withUTF8 { digits in
            UnsafeMutableRawBufferPointer(start: target, count: longestDouble)
                .copyMemory(from: UnsafeRawBufferPointer(digits))
            return digits.count
        }
    }

    @inlinable
    static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        if rest >= 1_000 { return count + 3 }
        if rest >= 100 { return count + 2 }
        return rest >= 10 ? count + 1 : count
    }

    /// Writes a string literal with its quotes (RFC 8259, section 7). U+FFFD replaces bytes that are not UTF-8.
    /// - Returns: The number of bytes written. The target must have space for ``longestString(utf8Count:)`` bytes.
    @inlinable
    public static func write(string bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        var isUTF8 = true
        return write(string: bytes, to: target, isUTF8: &isUTF8)
    }

    /// Writes a string literal with its quotes, and reports invalid UTF-8. U+FFFD replaces bytes that are not UTF-8.
    /// - Parameters:
    ///   - bytes: The bytes of the string.
    ///   - target: The memory for the literal.
    ///   - isUTF8: Is set to false if some bytes are not UTF-8.
    @inlinable
    public static func write(
        string bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer, isUTF8: inout Bool
    ) -> Int {
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        var output = target + 1
        let count = bytes.count
        if let source = bytes.baseAddress {
            var position = 0
            while position < count {
                if count - position >= 8 {
                    let word = (source + position).loadUnaligned(as: UInt64.self)
                    if isPlain(word) {
                        output.storeBytes(of: word, as: UInt64.self)
                        output += 8
                        position += 8
                        continue
                    }
                }
                let byte = source.load(fromByteOffset: position, as: UInt8.self)
                if byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                    output.storeBytes(of: byte, as: UInt8.self)
                    output += 1
                    position += 1
                } else if byte < 0x80 {
                    output += escape(byte, to: output)
                    position += 1
                } else {
                    let length = UTF8Sequence.validLength(in: bytes, at: position)
                    if length > 0 {
                        output.copyMemory(from: source + position, byteCount: length)
                        output += length
                        position += length
                    } else {
                        isUTF8 = false
                        output.storeBytes(of: 0xEF, as: UInt8.self)
                        output.storeBytes(of: 0xBF, toByteOffset: 1, as: UInt8.self)
                        output.storeBytes(of: 0xBD, toByteOffset: 2, as: UInt8.self)
                        output += 3
                        position += UTF8Sequence.invalidLength(in: bytes, at: position)
                    }
                }
            }
        }
        output.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        return output + 1 - target
    }

    /// Returns true if all eight bytes are ASCII, and none is a control character, a quote or a backslash.
    @inlinable
    static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let control = word &- ones &* 0x20
        let quote = (word ^ (ones &* 0x22)) &- ones
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        // A subtraction can borrow from the next higher byte, and then marks the higher byte by mistake. Such a false
        // match only leads to the slow path.
        return (control | quote | backslash | word) & highs == 0
    }

    @usableFromInline
    static func escape(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> Int {
        let short: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        target.storeBytes(of: UInt8(ascii: "\\"), as: UInt8.self)
        if let short {
            target.storeBytes(of: short, toByteOffset: 1, as: UInt8.self)
            return 2
        }
        let low = byte & 0x0F
        target.storeBytes(of: UInt8(ascii: "u"), toByteOffset: 1, as: UInt8.self)
        target.storeBytes(of: UInt8(ascii: "0"), toByteOffset: 2, as: UInt8.self)
        target.storeBytes(of: UInt8(ascii: "0"), toByteOffset: 3, as: UInt8.self)
        target.storeBytes(of: UInt8(ascii: "0") + (byte >> 4), toByteOffset: 4, as: UInt8.self)
        let lowDigit = low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
        target.storeBytes(of: lowDigit, toByteOffset: 5, as: UInt8.self)
        return 6
    }
}
