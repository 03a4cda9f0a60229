public import Foundation
import HTTPTypes

/// Adds the token of the caller to each request (`Authorization: Bearer`, RFC 6750), and renews the token if the server
/// refuses it.
///
/// If the server responds with the status 401, the transport calls the token source of the ``CurrentCaller``, and sends
/// the request once more. Concurrent requests share one call of the token source. If the server refuses the new token,
/// too, or if there is no new token, the response with the status 401 is returned.
///
/// The token is sent only to the origin of the service. A request to another origin, and a request with a field
/// `Authorization` of its own, are sent unchanged.
///
/// A request to the service must have a ``TransportRequest/caller``, so that caches above this transport can separate
/// the responses of different callers. A request of a former caller is not sent.
public struct AuthorizingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let service: ServiceAddress?
    private let caller: CurrentCaller

    /// Creates a transport that sends requests through another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests. A ``CachingTransport`` is not below but above this transport,
    ///     so that a cached response needs no token.
    ///   - service: An address of the service. Its scheme, host and port are the origin that receives tokens.
    ///   - caller: The current caller.
    public init(_ base: any HTTPTransport, service: URL, caller: CurrentCaller) {
        self.base = base
        self.service = ServiceAddress(service)
        self.caller = caller
    }

    /// Sends a request with the token of its caller.
    /// - Throws: ``TransportError``, with the code ``TransportError/Code-swift.enum/callerChanged`` if the caller of
    ///   the request is no longer the current caller.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !request.head.headerFields.contains(.authorization), isRequestToService(request.head) else {
            return try await base.send(request)
        }
        guard let sender = request.caller else { throw TransportError(.noCaller) }
        let credential = try await caller.credential(of: sender)
        let response = try await base.send(request.authorized(by: credential.token))
        guard response.head.status == .unauthorized, let token = credential.token, !credential.wasRefused else {
            return response
        }
        let renewed = try await caller.credential(of: sender, refused: token)
        guard let newToken = renewed.token, newToken != token else { return response }
        await response.discard()
        return try await base.send(request.authorized(by: newToken))
    }

    private func isRequestToService(_ request: HTTPRequest) -> Bool {
        guard let service, let address = request.url.flatMap(ServiceAddress.init) else { return false }
        return address.isSameOrigin(as: service)
    }
}

extension TransportRequest {
    fileprivate func authorized(by token: String?) -> TransportRequest {
        guard let token else { return self }
        var request = self
        request.head.headerFields[.authorization] = "Bearer \(token)"
        return request
    }
}
