import NIOCore
import SQLDatabase

/// The rows of an attached query as bytes, in groups that belong to one row above each.
struct AttachedRows {
    /// The groups' objects with commas between them, without brackets.
    private(set) var bytes: ByteBuffer
    private var keys: [SQLValue] = []
    /// Where each group begins; it ends where the next one does.
    private var starts: [Int] = []
    /// Where a key stands, made when the rows above turn out not to come in the order of the groups.
    private var positions: [SQLValue: Int]?
    private var next = 0
    /// Whether the groups' keys are integers that grow, so that no two can be the same.
    private var isAscending = true

    init(capacity: Int) {
        bytes = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Begins a row's object: in the group of that key, which is the last one or a new one.
    @inline(__always)
    mutating func beginObject(of key: ColumnValue) {
        if let last = keys.last, key.equals(last) {
            bytes.writeInteger(UInt8(ascii: ","))
        } else {
            beginGroup(of: key.copied())
        }
    }

    /// The same for a key that has been copied.
    mutating func beginObject(of key: SQLValue) {
        if keys.last == key {
            bytes.writeInteger(UInt8(ascii: ","))
        } else {
            beginGroup(of: key)
        }
    }

    private mutating func beginGroup(of key: SQLValue) {
        if isAscending {
            switch (keys.last, key) {
            case (nil, .integer): break
            case (.integer(let last)?, .integer(let integer)): isAscending = last < integer
            default: isAscending = false
            }
        }
        keys.append(key)
        starts.append(bytes.writerIndex)
    }

    mutating func withBytes(_ body: (inout ByteBuffer) throws -> Void) rethrows {
        try body(&bytes)
    }

    /// The bytes that belong to the row with that key; `nil` where there are none.
    mutating func range(of key: SQLValue) throws -> Range<Int>? {
        if !isAscending, positions == nil { try findPositions() }
        if next < keys.count, keys[next] == key {
            next += 1
            return range(at: next - 1)
        }
        if positions == nil { try findPositions() }
        guard let position = positions?[key] else { return nil }
        next = position + 1
        return range(at: position)
    }

    private func range(at position: Int) -> Range<Int> {
        starts[position]..<(position + 1 < starts.count ? starts[position + 1] : bytes.writerIndex)
    }

    private mutating func findPositions() throws {
        var made: [SQLValue: Int] = [:]
        made.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
            guard made.updateValue(position, forKey: key) == nil else {
                throw DatabaseError(
                    .failed, "the rows of an attached query must stand together by their first column: ORDER BY it")
            }
        }
        positions = made
    }
}

extension ColumnValue {
    /// Whether a copied value is this one.
    @inline(__always)
    fileprivate func equals(_ value: SQLValue) -> Bool {
        if case .integer(let left) = self, case .integer(let right) = value { return left == right }
        return copied() == value
    }
}

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
