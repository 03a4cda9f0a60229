import Foundation
public import HTTPTypes
import Synchronization

/// A private cache (RFC 9111) that sends requests through another transport. It also serves responses when the network
/// is unavailable.
///
/// A fresh response is served from the cache. A stale response is validated with the server by its entity tag or its
/// last modification time. If the server is not reachable or reports an error, the cache serves a stale response unless
/// the server forbids it (RFC 5861). ``CacheStatus`` reports the origin and the age of a response.
///
/// The cache supports these `Cache-Control` directives of a request: `no-cache`, `no-store`, `max-age`, `min-fresh`,
/// `max-stale`, `only-if-cached`, and `stale-if-error`. With `no-cache`, the cache validates a stored response with the
/// server. With `only-if-cached`, the cache sends no request. If it has no usable response, it returns a response with
/// the status 504.
///
/// After a request that may have changed a resource, the cache removes all stored responses of the resource, regardless
/// of their query. Responses are stored separately for each user.
public struct CachingTransport: HTTPTransport {
    /// The stored responses.
    public let cache: ResponseCache
    private let transport: any HTTPTransport
    private let staleIfError: Double
    private let partition: @Sendable (HTTPRequest) -> String

    /// Creates a cache that sends requests through a transport.
    /// - Parameters:
    ///   - transport: Sends the requests for which the cache has no usable response.
    ///   - cache: The stored responses.
    ///   - staleIfError: The maximum staleness of a response that is served because the server is not reachable or
    ///     reports an error. It applies if neither the request nor the response has the directive `stale-if-error`.
    ///   - partition: Returns an identifier of the user of a request without a ``TransportRequest/caller``. A user
    ///     never receives the stored responses of a different user. By default, the identifier consists of the values
    ///     of `Authorization` and `Cookie`. If these values change although the user remains the same, return the name
    ///     of the user instead.
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
        guard !request.isStream else { return try await transport.send(request) }
        guard request.head.method == .get || request.head.method == .head else { return try await write(request) }
        let directives = CacheDirectives(request.head.headerFields)
        guard !directives.contains(.noStore), request.body == nil,
            !request.head.headerFields.contains(where: Self.isCondition)
        else { return try await forward(request, .bypass) }

        let key = ResponseKey(
            request.head,
            partition: request.caller.map { Caller.key(of: $0.identity) } ?? [partition(request.head)])
        let selecting = request.selectingHead
        let stored = await cache.response(for: key) { $0.matches(selecting) }
        let policy = stored.map { stored in
            ReusePolicy(
                request: directives, response: CacheDirectives(stored.head.headerFields), freshness: stored.freshness)
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

    /// Returns true for the header fields of a partial or conditional request. The response to such a request is useful
    /// only for this request.
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

    /// Sends a request with a method other than `GET` and `HEAD`. If the request may have changed its resource, removes
    /// the stored responses of the resource afterwards (RFC 9111 §4.4).
    private func write(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let resource = ResponseKey.resource(request.head)
        let isSafe = [.options, .trace, .query].contains(request.head.method)
        do throws(TransportError) {
            let response = try await forward(request, .method)
            // After a client error, the resource is unchanged. After a server error, it may be changed.
            if !isSafe, response.head.status.kind != .clientError {
                cache.invalidate(resource)
                for name in [HTTPField.Name.location, .contentLocation] {
                    invalidate(response.head.headerFields[name], of: request.head)
                }
            }
            return response
        } catch {
            // The server may have performed the request, unless the request did not reach the server.
            if !isSafe, ![.cannotConnect, .insecure, .invalidAddress, .noCaller].contains(error.code) {
                cache.invalidate(resource)
            }
            throw error
        }
    }

    /// Invalidates the resource at an address in a response, if the address has the same origin as the request.
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
                response, to: request.selectingHead, key: stored.key, replacing: stored, since: moment,
                sentAt: requestTime)
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
        return keep(
            response, to: request.selectingHead, key: key, replacing: stored, since: moment, sentAt: requestTime)
    }

    // MARK: - Storing

    /// Returns the response. The cache stores it when the caller has read the body to the end.
    private func keep(
        _ response: TransportResponse, to request: HTTPRequest, key: ResponseKey, replacing stored: StoredResponse?,
        since moment: ResponseCache.Moment, sentAt requestTime: Date
    ) -> TransportResponse {
        let responseTime = cache.now()
        var result = response
        let mayStore = StoragePolicy.permits(response.head, to: request)
        result.head.addCacheStatus(forwarded: stored == nil ? .miss : .stale, stored: mayStore)
        guard mayStore else {
            // The new response shows that the stored response must not be used again.
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

extension TransportRequest {
    /// The head whose fields select a stored response (`Vary`). If the request has a caller, the identity of the caller
    /// is in the key, so that a renewed token selects the same response.
    fileprivate var selectingHead: HTTPRequest {
        var head = head
        if caller != nil { head.headerFields[.authorization] = nil }
        return head
    }
}

extension TransportError {
    /// True for failures of the network or the server that may be temporary.
    fileprivate var mayBePassing: Bool {
        switch code {
        case .cannotConnect, .insecure, .connectionLost, .timedOut, .invalidResponse, .noToken: true
        case .cancelled, .invalidAddress, .tooLarge, .callerChanged, .noCaller: false
        }
    }
}

extension ResponseBody {
    /// Returns the same body. When the caller has read the body to its end, the closure receives all bytes, unless
    /// their number exceeds the limit.
    fileprivate func onEnd(collectingUpTo limit: Int, _ perform: @escaping @Sendable (Data) -> Void) -> ResponseBody {
        let whole = Mutex<Data?>(Data())
        return ResponseBody { () throws(TransportError) in
            // All iterators of a body share one read position.
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
