package import DuetResourceService
package import HTTPTypes

/// The kinds of errors that occur in the server, before it calls the service, and the list of all kinds. The code of a
/// kind is the last segment of `type` in a problem document (RFC 9457).
extension ServiceError.Code {
    static let malformedRequest = Self(
        "malformed-request", 400, "Malformed request",
        "The request is not well-formed HTTP, or its query is not percent-encoded UTF-8.")
    static let unauthorized = Self(
        "unauthorized", 401, "Unauthorized",
        "The request has no valid token. `detail` says what is wrong with it, and WWW-Authenticate repeats it. Send Authorization: Bearer with a valid JSON Web Token."
    )
    static let unknownRole = Self(
        "unknown-role", 403, "Unknown role",
        "The API has no role with the name in the token. Request a token with another role.")
    static let roleNotGranted = Self(
        "role-not-granted", 403, "Role not granted",
        "The token contains no role, or not the role in Duet-Role. `allowed` lists the roles of the token.")
    static let tokenKeysUnavailable = Self(
        "token-keys-unavailable", 503, "Token keys unavailable",
        "The server cannot verify tokens at the moment, because it could not fetch their keys. Try again later.",
        retryAfter: 10)
    static let unknownPath = Self(
        "unknown-path", 404, "Unknown path", "This path does not exist. GET / lists the paths.")
    static let unknownProblem = Self(
        "unknown-problem", 404, "Unknown problem",
        "There is no problem type with this code. GET /problems lists the types.")
    static let unknownRequest = Self(
        "unknown-request", 404, "Unknown request",
        "No request with this ID is among the latest requests whose statements are stored.")
    static let statementsNotKept = Self(
        "statements-not-kept", 404, "Statements not stored",
        "The server does not store statements. Start it with --debug-statements, or with DUET_DEBUG_STATEMENTS=true.")
    static let methodNotAllowed = Self(
        "method-not-allowed", 405, "Method not allowed",
        "The path does not support this method. The Allow header lists the supported methods.")
    static let notAcceptable = Self(
        "not-acceptable", 406, "Not acceptable",
        "The server supports none of the media types in Accept, or none of the codings in Accept-Encoding. `allowed` lists the supported ones."
    )
    static let requestTimeout = Self(
        "request-timeout", 408, "Request timeout", "The request did not arrive in time.")
    static let contentTooLarge = Self(
        "content-too-large", 413, "Content too large", "The body exceeds the size limit of the server.")
    static let uriTooLong = Self(
        "uri-too-long", 414, "URI too long",
        "The request target exceeds the length limit of the server. Shorten it; send a GraphQL document by POST, or by its hash."
    )
    static let unsupportedMediaType = Self(
        "unsupported-media-type", 415, "Unsupported media type",
        "The server does not support the Content-Type of the body. `allowed` lists the supported types.")
    static let temporaryFileUnavailable = Self(
        "temporary-file-unavailable", 503, "Temporary file unavailable",
        "The server cannot store the body of an import in a temporary file. Nothing was written. The operator must free space or set TMPDIR.",
        retryAfter: 30)
    static let unknownHost = Self(
        "unknown-host", 421, "Unknown host",
        "The host of the request is not a name of the server. `allowed` lists the names.")
    static let headerFieldsTooLarge = Self(
        "header-fields-too-large", 431, "Header fields too large",
        "The header has too many fields, or the fields are too long.")
    static let notImplemented = Self(
        "not-implemented", 501, "Not implemented",
        "The server does not support this method or this transfer coding.")

    /// The kinds that do not depend on the resources.
    static let general: [Self] = [
        malformedRequest, unknownParameter, repeatedParameter, invalidParameter, emptyFilter, invalidCursor,
        malformedBody, unknownPath, unknownProblem, unknownRequest, statementsNotKept, methodNotAllowed, notAcceptable,
        requestTimeout, conflict, preconditionFailed, contentTooLarge, uriTooLong, unsupportedMediaType,
        validationFailed, answerTooLarge, scanTooLarge, headerFieldsTooLarge, unknownHost, valueMismatch,
        internalError, notImplemented, databaseUnavailable, overloaded, queryTimeout, outcomeUnknown, databaseFull,
        databaseReadOnly,
        databaseIOError,
    ]

    /// The kinds of errors of requests that need a caller. They occur only if the API has roles.
    package static let access: [Self] = [
        unauthorized, claimMissing, claimMismatch, unknownRole, roleNotGranted, tokenKeysUnavailable,
    ]

    /// The kinds of errors of writes that follow from the rules of resources.
    package static let writes: [Self] = derivedWrites + [temporaryFileUnavailable]

    /// Returns all kinds of errors of a server with these resources, as `/problems` lists them.
    package static func all(of catalogue: Catalogue) -> [Self] {
        let index = general.firstIndex(of: unknownPath).map { $0 + 1 } ?? 0
        let nouns = catalogue.nounsOfItems.map { unknown($0) }
        return general[..<index] + nouns + general[index...] + (catalogue.hasDerivedWrites ? writes : [])
            + (catalogue.isOfRole ? access : [])
    }

    /// The kinds of errors that do not depend on the role of the caller. A client without an identity sees only these.
    static let open = general + writes + access

    /// The status as a value with its reason phrase.
    package var httpStatus: HTTPResponse.Status {
        Self.statuses.first { $0.code == status } ?? HTTPResponse.Status(code: status)
    }

    /// The statuses of all kinds of errors.
    private static let statuses: [HTTPResponse.Status] = [
        .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .requestTimeout,
        .conflict, .preconditionFailed,
        .contentTooLarge, .uriTooLong, .unsupportedMediaType, .misdirectedRequest, .unprocessableContent,
        .requestHeaderFieldsTooLarge, .internalServerError, .notImplemented, .serviceUnavailable, .gatewayTimeout,
        // RFC 4918 §11.5
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
    ]
}

extension Catalogue {
    /// True for the catalogue of a role.
    var isOfRole: Bool { view != .whole }
}
