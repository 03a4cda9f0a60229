package import HTTPTypes

/// The preferences of a request (RFC 7240, section 2).
///
/// Names and values are compared without case. If a preference is given several times, only the first one counts. The
/// parameters of preferences are ignored, and so are malformed elements of the field.
package struct Preferences: Sendable, Hashable {
    private struct Preference: Sendable, Hashable {
        let name: String
        /// Empty for a preference without a value.
        let value: String
    }

    private var preferences: [Preference] = []

    /// Reads the fields `Prefer`. Several fields have the meaning of one field with all preferences.
    package init(_ fields: HTTPFields) {
        for field in fields where field.name == .prefer {
            field.withUnsafeBytesOfValue { read(FieldValueScanner($0)) }
        }
    }

    /// Returns the value of a preference in lower case, which is empty for a preference without a value; nil if the
    /// request does not have the preference.
    /// - Parameter name: The name in lower case.
    package func value(of name: String) -> String? { preferences.first { $0.name == name }?.value }

    private mutating func read(_ fields: FieldValueScanner) {
        var scanner = fields
        while true {
            scanner.skipWhitespace()
            if scanner.consume(.comma) { continue }
            if scanner.isAtEnd { return }
            if let preference = scanner.preference() {
                preferences.append(Preference(name: preference.name, value: preference.value))
            } else {
                scanner.skipElement()
            }
        }
    }
}

extension FieldValueScanner {
    /// Reads a preference and its parameters up to the next comma; nil if it is malformed.
    fileprivate mutating func preference() -> (name: String, value: String)? {
        guard let first = word() else { return nil }
        while true {
            skipWhitespace()
            if isAtEnd || next == .comma { return first }
            guard consume(.semicolon) else { return nil }
            skipWhitespace()
            if isAtEnd || next == .comma || next == .semicolon { continue }
            guard word() != nil else { return nil }
        }
    }

    /// Reads a token with an optional value. Both are returned in lower case.
    private mutating func word() -> (name: String, value: String)? {
        let name = token()
        guard !name.isEmpty else { return nil }
        skipWhitespace()
        guard consume(.equals) else { return (name, "") }
        skipWhitespace()
        guard next == .quote else { return (name, token()) }
        let start = self
        guard skipQuotedString() else { return nil }
        var content = start
        return (name, content.value(until: ",").lowercased())
    }

    private mutating func token() -> String {
        let range = bytes(while: \.isTokenCharacter)
        return String(decoding: slice(range), as: UTF8.self).lowercased()
    }
}

// Each name is a token (RFC 9110 §5.1), so none of the initializers returns `nil`.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// The preferences of a request.
    package static let prefer = HTTPField.Name("Prefer")!
    /// The preferences that the server has applied.
    package static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
