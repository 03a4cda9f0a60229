/// A value in a row of a dump.
enum DumpLiteral: Equatable {
    case null
    case integer(Int64)
    case text(String)
}

/// A reader of the `INSERT INTO … VALUES (…), (…);` statements of a dump. It reads one row at a time.
struct DumpReader {
    /// The treatment of statements other than `INSERT`.
    enum OtherStatements {
        /// Skips the statements that `mysqldump` writes before and after the rows, such as `LOCK TABLES` and `SET`, and
        /// rejects all other statements.
        case refused
        /// Skips all statements except `INSERT`.
        case skipped
    }

    private static let harmless = ["LOCK", "UNLOCK", "SET", "USE", "START", "BEGIN", "COMMIT"]

    private var tokenizer: DumpTokenizer
    private let others: OtherStatements
    private var hasRows = false
    /// The number of the line with the beginning of the latest row or statement.
    private(set) var line = 1

    init(_ reader: ByteReader, otherStatements: OtherStatements = .refused) {
        tokenizer = DumpTokenizer(reader)
        others = otherStatements
    }

    var file: String { tokenizer.file }
    var bytesRead: Int { tokenizer.bytesRead }

    /// The location of the latest row or statement.
    var location: LoadError.Location { .init(file: file, line: line) }

    /// Moves to the first row of the next `INSERT`.
    /// - Returns: The table, and the columns if the statement contains a list of columns; `nil` at the end of the file.
    mutating func nextInsert() throws(LoadError) -> (table: String, columns: [String]?)? {
        while true {
            let token = try tokenizer.next()
            line = tokenizer.line
            switch token {
            case .end:
                return nil
            case .semicolon:
                continue
            case .word where token.isKeyword("INSERT"):
                return try insert()
            case .word(let word) where others == .skipped || Self.harmless.contains(word.uppercased()):
                try skipStatement()
            default:
                throw tokenizer.malformed("\(token) begins a statement; expected INSERT INTO `table` VALUES (…), (…);")
            }
        }
    }

    /// Returns the values of the next row; `nil` after the last row of the statement.
    mutating func nextRow() throws(LoadError) -> [DumpLiteral]? {
        if hasRows {
            switch try tokenizer.next() {
            case .comma: break
            case .semicolon: return nil
            case let token: throw tokenizer.malformed("\(token) follows a row; expected ',' or ';'")
            }
        }
        hasRows = true
        try expect(.openParenthesis, "a row that begins with '('")
        line = tokenizer.line
        var values: [DumpLiteral] = []
        values.reserveCapacity(6)
        while true {
            values.append(try literal())
            switch try tokenizer.next() {
            case .comma: continue
            case .closeParenthesis: return values
            case let token: throw tokenizer.malformed("\(token) follows a value; expected ',' or ')'")
            }
        }
    }

    private mutating func insert() throws(LoadError) -> (table: String, columns: [String]?) {
        let into = try tokenizer.next()
        guard into.isKeyword("INTO") else { throw tokenizer.malformed("\(into) follows INSERT; expected INTO") }
        let table = try name("a table's name")
        var columns: [String]?
        var token = try tokenizer.next()
        if token == .openParenthesis {
            columns = try columnList()
            token = try tokenizer.next()
        }
        guard token.isKeyword("VALUES") else { throw tokenizer.malformed("found \(token); expected VALUES") }
        hasRows = false
        return (table, columns)
    }

    private mutating func columnList() throws(LoadError) -> [String] {
        var columns: [String] = []
        while true {
            columns.append(try name("a column's name"))
            switch try tokenizer.next() {
            case .comma: continue
            case .closeParenthesis: return columns
            case let token: throw tokenizer.malformed("\(token) follows a column's name; expected ',' or ')'")
            }
        }
    }

    private mutating func name(_ expected: String) throws(LoadError) -> String {
        switch try tokenizer.next() {
        case .word(let name), .identifier(let name): return name
        case let token: throw tokenizer.malformed("found \(token); expected \(expected)")
        }
    }

    private mutating func literal() throws(LoadError) -> DumpLiteral {
        switch try tokenizer.next() {
        case .integer(let value): return .integer(value)
        case .text(let text): return .text(text)
        case let token where token.isKeyword("NULL"): return .null
        case let token:
            throw tokenizer.malformed("found \(token); expected a value: a whole number, a quoted text, or NULL")
        }
    }

    private mutating func expect(_ expected: DumpToken, _ what: String) throws(LoadError) {
        let token = try tokenizer.next()
        guard token == expected else { throw tokenizer.malformed("found \(token); expected \(what)") }
    }

    private mutating func skipStatement() throws(LoadError) {
        var token = try tokenizer.next()
        while token != .semicolon {
            guard token != .end else { throw tokenizer.malformed("the file ends within a statement; expected ';'") }
            token = try tokenizer.next()
        }
    }
}
