import DuetJSON
import DuetSQLDatabase
import NIOCore

/// The rows of a query as pages: one for each row above, or a single one.
final class PageRows {
    private struct Group {
        var rows: Range<Int>
        var hasNextPage = false
        /// What the cursors of the first and of the last row are made of.
        var start: [SQLValue] = []
        var end: [SQLValue] = []
    }

    private let form: PageForm
    private let reader: AttachmentReader
    private var heads: [Heads] = []
    /// For each form of the rows, what is attached to them.
    private var attached: [[AttachedContent]] = []
    private var groups: [Group] = []
    private var positions: [RowKey: Int] = [:]
    private var counts: [RowKey: Int64] = [:]

    /// Pages without rows, for rows above that have no key.
    init(empty form: PageForm, _ reader: AttachmentReader) {
        self.form = form
        self.reader = reader
    }

    /// Reads the rows, what is attached to them, and their number.
    /// - Parameters:
    ///   - keyCount: The number of columns that are the key of the row above; there is a page for each key. 0 for a single page,
    ///     whose key is NULL.
    ///   - asked: The keys by their positions, if the rows have positions in place of keys.
    ///   - attachments: to the rows, by their form.
    ///   - counting: for which keys rows are counted; nil for a single page.
    /// - Throws: `DatabaseError`.
    init(
        _ form: PageForm, reading resultSet: ResultSet, keyCount: Int, asked: [RowKey]? = nil,
        _ attachments: [[Attachment]], _ reader: AttachmentReader, recordedKeys: [KeyColumns],
        counting: (parameter: String, keys: Arguments.Argument)?
    ) throws {
        self.form = form
        self.reader = reader
        if form.shape.readsRows {
            try read(resultSet, keyCount: keyCount, asked, attachments, recordedKeys)
        } else {
            resultSet.close()
        }
        if form.shape.countsRows, let query = form.count {
            try count(query, counting, keyCount: keyCount, reader.connection)
        }
    }

    private func read(
        _ resultSet: ResultSet, keyCount: Int, _ asked: [RowKey]?, _ attachments: [[Attachment]],
        _ recordedKeys: [KeyColumns]
    ) throws {
        let isAttached = keyCount > 0
        let reader = reader
        let writer = RowWriter.of(resultSet, page: form.shape, keyCount: keyCount)
        // All of them local while rows are read: a row would pay for each look into this object.
        var heads = try form.shape.rows.indices.map { index in
            try Heads(index, of: writer, index < attachments.count ? attachments[index] : [], resultSet)
        }
        var groups: [Group] = []
        var positions: [RowKey: Int] = [:]
        let limit = form.limit
        let cursorColumns = try form.shape.cursor?.columns.map { try resultSet.index(of: $0, from: keyCount) } ?? []
        var rows = 0
        /// The group's first row.
        var first = 0
        var current: RowKey?
        var isScattered = false
        let note = reader.noting(recordedKeys, of: resultSet)
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            if isAttached || current == nil {
                let key = isAttached ? writer.rowKey(asked) : .one(.null)
                if current != key {
                    current = key
                    isScattered = positions.updateValue(groups.count, forKey: key) != nil
                    groups.append(Group(rows: rows..<rows))
                    first = rows
                    if isScattered { return false }
                }
            }
            let last = groups.count - 1
            guard rows - first < limit else {
                groups[last].hasNextPage = true
                return isAttached
            }
            note?()
            for index in heads.indices { heads[index].append(writer, reader.encoding, resultSet) }
            if !cursorColumns.isEmpty {
                groups[last].end = cursorColumns.map { resultSet.value(at: $0) }
                if rows == first { groups[last].start = groups[last].end }
            }
            rows += 1
            groups[last].rows = first..<rows
            return heads.allSatisfy { $0.bytes.readableBytes <= reader.maximumSize }
        }
        if !isAtEnd { resultSet.close() }
        if isScattered { throw AttachedRows.scattered }
        for head in heads { try reader.check(size: head.bytes.readableBytes) }
        attached = try heads.map { try reader.readAttached(to: $0) }
        self.heads = heads
        self.groups = groups
        self.positions = positions
    }

    private func count(
        _ query: PageForm.CountQuery, _ counting: (parameter: String, keys: Arguments.Argument)?, keyCount: Int,
        _ connection: Connection
    ) throws {
        var arguments = query.arguments
        if let counting { arguments[counting.parameter] = counting.keys }
        let rows = try connection.query(query.sql, arguments)
        while try rows.next() {
            guard case .integer(let count) = rows.value(at: keyCount) else { continue }
            counts[keyCount == 0 ? .one(.null) : .of(rows, at: Array(0..<keyCount))] = count
        }
    }

    /// Writes the page of the row with that key. There is always one: it may be empty.
    func write(_ key: RowKey, to buffer: inout ByteBuffer) throws {
        let group = positions[key].map { groups[$0] } ?? Group(rows: 0..<0)
        for part in form.shape.parts {
            switch part {
            case .text(let bytes): buffer.writeBytes(bytes)
            case .rows(let index):
                guard !group.rows.isEmpty else { continue }
                let heads = heads[index]
                // Taken out, so that looking something up in it copies nothing.
                var attached: [AttachedContent] = []
                swap(&attached, &self.attached[index])
                defer { swap(&attached, &self.attached[index]) }
                if groups.count == 1 {
                    buffer.reserveCapacity(
                        minimumWritableBytes: attached.reduce(heads.bytes.readableBytes + group.rows.count * 32) {
                            $0 + $1.size
                        })
                }
                for row in group.rows {
                    if row > group.rows.lowerBound { buffer.writeInteger(UInt8(ascii: ",")) }
                    try heads.write(row, &attached, to: &buffer)
                    try reader.check(size: buffer.readableBytes)
                }
            case .hasNextPage: buffer.writeStaticString(group.hasNextPage ? "true" : "false")
            case .startCursor: writeCursor(group.start, to: &buffer)
            case .endCursor: writeCursor(group.end, to: &buffer)
            case .totalCount: buffer.writeString(String(counts[key] ?? 0))
            }
        }
    }

    private func writeCursor(_ values: [SQLValue], to buffer: inout ByteBuffer) {
        guard !values.isEmpty, let cursor = form.shape.cursor else {
            buffer.writeStaticString("null")
            return
        }
        var writer = JSONByteWriter(capacity: 128)
        writer.write(cursor.text(values))
        buffer.writeBytes(writer.bytes)
    }
}
