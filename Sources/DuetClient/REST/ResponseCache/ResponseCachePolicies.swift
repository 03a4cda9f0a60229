package import Foundation
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

/// Determines whether a stored response may be used for a new request (RFC 9111 §4).
package struct ReusePolicy: Sendable {
    private let request: CacheDirectives
    private let response: CacheDirectives
    private let freshness: ResponseFreshness

    /// - Parameters:
    ///   - request: The directives of the request.
    ///   - response: The directives of the stored response.
    ///   - freshness: The freshness of the stored response.
    package init(request: CacheDirectives, response: CacheDirectives, freshness: ResponseFreshness) {
        self.request = request
        self.response = response
        self.freshness = freshness
    }

    /// Returns true if the stored response can be used without a request to the server. The response must be fresh, or
    /// the request must allow a stale response.
    package func permitsReuse(at now: Date) -> Bool {
        guard !needsValidation else { return false }
        let timeToLive = min(
            freshness.timeToLive(at: now), (request.seconds(.maxAge) ?? .infinity) - freshness.age(at: now))
        if timeToLive > 0, timeToLive >= request.seconds(.minFresh) ?? 0 { return true }
        guard !response.contains(.mustRevalidate), let staleness = request.maximumStaleness else { return false }
        return -timeToLive <= staleness
    }

    /// Returns true if the stored response can be used when the server is not reachable or reports an error (RFC 5861
    /// §4).
    /// - Parameter limit: The maximum number of seconds after the response becomes stale. It applies if neither the
    ///   request nor the response has the directive `stale-if-error`.
    package func permitsReuseOnError(at now: Date, limit: Double) -> Bool {
        guard !needsValidation, !response.contains(.mustRevalidate) else { return false }
        let limit = request.seconds(.staleIfError) ?? response.seconds(.staleIfError) ?? limit
        return -freshness.timeToLive(at: now) <= limit
    }

    /// True if the response must be validated with the server before each use, even if it is fresh.
    private var needsValidation: Bool { request.contains(.noCache) || response.contains(.noCache) }
}
