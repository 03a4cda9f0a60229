import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetTokens
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The door of a server whose API has roles. It identifies the caller of each request, and returns the router of the
/// caller's role. All that a caller receives comes from this router.
final class AccessControl: Sendable {
    private let settings: AccessSettings
    private let roles: [String: Role]
    /// The routes that need no caller.
    private let open: Router
    private let routers: RoleRouters

    /// The router that responds to a request, and the caller; nil for a client without an identity.
    typealias Admission = (router: Router, caller: Caller?)

    init(_ settings: AccessSettings, open: Router, routers: RoleRouters) {
        self.settings = settings
        roles = Dictionary(settings.roles.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.open = open
        self.routers = routers
    }

    /// Identifies the caller of a request.
    /// - Parameter channel: The connection of the client.
    /// - Throws: ``RequestProblem`` with status 401 or 403 if the client has no valid token or no valid role, and with
    ///   status 503 if the keys of the tokens are not available.
    func admit(_ request: Request, on channel: any Channel) async throws -> Admission {
        let audience = open.audience(of: request)
        switch audience {
        case .everyone: return (open, nil)
        case .machine:
            try Self.requireMachine(request, channel)
            return (open, nil)
        case .visitors, .callers, nil: break
        }
        if let token = try BearerToken.read(request.headers) {
            let verified = try await verify(token)
            let (name, roles) = try role(of: verified.claims, request.headers)
            let router = try await router(of: name)
            let caller = Caller(
                verified.claims, roles: roles, expiresAt: verified.expiresAt, policy: router.policy)
            return (router.router, caller)
        }
        if let name = settings.anonymousRole {
            try Self.check(request.headers, allows: name)
            let router = try await router(of: name)
            let caller = Caller(JSONObject(), roles: [name], expiresAt: nil, policy: router.policy)
            return (router.router, caller)
        }
        guard audience == .visitors else { throw Self.missingToken }
        return (open, nil)
    }

    /// The problem of a request without a token.
    static var missingToken: RequestProblem {
        BearerToken.refusal("this server requires a token; send Authorization: Bearer with a JSON Web Token", nil)
    }

    // MARK: Tokens

    private func verify(_ token: String) async throws -> VerifiedToken {
        guard let authenticator = settings.authenticator else {
            throw BearerToken.refusal("this server accepts no tokens; omit Authorization", .invalidToken)
        }
        do {
            return try await authenticator.authenticate(token)
        } catch {
            switch error {
            case .token(let error): throw BearerToken.refusal(error.description, .invalidToken)
            case .keysUnavailable:
                throw RequestProblem(
                    .tokenKeysUnavailable, "the keys of the tokens are not available at the moment; try again later")
            }
        }
    }

    // MARK: Roles

    /// Returns the role that the request has chosen, and the roles of the token.
    private func role(of claims: JSONObject, _ fields: HTTPFields) throws -> (name: String, roles: [String]) {
        let path = settings.roleClaim
        let granted: [String]
        switch path.value(in: claims) {
        case .string(let name)?: granted = [name]
        case .array(let elements)?:
            granted = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
            guard granted.count == elements.count else { throw Self.noRole(path, "is not a list of texts") }
        case nil, .null?: throw Self.noRole(path, "is missing")
        default: throw Self.noRole(path, "is neither a text nor a list of texts")
        }
        guard let first = granted.first else { throw Self.noRole(path, "is empty") }
        guard let chosen = try Self.chosenRole(fields) else { return (first, granted) }
        guard granted.contains(chosen) else {
            throw RequestProblem(
                .roleNotGranted,
                "the token does not contain the role \(chosen) of Duet-Role; its roles are \(granted.joined(separator: ", "))",
                members: [("allowed", .array(granted.map { .string($0) }))])
        }
        return (chosen, granted)
    }

    private static func noRole(_ path: ClaimPath, _ reason: String) -> RequestProblem {
        RequestProblem(
            .roleNotGranted,
            "the claim \(path) \(reason), so the caller has no role; request a token whose claim \(path) contains a role"
        )
    }

    /// Returns the value of `Duet-Role`; nil if the request does not have this field.
    private static func chosenRole(_ fields: HTTPFields) throws -> String? {
        var chosen: String?
        for field in fields where field.name == .duetRole {
            guard chosen == nil else {
                throw RequestProblem(.malformedRequest, "the request has Duet-Role more than once; send it once")
            }
            chosen = field.value
        }
        return chosen
    }

    /// Rejects a request without a token that chooses another role than the anonymous role.
    private static func check(_ fields: HTTPFields, allows name: String) throws {
        guard let chosen = try chosenRole(fields), chosen != name else { return }
        throw RequestProblem(
            .roleNotGranted, "the role \(chosen) of Duet-Role requires a token; send Authorization: Bearer with a token"
        )
    }

    private func router(of name: String) async throws -> RoleRouter {
        guard let role = roles[name] else {
            throw RequestProblem(.unknownRole, "the API has no role \(name); request a token with another role")
        }
        do {
            return try await routers.router(of: role)
        } catch let error as RoleError {
            // The operator can correct the description. The text names hidden parts, so only the log contains it.
            var problem = RequestProblem(.internalError, "the role \(name) cannot be used; see the server's log")
            problem.cause = error
            throw problem
        }
    }

    // MARK: Clients on this machine

    /// Rejects a request that comes from another machine or through a proxy.
    private static func requireMachine(_ request: Request, _ channel: any Channel) throws {
        guard channel.remoteAddress?.isOfThisMachine == true, !request.headers.contains(where: \.name.isOfProxy) else {
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
