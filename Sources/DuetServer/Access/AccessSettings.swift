package import DuetResourceService
package import DuetTokens

/// The settings of a server whose API has roles.
package struct AccessSettings: Sendable {
    /// The roles. Their names are different, and each of them is valid for the API.
    package var roles: [Role]
    /// The name of the role of requests without a token; nil to reject these requests.
    package var anonymousRole: String?
    /// The claim of a token that contains the caller's roles: a text or a list of texts.
    package var roleClaim: ClaimPath
    /// Verifies tokens; nil if the server accepts no tokens.
    package var authenticator: TokenAuthenticator?
    /// Returns a sentence that says why the keys of the tokens are not available; nil if they are.
    package var keysProblem: @Sendable () -> String?

    /// The claim that contains the roles if the operator specifies none.
    package static let defaultRoleClaim = ClaimPath(["role"])

    package init(
        roles: [Role], anonymousRole: String? = nil, roleClaim: ClaimPath = Self.defaultRoleClaim,
        authenticator: TokenAuthenticator? = nil, keysProblem: @escaping @Sendable () -> String? = { nil }
    ) {
        self.roles = roles
        self.anonymousRole = anonymousRole
        self.roleClaim = roleClaim
        self.authenticator = authenticator
        self.keysProblem = keysProblem
    }
}
