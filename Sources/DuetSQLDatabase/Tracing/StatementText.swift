#if Tracing
    /// The part of a statement that its span contains.
    enum StatementText {
        /// Returns a short text with few different values: the verb of a statement and its first table, as in
        /// `SELECT orders`. Without a table, as in a statement that reads from a subquery, it is the verb.
        static func summary(of sql: String) -> String {
            var sql = sql
            return sql.withUTF8 { bytes in
                var words = OuterWords(bytes)
                guard var verb = words.next() else { return "" }
                if words.isWord(verb, "WITH") {
                    // The common table expressions are in parentheses.
                    while let word = words.next() {
                        guard ["SELECT", "INSERT", "UPDATE", "DELETE"].contains(where: { words.isWord(word, $0) })
                        else { continue }
                        verb = word
                        break
                    }
                }
                let text = words.text(verb).uppercased()
                let marker: StaticString
                switch text {
                case "SELECT", "DELETE": marker = "FROM"
                case "INSERT", "REPLACE": marker = "INTO"
                case "UPDATE": return words.name().map { "\(text) \($0)" } ?? text
                default: return text
                }
                while let word = words.next() {
                    if words.isWord(word, marker) { return words.name().map { "\(text) \($0)" } ?? text }
                }
                return text
            }
        }

        /// Returns a statement with `?` in place of its strings and numbers. Both databases accept strings in double
        /// quotes, so names in double quotes are replaced, too.
        /// - Returns: nil if the text has a comment or a backslash, because the end of a string is then uncertain.
        static func withoutLiterals(_ sql: String) -> String? {
            var sql = sql
            return sql.withUTF8 { bytes in
                for (position, byte) in bytes.enumerated() {
                    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
                    switch (byte, next) {
                    case (UInt8(ascii: "\\"), _), (UInt8(ascii: "#"), _), (UInt8(ascii: "-"), UInt8(ascii: "-")),
                        (UInt8(ascii: "/"), UInt8(ascii: "*")):
                        return nil
                    default: break
                    }
                }
                var result: [UInt8] = []
                result.reserveCapacity(bytes.count)
                var position = 0
                while position < bytes.count {
                    let byte = bytes[position]
                    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                        position = bytes.endOfQuotes(at: position)
                        result.append(UInt8(ascii: "?"))
                    } else if byte == UInt8(ascii: "`") {
                        let end = bytes.endOfQuotes(at: position)
                        result.append(contentsOf: bytes[position..<end])
                        position = end
                    } else if byte.isWordByte {
                        var end = position
                        while end < bytes.count, bytes[end].isWordByte { end += 1 }
                        if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                            result.append(UInt8(ascii: "?"))
                        } else {
                            result.append(contentsOf: bytes[position..<end])
                        }
                        position = end
                    } else {
                        result.append(byte)
                        position += 1
                    }
                }
                return String(decoding: result, as: UTF8.self)
            }
        }
    }

    /// The words of a statement that are not in parentheses or quotes.
    private struct OuterWords {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var position = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        /// Returns the range of the next word.
        mutating func next() -> Range<Int>? {
            var depth = 0
            while position < bytes.count {
                let byte = bytes[position]
                switch byte {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                    position = bytes.endOfQuotes(at: position)
                    continue
                case _ where byte.isWordByte:
                    let start = position
                    while position < bytes.count, bytes[position].isWordByte { position += 1 }
                    if depth == 0 { return start..<position }
                    continue
                default: break
                }
                position += 1
            }
            return nil
        }

        /// Reads the name of a table that follows; nil for a subquery.
        mutating func name() -> String? {
            while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
                position += 1
            }
            guard position < bytes.count else { return nil }
            if bytes[position] == UInt8(ascii: "`") || bytes[position] == UInt8(ascii: "\"") {
                let end = bytes.endOfQuotes(at: position)
                return text(position + 1..<max(position + 1, end - 1))
            }
            let start = position
            while position < bytes.count, bytes[position].isWordByte || bytes[position] == UInt8(ascii: ".") {
                position += 1
            }
            return position > start ? text(start..<position) : nil
        }

        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        /// Returns true if a word is a keyword.
        /// - Parameter keyword: The keyword in upper case.
        func isWord(_ range: Range<Int>, _ keyword: StaticString) -> Bool {
            guard range.count == keyword.utf8CodeUnitCount else { return false }
            for offset in 0..<range.count
            where bytes[range.lowerBound + offset] & 0xDF != keyword.utf8Start[offset] { return false }
            return true
        }
    }

    extension UnsafeBufferPointer<UInt8> {
        /// Returns the position after a text in quotes. The text before and after a doubled quote are two texts.
        fileprivate func endOfQuotes(at start: Int) -> Int {
            var end = start + 1
            while end < count, self[end] != self[start] { end += 1 }
            return Swift.min(end + 1, count)
        }
    }

    extension UInt8 {
        /// True for a byte of a word or a number.
        fileprivate var isWordByte: Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "_") || self >= 0x80
        }
    }
#endif
