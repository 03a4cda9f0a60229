import DuetJSON
import DuetTokens
import Testing

@Suite("Key sets")
struct KeySetTests {
    /// Returns the warnings for a key in a set that also has a good key.
    private func warning(for key: JSONObject) throws -> String {
        let good = try SigningKey.key(for: .es256).webKey(["kid": "good"])
        let keys = try keySet([key, good])
        #expect(keys.count == 1)
        #expect(refusal(of: try token(header: ["kid": "good"]), with: keys) == nil)
        return keys.warnings.joined(separator: "; ")
    }

    @Test("One good key among odd ones is used, and each odd one has a warning without key material")
    func oddKeys() throws {
        let (ec, rsa) = (SigningKey.key(for: .es256), SigningKey.rsa2048)
        func number(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
        let odd: [(key: JSONObject, reason: String)] = [
            ([:], "no member \"kty\""), (["kty": "XYZ"], "type (kty) \"XYZ\""), (["kty": 7], "\"kty\" is a number"),
            (["kty": "oct", "k": "c2hvcnQ"], "weak"), (["kty": "oct"], "no member \"k\""),
            (["kty": "oct", "k": ""], "weak"), (["kty": "RSA"], "no member \"n\""),
            (try rsa.webKey(["e": "AQ"]), "weak"), (try rsa.webKey(["e": "Ag"]), "weak"),
            (try rsa.webKey(["e": "AA"]), "weak"), (try rsa.webKey(["e": ""]), "weak"),
            (try rsa.webKey(["e": number([UInt8](repeating: 255, count: 8))]), "weak"),
            (try rsa.webKey(["n": number([UInt8](repeating: 255, count: 128))]), "1024 bits"),
            (try rsa.webKey(["n": number([0, 0] + [UInt8](repeating: 255, count: 255))]), "2040 bits"),
            (try rsa.webKey(["n": number([UInt8](repeating: 255, count: 4_096))]), "more than 8192"),
            (try rsa.webKey(["n": number([UInt8](repeating: 255, count: 255) + [254])]), "even"),
            (try rsa.webKey(["n": number([])]), "weak"), (try rsa.webKey(["n": "+/=="]), "base64url"),
            (try rsa.webKey(["use": "enc"]), "\"enc\""), (try rsa.webKey(["use": 1]), "a number"),
            (try rsa.webKey(["alg": "RSA-OAEP-256"]), "\"RSA-OAEP-256\""),
            (try rsa.webKey(["alg": "ES256"]), "not fit"),
            (try rsa.webKey(["alg": "HS256"]), "not fit"), (try rsa.webKey(["alg": "none"]), "\"none\""),
            (try rsa.webKey(["key_ops": ["encrypt"]]), "key_ops"), (try rsa.webKey(["key_ops": "verify"]), "key_ops"),
            (try rsa.webKey(["key_ops": ["sign"]]), "key_ops"), (try rsa.webKey(["kid": 4]), "\"kid\" is a number"),
            (try ec.webKey(["crv": "secp256k1"]), "curve \"secp256k1\""),
            (try ec.webKey(["crv": "P-384"]), "coordinates"),
            (try ec.webKey(["x": "AAAA"]), "coordinates"), (try ec.webKey(["alg": "ES384"]), "not fit"),
            (try ec.webKey(["alg": "ES256K"]), "ES256K"), (try ec.webKey(["alg": "ECDH-ES"]), "ECDH-ES"),
            (try ec.webKey(["x": number([UInt8](repeating: 1, count: 32))]), "not a valid key"),
            (try ec.webKey(["y": .null]), "\"y\" is null"), (["kty": "OKP", "crv": "X25519", "x": "AA"], "X25519"),
            (["kty": "OKP", "crv": "Ed448", "x": "AA"], "Ed448"),
            (["kty": "OKP", "crv": "Ed25519", "x": "AA"], "length"),
            (["kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"], "AKP"),
            (try ec.webKey(["kid": "good"]), "same identifier"),
        ]
        for (key, reason) in odd where reason != "same identifier" {
            let warning = try warning(for: key)
            #expect(warning.contains(reason), "\(warning)")
        }
        // All of them in one set, with elements that are no objects.
        let good = try ec.webKey(["kid": "good"])
        let elements = [.null, 7, "key", [.object(good)], .object(good)] + odd.map { JSONValue.object($0.key) }
        let keys = try JSONWebKeySet(reading: JSONValue.object(["keys": .array(elements)]).compactBytes)
        #expect(keys.count == 1)
        #expect(keys.warnings.count == elements.count - 1)
        #expect(refusal(of: try token(header: ["kid": "good"]), with: keys) == nil)
        let material = odd.flatMap { key in ["n", "x", "y", "k", "d"].compactMap { key.key[$0] } }
        for case .string(let text) in material where text.utf8.count > 6 {
            #expect(!keys.warnings.contains { $0.contains(text) })
        }
    }

    @Test("Texts of a key set are shortened and printable in warnings")
    func quotedTexts() throws {
        let warning = try warning(for: ["kty": .string(String(repeating: "\n\u{1B}[31m", count: 100))])
        #expect(warning.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(warning.count < 200)
    }

    @Test("Points of small order on Ed25519 are weak, because anyone can sign for them")
    func smallOrder() throws {
        func point(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
            [first] + [UInt8](repeating: middle, count: 30) + [last]
        }
        for bytes in [
            point(0, 0, 0), point(1, 0, 0), point(1, 0, 0x80), point(0xEC, 0xFF, 0x7F), point(0xEC, 0xFF, 0xFF),
            point(0xED, 0xFF, 0x7F), point(0xEE, 0xFF, 0xFF),
            [0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0]
                + [0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x85],
        ] {
            let key: JSONObject = ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(bytes))]
            #expect(try warning(for: key).contains("weak"))
        }
    }

    @Test(
        "A text that is not a key set is refused with advice",
        arguments: [
            ("", KeySetError.Code.malformed), (" \n\t", .malformed), ("{", .malformed), ("[]", .malformed),
            ("null", .malformed), ("{}", .malformed), (#"{"keys":{}}"#, .malformed), (#"{"keys":[]}"#, .noKeys),
            (#"{"keys":[],"keys":[]}"#, .malformed), (#"{"keys":[{"kty":"RSA"}]}"#, .noKeys),
            (#"{"kty":"EC"}"#, .noKeys), ("-----BEGIN PUBLIC KEY-----\nAAAA\n", .malformed), ("<html>", .malformed),
            (#"{"keys":"# + String(repeating: "[", count: 1_000), .malformed),
        ])
    func noSet(text: String, code: KeySetError.Code) {
        let error = #expect(throws: KeySetError.self) { try JSONWebKeySet(reading: Array(text.utf8)) }
        #expect(error?.code == code)
        #expect(error?.description.contains(code == .noKeys ? "key" : "JSON") == true, "\(error?.description ?? "")")
    }

    @Test("A key set of 10 MB is refused, and one with too many keys is used in part")
    func large() throws {
        let error = #expect(throws: KeySetError.self) {
            try JSONWebKeySet(reading: [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20))
        }
        #expect(error?.code == .tooLong)
        let key = SigningKey.key(for: .es256)
        let keys = try keySet((0..<300).map { try key.webKey(["kid": .string("\($0)")]) })
        #expect(keys.count == 256)
        #expect(keys.warnings.count == 1)
        #expect(refusal(of: try token(header: ["kid": "255"]), with: keys) == nil)
        #expect(refusal(of: try token(header: ["kid": "256"]), with: keys) == .unknownKey)
    }

    @Test("A single key is a set, and its private members are ignored")
    func singleKey() throws {
        let key = try SigningKey.rsa2048.webKey(["d": "not base64!", "p": 5, "kid": "a"])
        let keys = try JSONWebKeySet(reading: JSONValue.object(key).compactBytes)
        #expect(keys.count == 1 && keys.warnings.isEmpty)
        #expect(refusal(of: try token(.rs256, header: ["kid": "a"]), with: keys) == nil)
    }

    @Test("A token names its key, and an unknown name is an error even if another key would verify it")
    func keyIdentifiers() throws {
        let (first, second) = (SigningKey.another(), SigningKey.another())
        let keys = try keySet([first.webKey(["kid": "1"]), second.webKey(["kid": "2"])])
        #expect(refusal(of: try token(header: ["kid": "1"], key: first), with: keys) == nil)
        #expect(refusal(of: try token(header: ["kid": "2"], key: second), with: keys) == nil)
        #expect(refusal(of: try token(header: ["kid": "1"], key: second), with: keys) == .signature)
        for unknown in ["3", "", "1 ", "../../dev/null", "1' or '1'='1"] {
            #expect(refusal(of: try token(header: ["kid": .string(unknown)], key: first), with: keys) == .unknownKey)
        }
        // Without a name, each suitable key is tried.
        #expect(refusal(of: try token(key: second), with: keys) == nil)
        #expect(refusal(of: try token(key: SigningKey.another()), with: keys) == .signature)
        // A key without a name is not the key that a token names.
        #expect(
            refusal(of: try token(header: ["kid": "3"], key: first), with: try keySet([first.webKey()])) == .unknownKey)
    }

    @Test("A token without a name is tried with at most 16 keys")
    func manyKeys() throws {
        let last = SigningKey.another()
        let others = try (0..<16).map { try SigningKey.another().webKey(["kid": .string("\($0)")]) }
        let rsa = try SigningKey.rsa2048.webKey(["kid": "rsa"])
        let lastKey = try last.webKey(["kid": "last"])
        #expect(refusal(of: try token(key: last), with: try keySet(others + [lastKey])) == .signature)
        #expect(refusal(of: try token(header: ["kid": "last"], key: last), with: try keySet(others + [lastKey])) == nil)
        // Keys that do not permit the algorithm do not count.
        #expect(refusal(of: try token(key: last), with: try keySet([rsa] + others.dropLast() + [lastKey])) == nil)
    }

    @Test("Keys of different types can have the same name")
    func sameName() throws {
        let keys = try keySet([
            SigningKey.rsa2048.webKey(["kid": "a"]), SigningKey.key(for: .es256).webKey(["kid": "a"]),
        ])
        #expect(keys.count == 2 && keys.warnings.isEmpty)
        #expect(refusal(of: try token(.rs256, header: ["kid": "a"]), with: keys) == nil)
        #expect(refusal(of: try token(.es256, header: ["kid": "a"]), with: keys) == nil)
        #expect(refusal(of: try token(.es384, header: ["kid": "a"]), with: keys) == .algorithm)
    }

    @Test("A secret in a set with public keys may be published, so it is skipped")
    func publishedSecret() throws {
        let secret = try SigningKey.sharedSecret.webKey(["kid": "s"])
        let keys = try keySet([secret, SigningKey.key(for: .es256).webKey(["kid": "e"])])
        #expect(keys.count == 1)
        #expect(keys.warnings.count == 1 && keys.warnings[0].contains("published"))
        #expect(refusal(of: try token(.hs256, header: ["kid": "s"]), with: keys) == .unknownKey)
        #expect(refusal(of: try token(.hs256, header: ["kid": "s"]), with: try keySet([secret])) == nil)
    }

    @Test("A secret permits the algorithms for which it is long enough")
    func secrets() throws {
        func secret(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
        #expect(try JSONWebKeySet(secret: secret(32)).algorithms == [.hs256])
        #expect(try JSONWebKeySet(secret: secret(48)).algorithms == [.hs256, .hs384])
        #expect(try JSONWebKeySet(secret: secret(64)).algorithms == [.hs256, .hs384, .hs512])
        #expect(try JSONWebKeySet(secret: secret(64), algorithms: [.hs512]).algorithms == [.hs512])
        #expect(throws: KeySetError.self) { try JSONWebKeySet(secret: secret(31)) }
        #expect(throws: KeySetError.self) { try JSONWebKeySet(secret: []) }
        #expect(throws: KeySetError.self) { try JSONWebKeySet(secret: secret(48), algorithms: [.hs256, .hs512]) }
        #expect(throws: KeySetError.self) { try JSONWebKeySet(secret: secret(99), algorithms: [.rs256]) }
        let keys = try JSONWebKeySet(secret: secret(32))
        #expect(refusal(of: try token(.hs256, key: .secret(secret(32))), with: keys) == nil)
        #expect(refusal(of: try token(.hs384, key: .secret(secret(32))), with: keys) == .algorithm)
        #expect(refusal(of: try token(.hs256, key: .secret(secret(33))), with: keys) == .signature)
        // A secret has no name, so a token can name it as it wants.
        #expect(refusal(of: try token(.hs256, header: ["kid": "x"], key: .secret(secret(32))), with: keys) == nil)
        #expect(refusal(of: try token(.es256, header: ["kid": "x"]), with: keys) == .unknownKey)
        let both = keys.adding(try keySet(.es256, ["kid": "x"]))
        #expect(both.count == 2)
        #expect(refusal(of: try token(.es256, header: ["kid": "x"]), with: both) == nil)
        #expect(
            refusal(of: try token(.hs256, header: ["kid": "x"], key: .secret(secret(32))), with: both) == .algorithm)
        #expect(refusal(of: try token(.hs256, key: .secret(secret(32))), with: both) == nil)
    }

    @Test("The key of the first set is used if both sets have the name")
    func addedSets() throws {
        let (first, second) = (SigningKey.another(), SigningKey.another())
        let both = try keySet([first.webKey(["kid": "a"])]).adding(try keySet([second.webKey(["kid": "a"])]))
        #expect(both.count == 1 && both.warnings.count == 1)
        #expect(refusal(of: try token(header: ["kid": "a"], key: first), with: both) == nil)
        #expect(refusal(of: try token(header: ["kid": "a"], key: second), with: both) == .signature)
    }

    @Test("The description of a set and its dump do not show the keys")
    func descriptions() throws {
        let secret = Array("a secret of at least 32 characters".utf8)
        for keys in [try JSONWebKeySet(secret: secret), try keySet(.es256, ["kid": "a"])] {
            var text = "\(keys) \(String(reflecting: keys))"
            dump(keys, to: &text)
            #expect(!text.contains("secret of") && !text.contains("97, 32") && text.contains("1 key"))
        }
    }

    @Test("Names of the algorithm of Ed25519 and a misspelling of ES512 are understood")
    func otherNames() throws {
        let keys = try keySet(.edDSA, ["alg": "Ed25519"])
        #expect(refusal(of: try token(.edDSA), with: keys) == nil)
        #expect(refusal(of: try token(.edDSA, header: ["alg": "Ed25519"]), with: try keySet(.edDSA)) == nil)
        #expect(refusal(of: try token(.es512), with: try keySet(.es512, ["alg": "ES521"])) == nil)
        #expect(throws: KeySetError.self) { try keySet(.es256, ["alg": "ES521"]) }
    }
}
