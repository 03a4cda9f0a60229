public import SQLDatabase

/// Notes which entities the rows of a body show, by the columns that hold their keys.
///
/// A row of whatever query is about the employee whose number it shows. The first column of an attached query is no part of that:
/// it repeats the key of the row above. Used by one adapter after the other, on one thread.
public final class EntityRecorder {
    private let labels: [String]
    /// By label.
    private var found: [Keys]

    /// Nothing yet.
    /// - Parameters:
    ///   - labels: of the columns whose values are keys.
    ///   - limit: of how many entities of a kind the keys are kept.
    public init(labels: [String], limit: Int) {
        self.labels = labels
        found = Array(repeating: Keys(limit: limit), count: labels.count)
    }

    /// The keys that columns with a label have shown: integers and texts, each once, in ascending order; nil if there were more than
    /// the limit.
    public func keys(_ label: String) -> [SQLValue]? {
        guard let index = labels.firstIndex(of: label) else { return [] }
        return found[index].distinct
    }

    /// A column that holds keys.
    struct Column {
        let index: Int
        /// Which of the labels it has.
        let label: Int
    }

    /// The columns of a result set that hold keys.
    func columns(of resultSet: ResultSet, isAttached: Bool) -> [Column] {
        resultSet.columns.enumerated().dropFirst(isAttached ? 1 : 0).compactMap { index, column in
            labels.firstIndex(of: column.name).map { Column(index: index, label: $0) }
        }
    }

    /// Notes the row that is being read.
    func note(_ resultSet: ResultSet, _ columns: [Column]) {
        for column in columns { found[column.label].insert(resultSet.value(at: column.index)) }
    }

    /// The keys of one kind. Rows of one entity mostly come together, so that telling apart what comes again is put off until there
    /// is a handful.
    private struct Keys {
        let limit: Int
        private var kept: [SQLValue] = []
        private var isOverLimit = false

        init(limit: Int) {
            self.limit = limit
        }

        mutating func insert(_ key: SQLValue) {
            guard !isOverLimit, key != .null, key != kept.last else { return }
            if kept.count >= 4 * limit {
                kept = Self.distinct(kept)
                isOverLimit = kept.count > limit
            }
            kept.append(key)
        }

        var distinct: [SQLValue]? {
            let keys = Self.distinct(kept)
            return isOverLimit || keys.count > limit ? nil : keys
        }

        private static func distinct(_ keys: [SQLValue]) -> [SQLValue] {
            guard keys.count > 1 else { return keys }
            var distinct: [SQLValue] = []
            distinct.reserveCapacity(keys.count)
            for key in keys.sorted(by: precedes) where key != distinct.last { distinct.append(key) }
            return distinct
        }

        private static func precedes(_ left: SQLValue, _ right: SQLValue) -> Bool {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): left < right
            case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
            case (.integer, _): true
            default: false
            }
        }
    }
}
