package import HTTPTypes

/// A content coding the server can send (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// The bytes as they are.
    case identity
    /// RFC 1952, zlib's deflate in a gzip frame.
    case gzip

    /// The coding that a request's `Accept-Encoding` fields like best (RFC 9110 §12.5.3).
    ///
    /// gzip is chosen when the request names it, or `*`, with a weight that is neither 0 nor below that of `identity`.
    /// Everything else gets `identity`, even a request that refuses it (`identity;q=0`) and offers nothing in its
    /// place: a readable answer serves better than a 406. Malformed elements are ignored.
    package static func preferred(for fields: HTTPFields) -> ContentCoding {
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
        return gzipWeight > 0 && gzipWeight >= identity ?? anything ?? 0 ? .gzip : .identity
    }
}
