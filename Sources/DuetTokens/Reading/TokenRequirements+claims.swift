package import DuetJSON

/// The claims of a token, and the time at which they expire.
package struct AcceptedClaims: Sendable, Hashable {
    package let claims: JSONObject
    /// The expiry in seconds since 1970, rounded up.
    package let expiresAt: Int64
}

extension TokenRequirements {
    /// The largest number of seconds with which the checks compute, in both directions. It prevents overflow.
    private static let farthestTime: Int64 = 1 << 53

    /// The leeway in seconds.
    package var leewaySeconds: Int64 { min(max(leeway.components.seconds, 0), Self.farthestTime) }

    /// Checks the claims of a payload (RFC 7519 §4.1).
    /// - Parameter now: The time in seconds since 1970.
    package func accept(payload: [UInt8], at now: Int64) throws(TokenError) -> AcceptedClaims {
        let claims = try CompactJWS.object(payload, "payload")
        let now = min(max(now, -Self.farthestTime), Self.farthestTime)
        let (earliest, latest) = (now - leewaySeconds, now + leewaySeconds)
        guard let expiry = try Self.time("exp", of: claims, rounded: .up) else {
            throw TokenError(.invalidClaim, "the token has no expiry (exp)")
        }
        guard earliest < expiry else { throw TokenError(.expired, "the token has expired") }
        if let start = try Self.time("nbf", of: claims, rounded: .down), start > latest {
            throw TokenError(.notYetValid, "the token is not valid yet (nbf)")
        }
        if let issue = try Self.time("iat", of: claims, rounded: .down), issue > latest {
            throw TokenError(.notYetValid, "the token was issued in the future (iat)")
        }
        guard case .string(let issuer)? = claims["iss"], issuer.hasSameUTF8(as: self.issuer) else {
            throw TokenError(.issuer, "the issuer of the token (iss) is not the expected one")
        }
        guard Self.isAudience(claims["aud"], containing: audience) else {
            throw TokenError(.audience, "the token is for another audience (aud)")
        }
        return AcceptedClaims(claims: claims, expiresAt: expiry)
    }

    /// Returns the value of a time claim (NumericDate, RFC 7519 §2), which can have a fraction; nil if the claim is
    /// missing.
    private static func time(
        _ name: String, of claims: JSONObject, rounded rule: FloatingPointRoundingRule
    ) throws(TokenError) -> Int64? {
        switch claims[name] {
        case nil: return nil
        case .integer(let seconds)?: return min(max(seconds, -farthestTime), farthestTime)
        case .double(let seconds)? where !seconds.isNaN:
            return Int64(min(max(seconds.rounded(rule), -Double(farthestTime)), Double(farthestTime)))
        default: throw TokenError(.invalidClaim, "a time of the token (\(name)) is not a number")
        }
    }

    private static func isAudience(_ claim: JSONValue?, containing audience: String) -> Bool {
        switch claim {
        case .string(let text)?: text.hasSameUTF8(as: audience)
        case .array(let elements)?:
            elements.contains { if case .string(let text) = $0 { text.hasSameUTF8(as: audience) } else { false } }
        default: false
        }
    }
}
