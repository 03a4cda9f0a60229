import JSON
import NIOCore
import SQLDatabase

/// Writes the current row of a result set, one way for each format. The values go from the C library's memory to the
/// buffer and nowhere in between.
final class RowWriter {
    private let shape: ObjectShape
    private let count: Int
    /// The shape again as plain memory, so that a row costs no reference counting: for each member its column, where its
    /// prefix ends, and all prefixes in a row.
    private let columns: UnsafeMutablePointer<Int>
    private let prefixEnds: UnsafeMutablePointer<Int>
    private let prefixes: UnsafeMutableRawPointer
    private let values: UnsafeMutablePointer<ColumnValue>

    init(shape: ObjectShape) {
        self.shape = shape
        count = shape.members.count
        columns = .allocate(capacity: max(1, count))
        prefixEnds = .allocate(capacity: max(1, count))
        prefixes = .allocate(byteCount: max(1, shape.prefixBytes), alignment: 1)
        values = .allocate(capacity: max(1, count))
        var end = 0
        for (index, member) in shape.members.enumerated() {
            (columns + index).initialize(to: member.column)
            member.prefix.withUnsafeBytes { prefix in
                UnsafeMutableRawBufferPointer(start: prefixes + end, count: prefix.count).copyMemory(from: prefix)
            }
            end += member.prefix.count
            (prefixEnds + index).initialize(to: end)
        }
    }

    /// The writer of all columns, kept with the statement so that names become bytes once.
    /// - Parameter isAttached: whether the first column is the key, which is not written.
    static func of(_ resultSet: ResultSet, isAttached: Bool) -> RowWriter {
        let skipped = isAttached ? 1 : 0
        if let memo = resultSet.memo as? Memo, memo.skipped == skipped { return memo.writer }
        let columns = resultSet.columns.enumerated().dropFirst(skipped)
        let writer = RowWriter(shape: ObjectShape(columns.map { ($0.element.name, $0.offset) }))
        resultSet.memo = Memo(writer: writer, skipped: skipped)
        return writer
    }

    /// The writer of that shape, kept with the statement as well.
    static func of(_ resultSet: ResultSet, shape: ObjectShape) -> RowWriter {
        if let memo = resultSet.memo as? Memo, memo.writer.shape === shape { return memo.writer }
        let writer = RowWriter(shape: shape)
        resultSet.memo = Memo(writer: writer, skipped: nil)
        return writer
    }

    private final class Memo {
        let writer: RowWriter
        /// Columns left out at the front, where the shape is all the others.
        let skipped: Int?

        init(writer: RowWriter, skipped: Int?) {
            self.writer = writer
            self.skipped = skipped
        }
    }

    deinit {
        columns.deallocate()
        prefixEnds.deallocate()
        prefixes.deallocate()
        values.deallocate()
    }

    /// `{"a":1,"b":2`, without the closing brace, so that attached members can follow. A shape without members writes
    /// nothing: whoever adds the first member opens the object.
    @inline(__always)
    func writeOpenObject(_ resultSet: ResultSet, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        var room = shape.prefixBytes
        resultSet.read(columns: UnsafePointer(columns), count: count, into: values)
        for index in 0..<count { room += encoding.longestJSON(values[index]) }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            guard let base = space.baseAddress else { return 0 }
            var output = base
            var prefixStart = 0
            for index in 0..<count {
                let prefixEnd = prefixEnds[index]
                output.copyMemory(from: prefixes + prefixStart, byteCount: prefixEnd - prefixStart)
                output += prefixEnd - prefixStart
                prefixStart = prefixEnd
                output += encoding.writeJSON(values[index], to: output)
            }
            return output - base
        }
    }

    func writeCSVHeader(to buffer: inout ByteBuffer) {
        for (index, member) in shape.members.enumerated() {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            var name = member.name
            name.withUTF8 { writeCSV(UnsafeRawBufferPointer($0), to: &buffer) }
        }
        buffer.writeStaticString("\r\n")
    }

    func writeCSVLine(_ resultSet: ResultSet, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        for (index, member) in shape.members.enumerated() {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            let value = resultSet.column(member.column)
            switch value {
            case .null: break
            case .text(let bytes): writeCSV(bytes, to: &buffer)
            case .date(let date):
                buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: DateEncoding.longest) { space in
                    space.baseAddress.map { encoding.dates.write(date, quoted: false, to: $0) } ?? 0
                }
            case .integer, .double, .blob:
                buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: encoding.longestJSON(value)) { space in
                    space.baseAddress.map { encoding.writeJSON(value, to: $0) } ?? 0
                }
            }
        }
        buffer.writeStaticString("\r\n")
    }

    /// A field is quoted when it must be: it holds a comma, a quote or a line break, or it is an empty text, which
    /// without quotes would be a NULL.
    private func writeCSV(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        let needsQuotes =
            bytes.isEmpty
            || bytes.contains {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
            }
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        if isASCII && !needsQuotes {
            buffer.writeBytes(bytes)
            return
        }
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        guard needsQuotes else {
            buffer.writeBytes(repaired)
            return
        }
        buffer.writeInteger(UInt8(ascii: "\""))
        for byte in repaired {
            if byte == UInt8(ascii: "\"") { buffer.writeInteger(byte) }
            buffer.writeInteger(byte)
        }
        buffer.writeInteger(UInt8(ascii: "\""))
    }
}
