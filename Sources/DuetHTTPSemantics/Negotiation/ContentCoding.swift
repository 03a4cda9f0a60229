package import HTTPTypes

/// A content coding that the server can send (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// No coding.
    case identity
    /// gzip (RFC 1952): deflate-compressed bytes with a gzip header and trailer.
    case gzip

    /// Returns the coding that the `Accept-Encoding` fields of a request prefer (RFC 9110 §12.5.3).
    ///
    /// A coding that the request does not list (`gzip` or `identity`) has the weight of `*`. Without `*`, an unlisted
    /// `gzip` is not acceptable, and an unlisted `identity` is acceptable with the lowest preference. The result is
    /// `gzip` if its weight is greater than 0 and at least the weight of `identity`. Otherwise the result is
    /// `identity`, unless the request excludes `identity`. A request excludes `identity` with `identity;q=0`, or with
    /// `*;q=0` if it does not list `identity`. Malformed elements are ignored.
    /// - Parameters:
    ///   - fields: The fields of the request.
    ///   - savesBytes: False for a body that gzip does not make smaller. Such a body is only compressed if the request
    ///     excludes `identity`.
    /// - Returns: The coding; `nil` if the request accepts neither `gzip` nor `identity`. The status is then 406.
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
                    if element.isNamed("gzip") || element.isNamed("x-gzip") {
                        gzip = max(gzip ?? 0, element.weight)
                    } else if element.isNamed("identity") {
                        identity = max(identity ?? 0, element.weight)
                    } else if element.isNamed("*") {
                        anything = max(anything ?? 0, element.weight)
                    }
                }
            }
        }
        let gzipWeight = gzip ?? anything ?? 0
        // If the request contains no weight for `identity`, `identity` is acceptable, but the codings in the request
        // are preferred.
        let identityWeight = identity ?? anything
        if identityWeight == 0 { return gzipWeight > 0 ? .gzip : nil }
        return savesBytes && gzipWeight > 0 && gzipWeight >= identityWeight ?? 0 ? .gzip : .identity
    }

    /// Returns true if the `Accept-Encoding` fields accept no coding that the server can send.
    package static func isNoneAccepted(by fields: HTTPFields) -> Bool {
        hasWeights(fields) && preferred(for: fields) == nil
    }

    /// Returns true if the fields can contain weights. Without weights, `identity` is acceptable, so the elements need
    /// not be parsed.
    private static func hasWeights(_ fields: HTTPFields) -> Bool {
        let name = HTTPField.Name.acceptEncoding
        return fields.contains { field in
            field.name == name && field.withUnsafeBytesOfValue { $0.contains(.semicolon) }
        }
    }
}
