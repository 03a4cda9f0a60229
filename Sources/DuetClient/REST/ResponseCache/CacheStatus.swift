import Foundation
public import HTTPTypes

/// The part that the cache had in a response: the `Cache-Status` field (RFC 9211) that ``CachingTransport`` adds.
///
/// ```swift
/// if let status = CacheStatus(response.head), status.source == .storedOnError {
///     show("No connection. The data is \(status.age) old.")
/// }
/// ```
public struct CacheStatus: Sendable, Hashable {
    /// Where a response comes from.
    public enum Source: Sendable, Hashable {
        /// From the cache; the server was not asked.
        case stored
        /// From the cache; the server says that it is still valid.
        case validated
        /// From the cache, because the server could not be reached or had an error.
        case storedOnError
        /// From the server.
        case forwarded
    }

    /// Where the response comes from.
    public var source: Source
    /// The time since the server made the response, or last said that it is valid.
    public var age: Duration
    /// The time for which the response is fresh from now on; 0 or less if it is stale; `nil` if it comes from the server.
    public var timeToLive: Duration?

    /// True if the response is older than the server permits without asking again.
    public var isStale: Bool { timeToLive.map { $0 <= .zero } ?? false }

    /// The status of a response; `nil` if no ``CachingTransport`` has seen it.
    public init?(_ head: HTTPResponse) {
        // The last one is that of the cache nearest to the client.
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
    /// The request says that it is not to be answered from the cache.
    case bypass
    /// The method is not one whose responses are stored.
    case method
    /// There is no stored response.
    case miss
    /// The stored response is stale.
    case stale
}

extension HTTPResponse {
    /// Adds the status of a response from the server.
    mutating func addCacheStatus(forwarded reason: ForwardReason, stored: Bool = false) {
        headerFields.append(
            HTTPField(
                name: .cacheStatus,
                value: "\(CacheStatus.cacheName); fwd=\(reason.rawValue)" + (stored ? "; stored" : "")))
    }
}

extension StoredResponse {
    /// The head of the response from the cache (RFC 9111 §4): with its age, and the part that the cache has in it.
    /// - Parameter forwardStatus: The status of the server's response, if it was asked and answered.
    func head(from source: CacheStatus.Source, forwardStatus: HTTPResponse.Status? = nil, at now: Date) -> HTTPResponse
    {
        let freshness = freshness
        var parameters = [CacheStatus.cacheName]
        if source == .stored { parameters.append("hit") } else { parameters.append("fwd=stale") }
        if let forwardStatus { parameters.append("fwd-status=\(forwardStatus.code)") }
        // Rounded up, so that it is more than 0 as long as the response is fresh.
        parameters.append("ttl=\(Int(clamping: freshness.timeToLive(at: now).rounded(.up)))")
        if source == .storedOnError { parameters.append("detail=\(CacheStatus.onError)") }
        var head = head
        head.headerFields[.age] = String(Int(clamping: freshness.age(at: now).rounded(.down)))
        head.headerFields.append(HTTPField(name: .cacheStatus, value: parameters.joined(separator: "; ")))
        return head
    }
}

extension Int {
    /// A whole number, or the nearest that there is.
    fileprivate init(clamping number: Double) {
        self = Int(exactly: number) ?? (number < 0 ? .min : .max)
    }
}
