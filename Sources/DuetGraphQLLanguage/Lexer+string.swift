/// StringValue (specification, section 2.10.4). The lexer only validates a string. ``value(of:)`` decodes the value
/// when the parser needs it.
extension Lexer {
    mutating func string() throws(ParsingStopped) -> Token {
        let start = position
        var end = start + 1
        var hasEscapes = false
        while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "\""):
                position = end + 1
                return Token(kind: .string, hasEscapes: hasEscapes, start: UInt32(start), end: UInt32(end + 1))
            case UInt8(ascii: "\\"):
                hasEscapes = true
                switch escape(at: end) {
                case .valid(_, let length): end += length
                case .invalid(let length, let isUnicode):
                    let text = String(decoding: bytes[end..<min(end + length, bytes.count)], as: UTF8.self)
                    throw fail("Invalid \(isUnicode ? "Unicode" : "character") escape sequence: \"\(text)\".", at: end)
                }
            case 0x0A, 0x0D: throw fail("Unterminated string.", at: end)
            default: end += 1
            }
        }
        throw fail("Unterminated string.", at: end)
    }

    mutating func blockString() throws(ParsingStopped) -> Token {
        let start = position
        var end = start + 3
        var hasEscapes = false
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "\""), isTripleQuote(at: end) {
                position = end + 3
                return Token(kind: .blockString, hasEscapes: hasEscapes, start: UInt32(start), end: UInt32(end + 3))
            }
            if bytes[end] == UInt8(ascii: "\\"), isTripleQuote(at: end + 1) {
                hasEscapes = true
                end += 4
            } else {
                end += 1
            }
        }
        throw fail("Unterminated string.", at: end)
    }

    func isTripleQuote(at offset: Int) -> Bool {
        let quote = UInt8(ascii: "\"")
        return byte(offset) == quote && byte(offset + 1) == quote && byte(offset + 2) == quote
    }

    /// Returns the value of a string token.
    func value(of token: Token) -> String {
        let isBlock = token.kind == .blockString
        let quotes = isBlock ? 3 : 1
        let content = (Int(token.start) + quotes)..<(Int(token.end) - quotes)
        if isBlock { return BlockString.value(of: bytes[content], hasEscapes: token.hasEscapes) }
        guard token.hasEscapes else { return String(decoding: bytes[content], as: UTF8.self) }
        var value: [UInt8] = []
        value.reserveCapacity(content.count)
        var position = content.lowerBound
        while position < content.upperBound {
            if bytes[position] == UInt8(ascii: "\\"), case .valid(let scalar, let length) = escape(at: position) {
                value.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
                position += length
            } else {
                value.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private enum Escape {
        case valid(Unicode.Scalar, length: Int)
        /// `length` is the number of bytes that the error message quotes.
        case invalid(length: Int, isUnicode: Bool)
    }

    private func escape(at start: Int) -> Escape {
        let simple: Unicode.Scalar
        switch byte(start + 1) {
        case UInt8(ascii: "\""): simple = "\""
        case UInt8(ascii: "\\"): simple = "\\"
        case UInt8(ascii: "/"): simple = "/"
        case UInt8(ascii: "b"): simple = "\u{8}"
        case UInt8(ascii: "f"): simple = "\u{C}"
        case UInt8(ascii: "n"): simple = "\n"
        case UInt8(ascii: "r"): simple = "\r"
        case UInt8(ascii: "t"): simple = "\t"
        case UInt8(ascii: "u"):
            return byte(start + 2) == UInt8(ascii: "{") ? variableWidthEscape(at: start) : fixedWidthEscape(at: start)
        default:
            // The message quotes all bytes of a multi-byte character.
            var length = 2
            while byte(start + length) & 0xC0 == 0x80 { length += 1 }
            return .invalid(length: length, isUnicode: false)
        }
        return .valid(simple, length: 2)
    }

    /// Decodes `\u{1F600}`. The specification allows any number of digits; this function accepts at most eight.
    private func variableWidthEscape(at start: Int) -> Escape {
        var value: UInt32 = 0
        var length = 3
        while length < 12 {
            let next = byte(start + length)
            length += 1
            if next == UInt8(ascii: "}") {
                guard length >= 5, let scalar = Unicode.Scalar(value) else { break }
                return .valid(scalar, length: length)
            }
            guard let digit = hexDigit(next), value < 1 << 27 else { break }
            value = value << 4 | digit
        }
        return .invalid(length: characterEnd(start + length) - start, isUnicode: true)
    }

    /// Decodes `\u00e9`, or two such escapes for a surrogate pair.
    private func fixedWidthEscape(at start: Int) -> Escape {
        if let value = fourHexDigits(at: start + 2) {
            if let scalar = Unicode.Scalar(value) { return .valid(scalar, length: 6) }
            if value < 0xDC00, byte(start + 6) == UInt8(ascii: "\\"), byte(start + 7) == UInt8(ascii: "u"),
                let trailing = fourHexDigits(at: start + 8), (0xDC00...0xDFFF).contains(trailing),
                let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (trailing - 0xDC00))
            {
                return .valid(scalar, length: 12)
            }
        }
        // The message quotes six characters, which may have several bytes each.
        var end = start
        for _ in 0..<6 where end < bytes.count { end = characterEnd(end + 1) }
        return .invalid(length: end - start, isUnicode: true)
    }

    /// Returns the first offset, not less than `offset`, at which a character starts.
    private func characterEnd(_ offset: Int) -> Int {
        var end = offset
        while byte(end) & 0xC0 == 0x80 { end += 1 }
        return min(end, bytes.count)
    }

    private func fourHexDigits(at start: Int) -> UInt32? {
        var value: UInt32 = 0
        for offset in start..<(start + 4) {
            guard let digit = hexDigit(byte(offset)) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
