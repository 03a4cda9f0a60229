import DuetHTTPSemantics
package import HTTPTypes

/// The result of a request's preconditions, evaluated in the order of RFC 9110 §13.2.2. `If-Modified-Since` and
/// `If-Unmodified-Since` are ignored, because the server sends no `Last-Modified`.
package enum EntityTagPrecondition: Sendable, Hashable {
    /// The server executes the request.
    case proceed
    /// 304: the client already has the current body.
    case notModified
    /// 412: the current body, or its absence, does not satisfy a precondition.
    case failed

    /// Evaluates `If-Match` and `If-None-Match`.
    ///
    /// - Parameters:
    ///   - fields: The fields of the request.
    ///   - method: The method of the request. A match of `If-None-Match` results in 304 for GET and HEAD, and in 412
    ///     for all other methods.
    ///   - current: The tag of the current body, or `nil` if the resource does not exist.
    package static func evaluate(
        _ fields: HTTPFields, method: HTTPRequest.Method, current: BodyTag?
    ) -> EntityTagPrecondition {
        guard !fields.isEmpty else { return .proceed }
        if EntityTagList.match(current, in: fields, name: .ifMatch, comparison: .strong) == .unmatched {
            return .failed
        }
        if EntityTagList.match(current, in: fields, name: .ifNoneMatch, comparison: .weak) == .matched {
            return method == .get || method == .head ? .notModified : .failed
        }
        return .proceed
    }
}

/// The value of an `If-Match` or `If-None-Match` field: `*` or a list of entity tags (RFC 9110 §13.1.1, §13.1.2).
///
/// In each field, only the tags before the first malformed element are compared. Therefore a field that begins with a
/// malformed element matches nothing: a request with `If-None-Match` receives the complete response, and a request with
/// `If-Match` receives 412.
package enum EntityTagList {
    /// The comparison of two tags (RFC 9110 §8.8.3.2).
    package enum Comparison: Sendable {
        /// Strong comparison, which `If-Match` requires: neither tag may be weak.
        case strong
        /// Weak comparison, which `If-None-Match` requires: a prefix `W/` is ignored.
        case weak
    }

    /// The result of a comparison.
    package enum Match: Sendable, Hashable {
        /// The request does not have the field.
        case absent
        /// The resource exists, and the field is `*` or one of its tags is the tag of the body.
        case matched
        /// None of the tags is the tag of the body, or the resource does not exist.
        case unmatched
    }

    /// Compares `tag` with the tags in the fields that have the name `name`.
    ///
    /// - Parameters:
    ///   - tag: The tag of the current body, or `nil` if the resource does not exist.
    ///   - fields: The fields of the request. Several fields with the same name count as one list.
    ///   - name: `If-Match` or `If-None-Match`.
    ///   - comparison: The comparison that the field requires.
    package static func match(
        _ tag: BodyTag?, in fields: HTTPFields, name: HTTPField.Name, comparison: Comparison
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
        _ tag: BodyTag, in bytes: UnsafeBufferPointer<UInt8>, comparison: Comparison
    ) -> Bool {
        contains(bytes, comparison) { tag.matches(opaque: $0) }
    }

    /// Returns true for `*`, or if a tag that the comparison allows satisfies the condition.
    private static func contains(
        _ bytes: UnsafeBufferPointer<UInt8>, _ comparison: Comparison,
        where isMatch: (_ opaque: UnsafeBufferPointer<UInt8>) -> Bool
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
            if comparison == .weak || !listed.isWeak, isMatch(scanner.slice(listed.opaque)) { return true }
        }
    }

    /// The parsed content of a field for a later comparison.
    package enum Tags: Sendable, Hashable {
        /// `*`.
        case any
        /// The tags that the comparison allows. Tags that do not have the format of ``BodyTag`` are omitted.
        case listed([BodyTag])
    }

    /// Returns the content of the fields with `name`; nil if the request has none.
    /// - Parameters:
    ///   - fields: The fields of the request. Several fields with the same name count as one list.
    ///   - name: `If-Match` or `If-None-Match`.
    ///   - comparison: The comparison that the field requires.
    package static func tags(in fields: HTTPFields, name: HTTPField.Name, comparison: Comparison) -> Tags? {
        var listed: [BodyTag]?
        for field in fields where field.name == name {
            var tags: [BodyTag] = []
            let isAny = field.withUnsafeBytesOfValue { bytes in
                contains(bytes, comparison) { opaque in
                    if let tag = BodyTag(opaque: opaque) { tags.append(tag) }
                    return false
                }
            }
            if isAny { return .any }
            listed = (listed ?? []) + tags
        }
        return listed.map { .listed($0) }
    }
}

extension FieldValueScanner {
    /// Reads an `entity-tag` (RFC 9110 §8.8.3) and the white space up to the next comma. It returns `nil` if the tag is
    /// malformed.
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
