/// A statement in a binary log, according to its text.
enum LoggedStatement: Hashable {
    /// The statement concerns a part of the transaction.
    case savepoint
    /// The statement changes rows of one table. Triggers and foreign keys can change further tables. The name is in
    /// lower case.
    case changesRows(of: String)
    /// The statement changes tables, views, triggers or routines.
    case definition
    /// The statement can change rows of any table.
    case other

    /// - Parameters:
    ///   - text: The text of the statement.
    ///   - isDefinition: True if the log says that the transaction changes definitions.
    init(_ text: String, isDefinition: Bool) {
        let lower = text.lowercased()
        func begins(with words: [String]) -> Bool { words.contains { lower.hasPrefix($0) } }
        if begins(with: ["savepoint ", "rollback to ", "release savepoint "]) {
            self = .savepoint
        } else if begins(with: Self.harmlessDefinitions) {
            self = .other
        } else if isDefinition || begins(with: ["create", "alter", "drop", "rename"]) {
            self = .definition
        } else if case .table(let table) = StatementTarget(of: text), !Self.canCallFunctions(lower, table) {
            self = .changesRows(of: table)
        } else {
            self = .other
        }
    }

    /// The beginnings of definitions that concern no table, view, trigger or routine which other sessions use.
    private static let harmlessDefinitions = [
        "create temporary ", "drop temporary ", "drop /*!40005 temporary", "truncate ", "analyze ", "optimize ",
        "grant ", "revoke ", "set password",
    ]

    /// The words before a parenthesis that do not call a stored function.
    private static let words: Set<String> = [
        "and", "coalesce", "concat", "curdate", "current_date", "current_timestamp", "ifnull", "in", "localtime",
        "localtimestamp", "lower", "not", "now", "nullif", "or", "round", "trim", "upper", "utc_timestamp",
        "value", "values", "when", "where",
    ]

    /// The characters before a parenthesis that do not call a function.
    private static let operators = Set("=,(+-*<>".utf8)

    /// Returns true if a statement may call a stored function, or read a view that calls one, because the function can
    /// change any table. The binary log does not contain these changes in the statement format.
    ///
    /// The function does not distinguish texts and comments from the rest of the statement, because it does not know
    /// how the statement was parsed (`sql_mode`). So the result can be true for no reason.
    private static func canCallFunctions(_ statement: String, _ target: String) -> Bool {
        guard !["select", "/*", "--", "#"].contains(where: statement.contains) else { return true }
        let parts = statement.utf8.split(separator: UInt8(ascii: "("), omittingEmptySubsequences: false).dropLast()
        for (index, part) in parts.enumerated() {
            let text = part.reversed().drop { $0 <= 0x20 }
            let word = text.prefix {
                $0 >= 0x80 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "$") || isAlphanumeric($0)
            }
            // The columns of `INSERT INTO table (…)`. In `INSERT INTO table SET column = table(…)`, it is a call.
            if index == 0, !part.contains(UInt8(ascii: "=")),
                statement.hasPrefix("insert") || statement.hasPrefix("replace"),
                case .table(target) = StatementTarget(of: String(decoding: part, as: UTF8.self))
            {
                continue
            }
            if word.isEmpty {
                // Otherwise it is the end of a quoted name, which can be that of a function.
                guard let last = text.first, operators.contains(last) else { return true }
            } else if text.dropFirst(word.count).first == UInt8(ascii: ".")
                || !words.contains(String(decoding: word.reversed(), as: UTF8.self))
            {
                return true
            }
        }
        return false
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
