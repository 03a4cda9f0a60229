/// Parses the texts of an `ENUM` or `SET` in a column's type: `enum('a','it''s','x,y')`.
enum ValueList {
    /// Returns the texts in the order of the declaration. In every SQL mode, MariaDB doubles a quote, and escapes a
    /// backslash, NUL, line feed or carriage return with a backslash.
    static func values(of columnType: String) -> [String] {
        var values: [String] = []
        var bytes = Array(columnType.utf8)[...]
        while let start = bytes.firstIndex(of: quote) {
            bytes = bytes[(start + 1)...]
            var value: [UInt8] = []
            while let byte = bytes.popFirst() {
                if byte == quote {
                    guard bytes.first == quote else { break }
                    bytes.removeFirst()
                    value.append(quote)
                } else if byte == UInt8(ascii: "\\"), let escaped = bytes.first, let meaning = escapes[escaped] {
                    bytes.removeFirst()
                    value.append(meaning)
                } else {
                    value.append(byte)
                }
            }
            values.append(String(decoding: value, as: UTF8.self))
        }
        return values
    }

    private static let quote = UInt8(ascii: "'")
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "0"): 0, UInt8(ascii: "n"): UInt8(ascii: "\n"),
        UInt8(ascii: "r"): UInt8(ascii: "\r"),
    ]
}
