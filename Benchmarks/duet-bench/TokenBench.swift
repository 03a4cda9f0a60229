import Crypto
import CryptoExtras
import DuetTokens
import Foundation

/// Measures the first verification of tokens, whose signatures are verified, and the verification of a cached token.
enum TokenBench {
    private static let now: Int64 = 1_800_000_000
    private static let requirements = TokenRequirements(issuer: "https://id.example", audience: "https://api.example")

    static func measure(seconds: Int, rounds: Int, _ report: Report) async throws {
        let elliptic = P256.Signing.PrivateKey()
        let point = elliptic.publicKey.rawRepresentation
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try rsa.publicKey.getKeyPrimitives()
        let keys = try JSONWebKeySet(
            reading: Array(
                """
                {"keys": [
                  {"kty": "EC", "crv": "P-256", "kid": "ES256", "x": "\(text(point.prefix(32)))", "y": "\(text(point.suffix(32)))"},
                  {"kty": "RSA", "kid": "RS256", "n": "\(text(numbers.modulus))", "e": "\(text(numbers.publicExponent))"}
                ]}
                """.utf8))
        let signers: [(name: String, sign: (Data) throws -> Data)] = [
            ("ES256", { try elliptic.signature(for: $0).rawRepresentation }),
            (
                "RS256",
                { try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation }
            ),
        ]
        for (name, sign) in signers {
            let token = try token(name, sign: sign)
            let verifier = TokenVerifier(requirements)
            let authenticator = TokenAuthenticator(requirements, keys: StaticKeySource(keys)) { now }
            _ = try await authenticator.authenticate(token)
            var (first, cached): ([Double], [Double]) = ([], [])
            for _ in 0..<rounds {
                let rates = try await alternatingRates(seconds: seconds) {
                    _ = try await authenticator.authenticate(token)
                } _: {
                    _ = try verifier.verify(token, with: keys, at: now)
                }
                cached.append(rates.first)
                first.append(rates.second)
            }
            report.add(
                "tokens", "a cached token, \(name)", Comparison(figures: cached, floors: first),
                floor: "the first verification", goal: nil, unit: "tokens/s")
            report.note(
                String(
                    format: "tokens: first verification of %@ %.0f µs, of a cached token %.1f µs", name,
                    1e6 / first.median, 1e6 / cached.median))
        }
    }

    /// Returns a token of usual size.
    private static func token(_ algorithm: String, sign: (Data) throws -> Data) throws -> String {
        let claims = """
            {"iss":"https://id.example","aud":["https://api.example"],"sub":"0b5b3f1e-7f0c-4f0e-9f8e-3a8c5d1b2e4f",\
            "exp":\(now + 3_600),"iat":\(now),"role":"customer","customer":10004,"regions":["north","south"]}
            """
        let header = #"{"alg":"\#(algorithm)","typ":"at+jwt","kid":"\#(algorithm)"}"#
        let signed = "\(text(header.utf8)).\(text(claims.utf8))"
        return "\(signed).\(text(try sign(Data(signed.utf8))))"
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String { Base64URL.encode(bytes) }
}
