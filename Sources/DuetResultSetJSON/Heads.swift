import DuetSQLDatabase
import NIOCore

/// The parent rows of attachments, written in one shape. The *head* of a row is the part of its JSON object before the
/// first attachment. ``bytes`` contains the heads, and ``rest`` contains the members after each attachment. They are
/// combined when the attached rows are available.
struct Heads {
    var bytes = ByteBufferAllocator().buffer(capacity: 16 * 1024)
    private(set) var ends: [Int] = []
    private(set) var rest = Stretches()
    /// The keys of the parent rows for each attachment.
    private(set) var keys: [KeyList]
    let attachments: [Attachment]
    let shape: ObjectShape
    private let form: Int
    private let keyColumns: [[Int]]

    /// - Parameter form: The index of the shape in ``RowWriter/shapes``.
    init(_ form: Int, of writer: RowWriter, _ attachments: [Attachment], _ resultSet: ResultSet) throws {
        self.form = form
        self.attachments = attachments
        shape = writer.shapes[form]
        keys = attachments.map { _ in KeyList() }
        try writer.check(attachments, ofForm: form, resultSet)
        keyColumns = try attachments.map { try $0.keyColumns(in: resultSet, from: writer.keyCount) }
    }

    /// Stores the current row.
    mutating func append(_ writer: RowWriter, _ encoding: ValueEncoding, _ resultSet: ResultSet) {
        writer.writeObject(of: form, encoding, end: .open, to: &bytes)
        ends.append(bytes.writerIndex)
        rest.append(writer, form, encoding)
        for (index, columns) in keyColumns.enumerated() { keys[index].append(.of(resultSet, at: columns)) }
    }

    /// Writes a row with its attached rows.
    func write(_ row: Int, _ attached: inout [AttachedContent], to buffer: inout ByteBuffer) throws {
        buffer.write(bytes, range: (row == 0 ? 0 : ends[row - 1])..<ends[row])
        for (index, attachment) in attachments.enumerated() {
            attachment.writeName(index, shape, to: &buffer)
            try attached[index].write(keys[index].ofRows[row], attachment, to: &buffer)
            rest.write(index, ofRow: row, to: &buffer)
        }
        // If there are neither members nor attachments, the opening brace has not been written.
        if shape.isEmpty, attachments.isEmpty { buffer.writeInteger(UInt8(ascii: "{")) }
        buffer.writeInteger(UInt8(ascii: "}"))
    }
}

/// The JSON texts of the members that follow an attachment, for all rows. They are the stretches of a shape except the
/// first; see ``ObjectShape/Stretch``.
struct Stretches {
    private var bytes = ByteBuffer()
    private var ends: [Int] = []
    private var perRow = 0

    /// Stores all stretches of the current row except the first.
    /// - Parameter shape: The index of the shape in ``RowWriter/shapes``.
    mutating func append(_ writer: RowWriter, _ shape: Int, _ encoding: ValueEncoding) {
        perRow = writer.shapes[shape].stretches.count - 1
        guard perRow > 0 else { return }
        for stretch in 1...perRow {
            writer.writeStretch(stretch, of: shape, encoding, to: &bytes)
            ends.append(bytes.writerIndex)
        }
    }

    /// Writes the members of a row that follow an attachment, if any exist.
    func write(_ attachment: Int, ofRow row: Int, to buffer: inout ByteBuffer) {
        guard attachment < perRow else { return }
        let index = row * perRow + attachment
        buffer.write(bytes, range: (index == 0 ? 0 : ends[index - 1])..<ends[index])
    }
}
