import Foundation
import HTTPTypes

/// The limits of a ``ResourceLoader``.
public struct ResourceLimits: Sendable, Hashable {
    /// The maximum cost of all values in memory, in bytes.
    public var memory = 32 * 1024 * 1024
    /// The maximum length of a resource, in bytes.
    public var contentLength = 16 * 1024 * 1024
    /// The time after a failure during which the resource is not requested again. If the cache has served a stale
    /// response because of the failure, the value is served from memory for this time.
    public var failureLifetime = Duration.seconds(10)
    /// The time for which a value is served from memory if the response does not specify a freshness lifetime.
    public var defaultLifetime = Duration.seconds(60)
    /// The maximum time until the head of the response arrives. After the head, it is the maximum time between two
    /// parts of the content.
    public var timeout = Duration.seconds(30)

    /// Creates the default limits.
    public init() {}

    /// Returns the time for which the value of a response is served from memory.
    func lifetime(of head: HTTPResponse, at now: Date) -> Duration {
        let directives = CacheDirectives(head.headerFields)
        if directives.contains(.noStore) || directives.contains(.noCache) { return .zero }
        let status = CacheStatus(head)
        if status?.source == .storedOnError { return failureLifetime }
        guard directives.contains(.maxAge) || head.headerFields.contains(.expires) else { return defaultLifetime }
        return max(
            .zero,
            status?.timeToLive
                ?? .seconds(ResponseFreshness(head, requestTime: now, responseTime: now).timeToLive(at: now)))
    }
}
