import DuetSQLDatabase
import NIOCore

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
