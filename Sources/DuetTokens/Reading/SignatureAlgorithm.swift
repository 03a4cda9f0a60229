/// A signature algorithm of JSON Web Signature (RFC 7518 §3.1, RFC 8037 §3.1). `none` is not one of them.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on the curve P-384 with SHA-384.
    case es384 = "ES384"
    /// ECDSA on the curve P-521 with SHA-512.
    case es512 = "ES512"
    /// Ed25519.
    case edDSA = "EdDSA"

    /// Creates the algorithm with a name, which is case-sensitive. `Ed25519` is another name of `EdDSA` with this curve
    /// (RFC 9864 §2.2).
    public init?(name: String) {
        if name == "Ed25519" {
            self = .edDSA
        } else {
            self.init(rawValue: name)
        }
    }

    /// The algorithms of a shared secret.
    public static let ofSecrets: Set<SignatureAlgorithm> = [.hs256, .hs384, .hs512]

    /// The algorithms of an RSA key.
    static let ofRSAKeys: Set<SignatureAlgorithm> = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

    /// The minimum number of bytes of a shared secret: as many as the hash has (RFC 7518 §3.2). Zero for algorithms
    /// with public keys.
    var minimumSecretBytes: Int {
        switch self {
        case .hs256: 32
        case .hs384: 48
        case .hs512: 64
        default: 0
        }
    }
}
