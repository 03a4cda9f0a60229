public import Foundation
public import HTTPTypes

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

    /// Creates a request.
    /// - Parameters:
    ///   - head: The method, the address and the header fields.
    ///   - body: The body; `nil` for a request without a body.
    ///   - timeout: The maximum time until the head of the response arrives. After the head, it is the maximum time
    ///     between two parts of the body.
    ///   - isIdempotent: True if the request is idempotent. If it is `nil`, the method determines the value (RFC 9110).
    ///     Pass true for a GraphQL query with the method POST.
    public init(
        _ head: HTTPRequest, body: Data? = nil, timeout: Duration = .seconds(30), isIdempotent: Bool? = nil
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.isIdempotent = isIdempotent ?? head.method.isIdempotent
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
    /// - Throws: ``TransportError`` with the code ``TransportError/Code-swift.enum/invalidAddress`` if the URL has no
    ///   scheme or no host.
    public init(
        _ method: HTTPRequest.Method = .get, url: URL, headerFields: HTTPFields = [:], body: Data? = nil,
        timeout: Duration = .seconds(30), isIdempotent: Bool? = nil
    ) throws(TransportError) {
        guard url.scheme?.isEmpty == false, url.host()?.isEmpty == false else {
            throw TransportError(.invalidAddress)
        }
        self.init(
            HTTPRequest(method: method, url: url, headerFields: headerFields), body: body, timeout: timeout,
            isIdempotent: isIdempotent)
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
