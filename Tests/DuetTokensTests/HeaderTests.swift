import DuetJSON
import DuetTokens
import Testing

@Suite("Headers and texts of tokens")
struct HeaderTests {
    @Test(
        "A text that is not a token in compact serialization is malformed",
        arguments: [
            "", ".", "..", "...", "a", "a.b", "a.b.c.d", "e30.e30.", ".e30.AAAA", "Bearer e30.e30.AAAA", "{}", "\u{0}",
            #"{"payload":"e30","signatures":[]}"#, "é.é.é",
        ])
    func malformed(text: String) throws {
        let code = refusal(of: text, with: try keySet(.es256))
        #expect(code == .malformed || code == .algorithm)
        #expect(code == .malformed || text == "e30.e30.")
    }

    @Test("A token that is cut at any byte, or doubled, is refused")
    func cut() throws {
        let keys = try keySet(.es256)
        let whole = try token()
        for length in 0..<whole.utf8.count {
            #expect(refusal(of: String(whole.prefix(length)), with: keys) != nil, "\(length)")
        }
        for text in [whole + whole, whole + "." + whole, whole + " ", " " + whole, whole + "\n", whole + ","] {
            #expect(refusal(of: text, with: keys) == .malformed)
        }
    }

    @Test("Each change of one character of a token makes it invalid")
    func changes() throws {
        let keys = try keySet(.hs256)
        let whole = Array(try token(.hs256).utf8)
        for index in whole.indices {
            for character in [UInt8(ascii: "A"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "+")]
            where whole[index] != character {
                var changed = whole
                changed[index] = character
                #expect(refusal(of: String(decoding: changed, as: UTF8.self), with: keys) != nil, "\(index)")
            }
        }
    }

    @Test("A token of 16 KiB is accepted, and a longer one is too long")
    func length() throws {
        let keys = try keySet(.hs256)
        func padded(_ count: Int) throws -> String {
            try token(.hs256, claims: claims(["pad": .string(String(repeating: "x", count: count))]))
        }
        let room = (CompactJWS.maximumBytes - (try padded(0).utf8.count)) / 4 * 3
        let longest = try padded(room - 3)
        #expect(longest.utf8.count <= CompactJWS.maximumBytes && longest.utf8.count > CompactJWS.maximumBytes - 16)
        #expect(refusal(of: longest, with: keys) == nil)
        #expect(refusal(of: try padded(room + 12), with: keys) == .tooLong)
        #expect(refusal(of: try padded(100_000), with: keys) == .tooLong)
        #expect(refusal(of: String(repeating: ".", count: 100_000), with: keys) == .tooLong)
    }

    @Test("Base64url has one text for each sequence of bytes")
    func base64url() {
        let samples: [([UInt8], String)] = [
            ([], ""), ([0], "AA"), ([255], "_w"), ([251, 255], "-_8"), ([0, 0, 0], "AAAA"), (Array("foo".utf8), "Zm9v"),
        ]
        for (bytes, text) in samples {
            #expect(Base64URL.encode(bytes) == text)
            #expect(Base64URL.decode(text.utf8) == bytes)
        }
        // Padding, the standard alphabet, white space, unused bits, and impossible lengths.
        for text in ["AA==", "AA=", "=", "+w", "/w", "A", "AAAAA", "AB", "_x", "AAB", "A A", "AA\n", "AA.", "Ä"] {
            #expect(Base64URL.decode(text.utf8) == nil, "\(text)")
        }
    }

    @Test(
        "A header or a payload with repeated names, or that is not a JSON object, is malformed",
        arguments: [
            (#"{"alg":"HS256","alg":"HS256"}"#, "{}"), (#"{"alg":"HS256","kid":"a","kid":"a"}"#, "{}"),
            (#"{"alg":"HS256","\u0061lg":"none"}"#, "{}"), (#"["alg"]"#, "{}"), ("", "{}"), ("\u{FEFF}{}", "{}"),
            (#"{"alg":"HS256"} "x""#, "{}"), (#"{"alg":"HS256"}"#, ""), (#"{"alg":"HS256"}"#, "[]"),
            (#"{"alg":"HS256"}"#, #"{"exp":1,"exp":2}"#), (#"{"alg":"HS256"}"#, #"{"a":{"b":1,"b":1}}"#),
            (#"{"alg":"HS256"}"#, #"{"role":"a","role":"admin"}"#), (#"{"alg":"HS256"}"#, "null"),
            (#"{"alg":"HS256"}"#, String(repeating: "[", count: 2_000)), (#"{"alg":"HS256","kid":7}"#, "{}"),
            (#"{"alg":"HS256","kid":null}"#, "{}"), (#"{'alg':'HS256'}"#, "{}"),
        ])
    func repeatedNames(header: String, payload: String) throws {
        #expect(
            refusal(of: try token(.hs256, headerText: header, payload: payload), with: try keySet(.hs256)) == .malformed
        )
    }

    @Test("Bytes that are not UTF-8 are malformed")
    func invalidUTF8() throws {
        let header = Base64URL.encode(#"{"alg":"HS256"}"#.utf8)
        let payload = Base64URL.encode(Array(#"{"iss":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8))
        let signed = header + "." + payload
        let code = try SigningKey.sharedSecret.signature(of: Array(signed.utf8), by: .hs256)
        #expect(refusal(of: signed + "." + Base64URL.encode(code), with: try keySet(.hs256)) == .malformed)
    }

    @Test("Critical extensions and payloads that are not encoded are refused")
    func critical() throws {
        let keys = try keySet(.es256)
        for extensions: JSONObject in [
            ["crit": ["exp"], "exp": 1], ["crit": []], ["crit": "exp"], ["crit": ["b64"], "b64": false], ["b64": false],
            ["b64": 0], ["crit": false],
        ] {
            #expect(refusal(of: try token(header: extensions), with: keys) == .critical)
        }
        #expect(refusal(of: try token(header: ["b64": true]), with: keys) == nil)
    }

    @Test("The type of a token is absent, JWT or at+jwt")
    func types() throws {
        let keys = try keySet(.es256)
        for type: JSONValue in [
            "JWT", "jwt", "Jwt", "at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+JWT", nil,
        ] {
            #expect(refusal(of: try token(header: ["typ": type]), with: keys) == nil)
        }
        for type: JSONValue in [
            "", "JOSE", "logout+jwt", "dpop+jwt", "secevent+jwt", "id+jwt", "application/jose", "at+jwt;x", " JWT", 1,
            ["JWT"],
        ] {
            #expect(refusal(of: try token(header: ["typ": type]), with: keys) == .type)
        }
    }

    @Test("An error contains no part of the token, of its claims and of the keys")
    func silence() throws {
        let keys = try keySet(.es256, ["kid": "key-identifier"])
        let other = SigningKey.another()
        let tokens = [
            try token(header: ["kid": "secret-kid"]), try token(header: ["crit": ["secret-extension"]]),
            try token(header: ["typ": "secret-type"]), try token(claims: claims(["iss": "https://secret.example"])),
            try token(claims: claims(["aud": "https://secret.example"])), try token(claims: claims(["exp": 12345])),
            try token(claims: claims(["exp": "secret-expiry"])), try token(claims: claims(["nbf": 9_999_999_999])),
            try token(.es256, headerText: #"{"alg":"secret-alg"}"#, payload: "{}"),
            try token(.es256, headerText: #"{"alg":"ES256"}"#, payload: #"{"secret":1,"secret":2}"#),
            try token(header: ["kid": "key-identifier"], key: other), "secret", "secret.secret.secret",
            String(repeating: "secret", count: 10_000),
        ]
        for token in tokens {
            let error = #expect(throws: TokenError.self) {
                try TokenVerifier(.test).verify(token, with: keys, at: testTime)
            }
            guard let error else { continue }
            var dump = ""
            Swift.dump(error, to: &dump)
            for text in ["\(error)", String(reflecting: error), error.description, dump] {
                #expect(!text.contains("secret") && !text.contains("12345") && !text.contains("key-identifier"))
                for part in token.split(separator: ".") where part.utf8.count > 8 {
                    #expect(!text.contains(part.prefix(9)))
                }
            }
        }
    }
}
