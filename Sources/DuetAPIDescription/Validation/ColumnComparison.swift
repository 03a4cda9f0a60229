import DuetSQLDatabase

/// The comparison of the two columns of a relation.
struct ColumnComparison {
    /// A group of column types. The database can compare values of one group without a conversion that changes their
    /// meaning.
    private enum Class {
        case number, text, binary, moment, time, uuid, address, any, other
    }

    private let left: TableColumn
    private let right: TableColumn
    private let dialect: Dialect
    private let hasCollation: Bool
    private let referenced: TableColumn?

    /// - Parameters:
    ///   - hasCollation: True if the collations of the columns are not compared, because the relation specifies a
    ///     collation, or because the database does not report the collations.
    ///   - referenced: The column that a foreign key references; nil without a foreign key.
    init(
        _ left: TableColumn, _ right: TableColumn, _ dialect: Dialect, hasCollation: Bool = false,
        referenced: TableColumn? = nil
    ) {
        self.left = left
        self.right = right
        self.dialect = dialect
        self.hasCollation = hasCollation
        self.referenced = referenced
    }

    /// The problem that a comparison of the columns has; nil if there is none.
    var problem: Misfit? {
        let (first, second) = (Self.class(of: left.type), Self.class(of: right.type))
        if !hasCollation, first == .text, second == .text, let problem = collationProblem { return problem }
        if !dialect.enforcesTypes {
            // Before a comparison, SQLite converts between texts and numbers, but not between texts and binary values.
            let forms = [left, right].map { Affinity($0.declaredType) }
            return forms.contains(.bytes) && forms.contains(.text)
                ? .warning("values are equal only if both are stored as texts or both as bytes") : nil
        }
        if first == second { return nil }
        switch (first, second) {
        case (.text, .binary), (.binary, .text), (.text, .uuid), (.uuid, .text), (.binary, .uuid), (.uuid, .binary),
            (.text, .address), (.address, .text), (.binary, .address), (.address, .binary):
            return .warning("values are converted for each comparison, so no index is used")
        default: return .error("their types are not comparable")
        }
    }

    /// The problem that different collations cause; nil if there is none. MariaDB rejects two collations of one
    /// character set, unless one of them is binary and takes precedence
    /// (mariadb.com/kb/en/character-set-and-collation-overview).
    private var collationProblem: Misfit? {
        let unnamed = dialect.defaultCollation
        guard let first = left.collation ?? unnamed, let second = right.collation ?? unnamed, first != second else {
            return nil
        }
        let advised = referenced.flatMap { $0.collation ?? unnamed } ?? Self.advised([first, second], dialect)
        let advice = "specify the collation to use: collations: {\(left.name): \(advised)}"
        guard dialect.rejectsMixedCollations else {
            return .warning("their collations are \(first) and \(second); \(advice)")
        }
        guard left.characterSet == right.characterSet else {
            return [left, right].contains(where: \.hasUnicode)
                ? nil
                : .error(
                    "the collations \(first) and \(second) belong to different character sets and are not comparable")
        }
        if first.hasSuffix("_bin") != second.hasSuffix("_bin") {
            return .warning("the collations \(first) and \(second) differ; \(advice)")
        }
        return .error(
            "the collations \(first) and \(second) are not comparable; use the same collation for both columns, or \(advice)"
        )
    }

    /// Returns the collation to recommend if there is no foreign key. If the database rejects different collations, it
    /// is the binary collation, which takes precedence. Otherwise it is a collation other than the default. The result
    /// is independent of the order of the collations, so a relation and its inverse get the same advice.
    private static func advised(_ collations: [String], _ dialect: Dialect) -> String {
        let sorted = collations.sorted()
        return sorted.first {
            dialect.rejectsMixedCollations ? $0.hasSuffix("_bin") : $0 != dialect.defaultCollation
        } ?? sorted[0]
    }

    private static func `class`(of type: ColumnType) -> Class {
        switch type {
        case .integer, .boolean, .decimal, .double, .float, .year, .bits: .number
        case .text, .character, .enumeration, .set, .json: .text
        case .inet4, .inet6: .address
        case .binary: .binary
        case .date, .dateTime, .timestamp: .moment
        case .time: .time
        case .uuid: .uuid
        case .any: .any
        case .other: .other
        }
    }
}

extension TableColumn {
    /// The character set of a text column of MariaDB.
    var characterSet: String? { collation.map { String($0.prefix { $0 != "_" }) } }

    /// True if MariaDB can compare the column with a column of any other character set: the character set of the column
    /// is Unicode, or ASCII, which all other character sets contain.
    fileprivate var hasUnicode: Bool {
        characterSet.map { $0.hasPrefix("utf") || ["ucs2", "ascii"].contains($0) } ?? true
    }
}
