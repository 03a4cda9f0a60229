import NIOCore
import SQLDatabase

/// What rows have behind attachments, row by row.
struct Stretches {
    private var bytes = ByteBuffer()
    private var ends: [Int] = []
    private var perRow = 0

    /// Keeps what the row that is being read has behind its first stretch.
    /// - Parameter shape: in which of the writer's forms.
    mutating func append(_ writer: RowWriter, _ shape: Int, _ encoding: ValueEncoding) {
        perRow = writer.shapes[shape].stretches.count - 1
        guard perRow > 0 else { return }
        for stretch in 1...perRow {
            writer.writeStretch(stretch, of: shape, encoding, to: &bytes)
            ends.append(bytes.writerIndex)
        }
    }

    /// Writes what stands behind an attachment, if anything does.
    func write(_ attachment: Int, ofRow row: Int, to buffer: inout ByteBuffer) {
        guard attachment < perRow else { return }
        let index = row * perRow + attachment
        buffer.write(bytes, range: (index == 0 ? 0 : ends[index - 1])..<ends[index])
    }
}

/// Rows in one form, written as far as their own columns go.
struct Heads {
    var bytes = ByteBufferAllocator().buffer(capacity: 16 * 1024)
    private(set) var ends: [Int] = []
    private(set) var rest = Stretches()
    /// For each attachment the keys of the rows.
    private(set) var keys: [KeyList]
    let attachments: [Attachment]
    let shape: ObjectShape
    private let form: Int
    private let keyColumns: [Int]

    /// - Parameter form: which of the writer's shapes.
    init(_ form: Int, of writer: RowWriter, _ attachments: [Attachment], _ resultSet: ResultSet) throws {
        self.form = form
        self.attachments = attachments
        shape = writer.shapes[form]
        keys = attachments.map { _ in KeyList() }
        keyColumns = try attachments.map { try resultSet.index(of: $0.key) }
    }

    /// Keeps the row that is being read.
    mutating func append(_ writer: RowWriter, _ encoding: ValueEncoding, _ resultSet: ResultSet) {
        writer.writeObject(of: form, encoding, end: .open, to: &bytes)
        ends.append(bytes.writerIndex)
        rest.append(writer, form, encoding)
        for (index, column) in keyColumns.enumerated() { keys[index].append(resultSet.value(at: column)) }
    }

    /// Writes a row with what is attached to it.
    func write(_ row: Int, _ attached: inout [AttachedContent], to buffer: inout ByteBuffer) throws {
        buffer.write(bytes, range: (row == 0 ? 0 : ends[row - 1])..<ends[row])
        for (index, attachment) in attachments.enumerated() {
            attachment.writeName(index, shape, to: &buffer)
            try attached[index].write(keys[index].ofRows[row], attachment, to: &buffer)
            rest.write(index, ofRow: row, to: &buffer)
        }
        // A shape without members, and no attachments that would have opened the object.
        if shape.isEmpty, attachments.isEmpty { buffer.writeInteger(UInt8(ascii: "{")) }
        buffer.writeInteger(UInt8(ascii: "}"))
    }
}

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
    mutating func write(_ key: SQLValue, _ attachment: Attachment, to buffer: inout ByteBuffer) throws {
        if let pages { return try pages.write(key, to: &buffer) }
        let range = try rows.range(of: key)
        if let range { buffer.write(rows.bytes, range: range) }
        attachment.writeEnd(hasRows: range != nil, to: &buffer)
    }

    /// Writes all rows, whichever key they have.
    /// - Returns: whether there are any.
    func writeAll(to buffer: inout ByteBuffer) -> Bool { rows.writeAll(to: &buffer) }
}

extension ByteBuffer {
    /// Appends a stretch of another buffer, given by its indices.
    @inline(__always)
    mutating func write(_ source: ByteBuffer, range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.withUnsafeReadableBytes { bytes in
            let offset = range.lowerBound - source.readerIndex
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + range.count)]))
        }
    }
}
