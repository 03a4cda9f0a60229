import Crypto
import CryptoExtras

extension VerificationKey {
    /// Returns true if the key has created a signature with an algorithm. The key must permit the algorithm.
    func isValid(_ signature: [UInt8], of bytes: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        switch material {
        case .secret(let key): return Self.isValidCode(signature, of: bytes, by: algorithm, key)
        case .rsa(let key): return Self.isValidRSA(signature, of: bytes, by: algorithm, key)
        case .p256(let key):
            // RFC 7518 §3.4: the two numbers of the signature, each with the length of a coordinate.
            guard algorithm == .es256, signature.count == 64,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
        case .p384(let key):
            guard algorithm == .es384, signature.count == 96,
                let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA384.hash(data: bytes))
        case .p521(let key):
            guard algorithm == .es512, signature.count == 132,
                let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA512.hash(data: bytes))
        case .ed25519(let key):
            return algorithm == .edDSA && signature.count == 64 && key.isValidSignature(signature, for: bytes)
        }
    }

    /// Compares the code of a message in constant time. A code must have its full length.
    private static func isValidCode(
        _ code: [UInt8], of bytes: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm, _ key: SymmetricKey
    ) -> Bool {
        func isValid<Hash: HashFunction>(_: Hash.Type) -> Bool {
            code.count == Hash.Digest.byteCount
                && HMAC<Hash>.isValidAuthenticationCode(code, authenticating: bytes, using: key)
        }
        switch algorithm {
        case .hs256: return isValid(SHA256.self)
        case .hs384: return isValid(SHA384.self)
        case .hs512: return isValid(SHA512.self)
        default: return false
        }
    }

    private static func isValidRSA(
        _ signature: [UInt8], of bytes: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm,
        _ key: _RSA.Signing.PublicKey
    ) -> Bool {
        guard signature.count == (key.keySizeInBits + 7) / 8 else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        func isValid<Hash: HashFunction>(_: Hash.Type, _ padding: _RSA.Signing.Padding) -> Bool {
            key.isValidSignature(signature, for: Hash.hash(data: bytes), padding: padding)
        }
        switch algorithm {
        case .rs256: return isValid(SHA256.self, .insecurePKCS1v1_5)
        case .rs384: return isValid(SHA384.self, .insecurePKCS1v1_5)
        case .rs512: return isValid(SHA512.self, .insecurePKCS1v1_5)
        case .ps256: return isValid(SHA256.self, .PSS)
        case .ps384: return isValid(SHA384.self, .PSS)
        case .ps512: return isValid(SHA512.self, .PSS)
        default: return false
        }
    }
}
