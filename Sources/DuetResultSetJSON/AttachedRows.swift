import DuetSQLDatabase
import NIOCore

/// The rows of an attached query as bytes, in groups that belong to one row above each.
struct AttachedRows {
    /// The groups' objects with commas between them, without brackets.
    var bytes: ByteBuffer
    private var keys: [RowKey] = []
    /// The last of the keys, where it is an integer; nearly all are.
    private var lastInteger: Int64?
    /// The index of the first byte of each group. A group ends where the next one begins.
    private var starts: [Int] = []
    /// The group of each key, made when the rows above are not in the order of the groups.
    private var groups: [RowKey: Int]?
    private var next = 0
    /// True if the groups' keys are ascending integers, so that no two are equal.
    private var isAscending = true

    init(capacity: Int) {
        bytes = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Puts the next object into the group of that key, which is the last one or a new one.
    /// - Returns: True if the group has objects already.
    @inline(__always)
    mutating func continueGroup(of key: ColumnValue) -> Bool {
        if case .integer(let integer) = key {
            if integer == lastInteger { return true }
            isAscending = isAscending && lastInteger.map { $0 < integer } ?? keys.isEmpty
            lastInteger = integer
            return beginGroup(of: .one(.integer(integer)))
        }
        return continueGroup(of: .one(key.copied()))
    }

    /// The same for a key that has been copied.
    mutating func continueGroup(of key: RowKey) -> Bool {
        if case .one(.integer(let integer)) = key { return continueGroup(of: ColumnValue.integer(integer)) }
        if keys.last == key { return true }
        isAscending = false
        lastInteger = nil
        return beginGroup(of: key)
    }

    private mutating func beginGroup(of key: RowKey) -> Bool {
        keys.append(key)
        starts.append(bytes.writerIndex)
        return false
    }

    /// Writes all objects, of any key.
    /// - Returns: True if there are any.
    func writeAll(to buffer: inout ByteBuffer) -> Bool {
        for group in starts.indices {
            if group > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            buffer.write(bytes, range: range(of: group))
        }
        return !starts.isEmpty
    }

    /// Checks the keys of the rows, when all have been read.
    /// - Throws: `DatabaseError` if a row has a key that no row above has, or the rows of one key do not follow each other.
    mutating func check(_ asked: AskedKeys) throws {
        try asked.check(keys)
        // Ascending integers are checked while rows are read.
        if !isAscending, !asked.isOfOneRow, !findGroups() { throw asked.attachment.scattered(in: asked.resultSet) }
    }

    /// The bytes that belong to the row with that key; `nil` where there are none.
    mutating func range(of key: RowKey) -> Range<Int>? {
        if next < keys.count, keys[next] == key {
            next += 1
            return range(of: next - 1)
        }
        if groups == nil { _ = findGroups() }
        guard let group = groups?[key] else { return nil }
        next = group + 1
        return range(of: group)
    }

    private func range(of group: Int) -> Range<Int> {
        starts[group]..<(group + 1 < starts.count ? starts[group + 1] : bytes.writerIndex)
    }

    /// Finds the group of each key.
    /// - Returns: False if two groups have one key.
    private mutating func findGroups() -> Bool {
        var made: [RowKey: Int] = [:]
        made.reserveCapacity(keys.count)
        for (group, key) in keys.enumerated() {
            guard made.updateValue(group, forKey: key) == nil else { return false }
        }
        groups = made
        return true
    }
}
