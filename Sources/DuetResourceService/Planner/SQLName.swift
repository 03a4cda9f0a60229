import Crypto
import Foundation

/// Creates labels and parameter names from column names, which can contain any characters.
enum SQLName {
    /// Returns the label of a column without a field. The label begins with a prefix such as `_c_`. The label is unique
    /// in a statement, because field names contain no underscores. A name with special characters is written in
    /// hexadecimal digits. A name of more than 64 bytes is replaced by a hash, because a label of MariaDB has at most
    /// 256 characters.
    static func hidden(_ column: String) -> String {
        if isPlain(column), column.utf8.count <= 64 { return "_c_" + column }
        let digits = column.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits.utf8.count <= 128
            ? "_x_" + digits
            : "_d_" + SHA256.hash(data: Data(column.utf8)).map { String($0, radix: 16) }.joined(separator: "_")
    }

    /// Returns the column name without the characters that are not valid in a parameter name.
    static func parameter(_ column: String) -> String {
        isPlain(column) ? column : String(decoding: column.utf8.filter(isPlain), as: UTF8.self)
    }

    private static func isPlain(_ name: String) -> Bool { name.utf8.allSatisfy(isPlain) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
