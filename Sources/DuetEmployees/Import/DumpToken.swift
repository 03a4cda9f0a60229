/// A token of a dump. The cases cover only the SQL syntax in dumps of the original *employees* database (see
/// ``DumpDirectory``).
enum DumpToken: Equatable {
    /// A keyword or a name without quotes.
    case word(String)
    /// A name in backticks.
    case identifier(String)
    /// A quoted string with its escapes resolved.
    case text(String)
    case integer(Int64)
    /// Any other byte.
    case symbol(UInt8)
    /// The end of the file.
    case end

    static let openParenthesis = DumpToken.symbol(UInt8(ascii: "("))
    static let closeParenthesis = DumpToken.symbol(UInt8(ascii: ")"))
    static let comma = DumpToken.symbol(UInt8(ascii: ","))
    static let semicolon = DumpToken.symbol(UInt8(ascii: ";"))

    /// Returns true if the token is the given keyword in any letter case. The argument must be in upper case.
    func isKeyword(_ keyword: String) -> Bool {
        if case .word(let word) = self { word.uppercased() == keyword } else { false }
    }
}

extension DumpToken: CustomStringConvertible {
    /// A description of the token, for messages.
    var description: String {
        switch self {
        case .word(let word): "the word \(Self.shortened(word))"
        case .identifier(let name): "the name `\(Self.shortened(name))`"
        case .text(let text): "the text '\(Self.shortened(text))'"
        case .integer(let value): "the number \(value)"
        case .symbol(let byte) where (0x21...0x7E).contains(byte): "'\(Character(Unicode.Scalar(byte)))'"
        case .symbol(let byte): "the byte 0x\(String(byte, radix: 16))"
        case .end: "the end of the file"
        }
    }

    /// Returns a text in a form that is suitable for a message: long texts are truncated, and control characters are
    /// replaced.
    static func shortened(_ text: String) -> String {
        let visible = text.prefix(40).unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : String(scalar)
        }
        return visible.joined() + (text.count > 40 ? "…" : "")
    }
}
