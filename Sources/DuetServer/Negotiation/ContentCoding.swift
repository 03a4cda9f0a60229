package import HTTPTypes

/// A content coding the server can send (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// The bytes as they are.
    case identity
    /// RFC 1952, zlib's deflate in a gzip frame.
    case gzip

    /// The coding that a request's `Accept-Encoding` fields prefer (RFC 9110 §12.5.3); `nil` if they accept none, which is 406.
    ///
    /// gzip is chosen when the request names it, or `*`, with a weight that is neither 0 nor below that of `identity`.
    /// Otherwise it is `identity`, which is acceptable unless `identity;q=0` excludes it, or `*;q=0` without a weight for
    /// `identity` itself. A request that excludes it gets gzip with any weight but 0. Malformed elements are ignored.
    /// - Parameter savesBytes: false for a body that gzip does not make smaller; it is compressed only if it must be.
    package static func preferred(for fields: HTTPFields, savesBytes: Bool = true) -> ContentCoding? {
        if !savesBytes, !hasWeights(fields) { return .identity }
        var gzip: Int?
        var identity: Int?
        var anything: Int?
        let name = HTTPField.Name.acceptEncoding
        for field in fields where field.name == name {
            field.withUnsafeBytesOfValue { bytes in
                var elements = WeightedElements(bytes)
                while let element = elements.next() {
                    if element.name.equalsIgnoringCase("gzip") || element.name.equalsIgnoringCase("x-gzip") {
                        gzip = max(gzip ?? 0, element.weight)
                    } else if element.name.equalsIgnoringCase("identity") {
                        identity = max(identity ?? 0, element.weight)
                    } else if element.name.equalsIgnoringCase("*") {
                        anything = max(anything ?? 0, element.weight)
                    }
                }
            }
        }
        let gzipWeight = gzip ?? anything ?? 0
        // Without a weight it is accepted, and whatever the request names is preferred.
        let identityWeight = identity ?? anything
        if identityWeight == 0 { return gzipWeight > 0 ? .gzip : nil }
        return savesBytes && gzipWeight > 0 && gzipWeight >= identityWeight ?? 0 ? .gzip : .identity
    }

    /// Returns true if the `Accept-Encoding` fields accept no coding that the server can send.
    static func isNoneAccepted(by fields: HTTPFields) -> Bool {
        hasWeights(fields) && preferred(for: fields) == nil
    }

    /// Returns true if there may be weights. Without any, nothing is refused, and there is no need to read the elements.
    private static func hasWeights(_ fields: HTTPFields) -> Bool {
        let name = HTTPField.Name.acceptEncoding
        return fields.contains { field in
            field.name == name && field.withUnsafeBytesOfValue { $0.contains(.semicolon) }
        }
    }
}
