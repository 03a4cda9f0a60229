/// The text of a view of SQLite.
struct ViewText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// All words and quoted texts in lower case, except those in comments. They include the name of each table that the
    /// view reads, because a name cannot be written in another way.
    var words: Set<String> {
        var words: Set<String> = []
        var rest = text[...].utf8
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): words.insert(Self.quoted(&rest, byte))
            case UInt8(ascii: "["): words.insert(Self.quoted(&rest, UInt8(ascii: "]")))
            case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            case let byte where Self.isOfWord(byte):
                let word = rest.prefix(while: Self.isOfWord)
                words.insert(String(Substring(word)).lowercased())
                rest = rest[word.endIndex...]
            default: rest = rest.dropFirst()
            }
        }
        return words
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Reads a text in quotes. A doubled closing quote is a part of the text.
    private static func quoted(_ rest: inout Substring.UTF8View, _ end: UInt8) -> String {
        var bytes: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if byte == end {
                guard rest.first == end, end != UInt8(ascii: "]") else { break }
                _ = rest.popFirst()
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
