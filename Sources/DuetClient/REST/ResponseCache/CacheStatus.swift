import DuetHTTPSemantics
import Foundation
public import HTTPTypes

/// The `Cache-Status` field of a response (RFC 9211). The field reports how the cache handled the request.
/// ``CachingTransport`` adds the field to its responses.
///
/// ```swift
/// if let status = CacheStatus(response.head), status.source == .storedOnError {
///     show("No connection. The data is \(status.age) old.")
/// }
/// ```
public struct CacheStatus: Sendable, Hashable {
    /// The origin of a response.
    public enum Source: Sendable, Hashable {
        /// The cache, without a request to the server.
        case stored
        /// The cache, after the server confirmed that the response is valid.
        case validated
        /// The cache, because the server was not reachable or reported an error.
        case storedOnError
        /// The server.
        case forwarded
    }

    /// The origin of the response.
    public var source: Source
    /// The time since the server created the response or last validated it.
    public var age: Duration
    /// The remaining time for which the response is fresh. It is 0 or less if the response is stale, and `nil` if the
    /// response comes from the server.
    public var timeToLive: Duration?

    /// True if the response is stale.
    public var isStale: Bool { timeToLive.map { $0 <= .zero } ?? false }

    /// Parses the `Cache-Status` field. Returns `nil` if the field is not from a ``CachingTransport``.
    public init?(_ head: HTTPResponse) {
        // Each cache appends its value, so the last value is from the cache nearest to the client.
        guard let value = head.headerFields[values: .cacheStatus].last else { return nil }
        let parts = value.split(separator: ";").map { $0.trimmingOptionalWhitespace() }
        guard parts.first == Self.cacheName else { return nil }
        func parameter(_ name: String) -> Int? {
            parts.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
        }
        if parts.contains("hit") {
            source = .stored
        } else if parts.contains("detail=\(Self.onError)") {
            source = .storedOnError
        } else if parameter("fwd-status") == 304 {
            source = .validated
        } else {
            source = .forwarded
        }
        age = .seconds(head.headerFields[.age].flatMap { Int($0) } ?? 0)
        timeToLive = parameter("ttl").map { .seconds($0) }
    }

    static let cacheName = "DuetClient"
    static let onError = "stale-if-error"
}

/// The reason why a request was sent to the server (RFC 9211 §2.2).
enum ForwardReason: String {
    /// The request does not allow a response from the cache.
    case bypass
    /// The cache does not store responses to the request's method.
    case method
    /// The cache has no stored response.
    case miss
    /// The stored response is stale.
    case stale
}

extension HTTPResponse {
    /// Adds the status for a response from the server.
    mutating func addCacheStatus(forwarded reason: ForwardReason, stored: Bool = false) {
        headerFields.append(
            HTTPField(
                name: .cacheStatus,
                value: "\(CacheStatus.cacheName); fwd=\(reason.rawValue)" + (stored ? "; stored" : "")))
    }
}

extension StoredResponse {
    /// Returns the head for a response from the cache (RFC 9111 §4), with its age and its cache status.
    /// - Parameter forwardStatus: The status of the server's response, if the server responded.
    func head(from source: CacheStatus.Source, forwardStatus: HTTPResponse.Status? = nil, at now: Date) -> HTTPResponse
    {
        let freshness = freshness
        var parameters = [CacheStatus.cacheName]
        if source == .stored { parameters.append("hit") } else { parameters.append("fwd=stale") }
        if let forwardStatus { parameters.append("fwd-status=\(forwardStatus.code)") }
        // Rounded up, so that the value is positive while the response is fresh.
        parameters.append("ttl=\(Int(clamping: freshness.timeToLive(at: now).rounded(.up)))")
        if source == .storedOnError { parameters.append("detail=\(CacheStatus.onError)") }
        var head = head
        head.headerFields[.age] = String(Int(clamping: freshness.age(at: now).rounded(.down)))
        head.headerFields.append(HTTPField(name: .cacheStatus, value: parameters.joined(separator: "; ")))
        return head
    }
}

extension Int {
    /// Creates a whole number, clamped to the range of `Int`.
    fileprivate init(clamping number: Double) {
        self = Int(exactly: number) ?? (number < 0 ? .min : .max)
    }
}
