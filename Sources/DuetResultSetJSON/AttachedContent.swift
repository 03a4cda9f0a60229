import DuetSQLDatabase
import NIOCore

/// What was read of an attached query.
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

    /// About how many bytes it takes.
    var size: Int { rows.bytes.readableBytes }

    /// Writes what belongs to the row with that key, behind the member's name.
    mutating func write(_ key: RowKey, _ attachment: Attachment, to buffer: inout ByteBuffer) throws {
        if let pages { return try pages.write(key, to: &buffer) }
        let range = rows.range(of: key)
        if let range { buffer.write(rows.bytes, range: range) }
        attachment.writeEnd(hasRows: range != nil, to: &buffer)
    }

    /// Writes all rows, whichever key they have.
    /// - Returns: whether there are any.
    func writeAll(to buffer: inout ByteBuffer) -> Bool { rows.writeAll(to: &buffer) }
}
