#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The reason for which a token is not authenticated.
public enum TokenAuthenticationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The token is not valid.
    case token(TokenError)
    /// The keys of the issuer are not available, so no token can be verified.
    case keysUnavailable

    /// The reason as a sentence, which contains no part of the token.
    public var description: String {
        switch self {
        case .token(let error): error.description
        case .keysUnavailable: "the keys of the issuer are not available"
        }
    }
}

/// Verifies tokens with the current keys of a source, and caches verified tokens.
public final class TokenAuthenticator: Sendable {
    private let verifier: TokenVerifier
    private let source: any TokenKeySource
    private let cache: TokenCache
    private let now: @Sendable () -> Int64

    /// Creates an authenticator.
    /// - Parameters:
    ///   - keys: The source of the keys.
    ///   - capacity: The maximum number of cached tokens.
    public convenience init(_ requirements: TokenRequirements, keys: any TokenKeySource, capacity: Int = 10_000) {
        self.init(requirements, keys: keys, capacity: capacity, now: Self.systemTime)
    }

    /// - Parameter now: The clock, in seconds since 1970.
    package init(
        _ requirements: TokenRequirements, keys: any TokenKeySource, capacity: Int = 10_000,
        now: @escaping @Sendable () -> Int64
    ) {
        verifier = TokenVerifier(requirements)
        source = keys
        cache = TokenCache(capacity: capacity, leeway: .seconds(requirements.leewaySeconds))
        self.now = now
    }

    /// The requirements for tokens.
    public var requirements: TokenRequirements { verifier.requirements }

    /// The number of cached tokens.
    package var cachedCount: Int { cache.count }

    /// Returns a verified token. If the token names an unknown key, the source of the keys is asked for it once.
    /// - Throws: ``TokenAuthenticationError``.
    public func authenticate(_ token: String) async throws(TokenAuthenticationError) -> VerifiedToken {
        let text = TokenText(token)
        guard let keys = await source.keys(knowing: nil) else { throw .keysUnavailable }
        if let cached = cache.token(text, keys: keys, at: now()) { return cached }
        do throws(TokenError) {
            let parsed = try CompactJWS(reading: text.bytes)
            do throws(TokenError) {
                return try verify(parsed, text, keys)
            } catch {
                guard error.code == .unknownKey, let keyID = parsed.keyID,
                    let newer = await source.keys(knowing: keyID), newer.fingerprint != keys.fingerprint
                else { throw error }
                // A lookup makes the newer keys those of the cache.
                if let cached = cache.token(text, keys: newer, at: now()) { return cached }
                return try verify(parsed, text, newer)
            }
        } catch {
            throw .token(error)
        }
    }

    private func verify(
        _ token: CompactJWS, _ text: TokenText, _ keys: JSONWebKeySet
    ) throws(TokenError) -> VerifiedToken {
        let verified = try verifier.verify(token, with: keys, at: now())
        cache.insert(verified, for: text, keys: keys)
        return verified
    }

    /// Returns the time of the system in seconds since 1970.
    @Sendable
    package static func systemTime() -> Int64 {
        var time = timespec()
        // The call only fails for an unknown clock.
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
