import JSON
import NIOCore
import SQLDatabase

/// Writes the current row of a result set, one way for each format. The values go from the C library's memory to the
/// buffer and nowhere in between.
final class RowWriter {
    private let shape: ObjectShape
    private let values: UnsafeMutablePointer<ColumnValue>

    init(shape: ObjectShape) {
        self.shape = shape
        values = .allocate(capacity: max(1, shape.members.count))
    }

    /// The writer of all columns, kept with the statement so that names become bytes once.
    /// - Parameter isAttached: whether the first column is the key, which is not written.
    static func of(_ resultSet: ResultSet, isAttached: Bool) -> RowWriter {
        if let memo = resultSet.memo as? Memo, memo.isAttached == isAttached { return memo.writer }
        let columns = resultSet.columns.enumerated().dropFirst(isAttached ? 1 : 0)
        let writer = RowWriter(shape: ObjectShape(columns.map { ($0.element.name, $0.offset) }))
        resultSet.memo = Memo(writer: writer, isAttached: isAttached)
        return writer
    }

    private final class Memo {
        let writer: RowWriter
        let isAttached: Bool

        init(writer: RowWriter, isAttached: Bool) {
            self.writer = writer
            self.isAttached = isAttached
        }
    }

    deinit {
        values.deallocate()
    }

    /// `{"a":1,"b":2`, without the closing brace, so that attached members can follow. A shape without members writes
    /// nothing: whoever adds the first member opens the object.
    @inline(__always)
    func writeOpenObject(_ resultSet: ResultSet, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        var room = shape.prefixBytes
        let count = shape.members.count
        shape.members.withUnsafeBufferPointer { members in
            for index in 0..<count {
                let value = resultSet.column(members[index].column)
                (values + index).initialize(to: value)
                room += encoding.longestJSON(value)
            }
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
                guard let base = space.baseAddress else { return 0 }
                var output = base
                for index in 0..<count {
                    members[index].prefix.withUnsafeBytes { prefix in
                        guard let start = prefix.baseAddress else { return }
                        output.copyMemory(from: start, byteCount: prefix.count)
                        output += prefix.count
                    }
                    output += encoding.writeJSON(values[index], to: output)
                }
                return output - base
            }
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
