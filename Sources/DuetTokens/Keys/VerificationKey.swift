import Crypto
import CryptoExtras

/// A key that verifies signatures. Its description does not show the key.
struct VerificationKey: Sendable, CustomStringConvertible, CustomReflectable {
    enum Material: Sendable {
        case secret(SymmetricKey)
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    let keyID: String?
    let type: String
    /// True for a secret that is no JSON Web Key. A token can name any key identifier for it.
    let acceptsAnyKeyID: Bool
    let algorithms: Set<SignatureAlgorithm>
    let material: Material
    /// The hash of everything that decides which signatures are valid.
    let fingerprint: SHA256Digest

    /// Creates a key.
    /// - Throws: An error if the cryptographic library rejects the key, for example a point that is not on its curve.
    init(_ key: JSONWebKey, acceptsAnyKeyID: Bool = false) throws(JSONWebKey.Unusable) {
        keyID = key.keyID
        type = key.type
        algorithms = key.algorithms
        self.acceptsAnyKeyID = acceptsAnyKeyID
        do {
            material = try Self.material(key.parameters)
        } catch {
            throw JSONWebKey.Unusable("its numbers are not a valid key")
        }
        fingerprint = Self.fingerprint(of: key, acceptsAnyKeyID)
    }

    private static func material(_ parameters: JSONWebKey.Parameters) throws -> Material {
        switch parameters {
        case .secret(let bytes): .secret(SymmetricKey(data: bytes))
        case .rsa(let modulus, let exponent): .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        case .ellipticCurve(let curve, let x, let y):
            switch curve {
            case .p256: .p256(try P256.Signing.PublicKey(x963Representation: [4] + x + y))
            case .p384: .p384(try P384.Signing.PublicKey(x963Representation: [4] + x + y))
            case .p521: .p521(try P521.Signing.PublicKey(x963Representation: [4] + x + y))
            }
        case .ed25519(let point): .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: point))
        }
    }

    private static func fingerprint(of key: JSONWebKey, _ acceptsAnyKeyID: Bool) -> SHA256Digest {
        var hash = SHA256()
        /// Hashes the length of the bytes, too, so that the border of two parts is not ambiguous.
        func add(_ bytes: some Collection<UInt8>) {
            withUnsafeBytes(of: bytes.count) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(bytes))
        }
        add([acceptsAnyKeyID ? 1 : 0, key.keyID == nil ? 0 : 1])
        add((key.keyID ?? "").utf8)
        add(key.type.utf8)
        for algorithm in key.algorithms.map(\.rawValue).sorted() { add(algorithm.utf8) }
        switch key.parameters {
        case .secret(let bytes): add(bytes)
        case .rsa(let modulus, let exponent):
            add(modulus)
            add(exponent)
        case .ellipticCurve(let curve, let x, let y):
            add(curve.rawValue.utf8)
            add(x)
            add(y)
        case .ed25519(let point): add(point)
        }
        return hash.finalize()
    }

    var description: String { "a key of type \(type)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
