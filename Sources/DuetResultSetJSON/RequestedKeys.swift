import DuetSQLDatabase

/// The keys that are passed as arguments to an attached query, called the *requested* keys. ``check(_:)`` detects rows
/// whose keys were not requested. Without the check, such rows would be missing from the response without an error.
struct RequestedKeys {
    let attachment: Attachment
    /// The rows of the query.
    let resultSet: ResultSet
    let keys: Arguments.Argument
    let dialect: Dialect
    /// True if the query was run for one parent row, so that all its rows belong to this parent row. The key in the
    /// rows may then differ from the argument, for example in letter case.
    var isOfOneRow = false

    /// The keys in the order of their indices, if the query selects the index of a key instead of the key; nil
    /// otherwise.
    var byPosition: [RowKey]? { attachment.statement.numbersKeys ? keys.keyRows.map(RowKey.init) : nil }

    /// The key of the parent row if the query was run for only one; nil otherwise. All rows belong to this key.
    var onlyKey: RowKey? { isOfOneRow ? keys.keyRows.first.map(RowKey.init) : nil }

    /// Checks the keys of the rows.
    /// - Parameter found: The keys of the rows in order, without consecutive duplicates.
    /// - Throws: `DatabaseError` if the database cannot treat a key as equal to any argument of the query, or if the
    ///   adapter cannot assign a row to its parent row because the key has a different text than the argument.
    func check(_ found: [RowKey]) throws {
        if attachment.statement.numbersKeys {
            // An index outside the list of keys was replaced by NULL.
            if found.contains(.one(.null)) { throw attachment.foreignKey }
            return
        }
        guard !attachment.statement.returnsOtherKeys, let mismatch = mismatch(found) else { return }
        throw mismatch.mayBeEqual ? attachment.otherSpelling(mismatch.key) : attachment.foreignKey
    }

    /// Checks the keys of the rows of a count query.
    /// - Parameter sql: The text of the query.
    /// - Throws: `DatabaseError`; see ``check(_:)``.
    func checkCounted(_ found: [RowKey], _ sql: String) throws {
        guard attachment.isWritten, let mismatch = mismatch(found) else { return }
        if mismatch.mayBeEqual { throw attachment.otherSpelling(mismatch.key, sql) }
        throw attachment.error(
            "a row of its count query has the key \(mismatch.key.description), which is not the key of a parent row; if "
                + "the types of the columns differ, CAST the key column to the type of the key",
            sql)
    }

    /// Returns the first key that cannot be assigned to a parent row. `mayBeEqual` is true if the database may compare
    /// it as equal to the key of a parent row.
    private func mismatch(_ found: [RowKey]) -> (key: RowKey, mayBeEqual: Bool)? {
        guard let first = firstOther(found) else { return nil }
        let requested = keys.keyRows.map(RowKey.init)
        let known = Set(requested)
        for key in found[first...] where !known.contains(key) {
            let mayBeEqual = requested.contains { self.mayBeEqual(key, $0) }
            if !mayBeEqual || (!isOfOneRow && attachment.isWritten) { return (key, mayBeEqual) }
        }
        return nil
    }

    /// Returns the index of the first found key that is not an argument or is not in the order of the arguments; nil if
    /// there is no such key. Usually there is none, so ``check(_:)`` need not create a set of the arguments.
    private func firstOther(_ found: [RowKey]) -> Int? {
        guard case .list(let requested) = keys else {
            let requested = keys.keyRows.map(RowKey.init)
            return Self.firstOther(found, requested.count) { requested[$1] == found[$0] }
        }
        return Self.firstOther(found, requested.count) { index, position in
            guard case .one(let value) = found[index] else { return false }
            if case .integer(let integer) = value, case .integer(let other) = requested[position] {
                return integer == other
            }
            return value == requested[position]
        }
    }

    @inline(__always)
    private static func firstOther(_ found: [RowKey], _ count: Int, _ isEqual: (_ index: Int, _ position: Int) -> Bool)
        -> Int?
    {
        var position = 0
        for index in found.indices {
            while position < count, !isEqual(index, position) { position += 1 }
            guard position < count else { return index }
            position += 1
        }
        return nil
    }

    // MARK: Values that differ

    private func mayBeEqual(_ key: RowKey, _ requested: RowKey) -> Bool {
        switch (key, requested) {
        case (.one(let value), .one(let requested)): mayBeEqual(value, requested)
        case (.several(let values), .several(let requested)):
            values.count == requested.count && zip(values, requested).allSatisfy { mayBeEqual($0, $1) }
        default: false
        }
    }

    /// Returns true if the database may treat the values as equal under some collation. If the query was run for
    /// several parent rows, the result is false for a row value of another type, because it cannot be assigned to a
    /// parent row.
    private func mayBeEqual(_ value: SQLValue, _ requested: SQLValue) -> Bool {
        switch (value, requested) {
        case (.null, _), (_, .null): return false
        case _ where value == requested: return true
        case (.text(let text), .text(let other)), (.text(let text), .decimal(let other)):
            return mayBeEqual(text, other)
        // The database may convert values for a comparison, so values of different types may be equal.
        default:
            guard isOfOneRow else { return false }
            guard let number = value.number, let other = requested.number else { return true }
            return number == other
        }
    }

    /// Returns true if a collation may treat the texts as equal. A collation may ignore case, accents and trailing
    /// spaces. MariaDB also has types whose equal values have different texts, such as decimals with trailing zeros.
    private func mayBeEqual(_ text: String, _ other: String) -> Bool {
        if isOfOneRow, dialect.equatesDifferentTexts { return true }
        guard text.utf8.allSatisfy({ $0 < 0x80 }), other.utf8.allSatisfy({ $0 < 0x80 }) else {
            return dialect.equatesDifferentTexts
        }
        func folded(_ text: String) -> Substring.UTF8View {
            var rest = text.lowercased()[...].utf8
            while let last = rest.last, last <= 0x20 { rest.removeLast() }
            return rest
        }
        return folded(text).elementsEqual(folded(other))
    }
}

extension SQLValue {
    /// The value that the database uses in a comparison with a number; nil for NULL, a date or a blob. For a text, this
    /// is the number at its beginning, as on MariaDB.
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): return Double(value)
        case .unsigned(let value): return Double(value)
        case .double(let value): return value
        case .text(let text), .decimal(let text):
            let digits = text.drop { $0.isWhitespace }.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
            return (0...digits.count).lazy.compactMap { Double(digits.dropLast($0)) }.first ?? 0
        case .null, .date, .blob: return nil
        }
    }
}
