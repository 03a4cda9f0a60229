package import DuetJSON

/// A public key or a shared secret, as a JSON Web Key describes it (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2). Private
/// members are not read.
package struct JSONWebKey: Sendable {
    /// The parameters of a key, with the lengths and the ranges that its type requires. A point may still not be on its
    /// curve.
    package enum Parameters: Sendable {
        case secret([UInt8])
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ellipticCurve(Curve, x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
    }

    /// A curve of ECDSA (RFC 7518 §6.2.1.1).
    package enum Curve: String, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"

        /// The number of bytes of a coordinate.
        var coordinateBytes: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }

        /// The only algorithm of the curve.
        var algorithm: SignatureAlgorithm {
            switch self {
            case .p256: .es256
            case .p384: .es384
            case .p521: .es512
            }
        }
    }

    /// The reason for which a key is not usable. The text contains no key material.
    package struct Unusable: Error {
        package let reason: String

        package init(_ reason: String) {
            self.reason = reason
        }
    }

    /// The identifier of the key.
    package let keyID: String?
    /// The type of the key, such as `RSA`.
    package let type: String
    /// The algorithms that the key permits: the one that it names, or those of its type.
    package let algorithms: Set<SignatureAlgorithm>
    package let parameters: Parameters

    /// True for a shared secret.
    package var isSecret: Bool { if case .secret = parameters { true } else { false } }

    /// Creates a shared secret without an identifier.
    package init(secret: [UInt8], algorithms: Set<SignatureAlgorithm>) {
        keyID = nil
        type = "oct"
        self.algorithms = algorithms
        parameters = .secret(secret)
    }

    /// Reads a key.
    package init(_ members: JSONObject) throws(Unusable) {
        keyID = try Self.optionalText("kid", of: members)
        type = try Self.text("kty", of: members)
        try Self.checkUse(members)
        switch type {
        case "oct":
            let secret = try Self.bytes("k", of: members)
            parameters = .secret(secret)
            algorithms = try Self.algorithms(members, of: Self.algorithms(forSecretBytes: secret.count))
        case "RSA":
            let (modulus, exponent) = (try Self.bytes("n", of: members), try Self.bytes("e", of: members))
            try Self.checkRSA(modulus, exponent)
            parameters = .rsa(modulus: modulus, exponent: exponent)
            algorithms = try Self.algorithms(members, of: SignatureAlgorithm.ofRSAKeys)
        case "EC":
            let name = try Self.text("crv", of: members)
            guard let curve = Curve(rawValue: name) else {
                throw Unusable("its curve \(quoted(name)) is not supported")
            }
            let (x, y) = (try Self.bytes("x", of: members), try Self.bytes("y", of: members))
            guard x.count == curve.coordinateBytes, y.count == curve.coordinateBytes else {
                throw Unusable("its coordinates do not have the length of its curve")
            }
            parameters = .ellipticCurve(curve, x: x, y: y)
            // ES521 is a frequent misspelling. A curve has only one algorithm, so the name is not ambiguous.
            let isMisspelled = curve == .p521 && members["alg"] == .string("ES521")
            algorithms = isMisspelled ? [.es512] : try Self.algorithms(members, of: [curve.algorithm])
        case "OKP":
            let name = try Self.text("crv", of: members)
            guard name == "Ed25519" else { throw Unusable("its curve \(quoted(name)) is not supported") }
            let point = try Self.bytes("x", of: members)
            guard point.count == 32 else { throw Unusable("its coordinate does not have the length of its curve") }
            guard !SmallOrderPoint.contains(point) else { throw Unusable("it is weak: anyone can sign for it") }
            parameters = .ed25519(point)
            algorithms = try Self.algorithms(members, of: [.edDSA])
        default: throw Unusable("its type (kty) \(quoted(type)) is not supported")
        }
    }

    // MARK: Members

    /// Returns the algorithms for which a secret is long enough.
    package static func algorithms(forSecretBytes count: Int) throws(Unusable) -> Set<SignatureAlgorithm> {
        let algorithms = SignatureAlgorithm.ofSecrets.filter { count >= $0.minimumSecretBytes }
        guard !algorithms.isEmpty else { throw Unusable("it is weak: it has fewer than 32 bytes") }
        return algorithms
    }

    /// Returns the algorithm that the key names, or else all algorithms of its type.
    private static func algorithms(
        _ members: JSONObject, of possible: Set<SignatureAlgorithm>
    ) throws(Unusable) -> Set<SignatureAlgorithm> {
        guard let name = try optionalText("alg", of: members) else { return possible }
        guard let algorithm = SignatureAlgorithm(name: name) else {
            throw Unusable("its algorithm (alg) \(quoted(name)) is not a supported signature algorithm")
        }
        guard possible.contains(algorithm) else {
            throw Unusable("its algorithm (alg) \(quoted(name)) does not fit its type, its curve or its length")
        }
        return [algorithm]
    }

    /// Checks that the key is for signatures (RFC 7517 §4.2 and §4.3).
    private static func checkUse(_ members: JSONObject) throws(Unusable) {
        if let use = try optionalText("use", of: members), use != "sig" {
            throw Unusable("its use is \(quoted(use)), not \"sig\"")
        }
        guard let operations = members["key_ops"] else { return }
        guard case .array(let elements) = operations, elements.contains(.string("verify")) else {
            throw Unusable("its operations (key_ops) do not contain \"verify\"")
        }
    }

    /// Checks the length of the modulus, and that the exponent permits verification. If the exponent is 1, anyone can
    /// sign.
    private static func checkRSA(_ modulus: [UInt8], _ exponent: [UInt8]) throws(Unusable) {
        let bits = bitCount(modulus)
        guard bits >= 2_048 else { throw Unusable("it is weak: its modulus has \(bits) bits, fewer than 2048") }
        guard bits <= 8_192 else { throw Unusable("its modulus has \(bits) bits, more than 8192") }
        let exponentBits = bitCount(exponent)
        guard (2...33).contains(exponentBits), exponent.last.map({ $0 & 1 == 1 }) == true,
            modulus.last.map({ $0 & 1 == 1 }) == true
        else { throw Unusable("it is weak: its exponent is not an odd number from 3 to 2^33, or its modulus is even") }
    }

    /// Returns the number of bits of a number without its leading zeros.
    private static func bitCount(_ bytes: [UInt8]) -> Int {
        guard let first = bytes.firstIndex(where: { $0 != 0 }) else { return 0 }
        return (bytes.count - first) * 8 - bytes[first].leadingZeroBitCount
    }

    private static func text(_ name: String, of members: JSONObject) throws(Unusable) -> String {
        guard let text = try optionalText(name, of: members) else { throw Unusable("it has no member \"\(name)\"") }
        return text
    }

    private static func optionalText(_ name: String, of members: JSONObject) throws(Unusable) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text)?: return text
        case .some(let value): throw Unusable("its member \"\(name)\" is \(value.typeName), not a string")
        }
    }

    private static func bytes(_ name: String, of members: JSONObject) throws(Unusable) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name, of: members).utf8) else {
            throw Unusable("its member \"\(name)\" is not base64url without padding")
        }
        return bytes
    }
}

/// Returns a text of a key set in quotes, shortened, and only with printable characters of ASCII. Texts are not key
/// material: `kid`, `kty`, `alg`, `crv` and `use`.
func quoted(_ text: String) -> String {
    let characters = text.unicodeScalars.prefix(40).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" }
    return "\"\(String(characters))\(text.unicodeScalars.count > 40 ? "…" : "")\""
}
