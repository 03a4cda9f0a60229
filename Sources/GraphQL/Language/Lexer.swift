/// Thrown inside the lexer and the parser, which keep the error itself: an empty error costs the frames of a recursive
/// descent nothing.
struct ParsingStopped: Error {}

/// Splits UTF-8 into tokens (specification, sections 2.1 and 2.9.4). The bytes must outlive it and be valid UTF-8.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next token is looked for.
    var position = 0
    /// What stopped it, as a message and the byte it is about.
    private(set) var failure: (message: String, offset: Int)?

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The byte at that offset, or 0 beyond the end; a NUL in the text is never mistaken for anything by that.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isNameStart(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F }

    @inline(__always)
    static func isNameContinue(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

    mutating func fail(_ message: String, at offset: Int) -> ParsingStopped {
        failure = (message, offset)
        return ParsingStopped()
    }

    /// The next token; the end of the file again and again once it is reached.
    mutating func next() throws(ParsingStopped) -> Token {
        skipIgnored()
        let start = position
        guard start < bytes.count else { return Token(kind: .endOfFile, start: UInt32(start), end: UInt32(start)) }
        let first = bytes[start]
        if Self.isNameStart(first) {
            var end = start + 1
            while end < bytes.count, Self.isNameContinue(bytes[end]) { end += 1 }
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

    @inline(__always)
    private mutating func punctuator(_ kind: Token.Kind, length: Int = 1) -> Token {
        let start = position
        position += length
        return Token(kind: kind, start: UInt32(start), end: UInt32(position))
    }

    /// White space, line terminators, commas, comments and byte order marks.
    @inline(__always)
    private mutating func skipIgnored() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D, 0x2C: position += 1
            case UInt8(ascii: "#"):
                position += 1
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
            case 0xEF where byte(position + 1) == 0xBB && byte(position + 2) == 0xBF: position += 3
            default: return
            }
        }
    }

    /// The character there, for a message.
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
