/// The table that a statement changes, according to its text.
enum StatementTarget: Sendable, Hashable {
    /// The statement changes no table.
    case none
    /// The statement changes rows of one table. The name is in lower case.
    case table(String)
    /// The statement can change any table.
    case unknown

    /// Reads the beginning of a statement. A form that the function does not know is ``unknown``.
    init(of sql: String) {
        var words = SQLWords(sql[...].utf8)
        switch words.next() {
        case .word("select"), .word("values"), .word("explain"), .word("show"), .word("savepoint"), .word("release"),
            .word("rollback"):
            self = .none
        case .word("insert"), .word("replace"):
            var word = words.next()
            if word == .word("or") {
                _ = words.next()
                word = words.next()
            }
            if word == .word("ignore") { word = words.next() }
            // `INTO` is optional in MariaDB.
            self = word == .word("into") ? Self.table(&words) { $0 == .symbol(".") } : .unknown
        case .word("update"):
            var word = words.peek()
            if word == .word("or") {
                _ = words.next()
                _ = words.next()
                word = words.peek()
            }
            if word == .word("ignore") || word == .word("low_priority") { _ = words.next() }
            self = Self.table(&words) { $0 != .word("set") }
        case .word("delete"):
            let first = words.next()
            // MariaDB: `DELETE t FROM table AS t WHERE …`.
            if first != .word("from"), words.next() != .word("from") {
                self = .unknown
                return
            }
            self = Self.table(&words) { next in
                switch next {
                case nil, .word("where"), .word("order"), .word("limit"), .word("returning"): false
                default: true
                }
            }
        default: self = .unknown
        }
    }

    /// Reads the name of a table and its alias.
    /// - Parameter isOther: Returns true if the statement may concern another table, according to the next word.
    private static func table(_ words: inout SQLWords, _ isOther: (SQLWords.Word?) -> Bool) -> StatementTarget {
        guard let name = words.next()?.name else { return .unknown }
        if words.peek() == .word("as") {
            _ = words.next()
            guard words.next()?.name != nil else { return .unknown }
        }
        return isOther(words.peek()) ? .unknown : .table(name)
    }
}

/// The words at the beginning of a statement.
private struct SQLWords {
    enum Word: Hashable {
        /// A word without quotes, in lower case.
        case word(String)
        /// A name in quotes, in lower case.
        case quoted(String)
        case symbol(Unicode.Scalar)

        /// The name of a table or an alias.
        var name: String? {
            switch self {
            case .word(let name), .quoted(let name): name
            case .symbol: nil
            }
        }
    }

    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }

    func peek() -> Word? {
        var copy = self
        return copy.next()
    }

    mutating func next() -> Word? {
        rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "`") || first == UInt8(ascii: "\"") { return quoted(by: first) }
        let word = rest.prefix { byte in
            byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard !word.isEmpty else {
            rest = rest.dropFirst()
            return .symbol(Unicode.Scalar(first))
        }
        rest = rest[word.endIndex...]
        return .word(String(Substring(word)).lowercased())
    }

    private mutating func quoted(by quote: UInt8) -> Word? {
        var name: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.first {
            rest = rest.dropFirst()
            if byte == quote {
                guard rest.first == quote else { return .quoted(String(decoding: name, as: UTF8.self).lowercased()) }
                rest = rest.dropFirst()
            }
            name.append(byte)
        }
        return nil
    }
}

/// The tables that the statements of a transaction have changed.
struct ChangedTables: Sendable, Hashable {
    /// The names in lower case; nil if any table may have changed.
    private(set) var names: Set<String>? = []

    /// Adds the table that a statement changes.
    mutating func add(_ target: StatementTarget) {
        switch target {
        case .none: break
        case .table(let name): if names?.contains(name) == false { names?.insert(name) }
        case .unknown: names = nil
        }
    }
}
