import DuetJSON
import DuetSQLDatabase
import NIOCore

/// The rows of a query as pages: one page for each parent row, or a single page without parent rows.
final class PageRows {
    private struct Group {
        var rows: Range<Int>
        var hasNextPage = false
        /// The cursor values of the first and the last row.
        var start: [SQLValue] = []
        var end: [SQLValue] = []
    }

    private let form: PageForm
    private let reader: AttachmentReader
    private var heads: [Heads] = []
    /// The attached rows of each attachment, for each shape of the rows.
    private var attached: [[AttachedContent]] = []
    private var groups: [Group] = []
    private var positions: [RowKey: Int] = [:]
    private var counts: [RowKey: Int64] = [:]

    /// Creates empty pages for parent rows without a key.
    init(empty form: PageForm, _ reader: AttachmentReader) {
        self.form = form
        self.reader = reader
    }

    /// Reads the rows, their attached rows, and the total number of rows.
    /// - Parameters:
    ///   - requested: The keys of the parent rows. There is one page for each key. The value nil requests a single page
    ///     without a parent row, which is stored under the key NULL.
    ///   - attachments: The attachments, in one array for each shape of the rows.
    /// - Throws: `DatabaseError`.
    init(
        _ form: PageForm, reading resultSet: ResultSet, requested: RequestedKeys?, _ attachments: [[Attachment]],
        _ reader: AttachmentReader, recordedKeys: [KeyColumns]
    ) throws {
        self.form = form
        self.reader = reader
        try form.check(attachments, resultSet)
        if form.shape.readsRows {
            try read(resultSet, requested, attachments, recordedKeys)
        } else {
            resultSet.close()
        }
        if let rows = try form.countRows(of: requested?.attachment, keys: requested?.keys, reader.connection) {
            try readCounts(rows, requested, form.count?.sql)
        }
    }

    private func read(
        _ resultSet: ResultSet, _ requestedKeys: RequestedKeys?, _ attachments: [[Attachment]],
        _ recordedKeys: [KeyColumns]
    ) throws {
        let isAttached = requestedKeys != nil
        let keyCount = requestedKeys?.attachment.keys.count ?? 0
        let requested = requestedKeys?.byPosition
        let onlyKey = requestedKeys?.onlyKey
        let reader = reader
        let writer =
            try requestedKeys?.attachment.rowWriter(of: resultSet)
            ?? RowWriter.of(resultSet, page: form.shape, keyCount: 0)
        // In this loop, accessing local variables is faster than accessing the properties of this object.
        var heads = try form.shape.rows.indices.map { index in
            try Heads(index, of: writer, index < attachments.count ? attachments[index] : [], resultSet)
        }
        var groups: [Group] = []
        var positions: [RowKey: Int] = [:]
        var keys: [RowKey] = []
        let limit = form.limit
        let cursorColumns = try form.cursorColumns(in: resultSet, keyCount: keyCount)
        var rows = 0
        /// The index of the group's first row.
        var first = 0
        var current: RowKey?
        var isScattered = false
        let note = reader.noting(recordedKeys, of: resultSet)
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            if isAttached || current == nil {
                let key = isAttached ? writer.rowKey(requested) : .one(.null)
                if current != key {
                    let continues = onlyKey != nil && current != nil
                    current = key
                    keys.append(key)
                    if !continues {
                        isScattered = positions.updateValue(groups.count, forKey: onlyKey ?? key) != nil
                        groups.append(Group(rows: rows..<rows))
                        first = rows
                        if isScattered { return false }
                    }
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
        if let requestedKeys {
            try requestedKeys.check(keys)
            if isScattered { throw requestedKeys.attachment.scattered }
        }
        for head in heads { try reader.check(size: head.bytes.readableBytes) }
        attached = try heads.map { try reader.readAttached(to: $0) }
        self.heads = heads
        self.groups = groups
        self.positions = positions
    }

    private func readCounts(_ rows: ResultSet, _ requested: RequestedKeys?, _ sql: String?) throws {
        let keyCount = requested?.attachment.keys.count ?? 0
        // A generated count query returns the stored keys, and can count the rows of other keys, too.
        let onlyKey = requested.flatMap { $0.attachment.isWritten ? $0.onlyKey : nil }
        var keys: [RowKey] = []
        func error(_ message: String) -> DatabaseError {
            requested?.attachment.error("its count query \(message)", sql)
                ?? DatabaseError(.failed, "the count query of the page \(message)", statement: sql)
        }
        while try rows.next() {
            let key = keyCount == 0 ? .one(.null) : RowKey.of(rows, at: Array(0..<keyCount))
            guard case .integer(let count) = rows.value(at: keyCount) else {
                throw error("must return the number of rows as an integer")
            }
            keys.append(key)
            if let onlyKey {
                counts[onlyKey, default: 0] += count
            } else if counts.updateValue(count, forKey: key) != nil {
                throw error("must return one row" + (keyCount == 0 ? "" : " for each key"))
            }
        }
        try requested?.checkCounted(keys, sql ?? rows.sql)
        guard requested?.attachment.isWritten == true, onlyKey == nil else { return }
        // A database that compares two keys as equal counts their rows under one of the keys.
        let uncounted = positions.lazy.filter { [counts] in counts[$0.key] == nil }
        if let other = uncounted.min(by: { $0.value < $1.value }) {
            throw error(
                "does not count the rows with the key \(other.key.description), which the attached query has; use the "
                    + "same tables and conditions, and a key column that the database compares by the bytes of the text, "
                    + "for example with COLLATE")
        }
    }

    /// Writes the page of the parent row with this key, even if the page has no rows.
    func write(_ key: RowKey, to buffer: inout ByteBuffer) throws {
        let group = positions[key].map { groups[$0] } ?? Group(rows: 0..<0)
        for part in form.shape.parts {
            switch part {
            case .text(let bytes): buffer.writeBytes(bytes)
            case .rows(let index):
                guard !group.rows.isEmpty else { continue }
                let heads = heads[index]
                // The array is moved out of this object, so that a mutation does not copy it.
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
