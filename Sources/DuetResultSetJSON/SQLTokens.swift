/// A token of an SQL text, in the categories that ``KeyCondition`` needs.
enum SQLToken: Equatable {
    /// A keyword or a name without quotes.
    case word(String)
    /// A name in `"…"`, `` `…` `` or `[…]`, without the quotes.
    case quotedName(String)
    /// A parameter, without its colon.
    case parameter(String)
    /// Any other byte, such as a comma or a parenthesis.
    case symbol(Character)
    /// A number, or a string in `'…'`.
    case literal

    /// Returns the tokens of a text. Each quotation and each comment in the text must be closed.
    static func tokens(of sql: String) -> [SQLToken] {
        var scanner = Scanner(rest: sql.utf8[...])
        var tokens: [SQLToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    /// Returns true if the token is one of these keywords, in any letter case. The arguments must be in upper case.
    func isWord(_ words: String...) -> Bool {
        guard case .word(let word) = self else { return false }
        return words.contains(word.uppercased())
    }

    private struct Scanner {
        var rest: Substring.UTF8View.SubSequence

        mutating func next() -> SQLToken? {
            skipSpace()
            guard let byte = rest.first else { return nil }
            switch byte {
            case UInt8(ascii: "'"):
                _ = quoted(until: byte)
                return .literal
            case UInt8(ascii: "\""), UInt8(ascii: "`"): return .quotedName(quoted(until: byte))
            case UInt8(ascii: "["): return .quotedName(quoted(until: UInt8(ascii: "]")))
            case UInt8(ascii: ":") where rest.dropFirst().first.map(Self.isNameStart) == true:
                rest.removeFirst()
                return .parameter(name())
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                _ = name()
                return .literal
            case _ where Self.isNameStart(byte): return .word(name())
            default:
                rest.removeFirst()
                return .symbol(Character(UnicodeScalar(byte)))
            }
        }

        private static func isNameStart(_ byte: UInt8) -> Bool {
            (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
                || byte >= 0x80
        }

        private mutating func name() -> String {
            let name = rest.prefix {
                Self.isNameStart($0) || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "$")
            }
            rest = rest[name.endIndex...]
            return String(Substring(name))
        }

        /// Removes a quoted text and returns it without the quotes. A doubled quote becomes one quote.
        private mutating func quoted(until quote: UInt8) -> String {
            var bytes: [UInt8] = []
            rest.removeFirst()
            while let byte = rest.popFirst() {
                if byte == quote {
                    guard rest.first == quote else { break }
                    rest.removeFirst()
                }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func skipSpace() {
            while let byte = rest.first {
                let second = rest.dropFirst().first
                if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    rest.removeFirst()
                } else if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "-") && second == byte {
                    rest = rest.drop { $0 != UInt8(ascii: "\n") }
                } else if byte == UInt8(ascii: "/"), second == UInt8(ascii: "*") {
                    rest = rest.dropFirst(2)
                    while let byte = rest.popFirst(), byte != UInt8(ascii: "*") || rest.first != UInt8(ascii: "/") {}
                    _ = rest.popFirst()
                } else {
                    return
                }
            }
        }
    }
}
