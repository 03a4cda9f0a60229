/// A scanner that finds the named parameters in a statement. It recognizes only quotes, comments, `IN (` and
/// parameters.
struct ParameterScanner {
    private let sql: String
    private let bytes: [UInt8]
    private var position = 0
    /// The start of the text that is not yet part of a segment.
    private var pending = 0
    /// The end of the last quoted text or comment. The backward search for `IN (` stops here.
    private var barrier = 0
    private(set) var names: [String] = []
    private(set) var segments: [Parameters.Segment] = []
    /// The indices of the parameters that are the only element of a `NOT IN (…)`.
    private(set) var excluded: Set<Int> = []

    init(_ sql: String) {
        self.sql = sql
        bytes = Array(sql.utf8)
    }

    mutating func scan() throws {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                try skipQuoted(until: bytes[position])
                barrier = position
            case UInt8(ascii: "["):
                // SQLite also accepts brackets as quotes around a name. MariaDB does not.
                try skipQuoted(until: UInt8(ascii: "]"))
                barrier = position
            case UInt8(ascii: "-") where byte(at: position + 1) == UInt8(ascii: "-"):
                skipLine()
                barrier = position
            case UInt8(ascii: "#"):
                // A comment of MariaDB. SQLite rejects the character.
                skipLine()
                barrier = position
            case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "*"):
                try skipComment()
                barrier = position
            case UInt8(ascii: ":") where byte(at: position + 1) == UInt8(ascii: ":"):
                position += 2
            case UInt8(ascii: ":") where byte(at: position + 1).map(isNameStart) == true:
                readParameter()
            case UInt8(ascii: "?"):
                throw DatabaseError(
                    .parameter, "a positional ? is not supported; give the parameter a name, as in :name",
                    statement: sql)
            default:
                position += 1
            }
        }
        flush(upTo: bytes.count)
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isNameStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    private func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Skips a quoted text. A doubled quote inside the text is treated as the end of one quoted text and the start of
    /// the next. This has the same result, because the scanner skips both texts.
    private mutating func skipQuoted(until quote: UInt8) throws {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard position < bytes.count else {
            throw DatabaseError(
                .parameter, "the quote \(Character(UnicodeScalar(bytes[start]))) at byte \(start) is never closed",
                statement: sql)
        }
        position += 1
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipComment() throws {
        let start = position
        position += 2
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), byte(at: position + 1) == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        throw DatabaseError(.parameter, "the comment at byte \(start) is never closed", statement: sql)
    }

    private mutating func readParameter() {
        let colon = position
        position += 1
        let start = position
        while position < bytes.count, isNamePart(bytes[position]) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        let index =
            names.firstIndex(of: name)
            ?? {
                names.append(name)
                return names.count - 1
            }()
        let list = surroundingList(colon: colon)
        if let list, !list.isNegated {
            flush(upTo: list.open)
            segments.append(.list(index))
            position = list.close
        } else if bytes[position...].starts(with: "...".utf8) {
            flush(upTo: colon)
            segments.append(.values(index))
            position += 3
        } else {
            if list != nil { excluded.insert(index) }
            flush(upTo: colon)
            segments.append(.parameter(index))
        }
        pending = position
    }

    /// Returns the start of `IN (` and the end of `)`, if the parameter is the only element of this list. A `NOT IN`
    /// list cannot be rewritten with `=` or `BETWEEN`, so its text remains unchanged, and a list argument is an error.
    private func surroundingList(colon: Int) -> (open: Int, close: Int, isNegated: Bool)? {
        var close = position
        while let byte = byte(at: close), isSpace(byte) { close += 1 }
        guard byte(at: close) == UInt8(ascii: ")") else { return nil }
        let start = max(pending, barrier)
        var open = colon - 1
        while open >= start, isSpace(bytes[open]) { open -= 1 }
        guard open >= start, bytes[open] == UInt8(ascii: "(") else { return nil }
        open -= 1
        while open >= start, isSpace(bytes[open]) { open -= 1 }
        guard let word = wordStart(endingAt: open, from: start, "IN") else { return nil }
        var before = word - 1
        while before >= start, isSpace(bytes[before]) { before -= 1 }
        return (word, close + 1, wordStart(endingAt: before, from: start, "NOT") != nil)
    }

    /// Returns the start of the whole word `word`, in upper or lower case, that ends with the byte at `end`; nil if the
    /// text there is different.
    private func wordStart(endingAt end: Int, from start: Int, _ word: String) -> Int? {
        let first = end - word.utf8.count + 1
        guard first >= start, bytes[first...end].elementsEqual(word.utf8, by: { $0 | 0x20 == $1 | 0x20 }) else {
            return nil
        }
        guard first == 0 || !(isNamePart(bytes[first - 1]) || bytes[first - 1] >= 0x80) else { return nil }
        return first
    }

    private mutating func flush(upTo end: Int) {
        if end > pending {
            segments.append(.text(String(decoding: bytes[pending..<end], as: UTF8.self)))
        }
        pending = end
    }
}
