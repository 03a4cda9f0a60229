/// The reason for which a token is not accepted.
///
/// The description reports what is wrong with the token. It contains no part of the token and nothing of the keys, so
/// that it can be sent to the client and logged.
public struct TokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a reason.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is not a JSON Web Token in compact serialization.
        case malformed
        /// The text is longer than 16 KiB.
        case tooLong
        /// The key, or the configuration, does not permit the algorithm of the token.
        case algorithm
        /// The header has a type other than that of an access token.
        case type
        /// The header requires an extension of JWS.
        case critical
        /// The header names a key that does not exist.
        case unknownKey
        /// No key has created the signature.
        case signature
        /// A claim that limits the time is missing, or is not a number.
        case invalidClaim
        /// The token has expired.
        case expired
        /// The token is not valid yet.
        case notYetValid
        /// The claim `iss` is missing or names another issuer.
        case issuer
        /// The claim `aud` is missing or does not contain the audience.
        case audience
    }

    /// The kind of the reason.
    public let code: Code
    /// The reason as a sentence for the client.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
