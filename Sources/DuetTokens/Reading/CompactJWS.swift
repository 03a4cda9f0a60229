import DuetJSON

/// A JSON Web Signature in compact serialization (RFC 7515 §3.1) whose header is acceptable. The signature is not
/// verified yet.
package struct CompactJWS: Sendable {
    /// The maximum number of bytes of a token.
    package static let maximumBytes = 16 << 10

    /// The algorithm that the header names. It only selects keys that permit it.
    package let algorithm: SignatureAlgorithm
    /// The identifier of the key, if the header has one.
    package let keyID: String?
    /// The signed bytes: the header and the payload as in the token, with the dot between them.
    package let signedBytes: ArraySlice<UInt8>
    /// The decoded payload.
    package let payload: [UInt8]
    /// The decoded signature.
    package let signature: [UInt8]

    /// Reads a token.
    /// - Throws: ``TokenError`` for a text that is not a token, and for a header that the verifier does not accept.
    package init(reading token: [UInt8]) throws(TokenError) {
        guard token.count <= Self.maximumBytes else {
            throw TokenError(.tooLong, "the token has more than \(Self.maximumBytes) bytes")
        }
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw TokenError(.malformed, "a token has three parts with dots between them")
        }
        guard let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else {
            throw TokenError(.malformed, "the parts of a token are base64url without padding")
        }
        let members = try Self.object(header, "header")
        algorithm = try Self.algorithm(members)
        keyID = try Self.keyID(members)
        signedBytes = token[parts[0].startIndex..<parts[1].endIndex]
        self.payload = payload
        self.signature = signature
    }

    /// Returns the members of the header or of the payload. The errors of the parser are not in the message, because
    /// they can quote names of members.
    static func object(_ bytes: [UInt8], _ part: String) throws(TokenError) -> JSONObject {
        guard case .object(let object)? = try? JSONValue(parsing: bytes) else {
            throw TokenError(.malformed, "the \(part) of the token is not a JSON object with unique names")
        }
        return object
    }

    /// Checks the header, and returns its algorithm.
    private static func algorithm(_ header: JSONObject) throws(TokenError) -> SignatureAlgorithm {
        // RFC 7515 §4.1.11: a recipient refuses extensions that it does not support. It supports none.
        guard header["crit"] == nil else {
            throw TokenError(.critical, "the header of the token has critical extensions, of which none is supported")
        }
        // RFC 7797 §3: a payload that is not encoded.
        guard header["b64"] == nil || header["b64"] == .bool(true) else {
            throw TokenError(.critical, "the payload of the token is not encoded (b64), which is not supported")
        }
        if let type = header["typ"] { try check(type: type) }
        guard case .string(let name)? = header["alg"], let algorithm = SignatureAlgorithm(name: name) else {
            throw TokenError(.algorithm, "the algorithm of the token is not supported")
        }
        return algorithm
    }

    /// The types of tokens: JSON Web Tokens (RFC 7519 §5.1), and access tokens (RFC 9068 §4). Any other type, such as
    /// that of a logout token, is a token for another purpose (RFC 8725 §3.11).
    private static func check(type: JSONValue) throws(TokenError) {
        guard case .string(let name) = type,
            ["jwt", "at+jwt", "application/at+jwt"].contains(name.lowercased())
        else {
            throw TokenError(.type, "the type of the token is neither JWT nor at+jwt")
        }
    }

    private static func keyID(_ header: JSONObject) throws(TokenError) -> String? {
        switch header["kid"] {
        case nil: return nil
        case .string(let keyID)?: return keyID
        default: throw TokenError(.malformed, "the identifier of the token's key (kid) is not a string")
        }
    }
}
