import DuetJSON
import DuetTokens
import Testing

@Suite("Signatures of tokens")
struct SignatureTests {
    @Test(
        "A token with each algorithm is valid with its key, and not with another payload",
        arguments: SignatureAlgorithm.allCases)
    func algorithms(algorithm: SignatureAlgorithm) throws {
        let keys = try keySet(algorithm, ["alg": .string(algorithm.rawValue), "kid": "a", "use": "sig"])
        let valid = try token(algorithm, header: ["kid": "a"])
        let verified = try TokenVerifier(.test).verify(valid, with: keys, at: testTime)
        #expect(verified.claims == claims())
        #expect(verified.expiresAt == testTime + 600)
        var parts = valid.split(separator: ".").map(String.init)
        parts[1] = Base64URL.encode(JSONValue.object(claims(["role": "admin"])).compactBytes)
        #expect(refusal(of: parts.joined(separator: "."), with: keys) == .signature)
    }

    @Test("A key without an algorithm permits the algorithms of its type, and no token changes this")
    func keysWithoutAlgorithm() throws {
        let rsa = try keySet([SigningKey.rsa2048.webKey(["kid": "a"])])
        #expect(rsa.algorithms == [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
        // A forged token with another algorithm does not affect the following tokens.
        let forged = try token(.rs512, header: ["kid": "a"]).split(separator: ".").dropLast().joined(separator: ".")
        #expect(
            refusal(of: forged + "." + Base64URL.encode([UInt8](repeating: 1, count: 256)), with: rsa) == .signature)
        for algorithm in [SignatureAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512] {
            #expect(refusal(of: try token(algorithm, header: ["kid": "a"]), with: rsa) == nil)
        }
        var requirements = TokenRequirements.test
        requirements.algorithms = [.ps256]
        #expect(refusal(of: try token(.ps256), with: rsa, requirements: requirements) == nil)
        #expect(refusal(of: try token(.rs256), with: rsa, requirements: requirements) == .algorithm)
        for algorithm in [SignatureAlgorithm.es256, .es384, .es512, .edDSA] {
            #expect(try keySet(algorithm).algorithms == [algorithm])
        }
    }

    @Test("A key permits only the algorithm that it names")
    func namedAlgorithm() throws {
        let keys = try keySet(.ps256, ["alg": "PS256", "kid": "a"])
        for algorithm in [SignatureAlgorithm.rs256, .rs384, .ps384, .ps512] {
            #expect(refusal(of: try token(algorithm, header: ["kid": "a"]), with: keys) == .algorithm)
        }
        // The header names the algorithm of the key, but the signature is of another one.
        let header = #"{"alg":"PS256","kid":"a"}"#
        let payload = JSONValue.object(claims()).compactText
        #expect(refusal(of: try token(.rs256, headerText: header, payload: payload), with: keys) == .signature)
    }

    @Test(
        "A token without an algorithm of a signature is refused",
        arguments: ["none", "None", "NONE", "nOnE", "", "HS1", "hs256", "RS256 ", "ES256K", "RSA-OAEP", "ECDH-ES"])
    func unsigned(name: String) throws {
        let payload = Base64URL.encode(JSONValue.object(claims()).compactBytes)
        let header = Base64URL.encode(JSONValue.object(["alg": .string(name)]).compactBytes)
        for keys in [try keySet(.es256), try keySet(.rs256), try keySet(.hs256)] {
            #expect(refusal(of: "\(header).\(payload).", with: keys) == .algorithm)
            #expect(refusal(of: "\(header).\(payload).AAAA", with: keys) == .algorithm)
        }
        // An empty signature does not verify.
        let signed = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        #expect(refusal(of: "\(signed).\(payload).", with: try keySet(.hs256)) == .signature)
    }

    @Test("The public key as the secret of an HMAC does not verify")
    func publicKeyAsSecret() throws {
        for algorithm in [SignatureAlgorithm.rs256, .es256, .edDSA] {
            let webKey = try SigningKey.key(for: algorithm).webKey(["kid": "a"])
            let keys = try keySet([webKey])
            // The attacker guesses the bytes that a naive verifier would use as the secret.
            let guesses = [
                JSONValue.object(webKey).compactBytes,
                JSONValue.object(["keys": [.object(webKey)]]).compactBytes,
            ]
            for secret in guesses {
                let forged = try token(.hs256, header: ["kid": "a"], key: .secret(secret))
                #expect(refusal(of: forged, with: keys) == .algorithm)
                #expect(refusal(of: try token(.hs256, key: .secret(secret)), with: keys) == .algorithm)
            }
        }
        #expect(throws: KeySetError.self) {
            try JSONWebKeySet(secret: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n".utf8)
        }
    }

    @Test("Keys in the header are not used")
    func embeddedKeys() throws {
        let other = SigningKey.another()
        for name in ["jwk", "x5c", "jku", "x5u"] {
            let forged = try token(header: [name: .object(try other.webKey(["kid": "a"])), "kid": "a"], key: other)
            #expect(refusal(of: forged, with: try keySet(.es256, ["kid": "a"])) == .signature)
        }
    }

    @Test("A signature must have its length", arguments: SignatureAlgorithm.allCases)
    func lengths(algorithm: SignatureAlgorithm) throws {
        let keys = try keySet(algorithm)
        let parts = try token(algorithm).split(separator: ".")
        let signed = "\(parts[0]).\(parts[1])"
        let signature = try #require(Base64URL.decode(parts[2].utf8))
        #expect(refusal(of: "\(signed).\(Base64URL.encode(signature))", with: keys) == nil)
        for changed in [
            [0] + signature, signature + [0], Array(signature.dropLast()), Array(signature.dropFirst()),
            Array(signature.prefix(16)), [], signature + signature, [UInt8](repeating: 0, count: signature.count),
        ] {
            #expect(refusal(of: "\(signed).\(Base64URL.encode(changed))", with: keys) == .signature)
        }
    }

    // MARK: Examples of the specifications

    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test("The signatures of RFC 7515 A.1 to A.3 and RFC 8037 A.4 are valid")
    func specifications() throws {
        let examples: [(key: JSONObject, token: String)] = [
            (
                [
                    "kty": "oct",
                    "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
                ],
                "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            ),
            (
                [
                    "kty": "RSA", "e": "AQAB",
                    "n":
                        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
                ],
                "eyJhbGciOiJSUzI1NiJ9.\(Self.payload).cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
            ),
            (
                [
                    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                    // A private member, which is ignored.
                    "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                ],
                "eyJhbGciOiJFUzI1NiJ9.\(Self.payload).DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
            ),
            (
                ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
                "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
            ),
        ]
        for example in examples {
            let keys = try JSONWebKeySet(reading: JSONValue.object(example.key).compactBytes)
            #expect(keys.warnings.isEmpty)
            // The examples do not have the claims that this module requires.
            try keys.checkSignature(of: CompactJWS(reading: Array(example.token.utf8)))
            var changed = Array(example.token.utf8)
            changed[30] = changed[30] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenError.self) { try keys.checkSignature(of: CompactJWS(reading: changed)) }
        }
    }
}
