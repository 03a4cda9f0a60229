/// Finds the parts of a definition in MariaDB with which a copy of the definition could write to another database.
struct DefinitionReach {
    private let database: String
    /// The databases that the account sees, in lower case. A copied trigger has the rights of the account.
    private let visible: Set<String>

    /// - Parameters:
    ///   - database: The database that contains the definitions.
    ///   - visible: The names of the databases that the account sees.
    init(database: String, visible: [String]) {
        self.database = database.lowercased()
        self.visible = Set(visible.map { $0.lowercased() }).union([self.database])
    }

    /// The words that can have an effect outside of the tables of the database.
    private static let refused: Set<String> = ["call", "outfile", "dumpfile", "global"]

    /// Returns the first part of a trigger that can concern another database; nil if there is none.
    /// - Parameter mode: The value of `sql_mode` for the trigger.
    func ofTrigger(_ text: String, mode: String) -> String? {
        let tokens = DefinitionTokens(text, mode: mode).tokens
        if tokens.contains(.executableComment) { return "an executable comment" }
        for (index, token) in tokens.enumerated() {
            if case .word(let word) = token, Self.refused.contains(word) { return word.uppercased() }
            if let name = qualifier(at: index, tokens) { return "the name of the database \(name)" }
        }
        return nil
    }

    /// Returns the first part of a table or a view, as the server prints it, that can concern another database; nil if
    /// there is none. A foreign key only reads the table of another database.
    func ofPrinted(_ text: String) -> String? {
        // Whether the server escapes with a backslash depends on its version.
        ofPrinted(text, mode: "") ?? ofPrinted(text, mode: "NO_BACKSLASH_ESCAPES")
    }

    private func ofPrinted(_ text: String, mode: String) -> String? {
        let tokens = DefinitionTokens(text, mode: mode).tokens
        for index in tokens.indices {
            guard let name = qualifier(at: index, tokens) else { continue }
            let isForeignKey = index > 0 && tokens[index - 1] == .word("references")
            guard isForeignKey, name != database else { return "the name of the database \(name)" }
        }
        return nil
    }

    /// Returns the name of a database that is followed by a dot.
    private func qualifier(at index: Int, _ tokens: [DefinitionTokens.Token]) -> String? {
        guard index + 1 < tokens.count, tokens[index + 1] == .other(".") else { return nil }
        switch tokens[index] {
        case .word(let name), .name(let name): return visible.contains(name) ? name : nil
        default: return nil
        }
    }
}

/// The tokens of a definition, without comments. Like the server, it reads code points: outside of ASCII, all of them
/// are parts of names.
struct DefinitionTokens {
    /// A token. Words and names are in lower case.
    enum Token: Equatable {
        /// A key word or a name without quotation marks, or a number.
        case word(String)
        /// A name in quotation marks.
        case name(String)
        case string
        /// A comment that the server executes, such as `/*! … */`.
        case executableComment
        case other(Unicode.Scalar)
    }

    private(set) var tokens: [Token] = []
    private var rest: Substring.UnicodeScalarView
    private let hasQuotedNames: Bool
    private let hasEscapes: Bool

    init(_ text: String, mode: String) {
        let modes = mode.uppercased().split(separator: ",")
        hasQuotedNames = modes.contains("ANSI_QUOTES")
        hasEscapes = !modes.contains("NO_BACKSLASH_ESCAPES")
        rest = text[...].unicodeScalars
        while let scalar = rest.first { read(scalar) }
    }

    private mutating func read(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "`": tokens.append(.name(quoted("`", hasEscapes: false).lowercased()))
        case "\"" where hasQuotedNames: tokens.append(.name(quoted("\"", hasEscapes: false).lowercased()))
        case "'", "\"":
            _ = quoted(scalar, hasEscapes: hasEscapes)
            tokens.append(.string)
        case "#": skipLine()
        case "-" where begins("--") && rest.dropFirst(2).first.map { $0.value <= 32 } != false: skipLine()
        case "/" where begins("/*"):
            if begins("/*!") || begins("/*M!") { tokens.append(.executableComment) }
            rest = rest.dropFirst(2)
            while !rest.isEmpty, !begins("*/") { rest = rest.dropFirst() }
            rest = rest.dropFirst(2)
        case _ where Self.isOfWord(scalar):
            let word = rest.prefix(while: Self.isOfWord)
            tokens.append(.word(String(word).lowercased()))
            rest = rest[word.endIndex...]
        default:
            if scalar.value > 32 { tokens.append(.other(scalar)) }
            rest = rest.dropFirst()
        }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: !scalar.isASCII
        }
    }

    private func begins(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

    private mutating func skipLine() {
        rest = rest.drop { $0 != "\n" }
    }

    /// Removes a text in quotation marks, and returns it without them. Two quotation marks in the text are one.
    private mutating func quoted(_ mark: Unicode.Scalar, hasEscapes: Bool) -> String {
        var text = String.UnicodeScalarView()
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            if hasEscapes, scalar == "\\" {
                rest = rest.dropFirst()
            } else if scalar != mark {
                text.append(scalar)
            } else if rest.first == mark {
                text.append(mark)
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return String(text)
    }
}
