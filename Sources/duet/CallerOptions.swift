import ArgumentParser
import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetServer
import DuetTokens
import Foundation
import Logging

/// The options of `duet serve` for the callers of an API with roles.
struct CallerOptions: ParsableArguments {
    private static let names = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
    private static let leeway = TokenRequirements(issuer: "", audience: "").leeway

    static let tokenKeys = Setting<String, String?>(
        "token-keys",
        "JSON Web Key Set with the public keys of the tokens: a file, or a URL that begins with https://. The variable \(secretVariable) contains a secret for HS256, HS384 and HS512 instead; it has no option, because other users can read the command line",
        valueName: "file or URL", default: nil, defaultText: "none", requirement: "a file or a URL"
    ) { $0 }
    static let tokenIssuer = Setting<String, String?>(
        "token-issuer", "Issuer of the tokens, which must be equal to their claim iss; required with tokens",
        valueName: "text", default: nil, defaultText: "none", requirement: "a text"
    ) { $0 }
    static let tokenAudience = Setting<String, String?>(
        "token-audience", "Audience of the tokens, which their claim aud must contain; required with tokens",
        valueName: "text", default: nil, defaultText: "none", requirement: "a text"
    ) { $0 }
    static let tokenAlgorithms = Setting<String, Set<SignatureAlgorithm>?>(
        "token-algorithms", "Permitted signature algorithms of tokens, separated by commas", valueName: "names",
        default: nil, defaultText: "those of the keys", requirement: "a list of algorithms from \(names)"
    ) { list in
        let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let algorithms = names.compactMap(SignatureAlgorithm.init(name:))
        return algorithms.isEmpty || algorithms.count < names.count ? nil : .some(Set(algorithms))
    }
    static let tokenRoleClaim = Setting<String, ClaimPath?>(
        "token-role-claim",
        #"Claim of tokens that contains the role of the caller or a list of roles: a path with dots, such as app.roles, or a JSON array of names, such as ["https://shop.example/roles"]"#,
        valueName: "path", default: nil, defaultText: "\(AccessSettings.defaultRoleClaim)",
        requirement: "a path with dots or a JSON array of names"
    ) { text in
        guard text.hasPrefix("[") else { return ClaimPath(text).map { .some($0) } }
        guard case .array(let elements)? = try? JSONValue(parsing: text.utf8) else { return nil }
        let names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return names.isEmpty || names.count < elements.count ? nil : .some(ClaimPath(names))
    }
    static let tokenLeeway = Setting<Double, Duration?>(
        "token-leeway", "Permitted difference between the clocks of the issuer and of the server", default: nil,
        defaultText: "\(leeway.components.seconds)", in: 0...600, unit: "seconds"
    ) { .seconds($0) }
    static let anonymousRole = Setting<String, String?>(
        "anonymous-role", "Role of requests without a token", valueName: "name", default: nil,
        defaultText: "none; such requests get a 401", requirement: "the name of a role"
    ) { $0 }

    /// The variable with the secret of the tokens. A secret is never an option.
    private static let secretVariable = "DUET_TOKEN_SECRET"

    @Option(Self.tokenKeys) var tokenKeys: String?
    @Option(Self.tokenIssuer) var tokenIssuer: String?
    @Option(Self.tokenAudience) var tokenAudience: String?
    @Option(Self.tokenAlgorithms) var tokenAlgorithms: String?
    @Option(Self.tokenRoleClaim) var tokenRoleClaim: String?
    @Option(Self.tokenLeeway) var tokenLeeway: Double?
    @Option(Self.anonymousRole) var anonymousRole: String?

    /// Reads the options, and the keys of the tokens if they are in a file.
    /// - Parameter observe: Receives the events of keys at a URL.
    /// - Throws: `ValidationError` if the options cannot be combined; `ExitCode` after a message if the keys cannot be
    ///   used.
    func callers(observe: @escaping @Sendable (RemoteKeySet.Observation) -> Void) async throws -> ConfiguredCallers {
        var callers = ConfiguredCallers()
        if let name = try Self.anonymousRole.value(anonymousRole) {
            callers.anonymousRole = name
            callers.sources.append(Self.anonymousRole.source(anonymousRole))
        }
        let (location, secret) = (try Self.tokenKeys.value(tokenKeys), SecretVariable.value(of: Self.secretVariable))
        let issuer = try Self.tokenIssuer.value(tokenIssuer)
        let audience = try Self.tokenAudience.value(tokenAudience)
        let algorithms = try Self.tokenAlgorithms.value(tokenAlgorithms)
        let roleClaim = try Self.tokenRoleClaim.value(tokenRoleClaim)
        let leeway = try Self.tokenLeeway.value(tokenLeeway)
        let keySource = location == nil ? Self.secretVariable : Self.tokenKeys.source(tokenKeys)
        guard location != nil || secret != nil else {
            let others = [
                issuer.map { _ in Self.tokenIssuer.source(tokenIssuer) },
                audience.map { _ in Self.tokenAudience.source(tokenAudience) },
                algorithms.map { _ in Self.tokenAlgorithms.source(tokenAlgorithms) },
                roleClaim.map { _ in Self.tokenRoleClaim.source(tokenRoleClaim) },
                leeway.map { _ in Self.tokenLeeway.source(tokenLeeway) },
            ].compactMap(\.self)
            guard let other = others.first else { return callers }
            throw ValidationError(
                "\(other) requires the keys of the tokens; set --\(Self.tokenKeys.name) or \(Self.secretVariable)")
        }
        guard let issuer, let audience else {
            throw ValidationError(
                "\(keySource) requires --\(Self.tokenIssuer.name) and --\(Self.tokenAudience.name), so that the server rejects tokens of other issuers and for other servers"
            )
        }
        let keys: TokenKeys
        do throws(KeySetError) {
            keys = try TokenKeys(location: location, secret: secret, observe: observe)
        } catch {
            guard error.code != .secret else { throw ValidationError("\(Self.secretVariable): \(error.description)") }
            throw StartFailure.report("\(keySource): \(error.description)", status: 66)
        }
        if let algorithms, keys.remote == nil, let set = await keys.source.keys(knowing: nil),
            set.algorithms.isDisjoint(with: algorithms)
        {
            throw ValidationError(
                "\(Self.tokenAlgorithms.source(tokenAlgorithms)): no key has one of these algorithms; the keys have \(set.algorithms.map(\.rawValue).sorted().joined(separator: ", "))"
            )
        }
        var requirements = TokenRequirements(issuer: issuer, audience: audience, algorithms: algorithms)
        if let leeway { requirements.leeway = leeway }
        callers.keys = keys
        callers.authenticator = TokenAuthenticator(requirements, keys: keys.source)
        if let roleClaim { callers.roleClaim = roleClaim }
        callers.sources.append(keySource)
        return callers
    }
}

/// The configured identification of callers. The roles come from the description of the API.
struct ConfiguredCallers: Sendable {
    var anonymousRole: String?
    var roleClaim = AccessSettings.defaultRoleClaim
    /// The keys of the tokens; nil if the server accepts no tokens.
    var keys: TokenKeys?
    var authenticator: TokenAuthenticator?
    /// The options or variables that configure callers, for error messages.
    var sources: [String] = []

    /// Returns the settings for the roles of a description; nil if it has no roles.
    /// - Throws: `ValidationError` if the configuration does not fit the description.
    func access(_ api: APIDescription) throws -> AccessSettings? {
        let roles = try api.resolvedRoles().map(\.role)
        guard !roles.isEmpty else {
            guard let source = sources.first else { return nil }
            throw ValidationError(
                "\(source) requires roles, but the description of the API has none; add the section roles to the description, or omit \(source)"
            )
        }
        guard !sources.isEmpty else {
            throw ValidationError(
                """
                the description has roles, so the server must identify its callers: set the keys of their tokens with \
                --\(CallerOptions.tokenKeys.name) or DUET_TOKEN_SECRET, or the role of all requests with \
                --\(CallerOptions.anonymousRole.name)
                """)
        }
        if let anonymousRole, !roles.contains(where: { $0.name == anonymousRole }) {
            throw ValidationError(
                "\(sources[0]): the description has no role \(anonymousRole); its roles are \(roles.map(\.name).joined(separator: ", "))"
            )
        }
        return AccessSettings(
            roles: roles, anonymousRole: anonymousRole, roleClaim: roleClaim, authenticator: authenticator,
            keysProblem: { [keys] in keys?.problem })
    }

    /// Logs the keys that are not used.
    func logWarnings(_ logger: Logger) {
        for warning in keys?.file?.warnings ?? [] {
            logger.warning("Token key skipped", metadata: ["reason": "\(warning)"])
        }
    }
}
