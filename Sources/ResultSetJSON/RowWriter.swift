import JSON
import NIOCore
import SQLDatabase

/// Reads the rows of a result set and writes each of them, one way for each format. The values go from the C library's
/// memory to the buffer and nowhere in between.
final class RowWriter {
    /// How an object ends.
    enum End {
        /// Not at all: members follow. A shape without members writes nothing then; whoever adds the first member opens
        /// the object.
        case open
        case brace
        case braceAndLineFeed
    }

    private let shape: ObjectShape
    private let count: Int
    /// The shape again as plain memory, so that a row costs no reference counting: for each member its column, where its
    /// prefix ends, and all prefixes in a row. Behind the members' columns stands the key's.
    private let columns: UnsafeMutableBufferPointer<Int>
    private let prefixEnds: UnsafeMutablePointer<Int>
    private let prefixes: UnsafeMutableRawPointer
    private let prefixBytes: Int
    private let values: UnsafeMutablePointer<ColumnValue>

    /// - Parameter hasKey: whether the first column is read as ``key``.
    init(shape: ObjectShape, hasKey: Bool = false) {
        self.shape = shape
        count = shape.members.count
        columns = .allocate(capacity: count + (hasKey ? 1 : 0))
        prefixEnds = .allocate(capacity: max(1, count))
        prefixBytes = shape.prefixBytes
        prefixes = .allocate(byteCount: max(1, prefixBytes), alignment: 1)
        values = .allocate(capacity: count + 1)
        (values + count).initialize(to: .null)
        var end = 0
        for (index, member) in shape.members.enumerated() {
            columns.initializeElement(at: index, to: member.column)
            member.prefix.withUnsafeBytes { prefix in
                UnsafeMutableRawBufferPointer(start: prefixes + end, count: prefix.count).copyMemory(from: prefix)
            }
            end += member.prefix.count
            (prefixEnds + index).initialize(to: end)
        }
        if hasKey { columns.initializeElement(at: count, to: 0) }
    }

    /// The writer of all columns, kept with the statement so that names become bytes once.
    /// - Parameter isAttached: whether the first column is the key, which is not written.
    static func of(_ resultSet: ResultSet, isAttached: Bool) -> RowWriter {
        let skipped = isAttached ? 1 : 0
        if let memo = resultSet.memo as? Memo, memo.skipped == skipped { return memo.writer }
        let columns = resultSet.columns.enumerated().dropFirst(skipped)
        let writer = RowWriter(
            shape: ObjectShape(columns.map { ($0.element.name, $0.offset) }),
            hasKey: isAttached && !resultSet.columns.isEmpty)
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

    /// Reads row after row; the body writes it, and returns whether it wants another.
    /// - Returns: whether the end was reached.
    /// - Throws: `DatabaseError`.
    func forEachRow(of resultSet: ResultSet, _ body: () -> Bool) throws -> Bool {
        try resultSet.forEachRow(UnsafeBufferPointer(columns), into: values, body)
    }

    /// The first column of the row that is being read, of a writer made with `hasKey`.
    var key: ColumnValue { values[count] }

    /// Writes the row that is being read: `{"a":1,"b":2}`.
    /// - Parameter afterComma: whether a comma comes first.
    @inline(__always)
    func writeObject(
        _ encoding: ValueEncoding, afterComma: Bool = false, end: End, to buffer: inout ByteBuffer
    ) {
        // A comma, a brace that opens an object without members, and two bytes that end it.
        var room = prefixBytes + 4
        for index in 0..<count { room += encoding.longestJSON(values[index]) }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            guard let base = space.baseAddress else { return 0 }
            var output = base
            func put(_ byte: UInt8) {
                output.storeBytes(of: byte, as: UInt8.self)
                output += 1
            }
            if afterComma { put(UInt8(ascii: ",")) }
            var prefixStart = 0
            for index in 0..<count {
                let prefixEnd = prefixEnds[index]
                output.copyMemory(from: prefixes + prefixStart, byteCount: prefixEnd - prefixStart)
                output += prefixEnd - prefixStart
                prefixStart = prefixEnd
                output += encoding.writeJSON(values[index], to: output)
            }
            if end != .open {
                if count == 0 { put(UInt8(ascii: "{")) }
                put(UInt8(ascii: "}"))
                if end == .braceAndLineFeed { put(0x0A) }
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

    /// Writes the row that is being read, as a line of CSV.
    func writeCSVLine(_ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        for index in 0..<count {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            let value = values[index]
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
