/// The constraint that a statement violates, as the message of the database describes it. Except for the text of a
/// trigger, it contains names only, and no values of rows or of arguments.
public struct ConstraintViolation: Sendable, Hashable {
    /// The kind of a violation.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Another row has the same primary or unique key.
        case unique
        /// A foreign key refers to no row.
        case missingParent
        /// Other rows refer to the row.
        case rowInUse
        /// A foreign key is violated. The database does not report whether the referenced or the referring row is
        /// missing.
        case foreignKey
        /// A CHECK constraint.
        case check
        /// A trigger has rejected the change.
        case trigger
        /// A column that cannot be NULL has no value.
        case notNull
        /// A text or a binary value is too long.
        case tooLong
        /// A number is outside the range of its column.
        case outOfRange
        /// A value does not have the type of its column.
        case invalid
    }

    /// The kind.
    public var kind: Kind
    /// The table; nil if the database does not report it.
    public var table: String?
    /// The columns; empty if the database does not report them.
    public var columns: [String] = []
    /// The name of the unique index, of the foreign key or of the CHECK constraint. SQLite reports the expression of a
    /// CHECK constraint without a name.
    public var name: String?
    /// The text of a trigger, which the owner of the database has written. It can contain values.
    public var message: String?

    /// Creates a violation.
    public init(
        _ kind: Kind, table: String? = nil, columns: [String] = [], name: String? = nil, message: String? = nil
    ) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.name = name
        self.message = message
    }
}

extension DatabaseError {
    /// The violated constraint; nil for any other error, and for an error whose message has an unknown form.
    public var violation: ConstraintViolation? {
        guard [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(code), let backendCode else {
            return nil
        }
        let parts = backendCode.split(separator: "/")
        guard let number = parts.last.flatMap({ Int($0) }) else { return nil }
        return parts.count == 2
            ? ConstraintViolation(mariaDB: number, state: String(parts[0]), message)
            : ConstraintViolation(sqlite: number, message)
    }
}

// MARK: SQLite

extension ConstraintViolation {
    /// Creates the violation from an extended result code and the message (sqlite.org/rescode.html).
    init?(sqlite code: Int, _ message: String) {
        func detail(_ prefix: String) -> String? {
            message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
        }
        switch code {
        case 1555, 2067, 2579:
            guard let detail = detail("UNIQUE constraint failed: ") else { return nil }
            if let index = detail.wholeMatch(of: /index '(.+)'/) {
                self.init(.unique, name: String(index.1))
            } else {
                let columns = detail.split(separator: ", ").map(Self.column)
                self.init(.unique, table: columns.first?.table, columns: columns.map(\.column))
            }
        case 787: self.init(.foreignKey)
        // SQLite implements the action RESTRICT as a trigger.
        case 1811 where message.hasPrefix("FOREIGN KEY"): self.init(.rowInUse)
        case 1811: self.init(.trigger, message: message)
        case 275:
            guard let name = detail("CHECK constraint failed: ") else { return nil }
            self.init(.check, name: name)
        case 1299:
            guard let detail = detail("NOT NULL constraint failed: ") else { return nil }
            let (table, column) = Self.column(detail[...])
            self.init(.notNull, table: table, columns: [column])
        case 3091:
            // The message begins with `cannot store TEXT value in INTEGER column`.
            guard let found = message.firstMatch(of: /^cannot store .+ value in .+ column (.+)$/) else { return nil }
            let (table, column) = Self.column(found.1)
            self.init(.invalid, table: table, columns: [column])
        case 18: self.init(.tooLong)
        // The key of a table with row IDs is not an integer.
        case 20: self.init(.invalid)
        default: return nil
        }
    }

    /// Separates the name of a table and the name of a column.
    private static func column(_ text: Substring) -> (table: String?, column: String) {
        guard let period = text.lastIndex(of: ".") else { return (nil, String(text)) }
        return (String(text[..<period]), String(text[text.index(after: period)...]))
    }
}

// MARK: MariaDB

extension ConstraintViolation {
    /// Creates the violation from an error number and the message (mariadb.com/kb/en/mariadb-error-codes).
    /// - Parameter state: The SQLSTATE. A trigger can choose the number of its error, but the state begins with `45`.
    init?(mariaDB number: Int, state: String, _ message: String) {
        switch number {
        case 1062, 1586, 1859:
            // MySQL precedes the name of an index by the name of its table.
            guard let name = message.text(after: "for key '", endingWith: "'") else { return nil }
            let parts = name.split(separator: ".", maxSplits: 1)
            self.init(.unique, table: parts.count == 2 ? String(parts[0]) : nil, name: parts.last.map(String.init))
        case 1216, 1452: self.init(.missingParent, ofForeignKey: message)
        case 1217, 1451: self.init(.rowInUse, ofForeignKey: message)
        case 3819:
            guard let found = message.firstMatch(of: /^Check constraint '(.+)' is violated/) else { return nil }
            self.init(.check, name: String(found.1))
        case 4025:
            guard let found = message.firstMatch(of: /^CONSTRAINT `(.+)` failed for `(.+)`\.`(.+)`$/) else {
                return nil
            }
            let table = Self.unquoted(found.3)
            var name = Self.unquoted(found.1)
            // The constraint of a column has the name of its column.
            if name.hasPrefix(table + ".") { name.removeFirst(table.count + 1) }
            self.init(.check, table: table, name: name)
        case 1048:
            guard let found = message.firstMatch(of: /^Column '(.+)' cannot be null/) else { return nil }
            self.init(.notNull, columns: [String(found.1)])
        case 1364:
            guard let found = message.firstMatch(of: /^Field '(.+)' doesn't have a default value/) else { return nil }
            self.init(.notNull, columns: [String(found.1)])
        case 1406: self.init(.tooLong, ofColumn: message)
        case 1264: self.init(.outOfRange, ofColumn: message)
        case 1265, 1292, 1366: self.init(.invalid, ofColumn: message)
        case 1906:
            guard let found = message.firstMatch(of: /generated column '(.+)' in table '(.+)'/) else { return nil }
            self.init(.invalid, table: String(found.2), columns: [String(found.1)])
        case 1644: self.init(.trigger, message: message)
        case _ where state.hasPrefix("45"): self.init(.trigger, message: message)
        default: return nil
        }
    }

    /// Creates the violation of a foreign key: ``… (`db`.`orders`, CONSTRAINT `name` FOREIGN KEY …``. The message has
    /// no names if the account has no privilege for the table.
    private init(_ kind: Kind, ofForeignKey message: String) {
        let found = message.firstMatch(of: /\(`.+?`\.`(.+?)`, CONSTRAINT `(.+?)` FOREIGN KEY/)
        self.init(
            kind, table: (found?.1).map { Self.unquoted($0) }, name: (found?.2).map { Self.unquoted($0) })
    }

    /// Creates the violation of a column: ``… for column 'c' at row 1`` or ``… for column `db`.`t`.`c` at row 1``. The
    /// value that precedes the column can contain the same words.
    private init(_ kind: Kind, ofColumn message: String) {
        guard let name = message.text(after: " for column ", endingWith: " at row ") else {
            self.init(kind)
            return
        }
        if let found = name.wholeMatch(of: /`.*`\.`(.*)`\.`(.+)`/) {
            // The server does not know the table of some columns.
            let table = Self.unquoted(found.1)
            self.init(kind, table: table.isEmpty ? nil : table, columns: [Self.unquoted(found.2)])
        } else {
            self.init(kind, columns: [String(name.drop { $0 == "'" }.prefix { $0 != "'" })])
        }
    }

    private static func unquoted(_ name: Substring) -> String { String(name).replacing("``", with: "`") }
}

extension String {
    /// Returns the text between the last occurrence of `start` and the last occurrence of `end`.
    fileprivate func text(after start: String, endingWith end: String) -> String? {
        guard let start = ranges(of: start).last, let end = ranges(of: end).last,
            start.upperBound <= end.lowerBound
        else { return nil }
        return String(self[start.upperBound..<end.lowerBound])
    }
}
