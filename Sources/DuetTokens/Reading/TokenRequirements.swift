/// The requirements for a token, in addition to its signature.
public struct TokenRequirements: Sendable, Hashable {
    /// The issuer: the claim `iss` must be equal to it.
    public var issuer: String
    /// The audience: the claim `aud` must be equal to it or contain it.
    public var audience: String
    /// The permitted algorithms; nil to permit all algorithms of the keys.
    public var algorithms: Set<SignatureAlgorithm>?
    /// The permitted difference between the clocks of the issuer and of the recipient. Fractions of a second are
    /// ignored.
    public var leeway: Duration

    /// Creates requirements.
    public init(
        issuer: String, audience: String, algorithms: Set<SignatureAlgorithm>? = nil, leeway: Duration = .seconds(30)
    ) {
        self.issuer = issuer
        self.audience = audience
        self.algorithms = algorithms
        self.leeway = leeway
    }
}
