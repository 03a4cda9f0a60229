/// Finds the named parameters in a statement. It knows as much SQL as that takes: quotes, comments, and `IN (`.
struct ParameterScanner {
    private let sql: String
    private let bytes: [UInt8]
    private var position = 0
    /// Where the text begins that has not become a segment yet.
    private var pending = 0
    /// Where the last quoted text or comment ended; what stands before is not SQL to look at.
    private var barrier = 0
    private(set) var names: [String] = []
    private(set) var segments: [Parameters.Segment] = []
    /// The parameters, by their indices, that stand alone in a `NOT IN (…)`.
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
                // SQLite's other quotes around a name; MariaDB has no brackets.
                try skipQuoted(until: UInt8(ascii: "]"))
                barrier = position
            case UInt8(ascii: "-") where byte(at: position + 1) == UInt8(ascii: "-"):
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

    /// A doubled quote inside a quoted text is two quoted texts in a row, which comes to the same here.
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
        } else {
            if list != nil { excluded.insert(index) }
            flush(upTo: colon)
            segments.append(.parameter(index))
        }
        pending = position
    }

    /// Where `IN (` begins and where the `)` ends, if the parameter stands alone in such a list. `NOT IN` has no
    /// counterpart with `=` or `BETWEEN`, so it stays as it is, and a list there is refused.
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

    /// Where a word begins that ends at that byte, if it stands there in any case and whole.
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
