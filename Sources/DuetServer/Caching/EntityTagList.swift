package import HTTPTypes

/// What an `If-Match` or `If-None-Match` field says about a body: `*` or a list of entity tags (RFC 9110 §13.1.1,
/// §13.1.2).
///
/// Reading stops at the first malformed element; what came before it counts. A field that is malformed from the start
/// thus matches nothing: the request with `If-None-Match` gets the whole response, the one with `If-Match` gets 412.
package enum EntityTagList {
    /// How tags are compared (RFC 9110 §8.8.3.2).
    package enum Comparison: Sendable {
        /// Neither tag may be weak: for `If-Match`.
        case strong
        /// A weak tag is as good as a strong one: for `If-None-Match`.
        case weak
    }

    package enum Match: Sendable, Hashable {
        /// The request has no such field.
        case absent
        /// The field is `*`, or one of its tags is the body's.
        case matched
        /// None of the tags is the body's, or there is no body for `*` to match.
        case unmatched
    }

    /// Compares the fields called `name` with `tag`.
    ///
    /// - Parameters:
    ///   - tag: The tag of the current body, or `nil` when there is no such resource.
    ///   - fields: The request's fields; several of the same name count as one list.
    package static func match(
        _ tag: EntityTag?, in fields: HTTPFields, name: HTTPField.Name, comparison: Comparison
    ) -> Match {
        var match = Match.absent
        for field in fields where field.name == name {
            match = .unmatched
            guard let tag else { continue }
            if field.withUnsafeBytesOfValue({ Self.contains(tag, in: $0, comparison: comparison) }) { return .matched }
        }
        return match
    }

    private static func contains(
        _ tag: EntityTag, in bytes: UnsafeBufferPointer<UInt8>, comparison: Comparison
    ) -> Bool {
        var scanner = FieldValueScanner(bytes)
        scanner.skipWhitespace()
        if scanner.consume(.asterisk) {
            scanner.skipWhitespace()
            return scanner.isAtEnd
        }
        while true {
            scanner.skipWhitespace()
            if scanner.consume(.comma) { continue }
            if scanner.isAtEnd { return false }
            guard let listed = scanner.entityTag() else { return false }
            if comparison == .weak || !listed.isWeak, tag.matches(opaque: scanner.slice(listed.opaque)) { return true }
        }
    }
}

extension FieldValueScanner {
    /// Reads `entity-tag` (RFC 9110 §8.8.3) and the whitespace up to the next comma; `nil` if it is malformed.
    fileprivate mutating func entityTag() -> (opaque: Range<Int>, isWeak: Bool)? {
        let isWeak = self.consume(UInt8(ascii: "W"))
        if isWeak, !self.consume(.slash) { return nil }
        guard self.consume(.quote) else { return nil }
        let opaque = self.bytes { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
        guard self.consume(.quote) else { return nil }
        self.skipWhitespace()
        return self.isAtEnd || self.next == .comma ? (opaque, isWeak) : nil
    }
}
