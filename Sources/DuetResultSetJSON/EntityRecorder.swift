public import DuetSQLDatabase

/// The columns of a query that hold the key of an entity.
public struct EntityColumns: Sendable, Hashable {
    /// The entity's kind, as a number from 0.
    public let kind: Int
    /// Positions in the result set, in the order of the key's fields.
    public let columns: [Int]

    /// Creates the columns of a key.
    /// - Parameters:
    ///   - kind: The entity's kind, as a number from 0.
    ///   - columns: Positions in the result set, in the order of the key's fields.
    public init(kind: Int, columns: [Int]) {
        self.kind = kind
        self.columns = columns
    }
}

/// Records which entities the rows of a body show. Used by one adapter after the other, on one thread.
public final class EntityRecorder {
    /// By kind.
    private var found: [Keys]

    /// Creates a recorder without keys.
    /// - Parameters:
    ///   - kinds: The number of kinds.
    ///   - limit: The maximum number of entities of a kind whose keys are recorded.
    public init(kinds: Int, limit: Int) {
        found = Array(repeating: Keys(limit: limit), count: kinds)
    }

    /// The keys of the entities of a kind, each once, in ascending order; nil if there were more than the limit.
    public func keys(_ kind: Int) -> [[SQLValue]]? {
        found[kind].distinct?.map { key in
            switch key {
            case .one(let value): [value]
            case .several(let values): values
            }
        }
    }

    /// Records the row that is being read.
    func note(_ resultSet: ResultSet, _ entities: [EntityColumns]) {
        for entity in entities { found[entity.kind].insert(.of(resultSet, at: entity.columns)) }
    }

    /// The keys of one kind. Consecutive rows mostly show the same entity, so duplicates are removed when there are many.
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
