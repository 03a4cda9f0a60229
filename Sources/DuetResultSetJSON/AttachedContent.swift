import DuetSQLDatabase
import NIOCore

/// The rows of an attached query, in memory.
struct AttachedContent {
    private var rows: AttachedRows
    private var pages: PageRows?

    init(_ rows: AttachedRows) {
        self.rows = rows
    }

    init(_ pages: PageRows) {
        rows = AttachedRows(capacity: 0)
        self.pages = pages
    }

    /// The approximate size of the rows in bytes.
    var size: Int { rows.bytes.readableBytes }

    /// Writes the rows of the parent row with this key. The caller has already written the member's name.
    mutating func write(_ key: RowKey, _ attachment: Attachment, to buffer: inout ByteBuffer) throws {
        if let pages { return try pages.write(key, to: &buffer) }
        let range = rows.range(of: key)
        if let range { buffer.write(rows.bytes, range: range) }
        try attachment.writeEnd(hasRows: range != nil, to: &buffer)
    }

    /// Writes the rows of all keys.
    /// - Returns: True if any rows exist.
    func writeAll(to buffer: inout ByteBuffer) -> Bool { rows.writeAll(to: &buffer) }
}

/// The rows of an attached query as bytes. The rows of one parent row form a group.
struct AttachedRows {
    /// The objects of all groups, without brackets. Commas separate the objects of one group.
    var bytes: ByteBuffer
    private var keys: [RowKey] = []
    /// The last key, if it is an integer, which is the most frequent case.
    private var lastInteger: Int64?
    /// The index of the first byte of each group. A group ends where the next group begins.
    private var starts: [Int] = []
    /// The index of the group of each key. The dictionary is created only if it is needed, for example if the parent
    /// rows are not in the order of the groups.
    private var groups: [RowKey: Int]?
    private var next = 0
    /// True if the keys of the groups are ascending integers and therefore distinct.
    private var isAscending = true

    init(capacity: Int) {
        bytes = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Begins a new group for the next object, unless the last group has the same key.
    /// - Returns: True if the last group continues, so that the object needs a comma.
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

    /// Begins a new group for the next object, unless the last group has the same key. The key must be a copy.
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

    /// Writes the objects of all keys.
    /// - Returns: True if any objects exist.
    func writeAll(to buffer: inout ByteBuffer) -> Bool {
        for group in starts.indices {
            if group > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            buffer.write(bytes, range: range(of: group))
        }
        return !starts.isEmpty
    }

    /// Checks the keys after all rows have been read.
    /// - Throws: `DatabaseError` if a row has a key that no parent row has, or if the rows of one key are not
    ///   consecutive.
    mutating func check(_ requested: RequestedKeys) throws {
        try requested.check(keys)
        // If the keys are ascending integers, the rows of each key are consecutive.
        if !isAscending, !requested.isOfOneRow, !findGroups() {
            throw requested.attachment.scattered
        }
    }

    /// Returns the range of the bytes of the group with this key; `nil` if no such group exists.
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

    /// Maps each key to its group.
    /// - Returns: False if two groups have the same key.
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
