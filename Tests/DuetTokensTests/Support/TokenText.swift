import DuetJSON
import DuetTokens

/// The time of the tests in seconds since 1970.
let testTime: Int64 = 1_800_000_000

extension TokenRequirements {
    /// The requirements of the tests.
    static let test = TokenRequirements(issuer: "https://id.example", audience: "https://api.example")
}

/// The claims of a valid token. Other claims replace them; a null removes a claim.
func claims(_ others: JSONObject = [:]) -> JSONObject {
    var claims: JSONObject = [
        "iss": "https://id.example", "aud": "https://api.example", "sub": "ada", "exp": .integer(testTime + 600),
        "iat": .integer(testTime - 10), "role": "clerk",
    ]
    for member in others.members { claims[member.key] = member.value == .null ? Optional.none : member.value }
    return claims
}

/// Returns a signed token.
/// - Parameters:
///   - header: Members that are added to the header; a null removes a member.
///   - key: The key; nil for the key of the tests for the algorithm.
func token(
    _ algorithm: SignatureAlgorithm = .es256, header others: JSONObject = [:], claims: JSONObject = claims(),
    key: SigningKey? = nil
) throws -> String {
    var header: JSONObject = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
    for member in others.members { header[member.key] = member.value == .null ? Optional.none : member.value }
    return try token(
        algorithm, headerText: JSONValue.object(header).compactText, payload: JSONValue.object(claims).compactText,
        key: key)
}

/// Returns a signed token with the texts of a header and of a payload.
func token(
    _ algorithm: SignatureAlgorithm, headerText: String, payload: String, key: SigningKey? = nil
) throws -> String {
    let signed = Base64URL.encode(headerText.utf8) + "." + Base64URL.encode(payload.utf8)
    let signature = try (key ?? .key(for: algorithm)).signature(of: Array(signed.utf8), by: algorithm)
    return signed + "." + Base64URL.encode(signature)
}

/// Returns a key set with keys.
func keySet(_ keys: [JSONObject]) throws -> JSONWebKeySet {
    try JSONWebKeySet(reading: JSONValue.object(["keys": .array(keys.map { .object($0) })]).compactBytes)
}

/// Returns a set with the key of the tests for an algorithm.
func keySet(_ algorithm: SignatureAlgorithm, _ members: JSONObject = [:]) throws -> JSONWebKeySet {
    try keySet([SigningKey.key(for: algorithm).webKey(members)])
}

/// Returns the code of the error of a verification; nil if the token is valid.
func refusal(
    of token: String, with keys: JSONWebKeySet, requirements: TokenRequirements = .test, at now: Int64 = testTime
) -> TokenError.Code? {
    do throws(TokenError) {
        _ = try TokenVerifier(requirements).verify(token, with: keys, at: now)
        return nil
    } catch {
        return error.code
    }
}
