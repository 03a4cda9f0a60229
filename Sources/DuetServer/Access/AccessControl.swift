import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The door of a server whose API has roles. It returns the router of the caller's role for each request. All that a
/// caller receives comes from this router.
final class AccessControl: Sendable {
    /// The routes that need no caller.
    private let open: Router
    private let callers: CallerIdentification

    /// The router that responds to a request, and the caller; nil for a client without an identity.
    typealias Admission = (router: Router, caller: Caller?)

    init(_ callers: CallerIdentification, open: Router) {
        self.open = open
        self.callers = callers
    }

    /// Identifies the caller of a request.
    /// - Parameter peer: The client.
    /// - Throws: ``RequestProblem`` with status 401 or 403 if the client has no valid token or no valid role, and with
    ///   status 503 if the keys of the tokens are not available.
    func admit(_ request: Request, of peer: ConnectionPeer) async throws -> Admission {
        let audience = open.audience(of: request)
        switch audience {
        case .everyone: return (open, nil)
        case .machine:
            try Self.requireMachine(request, peer)
            return (open, nil)
        // The first message on the connection can have the token.
        case .visitors
        where WebSocketHandshake.isRequested(request.head) && request.uri.path == GraphQLRoutes.path:
            return (open, nil)
        case .visitors, .callers, nil: break
        }
        if let (router, caller) = try await callers.identify(request.headers, certificate: peer.certificate) {
            return (router.router, caller)
        }
        guard audience == .visitors else { throw Self.missingToken }
        return (open, nil)
    }

    /// The problem of a request without a token.
    static var missingToken: RequestProblem {
        BearerToken.refusal("this server requires a token; send Authorization: Bearer with a JSON Web Token", nil)
    }

    // MARK: Clients on this machine

    /// Rejects a request that comes from another machine or through a proxy.
    private static func requireMachine(_ request: Request, _ peer: ConnectionPeer) throws {
        guard peer.address?.isOfThisMachine == true, !request.headers.contains(where: \.name.isOfProxy) else {
            throw RequestProblem(
                .unknownPath,
                "this path responds only to clients on the machine of the server, without a proxy between them")
        }
    }
}

extension SocketAddress {
    /// True for a loopback address and for a Unix domain socket.
    fileprivate var isOfThisMachine: Bool {
        switch self {
        case .unixDomainSocket: true
        case .v4, .v6:
            ipAddress.map { $0.hasPrefix("127.") || $0 == "::1" || $0.hasPrefix("::ffff:127.") } ?? false
        }
    }
}

extension HTTPField.Name {
    /// True for the fields that a proxy adds to a request.
    fileprivate var isOfProxy: Bool {
        let name = canonicalName
        return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
    }
}
