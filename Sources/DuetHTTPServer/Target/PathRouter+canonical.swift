import DuetHTTPSemantics

/// Maps all spellings of a path to one canonical path. Requests with other spellings are redirected to the canonical
/// path. Therefore a cache stores only one copy of a response, and a purge of this copy is sufficient.
///
/// RFC 3986 §6.2.2 defines three kinds of equivalent spellings of a path: escapes of unreserved characters, escapes
/// with lowercase digits, and dot segments. This extension adds three kinds: empty segments, a trailing slash, and
/// leading zeros of a number. Escapes of characters that are not unreserved, such as `%2F`, are retained.
extension PathRouter {
    /// Returns the location of a redirection: the canonical path with the target's query.
    ///
    /// For nearly all targets, this is one pass over the bytes of the path.
    /// - Returns: `nil` if the target's path is canonical, or if its canonical form matches no template.
    package func redirection(of target: String) -> String? {
        // A request target has no fragment (RFC 9112 §3.2).
        guard Self.needsNormalization(target), !target.utf8.contains(UInt8(ascii: "#")) else { return nil }
        let end = target.utf8.firstIndex(of: .questionMark) ?? target.endIndex
        let path = target[..<end]
        guard let segments = Self.segments(of: path), let match = match("/" + segments.joined(separator: "/"))
        else { return nil }
        let canonical =
            "/"
            + zip(templates[match.template].segments, segments).map { pattern, segment in
                if case .parameter(_, isNumber: true) = pattern { Self.withoutLeadingZeros(segment) } else { segment }
            }.joined(separator: "/")
        return canonical == path ? nil : (canonical + target[end...]).uriReference
    }

    /// Returns true if the path may require normalization.
    private static func needsNormalization(_ target: String) -> Bool {
        var bytes = target.utf8.makeIterator()
        guard bytes.next() == .slash else { return false }
        var previous = UInt8.slash
        var count = 1
        while let byte = bytes.next(), byte != .questionMark {
            if byte == .percent { return true }
            if previous == .slash, byte == .slash || byte == .dot || byte == UInt8(ascii: "0") { return true }
            previous = byte
            count += 1
        }
        return previous == .slash && count > 1
    }

    /// Returns the segments of a path after normalization, without dot segments (`remove_dot_segments`, RFC 3986
    /// §5.2.4) and empty segments; `nil` if a percent sign is not followed by two hexadecimal digits.
    private static func segments(of path: Substring) -> [String]? {
        var segments: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            switch normalized(part) {
            case nil: return nil
            case ".": break
            case "..": _ = segments.popLast()
            case let segment?: segments.append(segment)
            }
        }
        return segments.filter { !$0.isEmpty }
    }

    /// Returns the segment with unreserved characters decoded and all other escapes in upper case; `nil` if a percent
    /// sign is not followed by two hexadecimal digits.
    private static func normalized(_ part: Substring) -> String? {
        guard part.utf8.contains(.percent) else { return String(part) }
        var bytes: [UInt8] = []
        var rest = part.utf8
        while let byte = rest.popFirst() {
            guard byte == .percent else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let high = digits.first?.hexadecimalValue, let low = digits.last?.hexadecimalValue
            else { return nil }
            let character = high << 4 | low
            if character.isUnreserved {
                bytes.append(character)
            } else {
                bytes.append(.percent)
                bytes.append(contentsOf: String(Substring(digits)).uppercased().utf8)
            }
            rest.removeFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a positive number without leading zeros. Returns any other text unchanged, and also a number above
    /// `Int32.max`, because the route rejects it.
    private static func withoutLeadingZeros(_ segment: String) -> String {
        guard segment.utf8.allSatisfy(\.isDigit), let number = Int32(segment), number > 0 else { return segment }
        return String(number)
    }
}
