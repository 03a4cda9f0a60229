/// The error that the lexer and the parser throw internally. It has no content, so the functions of the parser need no
/// stack space for it. The lexer and the parser store the message and the offset of the failure.
struct ParsingStopped: Error {}

/// Splits UTF-8 text into tokens (specification, sections 2.1 and 2.10.4). The bytes must be valid UTF-8 and must
/// outlive the lexer.
package struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The offset at which the search for the next token starts.
    var position = 0
    /// The failure that stopped the lexer: the message and the offset of the invalid byte.
    private(set) var failure: (message: String, offset: Int)?

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the byte at the offset, or 0 after the end of the text. No caller compares a byte with 0, so a NUL in
    /// the text is not confused with the end.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    package static func isNameStart(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F }

    @inline(__always)
    package static func isNameContinue(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

    mutating func fail(_ message: String, at offset: Int) -> ParsingStopped {
        failure = (message, offset)
        return ParsingStopped()
    }

    /// Returns the next token, or an end-of-file token at the end of the text.
    mutating func next() throws(ParsingStopped) -> Token {
        skipIgnored()
        let start = position
        guard start < bytes.count else { return Token(kind: .endOfFile, start: UInt32(start), end: UInt32(start)) }
        let first = bytes[start]
        if Self.isNameStart(first) {
            let end = nameEnd(from: start)
            position = end
            return Token(kind: .name, start: UInt32(start), end: UInt32(end))
        }
        switch first {
        case UInt8(ascii: "!"): return punctuator(.bang)
        case UInt8(ascii: "$"): return punctuator(.dollar)
        case UInt8(ascii: "&"): return punctuator(.ampersand)
        case UInt8(ascii: "("): return punctuator(.leftParenthesis)
        case UInt8(ascii: ")"): return punctuator(.rightParenthesis)
        case UInt8(ascii: ":"): return punctuator(.colon)
        case UInt8(ascii: "="): return punctuator(.equals)
        case UInt8(ascii: "@"): return punctuator(.at)
        case UInt8(ascii: "["): return punctuator(.leftBracket)
        case UInt8(ascii: "]"): return punctuator(.rightBracket)
        case UInt8(ascii: "{"): return punctuator(.leftBrace)
        case UInt8(ascii: "|"): return punctuator(.pipe)
        case UInt8(ascii: "}"): return punctuator(.rightBrace)
        case UInt8(ascii: ".") where byte(start + 1) == first && byte(start + 2) == first:
            return punctuator(.spread, length: 3)
        case UInt8(ascii: "\""):
            return byte(start + 1) == first && byte(start + 2) == first ? try blockString() : try string()
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        case UInt8(ascii: "'"):
            throw fail(
                "Unexpected single quote character ('), did you mean to use a double quote (\")?", at: start)
        default: throw fail("Unexpected character: \(describe(at: start)).", at: start)
        }
    }

    /// Returns the end of the name that starts at `start`. The function checks eight bytes at a time. A loop over
    /// single bytes is slower, because names differ in length, and the processor cannot predict the end of the loop.
    @inline(__always)
    private func nameEnd(from start: Int) -> Int {
        var end = start
        while end + 8 <= bytes.count {
            let others = ~Self.nameBytes(word(at: end)) & 0x8080_8080_8080_8080
            if others != 0 { return end + others.trailingZeroBitCount >> 3 }
            end += 8
        }
        while end < bytes.count, Self.isNameContinue(bytes[end]) { end += 1 }
        return end
    }

    /// Returns a word with the highest bit set in each byte that a name may contain.
    @inline(__always)
    private static func nameBytes(_ word: UInt64) -> UInt64 {
        // Each addition uses seven bits of a byte. The eighth bit of the sum is set if the byte reaches a limit.
        let ascii = word & 0x7F7F_7F7F_7F7F_7F7F
        let letters = ascii | 0x2020_2020_2020_2020
        let isLetter = (letters &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(letters &+ 0x0505_0505_0505_0505)
        let isDigit = (ascii &+ 0x5050_5050_5050_5050) & ~(ascii &+ 0x4646_4646_4646_4646)
        let isUnderscore = ~((ascii ^ 0x5F5F_5F5F_5F5F_5F5F) &+ 0x7F7F_7F7F_7F7F_7F7F)
        return (isLetter | isDigit | isUnderscore) & ~word
    }

    @inline(__always)
    private mutating func punctuator(_ kind: Token.Kind, length: Int = 1) -> Token {
        let start = position
        position += length
        return Token(kind: kind, start: UInt32(start), end: UInt32(position))
    }

    /// Skips white space, line terminators, commas, comments and byte order marks.
    @inline(__always)
    private mutating func skipIgnored() {
        var position = position
        defer { self.position = position }
        while position < bytes.count {
            let byte = bytes[position]
            if byte <= 0x2C, Self.ignored &>> UInt64(byte) & 1 != 0 {
                position += 1
                // Most ignored characters are the spaces of an indentation.
                while position + 8 <= bytes.count {
                    let others = word(at: position) ^ 0x2020_2020_2020_2020
                    position += others == 0 ? 8 : others.trailingZeroBitCount &>> 3
                    if others != 0 { break }
                }
            } else if byte == UInt8(ascii: "#") {
                position += 1
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
            } else if byte == 0xEF, self.byte(position + 1) == 0xBB, self.byte(position + 2) == 0xBF {
                position += 3
            } else {
                return
            }
        }
    }

    /// A bit mask with the bits of tab, newline, carriage return, space and comma.
    private static var ignored: UInt64 { 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 | 1 << 0x2C }

    /// Returns eight bytes as one word; the first byte is the lowest.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 {
        UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + offset).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// Returns the character at the offset as text for a message.
    func describe(at offset: Int) -> String {
        guard offset < bytes.count else { return "<EOF>" }
        guard
            let scalar = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars
                .first
        else { return "<EOF>" }
        if scalar.value >= 0x20, scalar.value < 0x7F { return scalar == "\"" ? "'\"'" : "\"\(scalar)\"" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
