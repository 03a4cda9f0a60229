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
