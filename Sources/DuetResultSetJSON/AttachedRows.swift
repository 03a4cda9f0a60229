import DuetSQLDatabase
import NIOCore

/// The rows of an attached query as bytes, in groups that belong to one row above each.
struct AttachedRows {
    /// The groups' objects with commas between them, without brackets.
    var bytes: ByteBuffer
    private var keys: [RowKey] = []
    /// The last of the keys, where it is an integer; nearly all are.
    private var lastInteger: Int64?
    /// Where each group begins; it ends where the next one does.
    private var starts: [Int] = []
    /// Where a key stands, made when the rows above turn out not to come in the order of the groups.
    private var positions: [RowKey: Int]?
    private var next = 0
    /// Whether the groups' keys are integers that grow, so that no two can be the same.
    private var isAscending = true

    init(capacity: Int) {
        bytes = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Sees that the next object goes into the group of that key, which is the last one or a new one.
    /// - Returns: whether the group has objects already.
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

    /// Writes all objects, whichever key they have.
    /// - Returns: whether there are any.
    func writeAll(to buffer: inout ByteBuffer) -> Bool {
        for position in starts.indices {
            if position > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            buffer.write(bytes, range: range(at: position))
        }
        return !starts.isEmpty
    }

    /// Checks the keys of the rows, when all have been read.
    /// - Throws: `DatabaseError` if a row has a key that was not asked for, or the rows of one key do not follow each other.
    mutating func check(_ asked: AskedKeys) throws {
        try asked.check(keys)
        // Integers that grow are checked while rows are read.
        if !isAscending, !asked.isOfOneRow, !findPositions() { throw asked.attachment.scattered(in: asked.resultSet) }
    }

    /// The bytes that belong to the row with that key; `nil` where there are none.
    mutating func range(of key: RowKey) -> Range<Int>? {
        if next < keys.count, keys[next] == key {
            next += 1
            return range(at: next - 1)
        }
        if positions == nil { _ = findPositions() }
        guard let position = positions?[key] else { return nil }
        next = position + 1
        return range(at: position)
    }

    private func range(at position: Int) -> Range<Int> {
        starts[position]..<(position + 1 < starts.count ? starts[position + 1] : bytes.writerIndex)
    }

    /// - Returns: false if two groups have one key.
    private mutating func findPositions() -> Bool {
        var made: [RowKey: Int] = [:]
        made.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
            guard made.updateValue(position, forKey: key) == nil else { return false }
        }
        positions = made
        return true
    }
}
