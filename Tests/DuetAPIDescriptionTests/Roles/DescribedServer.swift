import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import DuetTokens
import ProcessTesting
import ServerTestSupport

/// The real server in this process, for a database and its description.
enum DescribedServer {
    /// Runs the server while the closure runs. If the description has roles, the server accepts a `TestToken`.
    /// - Parameter anonymousRole: The role of requests without a token.
    static func with(
        _ description: String, _ database: Database, anonymousRole: String? = nil,
        _ body: @Sendable @escaping (ServiceServer) async throws -> Void
    ) async throws {
        try await with(
            try APIDescription(reading: description, file: "api.yaml"), database, anonymousRole: anonymousRole, body)
    }

    /// - Parameter roles: The roles; nil for those of the description.
    static func with(
        _ description: APIDescription, _ database: Database, anonymousRole: String? = nil, roles: [Role]? = nil,
        _ body: @Sendable @escaping (ServiceServer) async throws -> Void
    ) async throws {
        let api = description.fitted(to: try await database.read { try DatabaseSchema.read($0) })
        let roles = try roles ?? api.resolvedRoles().map(\.role)
        let access = try roles.isEmpty ? nil : AccessSettings(roles: roles, anonymousRole: anonymousRole)
        let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
        try await ServiceServer.with(service, access: access, body)
    }
}

extension AccessSettings {
    /// Creates the settings of a server that accepts a `TestToken`.
    init(roles: [Role], anonymousRole: String? = nil) throws {
        let requirements = TokenRequirements(issuer: TestToken.issuer, audience: TestToken.audience)
        let keys = StaticKeySource(try JSONWebKeySet(secret: TestToken.secret.utf8))
        self.init(
            roles: roles, anonymousRole: anonymousRole,
            authenticator: TokenAuthenticator(requirements, keys: keys))
    }
}
