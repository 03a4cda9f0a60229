public import DuetJSON

/// A token whose signature and claims are verified.
public struct VerifiedToken: Sendable, Hashable {
    /// The claims of the token, in the order of its payload.
    public let claims: JSONObject
    /// The expiry (`exp`) in seconds since 1970, rounded up.
    public let expiresAt: Int64

    /// Creates a verified token, also for tests of programs that receive verified tokens.
    public init(claims: JSONObject, expiresAt: Int64) {
        self.claims = claims
        self.expiresAt = expiresAt
    }
}

/// Verifies JSON Web Tokens (RFC 7519) that are signed in compact serialization (RFC 7515 §3.1).
///
/// The header is checked before the signature, and the signature before the claims. The verifier never uses keys that
/// a token contains or refers to (`jwk`, `jku`, `x5c`, `x5u`).
public struct TokenVerifier: Sendable {
    /// The requirements for the claims and the algorithms.
    public let requirements: TokenRequirements

    /// Creates a verifier.
    public init(_ requirements: TokenRequirements) {
        self.requirements = requirements
    }

    /// Verifies a token.
    /// - Parameters:
    ///   - token: The token in compact serialization.
    ///   - keys: The keys of the issuer.
    ///   - now: The time in seconds since 1970.
    /// - Throws: ``TokenError``.
    public func verify(
        _ token: some StringProtocol, with keys: JSONWebKeySet, at now: Int64
    ) throws(TokenError) -> VerifiedToken {
        try verify(token.utf8, with: keys, at: now)
    }

    /// Verifies a token, given as the bytes of its text.
    /// - Parameters:
    ///   - token: The token in compact serialization.
    ///   - keys: The keys of the issuer.
    ///   - now: The time in seconds since 1970.
    /// - Throws: ``TokenError``.
    public func verify(
        _ token: some Collection<UInt8>, with keys: JSONWebKeySet, at now: Int64
    ) throws(TokenError) -> VerifiedToken {
        // The error for a token that is too long does not need the whole token.
        try verify(CompactJWS(reading: Array(token.prefix(CompactJWS.maximumBytes + 1))), with: keys, at: now)
    }

    func verify(
        _ token: CompactJWS, with keys: JSONWebKeySet, at now: Int64
    ) throws(TokenError) -> VerifiedToken {
        if let algorithms = requirements.algorithms, !algorithms.contains(token.algorithm) {
            throw TokenError(.algorithm, "the algorithm of the token is not permitted")
        }
        try keys.checkSignature(of: token)
        let accepted = try requirements.accept(payload: token.payload, at: now)
        return VerifiedToken(claims: accepted.claims, expiresAt: accepted.expiresAt)
    }
}
