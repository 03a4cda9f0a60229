import DuetResourceService
import HTTPTypes

/// Reads the token of a request from `Authorization` (RFC 6750 §2.1).
enum BearerToken {
    /// Returns the token; nil if the request has no `Authorization`.
    /// - Throws: ``RequestProblem`` with status 401 if the request has several fields with this name, or if the field
    ///   has another scheme or no token.
    static func read(_ fields: HTTPFields) throws(RequestProblem) -> String? {
        var value: String?
        for field in fields where field.name == .authorization {
            guard value == nil else {
                throw refusal("the request has Authorization more than once; send it once", .invalidRequest)
            }
            value = field.value
        }
        guard let value else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else {
            throw refusal(
                "the scheme of Authorization is not supported; send Authorization: Bearer with a token",
                .invalidRequest)
        }
        let token = parts.count < 2 ? "" : parts[1].drop { $0 == " " }
        guard !token.isEmpty else {
            throw refusal("Authorization has no token; send Authorization: Bearer with a token", .invalidRequest)
        }
        guard !token.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }) else {
            throw refusal("Authorization has more than one token; send one", .invalidRequest)
        }
        return String(token)
    }

    /// The error codes of RFC 6750 §3.1.
    enum ErrorCode: String {
        case invalidRequest = "invalid_request"
        case invalidToken = "invalid_token"
    }

    /// The problem of a request whose token, or whose client's certificate, has expired while the client watched data.
    static var expired: RequestProblem {
        refusal("the token or the certificate of the client has expired; send a new one", .invalidToken)
    }

    /// Returns the problem of a request that has no valid token, with `WWW-Authenticate` (RFC 6750 §3).
    /// - Parameters:
    ///   - detail: A sentence that describes the error. It contains neither the token nor a key.
    ///   - error: The error; nil for a request without a token.
    static func refusal(_ detail: String, _ error: ErrorCode?) -> RequestProblem {
        var challenge = "Bearer realm=\"duet\""
        if let error {
            // The description consists of printable ASCII characters, without quotes and backslashes.
            let description = String(
                detail.unicodeScalars.map { scalar in
                    let isPermitted = (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\"
                    return isPermitted ? Character(scalar) : "'"
                })
            challenge += ", error=\"\(error.rawValue)\", error_description=\"\(description)\""
        }
        return RequestProblem(.unauthorized, detail, fields: [.wwwAuthenticate: challenge])
    }
}
