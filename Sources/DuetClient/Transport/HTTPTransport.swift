public import Foundation
public import HTTPTypes

/// Sends an HTTP request and receives its response.
///
/// Retries, persisted queries, caches and request coalescing use this protocol, and therefore work with any transport.
/// ``DefaultTransport/make()`` creates the transport of the platform. A test or an app can implement a different
/// transport.
///
/// A request is canceled in three cases: the task that calls ``send(_:)`` is canceled, the task that reads the body is
/// canceled, or the body is released.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the head of the response arrives.
    ///
    /// Returns a response with any status. Throws an error only if there is no response.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// A request for a transport.
public struct TransportRequest: Sendable, Hashable {
    /// The method, the address and the header fields.
    public var head: HTTPRequest
    /// The body; `nil` for a request without a body.
    public var body: Data?
    /// The maximum time until the head of the response arrives. After the head, it is the maximum time between two
    /// parts of the body.
    public var timeout: Duration
    /// True if sending the request twice has the same effect as sending it once (RFC 9110, section 9.2.2). Only
    /// idempotent requests are retried or shared between callers.
    public var isIdempotent: Bool
    /// False if the transport must return a redirect instead of following it. A write follows no redirects, because
    /// a redirect can turn it into a GET request.
    public var followsRedirects = true
    /// True if the response is a stream of events, which can last for hours. A transport that collects, shares, repeats
    /// or stores responses must pass on such a request unchanged.
    public var isStream = false
    /// The caller of the request; `nil` if the client does not distinguish callers. Requests of different callers are
    /// not equal.
    public var caller: Caller?

    /// Creates a request.
    /// - Parameters:
    ///   - head: The method, the address and the header fields.
    ///   - body: The body; `nil` for a request without a body.
    ///   - timeout: The maximum time until the head of the response arrives. After the head, it is the maximum time
    ///     between two parts of the body.
    ///   - isIdempotent: True if the request is idempotent. If it is `nil`, the method determines the value (RFC 9110).
    ///     Pass true for a GraphQL query with the method POST.
    ///   - caller: The caller of the request.
    public init(
        _ head: HTTPRequest, body: Data? = nil, timeout: Duration = .seconds(30), isIdempotent: Bool? = nil,
        caller: Caller? = nil
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.isIdempotent = isIdempotent ?? head.method.isIdempotent
        self.caller = caller
    }

    /// Creates a request to an address.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: The address with a scheme and a host.
    ///   - headerFields: The header fields.
    ///   - body: The body; `nil` for a request without a body.
    ///   - timeout: The maximum time until the head of the response arrives. After the head, it is the maximum time
    ///     between two parts of the body.
    ///   - isIdempotent: True if the request is idempotent. If it is `nil`, the method determines the value (RFC 9110).
    ///   - caller: The caller of the request.
    /// - Throws: ``TransportError`` with the code ``TransportError/Code-swift.enum/invalidAddress`` if the URL has no
    ///   scheme or no host.
    public init(
        _ method: HTTPRequest.Method = .get, url: URL, headerFields: HTTPFields = [:], body: Data? = nil,
        timeout: Duration = .seconds(30), isIdempotent: Bool? = nil, caller: Caller? = nil
    ) throws(TransportError) {
        guard url.scheme?.isEmpty == false, url.host()?.isEmpty == false else {
            throw TransportError(.invalidAddress)
        }
        self.init(
            HTTPRequest(method: method, url: url, headerFields: headerFields), body: body, timeout: timeout,
            isIdempotent: isIdempotent, caller: caller)
    }
}

extension HTTPRequest.Method {
    /// True for the idempotent methods of RFC 9110, section 9.2.2.
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }
}

/// The response to a request: its head, and a body whose parts are read as they arrive.
public struct TransportResponse: Sendable {
    /// The status and the header fields. If the transport has decoded the body, the header fields do not contain
    /// `Content-Encoding` and `Content-Length`, because these fields describe the encoded body.
    public var head: HTTPResponse
    /// The decoded body. It can be read once.
    public var body: ResponseBody
    /// The length of the encoded body in bytes; `nil` if the response does not specify the length.
    public var encodedLength: Int?

    /// Creates a response.
    public init(_ head: HTTPResponse, body: ResponseBody, encodedLength: Int? = nil) {
        self.head = head
        self.body = body
        self.encodedLength = encodedLength
    }
}

extension TransportResponse {
    /// Creates a response from the received head, which describes the encoded body.
    /// - Parameter isDecoded: True if the body was decoded.
    init(received head: HTTPResponse, isDecoded: Bool, body: ResponseBody) {
        self.init(head, body: body, encodedLength: head.headerFields[.contentLength].flatMap { Int($0) })
        guard isDecoded else { return }
        self.head.headerFields[.contentEncoding] = nil
        self.head.headerFields[.contentLength] = nil
    }
}

extension HTTPRequest {
    /// Returns the address. The percent-encoding is not changed.
    /// - Throws: ``TransportError`` if the request has no scheme, no authority or no path.
    func address() throws(TransportError) -> String {
        guard let scheme, let authority, let path else {
            throw TransportError(
                .invalidAddress,
                "The request has no address. Give it a scheme, a host and a path: https://example.com/path.")
        }
        return "\(scheme)://\(authority)\(path)"
    }
}

extension HTTPResponse {
    /// True if the body has one content coding, and HTTP libraries decode this coding.
    var hasContentCoding: Bool {
        guard let coding = headerFields[.contentEncoding]?.lowercased() else { return false }
        return coding == "gzip" || coding == "deflate"
    }
}

/// The default transport of the platform.
public enum DefaultTransport {
    /// Creates a transport with separate connections: AsyncHTTPClient if it is linked, otherwise `URLSession`.
    public static func make() -> any HTTPTransport {
        #if canImport(AsyncHTTPClient)
            AsyncHTTPClientTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Creates a transport that returns complete responses. It sends one request for concurrent equal requests, and it
    /// retries failed idempotent requests.
    /// - Parameters:
    ///   - policy: The retry policy.
    ///   - limit: The maximum number of bytes of a body.
    public static func makeForWholeResponses(
        retrying policy: RetryPolicy = RetryPolicy(), limit: Int = 64 << 20
    ) -> any HTTPTransport {
        CoalescingTransport(
            RetryingTransport(BufferingTransport(make(), limit: limit), policy: policy), limit: limit)
    }
}
