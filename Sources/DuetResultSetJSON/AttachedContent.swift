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
