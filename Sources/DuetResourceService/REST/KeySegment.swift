import Foundation

/// The format of a key in one path segment: the values of the key's fields in their order, percent-encoded and
/// separated by commas, as in `/orderDetails/10248,11`.
///
/// A percent-encoded comma, slash or other character is part of a value. If a key has one value, and the value is
/// empty, `.` or `..`, a comma is appended. Otherwise the path would contain an empty segment or a dot segment (RFC
/// 3986, section 5.2.4).
public enum KeySegment {
    private static let ambiguous: Set<String> = ["", ".", ".."]

    /// Returns the path segment for a key.
    /// - Parameter parts: The decoded values of the fields.
    public static func text(_ parts: [String]) -> String {
        let text = parts.map(encoded).joined(separator: ",")
        return parts.count == 1 && ambiguous.contains(parts[0]) ? text + "," : text
    }

    /// Returns the decoded values in a path segment.
    /// - Parameters:
    ///   - segment: The encoded segment.
    ///   - count: The number of fields of the key.
    /// - Returns: `nil` if the number of values is not `count`, or if a value is not UTF-8.
    package static func parts(of segment: String, count: Int) -> [String]? {
        guard count != 1 else {
            let text =
                segment.hasSuffix(",") && ambiguous.contains(String(segment.dropLast()))
                ? segment.dropLast() : segment[...]
            return decoded(text).map { [$0] }
        }
        let parts = segment.split(separator: ",", omittingEmptySubsequences: false)
        let decoded = parts.compactMap(decoded)
        return decoded.count == count && parts.count == count ? decoded : nil
    }

    /// Returns the percent-decoded text. Most keys contain no percent sign, and checking this is faster than calling
    /// Foundation's decoder.
    private static func decoded(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? String(text).removingPercentEncoding : String(text)
    }

    /// Returns the text in which all characters are percent-encoded except the unreserved characters (RFC 3986, section
    /// 2.3).
    static func encoded(_ text: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
