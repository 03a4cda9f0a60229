import Foundation

/// A key in one path segment: its parts in the order of the key's fields, percent-encoded and separated by commas, as
/// in `/orderDetails/10248,11`.
///
/// A percent-encoded comma, slash or other character is part of a value. A comma follows a single part that is empty,
/// `.` or `..`, because a path cannot contain empty segments and dot segments (RFC 3986, section 5.2.4).
public enum KeySegment {
    private static let ambiguous: Set<String> = ["", ".", ".."]

    /// Returns the segment of a key.
    /// - Parameter parts: The decoded values of the fields.
    public static func text(_ parts: [String]) -> String {
        let text = parts.map(encoded).joined(separator: ",")
        return parts.count == 1 && ambiguous.contains(parts[0]) ? text + "," : text
    }

    /// Returns the decoded parts of a segment.
    /// - Parameters:
    ///   - segment: The encoded segment.
    ///   - count: The number of fields of the key.
    /// - Returns: nil if the number of parts differs, or if a part is not UTF-8.
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

    /// Returns the percent-decoded text. Most keys are not encoded, and this check is faster than Foundation's decoder.
    private static func decoded(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? String(text).removingPercentEncoding : String(text)
    }

    /// Returns the text with all characters percent-encoded except unreserved ones (RFC 3986, section 2.3).
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
