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

    let shape: ObjectShape
    /// The shape again as plain memory, so that a row costs no reference counting: of each stretch the columns' prefixes, then
    /// its suffix, with the bytes of all of them in a row.
    private let parts: UnsafeMutableBufferPointer<Part>
    /// Where each stretch's parts end.
    private let stretchEnds: UnsafeMutableBufferPointer<Int>
    private let bytes: UnsafeMutableRawPointer
    private let byteCount: Int
    /// The columns that are read, in the order of the parts; behind them the key's.
    private let columns: UnsafeMutableBufferPointer<Int>
    private let columnCount: Int
    private let values: UnsafeMutablePointer<ColumnValue>

    /// Some bytes, and the value behind them, if it is not the end of a stretch.
    private struct Part {
        let end: Int
        let hasValue: Bool
    }

    /// - Parameter hasKey: whether the first column is read as ``key``.
    init(shape: ObjectShape, hasKey: Bool = false) {
        self.shape = shape
        let stretches = shape.stretches
        columnCount = stretches.reduce(0) { $0 + $1.columns.count }
        parts = .allocate(capacity: columnCount + stretches.count)
        stretchEnds = .allocate(capacity: stretches.count)
        columns = .allocate(capacity: columnCount + (hasKey ? 1 : 0))
        values = .allocate(capacity: columnCount + 1)
        (values + columnCount).initialize(to: .null)
        var text: [UInt8] = []
        var part = 0
        var column = 0
        for (index, stretch) in stretches.enumerated() {
            for (prefix, position) in stretch.columns {
                text += prefix
                parts.initializeElement(at: part, to: Part(end: text.count, hasValue: true))
                columns.initializeElement(at: column, to: position)
                part += 1
                column += 1
            }
            if !stretch.suffix.isEmpty {
                text += stretch.suffix
                parts.initializeElement(at: part, to: Part(end: text.count, hasValue: false))
                part += 1
            }
            stretchEnds.initializeElement(at: index, to: part)
        }
        byteCount = text.count
        bytes = .allocate(byteCount: max(1, byteCount), alignment: 1)
        text.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: bytes, count: $0.count).copyMemory(from: $0) }
        if hasKey { columns.initializeElement(at: columnCount, to: 0) }
    }

    /// The writer of that shape, kept with the statement so that it is made once; without a shape, of all columns.
    /// - Parameter isAttached: whether the first column is the key, which is not written by default.
    static func of(_ resultSet: ResultSet, shape: ObjectShape?, isAttached: Bool) -> RowWriter {
        if let memo = resultSet.memo as? Memo, memo.isAttached == isAttached, memo.shape === shape {
            return memo.writer
        }
        let columns = resultSet.columns.enumerated().dropFirst(isAttached ? 1 : 0)
        let writer = RowWriter(
            shape: shape ?? ObjectShape(columns.map { ($0.element.name, $0.offset) }),
            hasKey: isAttached && !resultSet.columns.isEmpty)
        resultSet.memo = Memo(writer: writer, shape: shape, isAttached: isAttached)
        return writer
    }

    private final class Memo {
        let writer: RowWriter
        /// The shape that was asked for; none for all columns.
        let shape: ObjectShape?
        let isAttached: Bool

        init(writer: RowWriter, shape: ObjectShape?, isAttached: Bool) {
            self.writer = writer
            self.shape = shape
            self.isAttached = isAttached
        }
    }

    deinit {
        parts.deallocate()
        stretchEnds.deallocate()
        bytes.deallocate()
        columns.deallocate()
        values.deallocate()
    }

    /// Reads row after row; the body writes it, and returns whether it wants another.
    /// - Returns: whether the end was reached.
    /// - Throws: `DatabaseError`.
    func forEachRow(of resultSet: ResultSet, _ body: () -> Bool) throws -> Bool {
        try resultSet.forEachRow(UnsafeBufferPointer(columns), into: values, body)
    }

    /// The first column of the row that is being read, of a writer made with `hasKey`.
    var key: ColumnValue { values[columnCount] }

    /// Writes the row that is being read: `{"a":1,"b":2}`. Where attachments stand among the members, it is the first stretch,
    /// and ``writeStretch(_:_:to:)`` writes the others.
    /// - Parameter afterComma: whether a comma comes first.
    @inline(__always)
    func writeObject(
        _ encoding: ValueEncoding, afterComma: Bool = false, end: End, to buffer: inout ByteBuffer
    ) {
        write(parts: 0..<stretchEnds[0], firstByte: 0, firstValue: 0, encoding, afterComma, end, to: &buffer)
    }

    /// Writes what the row has behind an attachment.
    /// - Parameter stretch: from 1.
    func writeStretch(_ stretch: Int, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        let first = stretchEnds[stretch - 1]
        var value = 0
        for part in 0..<first where parts[part].hasValue { value += 1 }
        write(
            parts: first..<stretchEnds[stretch], firstByte: first == 0 ? 0 : parts[first - 1].end, firstValue: value,
            encoding, false, .open, to: &buffer)
    }

    @inline(__always)
    private func write(
        parts range: Range<Int>, firstByte: Int, firstValue: Int, _ encoding: ValueEncoding, _ afterComma: Bool,
        _ end: End, to buffer: inout ByteBuffer
    ) {
        // A comma, a brace that opens an object without members, and two bytes that end it.
        var room = byteCount + 4
        for index in 0..<columnCount { room += encoding.longestJSON(values[index]) }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            guard let base = space.baseAddress else { return 0 }
            var output = base
            func put(_ byte: UInt8) {
                output.storeBytes(of: byte, as: UInt8.self)
                output += 1
            }
            if afterComma { put(UInt8(ascii: ",")) }
            var byte = firstByte
            var value = firstValue
            for index in range {
                let part = parts[index]
                output.copyMemory(from: bytes + byte, byteCount: part.end - byte)
                output += part.end - byte
                byte = part.end
                guard part.hasValue else { continue }
                output += encoding.writeJSON(values[value], to: output)
                value += 1
            }
            if end != .open {
                if range.isEmpty { put(UInt8(ascii: "{")) }
                put(UInt8(ascii: "}"))
                if end == .braceAndLineFeed { put(0x0A) }
            }
            return output - base
        }
    }

    func writeCSVHeader(to buffer: inout ByteBuffer) {
        for (index, columnName) in shape.columnNames.enumerated() {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            var name = columnName
            name.withUTF8 { writeCSV(UnsafeRawBufferPointer($0), to: &buffer) }
        }
        buffer.writeStaticString("\r\n")
    }

    /// Writes the row that is being read, as a line of CSV.
    func writeCSVLine(_ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        for index in 0..<columnCount {
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
