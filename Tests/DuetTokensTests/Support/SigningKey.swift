import Crypto
import CryptoExtras
import DuetJSON
import DuetTokens
import Foundation

/// A private key that signs the tokens of a test.
enum SigningKey: Sendable {
    case secret([UInt8])
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)

    /// A secret of 64 bytes.
    static let sharedSecret = SigningKey.secret(Array("0123456789abcdef".utf8) + [UInt8](repeating: 7, count: 48))

    /// An RSA key with 2048 bits, which exists only for these tests. Creating a key takes longer than all tests.
    static let rsa2048: SigningKey = {
        guard let bytes = Data(base64Encoded: rsaKey.joined()),
            let key = try? _RSA.Signing.PrivateKey(derRepresentation: bytes)
        else { preconditionFailure("the RSA key of the tests is invalid") }
        return .rsa(key)
    }()

    /// Returns the key that these tests use for an algorithm.
    static func key(for algorithm: SignatureAlgorithm) -> SigningKey {
        switch algorithm {
        case .hs256, .hs384, .hs512: sharedSecret
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: rsa2048
        case .es256: .p256(p256)
        case .es384: .p384(p384)
        case .es512: .p521(p521)
        case .edDSA: .ed25519(ed25519)
        }
    }

    /// Returns a new key on P-256.
    static func another() -> SigningKey { .p256(P256.Signing.PrivateKey()) }

    private static let p256 = P256.Signing.PrivateKey()
    private static let p384 = P384.Signing.PrivateKey()
    private static let p521 = P521.Signing.PrivateKey()
    private static let ed25519 = Curve25519.Signing.PrivateKey()

    /// Returns the members of the public key as a JSON Web Key; those of the secret for a secret.
    func webKey(_ members: JSONObject = [:]) throws -> JSONObject {
        var object: JSONObject
        switch self {
        case .secret(let bytes): object = ["kty": "oct", "k": Self.text(bytes)]
        case .rsa(let key):
            let primitives = try key.publicKey.getKeyPrimitives()
            object = ["kty": "RSA", "n": Self.text(primitives.modulus), "e": Self.text(primitives.publicExponent)]
        case .p256(let key): object = Self.webKey("P-256", key.publicKey.rawRepresentation)
        case .p384(let key): object = Self.webKey("P-384", key.publicKey.rawRepresentation)
        case .p521(let key): object = Self.webKey("P-521", key.publicKey.rawRepresentation)
        case .ed25519(let key):
            object = ["kty": "OKP", "crv": "Ed25519", "x": Self.text(key.publicKey.rawRepresentation)]
        }
        for member in members.members { object[member.key] = member.value }
        return object
    }

    private static func webKey(_ curve: String, _ point: Data) -> JSONObject {
        let half = point.count / 2
        return [
            "kty": "EC", "crv": .string(curve), "x": text(point.prefix(half)), "y": text(point.suffix(half)),
        ]
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Base64URL.encode(bytes)) }

    /// Signs bytes.
    func signature(of bytes: [UInt8], by algorithm: SignatureAlgorithm) throws -> [UInt8] {
        switch (self, algorithm) {
        case (.secret(let secret), .hs256): Self.code(of: bytes, secret, SHA256.self)
        case (.secret(let secret), .hs384): Self.code(of: bytes, secret, SHA384.self)
        case (.secret(let secret), .hs512): Self.code(of: bytes, secret, SHA512.self)
        case (.rsa(let key), .rs256): try Self.sign(SHA256.hash(data: bytes), key, .insecurePKCS1v1_5)
        case (.rsa(let key), .rs384): try Self.sign(SHA384.hash(data: bytes), key, .insecurePKCS1v1_5)
        case (.rsa(let key), .rs512): try Self.sign(SHA512.hash(data: bytes), key, .insecurePKCS1v1_5)
        case (.rsa(let key), .ps256): try Self.sign(SHA256.hash(data: bytes), key, .PSS)
        case (.rsa(let key), .ps384): try Self.sign(SHA384.hash(data: bytes), key, .PSS)
        case (.rsa(let key), .ps512): try Self.sign(SHA512.hash(data: bytes), key, .PSS)
        case (.p256(let key), .es256): Array(try key.signature(for: bytes).rawRepresentation)
        case (.p384(let key), .es384): Array(try key.signature(for: bytes).rawRepresentation)
        case (.p521(let key), .es512): Array(try key.signature(for: bytes).rawRepresentation)
        case (.ed25519(let key), .edDSA): Array(try key.signature(for: bytes))
        default: throw WrongAlgorithm()
        }
    }

    struct WrongAlgorithm: Error {}

    private static func code<Hash: HashFunction>(of bytes: [UInt8], _ secret: [UInt8], _: Hash.Type) -> [UInt8] {
        Array(HMAC<Hash>.authenticationCode(for: bytes, using: SymmetricKey(data: secret)))
    }

    private static func sign(
        _ digest: some Digest, _ key: _RSA.Signing.PrivateKey, _ padding: _RSA.Signing.Padding
    ) throws -> [UInt8] {
        Array(try key.signature(for: digest, padding: padding).rawRepresentation)
    }

    private static let rsaKey = [
        "MIIEowIBAAKCAQEA1Tmb3dbnzsDG9mpFxOXBrymDmXdP3CfSLmy69PIqrIlClevQVcE+ZPLKy0N0WPVAfin0PSohEm5eZGwZRsAn",
        "qvz6zR8JQ20RRy3A3cAMV6IcABgorQWJ4KB9yznqKBoQTQ4KEKeQTEFxZNlPtscXfu+jksEqPRMTof+6oWrF35kvLnQF2Nn1OrIc",
        "UmnlCigd1AyoSg4dFCv4gsYV+1zWS/sjxvokQqd55Kz9U8f4kqgKmmO46qep05nPGiAzs85qxbXXTLaC0neq0X507dQAr4csGy0S",
        "YUNFQTEFtsQ6SPxeMWXDdtpv5pU2SYDkmtwa1YTlvIrr/dwOzJFg9fSKwQIDAQABAoIBAFMb88lpkQvw7vwwGwauiSplk4JXU3zb",
        "1pw6zDpaQ9DhZV87PYaXXmMJkYrdvXVJDry+TJEkoSRmeYtJ6SY/EpceqQEXpkwuMGxehIzKZOUpbiGJSR17iazQ0YdLiR3dXtox",
        "7TFlpqRaY8DrxRrYiitza33xpa2NiHr9yvhMvliyzYuugzevnHgmHS5ctv7SP4SogttddltUi4UTEr7FrvRtmr0KZQox8BiWyVn/",
        "pyfnRps38/EiwR2MPmz/d9EUt3mXiq8hlqnysQmJrFYh8dx9HWwKqOu4K04P0oxYpdm/mMCdNI7ruM6cJbVQzgB7QuWnELBH4ant",
        "p2r2xk7PeYsCgYEA+HJ0vJ1OkPcrc06oM45XTSoJ/NvW0hThwO5jiRyWC6cFoT28sy4yI6uYr8bR2S8ngBBIlbwOFJCpWd1b4ve8",
        "UJDu0/Axd1XSzvDMncea6kdT7CEAQQKl/Li9yJR/JtI6EUi18LK544TNjlFCwA5yexYhb44fJwXEOui2Pqf4wEMCgYEA27UJWpkn",
        "dqVh4I4pp7UEayesLU7vWtLYM5CSHX2EMebxBLymbvwGjcDKKazM5tXkCrKHLhhFAda/AtJoRxaXdLbb9z5Pvcm/Yazs48N7KnTH",
        "F2CudZOokpODSuHJvybzlQ7o/Eo1xGABqzEqgIPXZKkONBHNoIrDS8TOh2m4iqsCgYBYdyjqIHlhVSG7pT5vXTfo2hdEWmNb2uOn",
        "9zqqD+u9qnNuvrT6eHCSEwADVyBR3WCLUUEHUDcTS4+B2Dhn0R7U8UaZYOW8QGsYFNZHOFQJJ+zSH84fV/oSyxWI3peIE0Np9CIU",
        "2w8l3Jv1GSpTiNFq0q6FMm4VTxBYiZSbKuSAUQKBgAMDibxPa4YqIJyW9qVRS1047xi0A36Ic+TJL+ftp9mTZGz/NX1CQcjCA0Pt",
        "FeZ4uqcW6dnNBW1QB9C/GCUZfzxfocbTeP6OfOyXFazOKqtbbLu6XMpKGz7ffSaS0FSp8R9zU+jaD8DA3GT/yKh4poS/+Ozn7Z0t",
        "Kh6o9XhQD/L/AoGBAK9uzNHohwjuPaX03Wayn7YQaX+1t7dPJIPWwvCeOZ68/m8d8AdIdQJj4K5zBi3SUeosnoDCeoZcGyE2S+OK",
        "oXnJQ87GiXg1CTnk5P57qNBpsbcfUvpuCos5L8cQ9/5OEEyo4pLCzm7t/P8Oujk79HbqePam+ZJgKPtHDzKI228S",
    ]
}
