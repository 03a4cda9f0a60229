public import SQLDatabase

/// Notes which entities the rows of a body show, by the columns that hold their keys.
///
/// A row of whatever query is about the employee whose number it shows. The first column of an attached query is no part of that:
/// it repeats the key of the row above. Used by one adapter after the other, on one thread.
public final class EntityRecorder {
    /// An entity.
    public struct Entity: Hashable {
        /// What kind of thing it is, such as `Employee`.
        public let kind: String
        /// Its key.
        public let key: SQLValue
    }

    private let kinds: [String: String]
    private let limit: Int
    private var found: [String: Set<SQLValue>] = [:]

    /// Nothing yet.
    /// - Parameters:
    ///   - kinds: what a column's values are keys of, by the column's label.
    ///   - limit: of how many entities of a kind the keys are kept.
    public init(kinds: [String: String], limit: Int) {
        self.kinds = kinds
        self.limit = limit
    }

    /// The entities in no order; nil instead of those of a kind that has more than the limit.
    public func entities(of kind: String) -> [Entity]? {
        guard let keys = found[kind] else { return [] }
        return keys.count > limit ? nil : keys.map { Entity(kind: kind, key: $0) }
    }

    /// A column that holds keys.
    struct Column {
        let index: Int
        let kind: String
    }

    /// The columns of a result set that hold keys.
    func columns(of resultSet: ResultSet, isAttached: Bool) -> [Column] {
        resultSet.columns.enumerated().dropFirst(isAttached ? 1 : 0).compactMap { index, column in
            kinds[column.name].map { Column(index: index, kind: $0) }
        }
    }

    /// Notes the row that is being read.
    func note(_ resultSet: ResultSet, _ columns: [Column]) {
        for column in columns where found[column.kind]?.count ?? 0 <= limit {
            let key = resultSet.value(at: column.index)
            if key != .null { found[column.kind, default: []].insert(key) }
        }
    }
}
