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
