import Crypto

/// The keys that verify tokens: a JSON Web Key Set (RFC 7517), or a shared secret.
///
/// A set has at least one usable key. Its descriptions do not show the keys.
public struct JSONWebKeySet: Sendable, CustomStringConvertible, CustomReflectable {
    let keys: [VerificationKey]
    /// A sentence for each key of the source that is skipped: keys of an unknown type, algorithm or curve, weak keys,
    /// and keys for other purposes than signatures. The sentences contain no key material.
    public let warnings: [String]
    /// The hash of the keys. Equal sets have equal hashes.
    let fingerprint: SHA256Digest

    private init(_ keys: [VerificationKey], _ warnings: [String]) {
        self.keys = keys
        self.warnings = warnings
        var hash = SHA256()
        for key in keys { key.fingerprint.withUnsafeBytes { hash.update(bufferPointer: $0) } }
        fingerprint = hash.finalize()
    }

    /// Reads a JSON Web Key Set or a single JSON Web Key. Private members of keys are ignored.
    ///
    /// A key permits the algorithm that it names (`alg`). Without `alg`, an elliptic curve has one algorithm, an RSA
    /// key permits `RS…` and `PS…`, and a secret permits the HMACs for which it is long enough.
    /// - Throws: ``KeySetError`` for a text that is not a key set, and for a set without usable keys.
    public init(reading bytes: some Collection<UInt8> & Sendable) throws(KeySetError) {
        // The error for a text that is too long does not need the whole text.
        let list = try JSONWebKeyList(reading: Array(bytes.prefix(JSONWebKeyList.maximumBytes + 1)))
        var keys: [VerificationKey] = []
        var warnings = list.warnings
        for key in list.keys {
            do throws(JSONWebKey.Unusable) {
                keys.append(try VerificationKey(key))
            } catch {
                let name = key.keyID.map { " (kid \(quoted($0)))" } ?? ""
                warnings.append("a key\(name) is skipped: \(error.reason)")
            }
        }
        guard !keys.isEmpty else {
            let reasons = warnings.prefix(3).joined(separator: "; ")
            throw KeySetError(
                .noKeys, "the key set has no usable key: \(reasons); it needs a public key of the issuer for signatures"
            )
        }
        self.init(keys, warnings)
    }

    /// Creates a set of one shared secret, which the issuer uses with `HS256`, `HS384` or `HS512`.
    ///
    /// The secret has no identifier, so it also verifies tokens that name a key that no other key of the set has.
    /// - Parameter algorithms: The algorithms of the secret, for each of which the secret must be as long as the hash
    ///   (RFC 7518 §3.2); nil for those of the three for which it is long enough.
    /// - Throws: ``KeySetError`` for a secret that is too short, and for a public key.
    public init(
        secret: some Sequence<UInt8>, algorithms: Set<SignatureAlgorithm>? = nil
    ) throws(KeySetError) {
        let secret = Array(secret)
        // If a public key were the secret, everyone who has the public key could sign (RFC 8725 §2.1).
        guard !secret.starts(with: "-----BEGIN".utf8) else {
            throw KeySetError(.secret, "the secret is a key in the PEM format; configure a key set with the public key")
        }
        let needed = algorithms ?? SignatureAlgorithm.ofSecrets.filter { secret.count >= $0.minimumSecretBytes }
        let minimum = needed.map(\.minimumSecretBytes).max() ?? SignatureAlgorithm.hs256.minimumSecretBytes
        guard needed.isSubset(of: SignatureAlgorithm.ofSecrets) else {
            throw KeySetError(.secret, "a secret is for HS256, HS384 and HS512 only; other algorithms need a key set")
        }
        guard !needed.isEmpty, secret.count >= minimum else {
            throw KeySetError(
                .secret,
                "the secret has \(secret.count) bytes, and needs at least \(minimum); create one with: openssl rand -base64 48"
            )
        }
        do throws(JSONWebKey.Unusable) {
            let key = JSONWebKey(secret: secret, algorithms: needed)
            self.init([try VerificationKey(key, acceptsAnyKeyID: true)], [])
        } catch {
            throw KeySetError(.secret, "the secret cannot be used: \(error.reason)")
        }
    }

    /// The number of usable keys.
    public var count: Int { keys.count }

    /// The algorithms of all keys.
    public var algorithms: Set<SignatureAlgorithm> {
        keys.reduce(into: []) { $0.formUnion($1.algorithms) }
    }

    /// Returns a set with the keys of both sets. If both sets have keys with the same type and identifier, the key of
    /// this set is used.
    public func adding(_ other: JSONWebKeySet) -> JSONWebKeySet {
        var keys = keys
        var warnings = warnings + other.warnings
        for key in other.keys {
            if let keyID = key.keyID, keys.contains(where: { $0.has(keyID) && $0.type == key.type }) {
                warnings.append("a key (kid \(quoted(keyID))) is skipped: another key has the same identifier")
            } else {
                keys.append(key)
            }
        }
        return JSONWebKeySet(keys, warnings)
    }

    /// The number of keys.
    public var description: String { "\(count) \(count == 1 ? "key" : "keys")" }
    /// A mirror without children, so that dumps do not show the keys.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VerificationKey {
    func has(_ keyID: String) -> Bool { self.keyID?.hasSameUTF8(as: keyID) ?? false }
}

extension JSONWebKeySet {
    /// The maximum number of signatures that are verified for a token that names no key.
    static let maximumTries = 16

    /// Verifies the signature of a token.
    package func checkSignature(of token: CompactJWS) throws(TokenError) {
        for key in try candidates(for: token).prefix(Self.maximumTries)
        where key.isValid(token.signature, of: token.signedBytes, by: token.algorithm) {
            return
        }
        throw TokenError(.signature, "the signature of the token is not valid")
    }

    /// Returns the keys that may have signed a token. The identifier selects the key. The algorithm of the token must
    /// be one that the key permits, and never changes what a key permits.
    private func candidates(for token: CompactJWS) throws(TokenError) -> [VerificationKey] {
        func permitting(_ keys: [VerificationKey]) -> [VerificationKey] {
            keys.filter { $0.algorithms.contains(token.algorithm) }
        }
        let refusal = TokenError(.algorithm, "no key permits the algorithm of the token")
        guard let keyID = token.keyID else {
            let permitting = permitting(keys)
            guard !permitting.isEmpty else { throw refusal }
            return permitting
        }
        let named = keys.filter { $0.has(keyID) }
        guard named.isEmpty else {
            let permitting = permitting(named)
            guard !permitting.isEmpty else { throw refusal }
            return permitting
        }
        let unnamed = permitting(keys.filter(\.acceptsAnyKeyID))
        guard !unnamed.isEmpty else {
            throw TokenError(.unknownKey, "the token names a key (kid) that does not exist")
        }
        return unnamed
    }
}
