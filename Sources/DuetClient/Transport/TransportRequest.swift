public import Foundation
public import HTTPTypes

/// A request as a transport sends it.
public struct TransportRequest: Sendable, Hashable {
    /// Method, address and header fields.
    public var head: HTTPRequest
    /// The bytes of the body; `nil` for a request without one.
    public var body: Data?
    /// The maximum time from sending to the head of the response, and from then on the maximum wait for a part of the body.
    public var timeout: Duration
    /// True if the request can be sent twice and has the effect of one (RFC 9110, section 9.2.2). Only such a request is sent
    /// again after a failure, or once for several callers.
    public var isIdempotent: Bool

    /// A request with that head and body.
    /// - Parameters:
    ///   - head: Method, address and header fields.
    ///   - body: The bytes of the body; `nil` for a request without one.
    ///   - timeout: The maximum time to the head of the response, and from then on the maximum wait for a part of the body.
    ///   - isIdempotent: `nil` for what RFC 9110 says of the method. A GraphQL query that is sent by POST is idempotent.
    public init(
        _ head: HTTPRequest, body: Data? = nil, timeout: Duration = .seconds(30), isIdempotent: Bool? = nil
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.isIdempotent = isIdempotent ?? head.method.isIdempotent
    }

    /// A request to that address.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: The address, with scheme and host.
    ///   - headerFields: The header fields.
    ///   - body: The bytes of the body; `nil` for a request without one.
    ///   - timeout: The maximum time to the head of the response, and from then on the maximum wait for a part of the body.
    ///   - isIdempotent: `nil` for what RFC 9110 says of the method.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/invalidAddress`` for a URL without scheme or host.
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
