/// A tokenizer that splits a dump into tokens while the file is read. It skips white space and comments, and resolves
/// quotes and escapes. At most one token is in memory.
///
/// Strings have MySQL's syntax ("String Literals" in the MySQL manual): a quote inside a string is doubled or escaped
/// with a backslash.
struct DumpTokenizer {
    /// The maximum length of a token in bytes. Because of this limit, a missing quote is reported before the whole file
    /// has been read as one token.
    static let maximumTokenLength = 64 * 1024

    private var reader: ByteReader
    private var bytes: [UInt8] = []
    /// The number of the line with the beginning of the token that was returned last.
    private(set) var line = 1

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    var file: String { reader.file }
    var bytesRead: Int { reader.bytesRead }

    /// Returns the next token. At the end of the file, each call returns ``DumpToken/end``.
    mutating func next() throws(LoadError) -> DumpToken {
        while let byte = try reader.peek() {
            line = reader.line
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                reader.advance()
            case UInt8(ascii: "#"):
                try skipLine()
            case UInt8(ascii: "/"):
                reader.advance()
                guard try reader.peek() == UInt8(ascii: "*") else { return .symbol(byte) }
                try skipBlockComment()
            case UInt8(ascii: "-"):
                reader.advance()
                if let digit = try reader.peek(), Self.isDigit(digit) { return try number(isNegative: true) }
                guard try reader.peek() == UInt8(ascii: "-") else { return .symbol(byte) }
                try skipLine()
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                return .text(try quoted(by: byte, allowsEscapes: true))
            case UInt8(ascii: "`"):
                return .identifier(try quoted(by: byte, allowsEscapes: false))
            case let byte where Self.isDigit(byte):
                return try number(isNegative: false)
            case let byte where Self.isLetter(byte):
                return .word(try word())
            default:
                reader.advance()
                return .symbol(byte)
            }
        }
        line = reader.line
        return .end
    }

    /// Returns an error whose location is that of the last token.
    func malformed(_ message: String) -> LoadError {
        LoadError(.malformedFile, message, at: .init(file: file, line: line))
    }

    private mutating func skipLine() throws(LoadError) {
        while let byte = try reader.next(), byte != UInt8(ascii: "\n") {}
    }

    private mutating func skipBlockComment() throws(LoadError) {
        reader.advance()
        var previous: UInt8 = 0
        while let byte = try reader.next() {
            if previous == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { return }
            previous = byte
        }
        throw malformed("a comment begins here and never ends; expected */")
    }

    private mutating func number(isNegative: Bool) throws(LoadError) -> DumpToken {
        var value: Int64 = 0
        while let byte = try reader.peek(), Self.isDigit(byte) {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !overflows, !overflowsToo else { throw malformed("a number here is too large for 64 bits") }
            value = sum
            reader.advance()
        }
        if let byte = try reader.peek(), Self.isLetter(byte) || byte == UInt8(ascii: ".") {
            throw malformed("a number here is followed by \(DumpToken.symbol(byte)); expected a whole number")
        }
        return .integer(isNegative ? -value : value)
    }

    private mutating func word() throws(LoadError) -> String {
        bytes.removeAll(keepingCapacity: true)
        while let byte = try reader.peek(), Self.isLetter(byte) || Self.isDigit(byte) {
            try append(byte, of: "a word")
            reader.advance()
        }
        return try string()
    }

    private mutating func quoted(by quote: UInt8, allowsEscapes: Bool) throws(LoadError) -> String {
        bytes.removeAll(keepingCapacity: true)
        reader.advance()
        while let byte = try reader.next() {
            if byte == quote {
                guard try reader.peek() == quote else { return try string() }
                reader.advance()
                try append(quote, of: "a quoted text")
            } else if byte == UInt8(ascii: "\\"), allowsEscapes {
                guard let escaped = try reader.next() else { break }
                try append(Self.meaning(ofEscaped: escaped), of: "a quoted text")
            } else {
                try append(byte, of: "a quoted text")
            }
        }
        throw malformed("a quoted text begins here and never ends; expected a closing \(DumpToken.symbol(quote))")
    }

    private mutating func append(_ byte: UInt8, of what: String) throws(LoadError) {
        guard bytes.count < Self.maximumTokenLength else {
            throw malformed(
                "\(what) that begins here is longer than \(Self.maximumTokenLength.grouped) bytes; is a quote missing?")
        }
        bytes.append(byte)
    }

    private func string() throws(LoadError) -> String {
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw malformed("a text here is not valid UTF-8; expected a dump in UTF-8")
        }
        return string
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$")
    }

    private static func meaning(ofEscaped byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): 0x00
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "Z"): 0x1A
        default: byte
        }
    }
}
