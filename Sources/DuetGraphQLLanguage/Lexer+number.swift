extension Lexer {
    /// Reads an IntValue or a FloatValue (specification, sections 2.10.1 and 2.10.2).
    mutating func number() throws(ParsingStopped) -> Token {
        let start = position
        var end = start
        var kind = Token.Kind.int
        if byte(end) == UInt8(ascii: "-") { end += 1 }
        if byte(end) == UInt8(ascii: "0") {
            end += 1
            if Self.isDigit(byte(end)) {
                throw fail("Invalid number, unexpected digit after 0: \(describe(at: end)).", at: end)
            }
        } else {
            end = try digits(from: end)
        }
        if byte(end) == UInt8(ascii: ".") {
            kind = .float
            end = try digits(from: end + 1)
        }
        if byte(end) | 0x20 == UInt8(ascii: "e") {
            kind = .float
            end += 1
            if byte(end) == UInt8(ascii: "+") || byte(end) == UInt8(ascii: "-") { end += 1 }
            end = try digits(from: end)
        }
        if byte(end) == UInt8(ascii: ".") || Self.isNameStart(byte(end)) { throw notADigit(at: end) }
        position = end
        return Token(kind: kind, start: UInt32(start), end: UInt32(end))
    }

    /// Returns the end of the digits. At least one digit is required.
    private mutating func digits(from start: Int) throws(ParsingStopped) -> Int {
        guard Self.isDigit(byte(start)) else { throw notADigit(at: start) }
        var end = start + 1
        while Self.isDigit(byte(end)) { end += 1 }
        return end
    }

    private mutating func notADigit(at offset: Int) -> ParsingStopped {
        fail("Invalid number, expected digit but got: \(describe(at: offset)).", at: offset)
    }
}
