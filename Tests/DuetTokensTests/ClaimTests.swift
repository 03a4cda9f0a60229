import DuetJSON
import DuetTokens
import Testing

@Suite("Claims of tokens")
struct ClaimTests {
    private func refusal(_ others: JSONObject, leeway: Int = 30, at now: Int64 = testTime) throws -> TokenError.Code? {
        var requirements = TokenRequirements.test
        requirements.leeway = .seconds(leeway)
        return DuetTokensTests.refusal(
            of: try token(.hs256, claims: claims(others)), with: try keySet(.hs256), requirements: requirements, at: now
        )
    }

    @Test("A token must have an expiry in the future, with the leeway")
    func expiry() throws {
        #expect(try refusal(["exp": nil]) == .invalidClaim)
        for value: JSONValue in ["1900000000", true, [1_900_000_000], [:]] {
            #expect(try refusal(["exp": value]) == .invalidClaim)
        }
        #expect(try refusal(["exp": .integer(testTime - 29)]) == nil)
        #expect(try refusal(["exp": .integer(testTime - 30)]) == .expired)
        #expect(try refusal(["exp": .integer(testTime)], leeway: 0) == .expired)
        #expect(try refusal(["exp": .integer(testTime + 1)], leeway: 0) == nil)
        #expect(try refusal(["exp": .double(Double(testTime) + 0.5)], leeway: 0) == nil)
        #expect(try refusal(["exp": .double(Double(testTime) - 0.5)], leeway: 0) == .expired)
        // Numbers beyond each range neither trap nor wrap around.
        for value: JSONValue in [.double(1e300), .integer(.max), .double(1e19)] {
            #expect(try refusal(["exp": value]) == nil)
        }
        for value: JSONValue in [.double(-1e300), .integer(.min), 0, -1] {
            #expect(try refusal(["exp": value]) == .expired)
        }
        #expect(try refusal([:], leeway: .max, at: .max) == nil)
        #expect(try refusal([:], at: .max) == .expired)
        #expect(try refusal(["exp": .integer(.max)], leeway: -5, at: .min) == .notYetValid)
    }

    @Test("The expiry of a verified token is rounded up")
    func roundedExpiry() throws {
        let text = try token(.hs256, claims: claims(["exp": .double(Double(testTime) + 5.25)]))
        let verified = try TokenVerifier(.test).verify(text, with: try keySet(.hs256), at: testTime)
        #expect(verified.expiresAt == testTime + 6)
    }

    @Test("A token is not valid before its start, and not before it is issued, with the leeway")
    func start() throws {
        for name in ["nbf", "iat"] {
            #expect(try refusal([name: .integer(testTime + 30)]) == nil)
            #expect(try refusal([name: .integer(testTime + 31)]) == .notYetValid)
            #expect(try refusal([name: .double(1e300)]) == .notYetValid)
            #expect(try refusal([name: .double(Double(testTime) + 0.5)], leeway: 0) == nil)
            #expect(try refusal([name: "now"]) == .invalidClaim)
            #expect(try refusal([name: 0]) == nil)
        }
        #expect(try refusal(["iat": nil]) == nil)
    }

    @Test("The issuer must be present and equal")
    func issuer() throws {
        for value: JSONValue? in [
            nil, "", "https://id.example/", "HTTPS://ID.EXAMPLE", "https://id.example ", ["https://id.example"], 1,
            "https://other.example",
        ] {
            #expect(try refusal(["iss": value ?? .null]) == .issuer)
        }
        // Texts that only Unicode considers to be equal.
        let requirements = TokenRequirements(issuer: "\u{E9}", audience: "https://api.example")
        let text = try token(.hs256, claims: claims(["iss": "e\u{301}"]))
        #expect(DuetTokensTests.refusal(of: text, with: try keySet(.hs256), requirements: requirements) == .issuer)
    }

    @Test("The audience must be present: a text or a list that contains it")
    func audience() throws {
        for value: JSONValue in ["https://api.example", ["https://api.example"], ["x", 7, "https://api.example"]] {
            #expect(try refusal(["aud": value]) == nil)
        }
        for value: JSONValue? in [
            nil, [], "", ["https://api.example/"], [["https://api.example"]], "https://other.example", ["a", "b"], 1,
            ["https://api.example": true], "x https://api.example",
        ] {
            #expect(try refusal(["aud": value ?? .null]) == .audience)
        }
    }

    @Test("A null is not a missing member")
    func nulls() throws {
        let keys = try keySet(.hs256)
        let header = #"{"alg":"HS256"}"#
        func refusal(header: String, payload: String) throws -> TokenError.Code? {
            DuetTokensTests.refusal(of: try token(.hs256, headerText: header, payload: payload), with: keys)
        }
        func payload(_ member: String) -> String {
            let text = JSONValue.object(claims(["exp": nil, "aud": nil])).compactText.dropLast()
            return text + #","exp":\#(testTime + 1),"aud":"https://api.example",\#(member)}"#
        }
        #expect(try refusal(header: header, payload: payload(#""x":null"#)) == nil)
        #expect(try refusal(header: header, payload: payload(#""nbf":null"#)) == .invalidClaim)
        #expect(try refusal(header: #"{"alg":"HS256","crit":null}"#, payload: payload(#""x":1"#)) == .critical)
        #expect(try refusal(header: #"{"alg":"HS256","b64":null}"#, payload: payload(#""x":1"#)) == .critical)
        #expect(try refusal(header: #"{"alg":"HS256","typ":null}"#, payload: payload(#""x":1"#)) == .type)
        #expect(try refusal(header: #"{"alg":null}"#, payload: payload(#""x":1"#)) == .algorithm)
    }

    @Test("The signature is verified before the claims")
    func order() throws {
        let forged = try token(claims: claims(["exp": 1]), key: SigningKey.another())
        #expect(DuetTokensTests.refusal(of: forged, with: try keySet(.es256)) == .signature)
    }
}
