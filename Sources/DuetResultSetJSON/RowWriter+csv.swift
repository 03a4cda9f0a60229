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
            var texts = computedTexts(of: stretch, encoding)[...]
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
            let count = write(index, encoding, to: base)
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

/// The text of a field of CSV (RFC 4180).
///
/// A field has quotes if a reader could misread it without quotes. An unquoted empty field is NULL. Most readers skip
/// blank lines, so a record must not be a blank line. Therefore NULL as the only field of a record is ``quotedEmpty``.
package enum CSVField {
    /// The empty text.
    static let quotedEmpty: StaticString = "\"\""

    /// Returns a record without its line break.
    /// - Parameter values: The values of the fields; nil for NULL.
    package static func record(_ values: [String?]) -> String {
        let line = values.map { $0.map(text) ?? "" }.joined(separator: ",")
        return line.isEmpty ? "\(quotedEmpty)" : line
    }

    private static func text(_ value: String) -> String {
        var value = value
        guard value.withUTF8({ needsQuotes(UnsafeRawBufferPointer($0)) }) else { return value }
        // A quote and a following combining mark are one `Character`, so the text is split into scalars.
        let parts = value.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map { String($0) }.joined(separator: "\"\""))\""
    }

    /// Returns true for a text that must have quotes:
    ///
    /// - The empty text.
    /// - A text with a comma, a quote, a line feed or a carriage return.
    /// - A text that begins or ends with a space or a tab. Some readers trim unquoted fields and skip lines of blanks.
    /// - A text that begins with a byte order mark. Readers remove this mark from the beginning of a file.
    static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.first, let last = bytes.last else { return true }
        if isBlank(first) || isBlank(last) { return true }
        if first == 0xEF, bytes.starts(with: "\u{FEFF}".utf8) { return true }
        return bytes.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
        }
    }
}
