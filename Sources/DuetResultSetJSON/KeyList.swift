import DuetSQLDatabase

/// The values that assign attached rows to a parent row: usually the value of one column, and otherwise the values of
/// several columns.
enum RowKey: Hashable {
    case one(SQLValue)
    case several([SQLValue])

    /// Creates a key from the values of its columns.
    init(_ values: [SQLValue]) {
        self = values.count == 1 ? .one(values[0]) : .several(values)
    }

    /// The values as a text for errors: `5` or `(a, 5)`.
    var description: String {
        func text(_ value: SQLValue) -> String {
            switch value {
            case .null: "NULL"
            case .integer(let value): "\(value)"
            case .unsigned(let value): "\(value)"
            case .double(let value): "\(value)"
            case .text(let text), .decimal(let text): text
            case .date(let date): "\(date)"
            case .blob(let bytes): "a blob of \(bytes.count) bytes"
            }
        }
        return switch self {
        case .one(let value): text(value)
        case .several(let values): "(\(values.map(text).joined(separator: ", ")))"
        }
    }

    /// True if a value is NULL. Such a key matches no row.
    var hasNull: Bool {
        switch self {
        case .one(let value): value == .null
        case .several(let values): values.contains(.null)
        }
    }

    /// The argument of `IN (:name)` in a query for one parent row.
    var argument: Arguments.Argument {
        switch self {
        case .one(let value): .value(value)
        case .several(let values): .rows([values])
        }
    }

    /// Returns the key of the current row.
    static func of(_ resultSet: ResultSet, at columns: [Int]) -> RowKey {
        columns.count == 1
            ? .one(resultSet.value(at: columns[0])) : .several(columns.map { resultSet.value(at: $0) })
    }
}

/// The keys of rows, and the distinct keys.
struct KeyList {
    /// The key of each row.
    private(set) var ofRows: [RowKey] = []

    mutating func append(_ key: RowKey) {
        ofRows.append(key)
    }

    /// The distinct keys without NULL as the argument of `IN (:name)`; nil if there are no such keys. Integers are
    /// sorted in ascending order, so that a statement can select consecutive integers as a range.
    var distinct: Arguments.Argument? {
        var integers: [Int64] = []
        integers.reserveCapacity(ofRows.count)
        var isAscending = true
        for key in ofRows {
            guard case .one(.integer(let integer)) = key else { return others }
            if let last = integers.last, last >= integer { isAscending = false }
            integers.append(integer)
        }
        guard !integers.isEmpty else { return nil }
        if !isAscending { integers = Set(integers).sorted() }
        return .list(integers.map { .integer($0) })
    }

    private var others: Arguments.Argument? {
        var seen: Set<RowKey> = []
        var values: [SQLValue] = []
        var rows: [[SQLValue]] = []
        for key in ofRows where !key.hasNull && seen.insert(key).inserted {
            switch key {
            case .one(let value): values.append(value)
            case .several(let row): rows.append(row)
            }
        }
        if !rows.isEmpty { return .rows(rows) }
        return values.isEmpty ? nil : .list(values)
    }
}

extension Arguments.Argument {
    /// The number of keys.
    var keyCount: Int {
        switch self {
        case .value: 1
        case .list(let values): values.count
        case .rows(let rows): rows.count
        }
    }

    /// The values of each key.
    var keyRows: [[SQLValue]] {
        switch self {
        case .value(let value): [[value]]
        case .list(let values): values.map { [$0] }
        case .rows(let rows): rows
        }
    }
}
