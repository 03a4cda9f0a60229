package import Foundation

/// Decides if a stored response may be the response to another request (RFC 9111 §4).
package struct ReusePolicy: Sendable {
    private let request: CacheControl
    private let response: CacheControl
    private let freshness: ResponseFreshness

    /// - Parameters:
    ///   - request: The directives of the request.
    ///   - response: The directives of the stored response.
    ///   - freshness: Of the stored response.
    package init(request: CacheControl, response: CacheControl, freshness: ResponseFreshness) {
        self.request = request
        self.response = response
        self.freshness = freshness
    }

    /// True if the stored response can be used without asking the server: it is fresh, or the request permits that it is stale.
    package func permitsReuse(at now: Date) -> Bool {
        guard !needsValidation else { return false }
        let timeToLive = min(
            freshness.timeToLive(at: now), (request.seconds(.maxAge) ?? .infinity) - freshness.age(at: now))
        if timeToLive > 0, timeToLive >= request.seconds(.minFresh) ?? 0 { return true }
        guard !response.contains(.mustRevalidate), let staleness = request.maximumStaleness else { return false }
        return -timeToLive <= staleness
    }

    /// True if the stored response can be used because the server cannot be reached or reports an error (RFC 5861 §4).
    /// - Parameter limit: The maximum number of seconds since the response became stale, where neither the request nor the response
    ///   says one.
    package func permitsReuseOnError(at now: Date, limit: Double) -> Bool {
        guard !needsValidation, !response.contains(.mustRevalidate) else { return false }
        let limit = request.seconds(.staleIfError) ?? response.seconds(.staleIfError) ?? limit
        return -freshness.timeToLive(at: now) <= limit
    }

    /// True if the response cannot be used unless the server says that it is still valid, fresh or not.
    private var needsValidation: Bool { request.contains(.noCache) || response.contains(.noCache) }
}
