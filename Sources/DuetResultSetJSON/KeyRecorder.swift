public import DuetSQLDatabase

/// The columns of a result set that form a key, for a ``KeyRecorder``. The key may identify the row itself, or another
/// row to which the row refers.
public struct KeyColumns: Sendable, Hashable {
    /// The zero-based number of the key's kind. A kind is, for example, a table.
    public let kind: Int
    /// The zero-based indices of the columns, in the order of the key's columns.
    public let columns: [Int]

    /// The indices of the columns whose texts the database stores as bytes in UTF-8.
    public let encodedTexts: Set<Int>

    /// Creates a description of a key's columns.
    /// - Parameters:
    ///   - kind: The zero-based number of the key's kind. A kind is, for example, a table.
    ///   - columns: The zero-based indices of the columns, in the order of the key's columns.
    ///   - encodedTexts: The indices of the columns whose texts the database stores as bytes in UTF-8.
    public init(kind: Int, columns: [Int], encodedTexts: Set<Int> = []) {
        self.encodedTexts = encodedTexts
        self.kind = kind
        self.columns = columns
    }
}

/// Records the keys in the rows that adapters write, such as the keys of an invoice and its customer. A cache can use
/// these keys to remove a response when one of its rows changes. Several adapters can use the same recorder one after
/// the other, on one thread.
public final class KeyRecorder {
    /// The recorded keys by kind.
    private var found: [Keys]

    /// Creates a recorder without keys.
    /// - Parameters:
    ///   - kinds: The number of kinds.
    ///   - limit: The maximum number of keys that are recorded for each kind.
    public init(kinds: Int, limit: Int) {
        found = Array(repeating: Keys(limit: limit), count: kinds)
    }

    /// Returns the distinct keys of a kind in ascending order; nil if more keys than the limit were found.
    public func keys(_ kind: Int) -> [[SQLValue]]? {
        found[kind].distinct?.map { key in
            switch key {
            case .one(let value): [value]
            case .several(let values): values
            }
        }
    }

    /// Records the keys of the current row.
    func note(_ resultSet: ResultSet, _ keys: [KeyColumns]) {
        for key in keys {
            found[key.kind].insert(
                key.encodedTexts.isEmpty ? .of(resultSet, at: key.columns) : Self.decoded(resultSet, key))
        }
    }

    private static func decoded(_ resultSet: ResultSet, _ key: KeyColumns) -> RowKey {
        let values = key.columns.map { column in
            let value = resultSet.value(at: column)
            return key.encodedTexts.contains(column) ? value.textOfBytes : value
        }
        return values.count == 1 ? .one(values[0]) : .several(values)
    }

    /// The keys of one kind. If consecutive rows have the same key, it is stored once. Other duplicates are rare, so
    /// they are removed only when there are many keys.
    private struct Keys {
        let limit: Int
        private var keys: [RowKey] = []
        private var isOverLimit = false

        init(limit: Int) {
            self.limit = limit
        }

        mutating func insert(_ key: RowKey) {
            guard !isOverLimit, key != keys.last, !key.hasNull else { return }
            if keys.count >= 4 * limit {
                keys = Self.distinct(keys)
                isOverLimit = keys.count > limit
            }
            keys.append(key)
        }

        var distinct: [RowKey]? {
            let keys = Self.distinct(keys)
            return isOverLimit || keys.count > limit ? nil : keys
        }

        private static func distinct(_ keys: [RowKey]) -> [RowKey] {
            guard keys.count > 1 else { return keys }
            var distinct: [RowKey] = []
            distinct.reserveCapacity(keys.count)
            for key in keys.sorted(by: precedes) where key != distinct.last { distinct.append(key) }
            return distinct
        }

        private static func precedes(_ left: RowKey, _ right: RowKey) -> Bool {
            switch (left, right) {
            case (.one(let left), .one(let right)): precedes(left, right)
            case (.several(let left), .several(let right)): left.lexicographicallyPrecedes(right, by: precedes)
            case (.one, .several): true
            case (.several, .one): false
            }
        }

        private static func precedes(_ left: SQLValue, _ right: SQLValue) -> Bool {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): left < right
            case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
            case (.date(let left), .date(let right)): left < right
            case (.integer, _): true
            case (.text, .date): true
            default: false
            }
        }
    }
}
