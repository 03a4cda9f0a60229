import Crypto
import DuetBoundedCache
import Synchronization

/// Verified tokens, found by the SHA-256 hash of their text, so that a signature is verified once.
///
/// The cache has a limited size. It returns a token until the token expires, and only for the keys that have verified
/// it: when the keys change, all tokens are removed.
final class TokenCache: Sendable {
    private struct State {
        var tokens: SegmentedLRU<SHA256Digest, VerifiedToken>
        /// The keys that have verified the tokens.
        var keys: SHA256Digest?
    }

    /// The limit for the total size of the tokens is this number of bytes for each of the maximum number of tokens.
    private static let averageBytes = 2 << 10
    private let state: Mutex<State>
    private let leeway: Int64

    /// Creates an empty cache.
    /// - Parameters:
    ///   - capacity: The maximum number of tokens.
    ///   - leeway: The time for which a token remains valid after its expiry.
    init(capacity: Int, leeway: Duration) {
        let capacity = max(capacity, 0)
        let cost = capacity > Int.max / Self.averageBytes ? Int.max : capacity * Self.averageBytes
        state = Mutex(
            State(
                tokens: SegmentedLRU(maximumCount: capacity, maximumCost: cost)))
        self.leeway = max(leeway.components.seconds, 0)
    }

    /// The number of cached tokens.
    var count: Int { state.withLock { $0.tokens.count } }

    /// Returns a cached token; nil if it has not been verified with these keys, or has expired.
    func token(_ text: TokenText, keys: JSONWebKeySet, at now: Int64) -> VerifiedToken? {
        state.withLock { state in
            guard state.keys == keys.fingerprint else {
                state.tokens.removeAll { _ in true }
                state.keys = keys.fingerprint
                return nil
            }
            guard let token = state.tokens.use(text.hash) else { return nil }
            guard now.subtractingReportingOverflow(leeway).partialValue < token.expiresAt else {
                state.tokens.remove(text.hash)
                return nil
            }
            return token
        }
    }

    /// Stores a token that has been verified with keys. If other keys have become current meanwhile, the token is not
    /// stored.
    func insert(_ token: VerifiedToken, for text: TokenText, keys: JSONWebKeySet) {
        state.withLock { state in
            guard state.keys == keys.fingerprint else { return }
            state.tokens.insert(token, for: text.hash, cost: text.bytes.count)
        }
    }
}

/// The text of a token and its hash.
struct TokenText {
    let bytes: [UInt8]
    let hash: SHA256Digest

    init(_ text: some StringProtocol) {
        // A token that is too long is refused. The refusal does not need the whole text.
        bytes = Array(text.utf8.prefix(CompactJWS.maximumBytes + 1))
        hash = SHA256.hash(data: bytes)
    }
}
