/// The value of a `Content-Type` field (RFC 9110 §8.3.1): the media type and its `charset` parameter. Other parameters
/// are ignored.
package struct ContentType {
    /// The media type in lower case, such as `application/json`.
    package let mediaType: String
    /// The `charset` parameter in lower case.
    package let charset: String?

    /// Parses a field value; `nil` if it is malformed.
    package init?(_ text: String) {
        var text = text
        let parsed: (String, String?)? = text.withUTF8 { bytes in
            var scanner = FieldValueScanner(bytes)
            func text(_ range: Range<Int>) -> String {
                String(decoding: scanner.slice(range), as: UTF8.self).lowercased()
            }
            scanner.skipWhitespace()
            let mediaType = scanner.bytes { $0.isTokenCharacter || $0 == .slash }
            var charset: String?
            while true {
                scanner.skipWhitespace()
                if scanner.isAtEnd { return (text(mediaType), charset) }
                guard scanner.consume(.semicolon) else { return nil }
                scanner.skipWhitespace()
                let parameter = scanner.bytes(while: \.isTokenCharacter)
                if parameter.isEmpty { continue }
                guard scanner.consume(.equals) else { return nil }
                let value: Range<Int>
                if scanner.next == .quote {
                    let start = scanner.position
                    guard scanner.skipQuotedString() else { return nil }
                    value = start + 1..<scanner.position - 1
                } else {
                    value = scanner.bytes(while: \.isTokenCharacter)
                }
                if text(parameter) == "charset" { charset = text(value) }
            }
        }
        guard let parsed, !parsed.0.isEmpty else { return nil }
        (mediaType, charset) = parsed
    }
}
