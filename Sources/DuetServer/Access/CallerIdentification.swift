import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetTokens
import HTTPTypes

/// Identifies callers by their tokens, and finds the routers of their roles.
final class CallerIdentification: Sendable {
    private let settings: AccessSettings
    private let roles: [String: Role]
    private let routers: RoleRouters

    init(_ settings: AccessSettings, routers: RoleRouters) {
        self.settings = settings
        roles = Dictionary(settings.roles.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.routers = routers
    }

    /// Returns the caller of a request, and the router of its role; nil if the request has no token and the API has no
    /// role of anonymous callers.
    /// - Parameters:
    ///   - fields: The header fields. `Authorization` has the token, and `Duet-Role` chooses a role.
    ///   - certificate: The certificate of the client; nil without one.
    /// - Throws: ``RequestProblem`` with status 401 or 403 if the client has no valid token, no valid certificate or no
    ///   valid role, and with status 503 if the keys of the tokens are not available.
    func identify(
        _ fields: HTTPFields, certificate: ClientCertificate?
    ) async throws -> (RoleRouter, Caller)? {
        guard certificate?.hasExpired != true else {
            throw BearerToken.refusal(
                "the certificate of the client has expired; open a connection with a valid certificate", nil)
        }
        if let token = try BearerToken.read(fields) {
            let verified = try await verify(token)
            let (name, roles) = try role(of: verified.claims, fields)
            let router = try await router(of: name)
            return (
                router,
                Caller(
                    verified.claims, certificate: certificate, roles: roles, tokenExpiresAt: verified.expiresAt,
                    policy: router.policy)
            )
        }
        guard let name = settings.anonymousRole else { return nil }
        try Self.check(fields, allows: name)
        let router = try await router(of: name)
        return (
            router,
            Caller(
                JSONObject(), certificate: certificate, roles: [name], tokenExpiresAt: nil, policy: router.policy)
        )
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
}
