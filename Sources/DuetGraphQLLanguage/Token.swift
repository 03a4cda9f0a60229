/// A lexical token (specification, section 2.1.5).
struct Token {
    enum Kind: UInt8 {
        case startOfFile, endOfFile
        case bang, dollar, ampersand, leftParenthesis, rightParenthesis, spread, colon, equals, at, leftBracket,
            rightBracket, leftBrace, pipe, rightBrace
        case name, int, float, string, blockString
    }

    var kind: Kind
    /// True if the token is a string with an escape sequence.
    var hasEscapes = false
    var start: UInt32
    var end: UInt32
}

extension Token.Kind {
    /// The name of the token in messages.
    var text: String {
        switch self {
        case .startOfFile: "<SOF>"
        case .endOfFile: "<EOF>"
        case .bang: "!"
        case .dollar: "$"
        case .ampersand: "&"
        case .leftParenthesis: "("
        case .rightParenthesis: ")"
        case .spread: "..."
        case .colon: ":"
        case .equals: "="
        case .at: "@"
        case .leftBracket: "["
        case .rightBracket: "]"
        case .leftBrace: "{"
        case .pipe: "|"
        case .rightBrace: "}"
        case .name: "Name"
        case .int: "Int"
        case .float: "Float"
        case .string: "String"
        case .blockString: "BlockString"
        }
    }

    var isPunctuator: Bool { rawValue >= Self.bang.rawValue && rawValue <= Self.rightBrace.rawValue }

    /// ``text``, in quotes for a punctuator.
    var description: String { isPunctuator ? "\"\(text)\"" : text }
}
