import SQLDatabase

/// The distinct values of a column, in the order in which they make the shortest list.
struct KeyList {
    /// The key of each row.
    private(set) var ofRows: [SQLValue] = []

    mutating func append(_ key: SQLValue) {
        ofRows.append(key)
    }

    /// Integers ascending, so that consecutive ones become a range; others as they come. NULL has no relatives.
    var distinct: [SQLValue] {
        var integers: [Int64] = []
        integers.reserveCapacity(ofRows.count)
        var isAscending = true
        for key in ofRows {
            guard case .integer(let integer) = key else { return others }
            if let last = integers.last, last >= integer { isAscending = false }
            integers.append(integer)
        }
        if !isAscending { integers = Set(integers).sorted() }
        return integers.map { .integer($0) }
    }

    private var others: [SQLValue] {
        var seen: Set<SQLValue> = [.null]
        return ofRows.filter { seen.insert($0).inserted }
    }
}
