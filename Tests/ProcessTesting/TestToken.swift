import Crypto
package import DuetJSON
import Foundation

/// A JSON Web Token (RFC 7519) that a test signs with HS256, and the settings of a server that accepts it.
package struct TestToken: Sendable {
    package static let secret = "a secret that only the tests know, with 32 bytes or more"
    package static let issuer = "https://issuer.example"
    package static let audience = "duet"

    /// The variables of `duet serve`.
    package static let environment = [
        "DUET_TOKEN_SECRET": secret, "DUET_TOKEN_ISSUER": issuer, "DUET_TOKEN_AUDIENCE": audience,
    ]

    /// The compact serialization.
    package let text: String

    /// Creates a token that is valid until 2100, unless the claims contain `exp`.
    /// - Parameter claims: The claims, in addition to the issuer, the audience and the expiry.
    package init(_ claims: JSONObject, secret: String = Self.secret) {
        var members: [(key: String, value: JSONValue)] = [
            ("iss", .string(Self.issuer)), ("aud", .string(Self.audience)), ("exp", 4_102_444_800),
        ]
        members.removeAll { claims[$0.key] != nil }
        members += claims.members.map { ($0.key, $0.value) }
        let parts = [#"{"alg":"HS256","typ":"JWT"}"#, JSONValue.object(JSONObject(members)).compactText]
        let input = parts.map { Self.base64URL(Data($0.utf8)) }.joined(separator: ".")
        let key = SymmetricKey(data: Data(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: key)
        text = "\(input).\(Self.base64URL(Data(code)))"
    }

    /// The header field of a request with the token.
    package var field: [String: String] { ["Authorization": "Bearer \(text)"] }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
