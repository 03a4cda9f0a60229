import DuetJSON
import DuetResourceService

/// The parameters and header fields of the server's own routes, which are the routes that are not operations of a
/// resource.
extension OpenAPIDocument {
    private static let identifierPattern: JSONValue = [
        "type": "string", "pattern": "^[A-Za-z0-9._~:/+=-]{1,128}$",
    ]

    /// The parameter `X-Request-ID`, which is valid for every path.
    static let requestID = OpenAPIOperation.Parameter(
        "RequestID",
        [
            "name": "X-Request-ID", "in": "header",
            "description": """
            An identifier for the logs: 1 to 128 letters, digits and `._~:/+=-`. The response contains it. If it \
            is absent or invalid, the server generates an identifier.
            """, "schema": identifierPattern, "example": "5f2c1a9e4b7d4c0d",
        ])

    /// The parameter `Duet-Role`, which is valid for every path if the API has roles.
    static let role = OpenAPIOperation.Parameter(
        "Role",
        [
            "name": "Duet-Role", "in": "header",
            "description": "One of the roles in the token. If it is absent, the first role of the token applies.",
            "schema": .textSchema,
        ])

    /// The tokens of callers, if the API has roles.
    static let securitySchemes = JSONObject([
        "token": [
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "A JSON Web Token. Without a token, the role of anonymous callers applies if there is one.",
        ]
    ])

    /// The query parameters of the server's own routes, by name. Collections also have the parameter `api`.
    static let queryParameters: [String: OpenAPIOperation.Parameter] = [
        "api": OpenAPIOperation.Parameter(
            "API",
            [
                "name": "api", "in": "query", "allowEmptyValue": true,
                "description": """
                Requests the page that lists the routes (`text/html`). The parameter must have no value and must be the \
                only parameter; otherwise it is an unknown parameter (400, `unknown-parameter`).
                """, "schema": ["type": "string", "maxLength": 0],
            ]),
        "query": graphQL("query", "The document."),
        "documentId": graphQL(
            "documentId",
            """
            A persisted document instead of `query`: `sha256:` and the SHA-256 of its text as 64 hexadecimal digits in \
            lower case, or its name in a manifest.
            """),
        "variables": graphQL("variables", "The variables, as a JSON object.", #"{"id":10004}"#),
        "operationName": graphQL("operationName", "The name of the operation, if the document has several."),
        "extensions": graphQL(
            "extensions",
            """
            Extensions of the request, as a JSON object. `{"persistedQuery":{"version":1,"sha256Hash":"…"}}` requests \
            a registered document, or registers the document in `query`.
            """),
    ]

    private static func graphQL(
        _ name: String, _ description: String, _ example: JSONValue? = nil
    ) -> OpenAPIOperation.Parameter {
        var value = JSONObject([
            "name": .string(name), "in": "query", "description": .string(description), "schema": .textSchema,
        ])
        value["example"] = example
        return OpenAPIOperation.Parameter(
            "GraphQL\(name.prefix(1).uppercased())\(name.dropFirst())", .object(value))
    }

    /// Returns a parameter in the path of one of the server's own routes; nil for an unknown name.
    static func pathParameter(_ name: String) -> OpenAPIOperation.Parameter? {
        func parameter(
            _ component: String, _ description: String, _ schema: JSONValue, _ example: JSONValue
        ) -> OpenAPIOperation.Parameter {
            OpenAPIOperation.Parameter(
                component,
                [
                    "name": .string(name), "in": "path", "required": true, "description": .string(description),
                    "schema": schema, "example": example,
                ])
        }
        switch name {
        case "code":
            return parameter("ProblemCode", "The code of the problem.", .schema("ProblemCode"), "conflict")
        case "requestID":
            return parameter(
                "EarlierRequest", "The `X-Request-ID` of an earlier response, with each `/` as `%2F`.",
                identifierPattern, "5f2c1a9e4b7d4c0d")
        case "version":
            return parameter("PageVersion", "The version in the HTML of the page.", .textSchema, "1k2j3h4g5f6d")
        case "folder":
            return parameter("PageFolder", "The name of a page.", ["enum": ["explorer", "comparison"]], "explorer")
        case "name": return parameter("FileName", "The name of a file of the page.", .textSchema, "main.js")
        default: return nil
        }
    }

    /// Returns the header fields of the server's own responses and of problems.
    static func headers(_ catalogue: Catalogue) -> JSONObject {
        var headers = JSONObject([
            "Allow": [
                "description": "The methods that the path supports.", "schema": .textSchema,
                "example": "GET, HEAD, OPTIONS",
            ],
            "Retry-After": [
                "description": "The number of seconds after which a retry may succeed.",
                "schema": ["type": "integer", "format": "int32", "minimum": 0], "example": 5,
            ],
        ])
        if catalogue.isOfRole {
            headers["WWW-Authenticate"] = [
                "description": "The scheme of tokens, and what is wrong with the token (RFC 6750).",
                "schema": .textSchema, "example": "Bearer realm=\"duet\"",
            ]
        }
        return headers
    }
}
