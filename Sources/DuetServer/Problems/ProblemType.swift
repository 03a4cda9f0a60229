package import DuetResourceService
package import HTTPTypes

/// A type of problem with its status, title and explanation (RFC 9457).
package struct ProblemType: Sendable, Hashable {
    /// The last segment of `type`, and the value of `code`.
    package let code: String
    package let status: HTTPResponse.Status
    /// The title, which is the same for each problem of the type.
    package let title: String
    /// A text that says when the problem occurs, and what the client can do.
    package let explanation: String
    /// The number of seconds after which a retry may succeed.
    package let retryAfter: Int?

    init(
        _ code: String, _ status: HTTPResponse.Status, _ title: String, _ explanation: String, retryAfter: Int? = nil
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.explanation = explanation
        self.retryAfter = retryAfter
    }

    static let malformedRequest = ProblemType(
        "malformed-request", .badRequest, "Malformed request",
        "The request is not well-formed HTTP, or its query is not percent-encoded UTF-8.")
    static let unknownParameter = ProblemType(
        "unknown-parameter", .badRequest, "Unknown parameter",
        "The path does not support this query parameter. `allowed` lists the valid parameters.")
    static let repeatedParameter = ProblemType(
        "repeated-parameter", .badRequest, "Repeated parameter",
        "A parameter with a single value was given more than once.")
    static let invalidParameter = ProblemType(
        "invalid-parameter", .badRequest, "Invalid parameter",
        "The value of a parameter is invalid. `allowed` lists the valid values if there are only a few.")
    static let emptyFilter = ProblemType(
        "empty-filter", .badRequest, "Empty filter",
        "A condition of a filter is an object or a list without members. `parameter` names the condition. Complete it, or omit it; only the whole filter can be empty."
    )
    static let invalidCursor = ProblemType(
        "invalid-cursor", .badRequest, "Invalid cursor",
        "`after` is not a cursor of this list. Use the cursor in the Link header of the previous page.")
    static let malformedBody = ProblemType(
        "malformed-body", .badRequest, "Malformed body", "The body is not JSON, or not a JSON object.")
    static let unknownPath = ProblemType(
        "unknown-path", .notFound, "Unknown path", "This path does not exist. GET / lists the paths.")
    static let unknownProblem = ProblemType(
        "unknown-problem", .notFound, "Unknown problem",
        "There is no problem type with this code. GET /problems lists the types.")
    static let unknownRequest = ProblemType(
        "unknown-request", .notFound, "Unknown request",
        "No request with this ID is among the latest requests whose statements are stored.")
    static let statementsNotKept = ProblemType(
        "statements-not-kept", .notFound, "Statements not stored",
        "The server does not store statements. Start it with --debug-statements, or with DUET_DEBUG_STATEMENTS=true."
    )
    static let methodNotAllowed = ProblemType(
        "method-not-allowed", .methodNotAllowed, "Method not allowed",
        "The path does not support this method. The Allow header lists the supported methods.")
    static let notAcceptable = ProblemType(
        "not-acceptable", .notAcceptable, "Not acceptable",
        "The server supports none of the media types in Accept, or none of the codings in Accept-Encoding. `allowed` lists the supported ones."
    )
    static let requestTimeout = ProblemType(
        "request-timeout", .requestTimeout, "Request timeout", "The request did not arrive in time.")
    static let conflict = ProblemType(
        "conflict", .conflict, "Conflict",
        "The request conflicts with existing data. `key` names the key that already exists.")
    static let preconditionFailed = ProblemType(
        "precondition-failed", .preconditionFailed, "Precondition failed",
        "The current state of the resource does not satisfy If-Match or If-None-Match. Read it again.")
    static let contentTooLarge = ProblemType(
        "content-too-large", .contentTooLarge, "Content too large", "The body exceeds the size limit of the server.")
    static let uriTooLong = ProblemType(
        "uri-too-long", .uriTooLong, "URI too long",
        "The request target exceeds the length limit of the server. Shorten it; send a GraphQL document by POST, or by its hash."
    )
    static let unsupportedMediaType = ProblemType(
        "unsupported-media-type", .unsupportedMediaType, "Unsupported media type",
        "The server does not support the Content-Type of the body. `allowed` lists the supported types.")
    static let unknownHost = ProblemType(
        "unknown-host", .misdirectedRequest, "Unknown host",
        "The host of the request is not a name of the server. `allowed` lists the names.")
    static let validationFailed = ProblemType(
        "validation-failed", .unprocessableContent, "Validation failed",
        "The body is JSON but has invalid members. `errors` lists them.")
    static let answerTooLarge = ProblemType(
        "answer-too-large", .unprocessableContent, "Response too large",
        "The response exceeds the size limit of the server. Request fewer rows or fields.")
    static let headerFieldsTooLarge = ProblemType(
        "header-fields-too-large", .requestHeaderFieldsTooLarge, "Header fields too large",
        "The header has too many fields, or the fields are too long.")
    static let valueMismatch = ProblemType(
        "value-mismatch", .internalServerError, "Value type mismatch",
        "A value in the database does not have the type that the API declares for its field. `detail` names the field and the value."
    )
    static let internalError = ProblemType(
        "internal-error", .internalServerError, "Internal error",
        "An internal error occurred. The server's log contains the details under the request's ID.")
    static let notImplemented = ProblemType(
        "not-implemented", .notImplemented, "Not implemented",
        "The server does not support this method or this transfer coding.")
    static let databaseUnavailable = ProblemType(
        "database-unavailable", .serviceUnavailable, "Database unavailable",
        "The database cannot be reached at the moment. Try again later.", retryAfter: 5)
    static let overloaded = ProblemType(
        "overloaded", .serviceUnavailable, "Overloaded",
        "Too many requests wait for the database. Try again later.", retryAfter: 1)
    static let queryTimeout = ProblemType(
        "query-timeout", .gatewayTimeout, "Query timeout",
        "The database did not respond within the server's time limit. A write had no effect. Request less data.")
    static let outcomeUnknown = ProblemType(
        "outcome-unknown", .gatewayTimeout, "Outcome unknown",
        "The write was sent to the database, which did not confirm it. It may have taken effect: read the resource before you send it again."
    )
    static let databaseFull = ProblemType(
        // RFC 4918 §11.5
        "database-full", HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "Database full",
        "The database is full. Nothing was written. The operator must free space.")
    static let databaseReadOnly = ProblemType(
        "database-read-only", .serviceUnavailable, "Database read-only",
        "The database does not accept writes at the moment. Nothing was written; reads may still work. Try again later.",
        retryAfter: 30)
    static let databaseIOError = ProblemType(
        "database-io-error", .serviceUnavailable, "Database I/O error",
        "The database cannot read or write its files at the moment. A write had no effect. Try again later.",
        retryAfter: 30)

    /// The types that do not depend on the resources.
    private static let general: [ProblemType] = [
        malformedRequest, unknownParameter, repeatedParameter, invalidParameter, emptyFilter, invalidCursor,
        malformedBody, unknownPath, unknownProblem, unknownRequest, statementsNotKept, methodNotAllowed, notAcceptable,
        requestTimeout, conflict, preconditionFailed, contentTooLarge, uriTooLong, unsupportedMediaType,
        validationFailed, answerTooLarge, headerFieldsTooLarge, unknownHost, valueMismatch, internalError,
        notImplemented, databaseUnavailable, overloaded, queryTimeout, outcomeUnknown, databaseFull, databaseReadOnly,
        databaseIOError,
    ]

    /// Returns all types of a server with these resources, as `/problems` lists them.
    package static func all(of catalogue: Catalogue) -> [ProblemType] {
        let index = general.firstIndex(of: unknownPath).map { $0 + 1 } ?? 0
        return general[..<index] + catalogue.nounsOfItems.map { unknown($0) } + general[index...]
    }

    /// Returns the problem type for a row that does not exist.
    private static func unknown(_ noun: String) -> ProblemType {
        ProblemType(
            ServiceError.Code.unknown(noun).rawValue, .notFound, "Unknown \(noun)", "There is no \(noun) with this key."
        )
    }

    /// Returns the problem type for the code of a service error.
    static func of(_ code: ServiceError.Code) -> ProblemType {
        if let type = general.first(where: { $0.code == code.rawValue }) { return type }
        return code.missingNoun.map { unknown($0) } ?? internalError
    }
}
