import Foundation
public import HTTPTypes
import Synchronization

/// A private cache (RFC 9111) around another transport. It also serves responses when the network is unavailable.
///
/// A fresh response is served from the cache. A stale response is validated with the server by its entity tag or its
/// last modification time. If the server is not reachable or reports an error, a stale response is served unless the
/// server forbids it (RFC 5861). ``CacheStatus`` contains the origin and the age of a response.
///
/// A request can have these directives of `Cache-Control`: `no-cache` (validate with the server), `no-store`,
/// `max-age`, `min-fresh`, `max-stale`, `only-if-cached` (no request to the server; the response is 504 if none is
/// stored), `stale-if-error`.
///
/// A write removes the stored responses of its resource for all queries. Responses are stored separately for each user.
public struct CachingTransport: HTTPTransport {
    /// The stored responses.
    public let cache: ResponseCache
    private let transport: any HTTPTransport
    private let staleIfError: Double
    private let partition: @Sendable (HTTPRequest) -> String

    /// Creates a cache around a transport.
    /// - Parameters:
    ///   - transport: Sends the requests that the cache cannot answer.
    ///   - cache: The stored responses.
    ///   - staleIfError: The maximum time after a response becomes stale during which it is served if the server is not
    ///     reachable or reports an error. It applies if neither the request nor the response specifies the time.
    ///   - partition: Returns an identifier of the user of a request. Users never receive the stored responses of other
    ///     users. By default, the identifier consists of the values of `Authorization` and `Cookie`. An app whose
    ///     tokens change should return the name of its user.
    public init(
        _ transport: any HTTPTransport, cache: ResponseCache, staleIfError: Duration = .seconds(30 * 86_400),
        partition: @escaping @Sendable (HTTPRequest) -> String = CachingTransport.credentials
    ) {
        self.transport = transport
        self.cache = cache
        self.staleIfError = staleIfError / .seconds(1)
        self.partition = partition
    }

    /// Returns the values of `Authorization` and `Cookie` of a request.
    @Sendable
    public static func credentials(of request: HTTPRequest) -> String {
        [HTTPField.Name.authorization, .cookie].map { name in
            request.headerFields[values: name].map { "\($0.utf8.count):\($0)" }.joined()
        }.joined(separator: "\n")
    }

    /// Serves a response from the cache, or sends the request.
    /// - Throws: ``TransportError`` if the request cannot be sent and no stored response can be served.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.head.method == .get || request.head.method == .head else { return try await write(request) }
        let directives = CacheControl(request.head.headerFields)
        guard !directives.contains(.noStore), request.body == nil,
            !request.head.headerFields.contains(where: Self.isCondition)
        else { return try await forward(request, .bypass) }

        let key = ResponseKey(request.head, partition: partition(request.head))
        let stored = await cache.response(for: key) { $0.matches(request.head) }
        let policy = stored.map { stored in
            ReusePolicy(
                request: directives, response: CacheControl(stored.head.headerFields), freshness: stored.freshness)
        }
        if let stored, policy?.permitsReuse(at: cache.now()) == true { return serve(stored, from: .stored) }
        if directives.contains(.onlyIfCached) {
            return TransportResponse(HTTPResponse(status: .gatewayTimeout), body: ResponseBody(Data()))
        }
        guard let stored, let policy else { return try await fetch(request, key: key, replacing: nil) }

        func mayServe() -> Bool { policy.permitsReuseOnError(at: cache.now(), limit: staleIfError) }
        do throws(TransportError) {
            let response = try await validate(stored, request)
            if Self.errors.contains(response.head.status.code), mayServe() {
                return serve(stored, from: .storedOnError, forwardStatus: response.head.status)
            }
            return response
        } catch {
            guard error.mayBePassing, mayServe() else { throw error }
            return serve(stored, from: .storedOnError)
        }
    }

    /// The status codes that RFC 5861 §4 treats as errors.
    private static let errors: Set<Int> = [500, 502, 503, 504]

    /// Returns true for the fields of a partial or conditional request. The response to such a request is valid only
    /// for its caller.
    @Sendable
    private static func isCondition(_ field: HTTPField) -> Bool {
        [.range, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange].contains(field.name)
    }

    // MARK: - Responses

    private func serve(
        _ stored: StoredResponse, from source: CacheStatus.Source, forwardStatus: HTTPResponse.Status? = nil
    ) -> TransportResponse {
        TransportResponse(
            stored.head(from: source, forwardStatus: forwardStatus, at: cache.now()), body: ResponseBody(stored.body))
    }

    private func forward(
        _ request: TransportRequest, _ reason: ForwardReason
    ) async throws(TransportError) -> TransportResponse {
        var response = try await transport.send(request)
        response.head.addCacheStatus(forwarded: reason)
        return response
    }

    /// Sends a request that may change its resource, and removes the stored responses of the resource (RFC 9111 §4.4).
    private func write(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let resource = ResponseKey.resource(request.head)
        let isSafe = [.options, .trace, .query].contains(request.head.method)
        do throws(TransportError) {
            let response = try await forward(request, .method)
            // After a client error, the resource is unchanged. After a server error, the change may have been made.
            if !isSafe, response.head.status.kind != .clientError {
                cache.invalidate(resource)
                for name in [HTTPField.Name.location, .contentLocation] {
                    invalidate(response.head.headerFields[name], of: request.head)
                }
            }
            return response
        } catch {
            // The server may have performed the request. If the request did not reach the server, the stored responses
            // are still valid.
            if !isSafe, ![.cannotConnect, .insecure, .invalidAddress].contains(error.code) {
                cache.invalidate(resource)
            }
            throw error
        }
    }

    /// Invalidates a resource that a response refers to, if it has the same origin.
    private func invalidate(_ reference: String?, of request: HTTPRequest) {
        guard let reference, let base = request.url.flatMap(ServiceAddress.init),
            let address = URL(string: reference, relativeTo: request.url).flatMap({ ServiceAddress($0.absoluteURL) }),
            address.isSameOrigin(as: base)
        else { return }
        var named = request
        named.path = address.path
        cache.invalidate(ResponseKey.resource(named))
    }

    /// Validates a stored response with the server.
    private func validate(
        _ stored: StoredResponse, _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        let conditions = stored.conditions
        guard !conditions.isEmpty else { return try await fetch(request, key: stored.key, replacing: stored) }
        var conditional = request
        conditional.head.headerFields.append(contentsOf: conditions)
        let (moment, requestTime) = (cache.moment, cache.now())
        let response = try await transport.send(conditional)
        guard response.head.status == .notModified else {
            return keep(
                response, to: request.head, key: stored.key, replacing: stored, since: moment, sentAt: requestTime)
        }
        guard
            let fresh = stored.freshened(by: response.head, requestTime: requestTime, responseTime: cache.now())
        else { return try await fetch(request, key: stored.key, replacing: stored) }
        cache.store(fresh, since: moment)
        return serve(fresh, from: .validated, forwardStatus: .notModified)
    }

    private func fetch(
        _ request: TransportRequest, key: ResponseKey, replacing stored: StoredResponse?
    ) async throws(TransportError) -> TransportResponse {
        let (moment, requestTime) = (cache.moment, cache.now())
        let response = try await transport.send(request)
        return keep(response, to: request.head, key: key, replacing: stored, since: moment, sentAt: requestTime)
    }

    // MARK: - Storing

    /// Returns the response. It is stored when its body was read to the end.
    private func keep(
        _ response: TransportResponse, to request: HTTPRequest, key: ResponseKey, replacing stored: StoredResponse?,
        since moment: ResponseCache.Moment, sentAt requestTime: Date
    ) -> TransportResponse {
        let responseTime = cache.now()
        var result = response
        let mayStore = StoragePolicy.permits(response.head, to: request)
        result.head.addCacheStatus(forwarded: stored == nil ? .miss : .stale, stored: mayStore)
        guard mayStore else {
            // The resource was removed, or must no longer be stored.
            if let stored, response.head.status.kind == .successful || [404, 410].contains(response.head.status.code) {
                cache.remove(stored)
            }
            return result
        }
        let (head, cache) = (response.head, cache)
        result.body = response.body.onEnd(collectingUpTo: cache.limits.response) { body in
            let stored = StoredResponse(
                head, body: body, to: request, key: key, requestTime: requestTime, responseTime: responseTime)
            if let stored { cache.store(stored, since: moment) }
        }
        return result
    }
}

extension TransportError {
    /// True for failures of the network or the server, after which the same request may succeed later.
    fileprivate var mayBePassing: Bool {
        switch code {
        case .cannotConnect, .insecure, .connectionLost, .timedOut, .invalidResponse: true
        case .cancelled, .invalidAddress, .tooLarge: false
        }
    }
}

extension ResponseBody {
    /// Returns the same body. Its bytes are passed to a closure when the body was read to the end, unless it exceeds
    /// the limit.
    fileprivate func onEnd(collectingUpTo limit: Int, _ perform: @escaping @Sendable (Data) -> Void) -> ResponseBody {
        let whole = Mutex<Data?>(Data())
        return ResponseBody { () throws(TransportError) in
            // The iterators of a body share its read position.
            var iterator = makeAsyncIterator()
            let part = try await iterator.next()
            let end = whole.withLock { whole -> Data? in
                guard let part else { return whole.take() }
                if let count = whole?.count, count + part.count <= limit {
                    whole?.append(part)
                } else {
                    whole = nil
                }
                return nil
            }
            if let end { perform(end) }
            return part
        }
    }
}
