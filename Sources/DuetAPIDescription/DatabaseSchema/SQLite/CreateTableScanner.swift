/// A scanner that finds the collations of columns, the names of CHECK constraints and the deferred foreign keys in the
/// text of a `CREATE TABLE` statement, because no pragma of SQLite reports them.
///
/// The text comes from `sqlite_schema`, so it is valid SQL. The scanner recognizes only words, quotes, comments, commas
/// and parentheses.
struct CreateTableScanner {
    private enum Token: Equatable {
        /// An identifier, keyword or number without quotes.
        case word(String)
        /// The content of quotes or brackets.
        case quoted(String)
        case symbol(UInt8)
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    /// Returns the collations that the statement specifies, keyed by column. The names of collations are in upper case,
    /// and the names of columns are in lower case.
    static func collations(in sql: String) -> [Identifier: String] {
        guard sql.uppercased().contains("COLLATE") else { return [:] }
        var scanner = CreateTableScanner(sql)
        return scanner.collations()
    }

    /// The constraints that the statement specifies.
    struct Constraints {
        /// The names of the CHECK constraints.
        var checks: [String] = []
        /// An element for each foreign key in the order of the statement: true if it is deferred.
        var deferredReferences: [Bool] = []
    }

    /// Returns the constraints that the statement specifies.
    static func constraints(in sql: String) -> Constraints {
        let upper = sql.uppercased()
        guard upper.contains("CHECK") || upper.contains("DEFERRED") else { return Constraints() }
        var scanner = CreateTableScanner(sql)
        return scanner.constraints()
    }

    private mutating func constraints() -> Constraints {
        var constraints = Constraints()
        var depth = 0
        // The last tokens outside of inner parentheses.
        var last: [Token] = []
        func ends(with words: String...) -> Bool {
            last.count >= words.count
                && zip(last.suffix(words.count), words).allSatisfy { token, word in
                    if case .word(let text) = token { text.uppercased() == word } else { false }
                }
        }
        while let token = next() {
            switch token {
            case .symbol(UInt8(ascii: "(")): depth += 1
            case .symbol(UInt8(ascii: ")")):
                depth -= 1
                if depth == 0 { return constraints }
            default:
                guard depth == 1 else { continue }
                last.append(token)
                if ends(with: "REFERENCES") {
                    constraints.deferredReferences.append(false)
                } else if ends(with: "DEFERRABLE", "INITIALLY", "DEFERRED"),
                    !ends(with: "NOT", "DEFERRABLE", "INITIALLY", "DEFERRED"),
                    let position = constraints.deferredReferences.indices.last
                {
                    constraints.deferredReferences[position] = true
                } else if ends(with: "CHECK"), last.count >= 3, case .word(let word) = last[last.count - 3],
                    word.uppercased() == "CONSTRAINT"
                {
                    switch last[last.count - 2] {
                    case .word(let name), .quoted(let name): constraints.checks.append(name)
                    case .symbol: break
                    }
                }
            }
        }
        return constraints
    }

    private mutating func collations() -> [Identifier: String] {
        var collations: [Identifier: String] = [:]
        var depth = 0
        var column: Identifier?
        var isAtStart = false
        while let token = next() {
            switch token {
            case .symbol(UInt8(ascii: "(")):
                depth += 1
                isAtStart = depth == 1
            case .symbol(UInt8(ascii: ")")):
                depth -= 1
                if depth == 0 { return collations }
            case .symbol(UInt8(ascii: ",")) where depth == 1: isAtStart = true
            case _ where depth != 1: break
            case .word(let word) where isAtStart && Self.constraints.contains(word.uppercased()):
                // Table constraints follow the last column, so no more columns follow.
                return collations
            case .word(let name) where isAtStart, .quoted(let name) where isAtStart:
                column = Identifier(folding: name)
                isAtStart = false
            case .word(let word) where word.uppercased() == "COLLATE":
                guard let column, let collation = next() else { return collations }
                switch collation {
                case .word(let name), .quoted(let name): collations[column] = name.uppercased()
                case .symbol: return collations
                }
            default: break
            }
        }
        return collations
    }

    /// The keywords that begin a table constraint. They are reserved, so a column with such a name is quoted.
    private static let constraints: Set<String> = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

    private mutating func next() -> Token? {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(until: byte, canDouble: true)
            case UInt8(ascii: "["): return quoted(until: UInt8(ascii: "]"), canDouble: false)
            case UInt8(ascii: "-") where follows(UInt8(ascii: "-")):
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            case UInt8(ascii: "/") where follows(UInt8(ascii: "*")): skipComment()
            case _ where Self.isWord(byte):
                let end = bytes[position...].firstIndex { !Self.isWord($0) } ?? bytes.count
                defer { position = end }
                return .word(String(decoding: bytes[position..<end], as: UTF8.self))
            case 0x00...0x20: position += 1
            default:
                position += 1
                return .symbol(byte)
            }
        }
        return nil
    }

    private func follows(_ byte: UInt8) -> Bool { position + 1 < bytes.count && bytes[position + 1] == byte }

    /// Returns true if a byte is part of a word. SQLite treats every non-ASCII byte as a letter.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private mutating func skipComment() {
        position += 2
        while position < bytes.count, !(bytes[position] == UInt8(ascii: "*") && follows(UInt8(ascii: "/"))) {
            position += 1
        }
        position += 2
    }

    private mutating func quoted(until quote: UInt8, canDouble: Bool) -> Token {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            if bytes[position] == quote {
                guard canDouble, follows(quote) else { break }
                position += 1
            }
            content.append(bytes[position])
            position += 1
        }
        position += 1
        return .quoted(String(decoding: content, as: UTF8.self))
    }
}
