import DuetSQLDatabase
import NIOCore

/// The rows as CSV (RFC 4180).
extension RowWriter {
    /// Writes the names of the columns as a line of CSV.
    func writeCSVHeader(to buffer: inout ByteBuffer) {
        for (index, columnName) in shapes[0].columnNames.enumerated() {
            if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            var name = columnName
            name.withUTF8 { _ = writeCSV(UnsafeRawBufferPointer($0), to: &buffer) }
        }
        buffer.writeStaticString("\r\n")
    }

    /// Writes the current row as a line of CSV.
    func writeCSVLine(_ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        if computed.isEmpty {
            for index in 0..<columnCount {
                if index > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
                writeCSVField(index, encoding, to: &buffer)
            }
        } else {
            writeCSVFieldsWithComputed(encoding, to: &buffer)
        }
        // If the only field is NULL, the line would be blank, and readers would skip it.
        if buffer.writerIndex == start { buffer.writeStaticString(CSVField.quotedEmpty) }
        buffer.writeStaticString("\r\n")
    }

    /// Writes the values and the computed texts of the first shape in their order.
    private func writeCSVFieldsWithComputed(_ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        var isFirst = true
        for stretch in stretches[..<shapes[0].stretches.count] {
            var value = stretch.firstValue
            var texts = computedTexts(of: stretch)[...]
            for index in stretch.parts where parts[index].kind != .text {
                if !isFirst { buffer.writeInteger(UInt8(ascii: ",")) }
                isFirst = false
                if parts[index].kind == .value {
                    writeCSVField(value, encoding, to: &buffer)
                    value += 1
                } else if var text = texts.popFirst() {
                    text.withUTF8 { _ = writeCSV(UnsafeRawBufferPointer($0), to: &buffer) }
                }
            }
        }
    }

    @inline(__always)
    private func writeCSVField(_ index: Int, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        let value = values[index]
        guard !formats[index].nullifiesMismatches else { return writeCSV(index, encoding, to: &buffer) }
        switch (formats[index].kind, value) {
        case (.any, .null): break
        case (.any, .text(let bytes)), (.text, .text(let bytes)), (.declaredBoolean, .text(let bytes)):
            if !writeCSV(bytes, to: &buffer) { noteMismatch(index, isAny: true) }
        case (.choice, .text(let bytes)) where isChoice(index): writeCSV(bytes, to: &buffer)
        case (.any, .date(let date)), (.date, .date(let date)):
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: DateEncoding.longest) { space in
                space.baseAddress.map { encoding.dates.write(date, quoted: false, to: $0) } ?? 0
            }
        case (.any, .blob): writeCSV(index, encoding, to: &buffer)
        case (.any, .double(let double)) where !double.isFinite: noteMismatch(index, isAny: true)
        case (.any, _):
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: encoding.longestJSON(value)) { space in
                space.baseAddress.map { encoding.writeJSON(value, to: $0) } ?? 0
            }
        default: writeCSV(index, encoding, to: &buffer)
        }
    }

    /// Writes a value of a declared type as a CSV field. The field has the format of the JSON value, but strings have
    /// no JSON quotes.
    private func writeCSV(_ index: Int, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        let capacity = encoding.longestJSON(values[index]) + formats[index].additionalRoom
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { space in
            guard let base = space.baseAddress else { return }
            let count = write(index, formats[index], encoding, to: base)
            let json = UnsafeRawBufferPointer(start: base, count: count)
            if json.elementsEqual("null".utf8) { return }
            let isString = json.first == UInt8(ascii: "\"") && formats[index].kind != .json
            writeCSV(isString ? UnsafeRawBufferPointer(rebasing: json[1..<(count - 1)]) : json, to: &buffer)
        }
    }

    /// Writes a CSV field, with quotes if it needs them.
    /// - Returns: False if the bytes are not valid UTF-8.
    @discardableResult
    private func writeCSV(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Bool {
        let needsQuotes = CSVField.needsQuotes(bytes)
        let isUTF8 = UTF8Sequence.firstInvalidByte(in: bytes) == nil
        if isUTF8 && !needsQuotes {
            buffer.writeBytes(bytes)
            return true
        }
        let text = isUTF8 ? Array(bytes) : Array(String(decoding: bytes, as: UTF8.self).utf8)
        guard needsQuotes else {
            buffer.writeBytes(text)
            return isUTF8
        }
        buffer.writeInteger(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { buffer.writeInteger(byte) }
            buffer.writeInteger(byte)
        }
        buffer.writeInteger(UInt8(ascii: "\""))
        return isUTF8
    }
}
