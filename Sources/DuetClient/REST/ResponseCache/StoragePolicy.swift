package import HTTPTypes

/// Decides if a response may be stored by a private cache (RFC 9111 §3).
package enum StoragePolicy {
    /// The status codes whose meaning for a cache is known to this one. Errors of the server are not among them: they would take the
    /// place of a response that is useful while the server has an error.
    private static let understood: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// True if the response to a request with `GET` or `HEAD` may be stored.
    package static func permits(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        let directives = CacheControl(response.headerFields)
        guard understood.contains(response.status.code), !CacheControl(request.headerFields).contains(.noStore),
            // §5.2.2.3: who understands the status ignores the no-store beside must-understand.
            !directives.contains(.noStore) || directives.contains(.mustUnderstand),
            Variation(response) != nil
        else { return false }
        return directives.contains(.maxAge) || response.headerFields.contains(.expires)
            // Without these, a response is stored to be validated, or for times without network. An error is of no use then.
            || response.status.kind == .successful || [301, 308].contains(response.status.code)
    }
}
