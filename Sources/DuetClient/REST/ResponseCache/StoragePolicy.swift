package import HTTPTypes

/// Determines whether a private cache may store a response (RFC 9111 §3).
package enum StoragePolicy {
    /// The status codes of responses that this cache may store. Most server errors are excluded: they would replace a
    /// response that the cache can serve during the error.
    private static let understood: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Returns true if the response to a `GET` or `HEAD` request may be stored.
    package static func permits(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        let directives = CacheDirectives(response.headerFields)
        guard understood.contains(response.status.code), !CacheDirectives(request.headerFields).contains(.noStore),
            // §5.2.2.3: a cache that understands the status ignores `no-store` if `must-understand` is present.
            !directives.contains(.noStore) || directives.contains(.mustUnderstand),
            Variation(response) != nil
        else { return false }
        return directives.contains(.maxAge) || response.headerFields.contains(.expires)
            // A response without a freshness lifetime is stored only for validation or for use without a network. A
            // stored error response is useless for these purposes.
            || response.status.kind == .successful || [301, 308].contains(response.status.code)
    }
}
