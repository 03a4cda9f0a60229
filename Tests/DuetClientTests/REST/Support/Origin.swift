import DuetClient
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A simulated server, and a cache in front of it. A test sets the server's responses. Both use the same clock.
final class Origin: Sendable {
    let clock: WallClock
    let cache: ResponseCache
    private let response = Mutex<@Sendable (HTTPRequest) throws(TransportError) -> TransportResponse>({ _ in
        TransportResponse(.ok)
    })
    private let partition: (@Sendable (HTTPRequest) -> String)?

    /// - Parameters:
    ///   - folder: The folder of the cache.
    ///   - partition: Returns an identifier for the user of a request. The default is that of ``CachingTransport``.
    ///   - clock: The clock of the server and of the cache.
    init(
        folder: URL? = nil, limits: ResponseCache.Limits = .init(),
        partition: (@Sendable (HTTPRequest) -> String)? = nil, clock: WallClock = WallClock(),
        notify: @escaping @Sendable (ResponseCacheNotice) -> Void = { _ in }
    ) {
        self.clock = clock
        cache = ResponseCache(folder: folder, limits: limits, now: { [clock] in clock.now }, notify: notify)
        self.partition = partition
        scripted.withLock { transport in
            transport = ScriptedTransport { [weak self] request throws(TransportError) in
                guard let response = self?.response.withLock({ $0 }) else { throw TransportError(.cancelled, "") }
                return try response(request.head)
            }
        }
    }

    private let scripted = Mutex(ScriptedTransport(.ok))

    /// The requests that reached the server.
    var requests: [HTTPRequest] { scripted.withLock { $0 }.requests.map(\.head) }

    /// Sets the response of the server.
    func respond(_ response: @escaping @Sendable (HTTPRequest) throws(TransportError) -> TransportResponse) {
        self.response.withLock { $0 = response }
    }

    /// Sets the response of the server.
    func respond(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], _ body: String = "") {
        respond { _ in TransportResponse(status, fields, body) }
    }

    /// Lets each request to the server fail with a transport error.
    func stop(_ code: TransportError.Code = .cannotConnect) {
        respond { _ throws(TransportError) in throw TransportError(code, "nothing listens") }
    }

    /// A response from the cache or the server.
    struct Reply: Equatable {
        let status: Int
        let body: String
        let fields: HTTPFields
        let cache: CacheStatus?

        /// The source of the response.
        var source: CacheStatus.Source? { cache?.source }
    }

    /// Sends a request through the cache and reads the whole response.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method = .get, _ path: String = "/a", _ fields: HTTPFields = [:]
    ) async throws(TransportError) -> Reply {
        let response = try await open(method, path, fields)
        let body = try await response.body.collect(upTo: .max)
        return Reply(
            status: response.head.status.code, body: String(decoding: body, as: UTF8.self),
            fields: response.head.headerFields, cache: CacheStatus(response.head))
    }

    /// Sends a request through the cache, and returns the response without waiting for the body.
    func open(
        _ method: HTTPRequest.Method = .get, _ path: String = "/a", _ fields: HTTPFields = [:]
    ) async throws(TransportError) -> TransportResponse {
        let transport = scripted.withLock { $0 }
        let caching =
            if let partition {
                CachingTransport(transport, cache: cache, partition: partition)
            } else {
                CachingTransport(transport, cache: cache)
            }
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "example.org", path: path, headerFields: fields)
        return try await caching.send(TransportRequest(head))
    }
}
