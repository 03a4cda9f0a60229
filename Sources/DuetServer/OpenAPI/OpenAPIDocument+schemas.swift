import DuetGraphQLHTTP
import DuetJSON
import DuetResourceService

/// The schemas that are not schemas of resources, such as those of problems and GraphQL responses. Only `ProblemCode`
/// depends on the resources.
extension OpenAPIDocument {
    static func schemas(_ catalogue: Catalogue) -> JSONObject {
        var schemas = JSONObject([
            "GraphQLRequest": object(
                "A request of GraphQL over HTTP. Other members are ignored. Null is equivalent to an absent member.",
                [
                    "query": text("The document; absent if the request contains its identifier."),
                    "documentId": [
                        "type": ["string", "null"], "description": "The identifier of a persisted document.",
                    ],
                    "variables": ["type": ["object", "null"], "description": "The variables."],
                    "operationName": [
                        "type": ["string", "null"],
                        "description": "The name of the operation, if the document has several.",
                    ],
                    "extensions": [
                        "type": ["object", "null"],
                        "description": "Extensions of the request, such as the hash of a persisted query.",
                    ],
                ]),
            "GraphQLResponse": object(
                "The response of GraphQL.",
                [
                    "data": [
                        "type": ["object", "null"],
                        "description": "The data; absent if the operation was not executed.",
                    ],
                    "errors": ["type": "array", "description": "The errors.", "items": .schema("GraphQLError")],
                    "extensions": ["type": "object", "description": "Extensions of the response."],
                ]),
            "GraphQLError": object(
                "An error of a GraphQL response.",
                [
                    "message": text("A sentence for the user."),
                    "locations": [
                        "type": "array", "description": "The positions in the document.",
                        "items": .schema("GraphQLLocation"),
                    ],
                    "path": [
                        "type": "array", "description": "The response path of the field.", "items": [:],
                    ],
                    "extensions": ["type": "object", "description": "Details of the error, such as its `code`."],
                ], required: ["message"]),
            "GraphQLLocation": object(
                "A position in a document.",
                ["line": number("The line, from 1."), "column": number("The column, from 1.")]),
            "Health": object(
                "The state of the server.",
                ["status": ["type": "string", "description": "The state.", "enum": ["live", "ready"]]],
                required: ["status"]),
            "Statements": object(
                "The statements of a request, in the order in which they began.",
                [
                    "requestID": text("The identifier of the request."),
                    "count": number("The number of statements, which can exceed the length of the list."),
                    "statements": ["type": "array", "description": "The statements.", "items": .schema("Statement")],
                ], required: ["requestID", "count", "statements"]),
            "Statement": object(
                "An executed statement.",
                [
                    "sql": text("The text, with `?` for bound values."),
                    "parameters": number("The number of bound values."),
                    "rows": number("The number of rows that were read."),
                    "milliseconds": [
                        "type": "number", "format": "double", "minimum": 0,
                        "description": "The time from the start to the last row, including the encoding of the rows.",
                    ],
                    "failed": ["type": "boolean", "description": "True if the statement failed."],
                ], required: ["sql", "parameters", "rows", "milliseconds", "failed"]),
            "ProblemCode": [
                "type": "string", "description": "A kind of problem. `/problems` describes them.",
                "enum": .array(ServiceError.Code.all(of: catalogue).map { .string($0.rawValue) }),
            ],
            "Problem": object(
                "A problem (RFC 9457).",
                [
                    "type": uri("The URL of the type's description: `/problems/` and the code."),
                    "title": text("The title of the type."), "status": status,
                    "detail": text("A sentence about this problem."), "code": .schema("ProblemCode"),
                    "parameter": text("The invalid parameter."),
                    "allowed": [
                        "type": "array", "description": "The valid values or names.", "items": .textSchema,
                    ],
                    "errors": [
                        "type": "array", "description": "All invalid members of the body.",
                        "items": .schema("FieldError"),
                    ],
                    "key": text("The name of the key that already exists."),
                    "requestID": text("The identifier of the request, as in `X-Request-ID`."),
                ], required: ["type", "title", "status", "detail", "code"]),
            "FieldError": object(
                "An invalid member of a body.",
                ["field": text("The name of the member."), "message": text("The reason, such as `is missing`.")],
                required: ["field", "message"]),
            "ProblemType": object(
                "A type of problems.",
                [
                    "type": uri("The URL of this description."), "code": .schema("ProblemCode"),
                    "title": text("The title."), "status": status,
                    "description": text("When the problem occurs, and what to do."),
                ], required: ["type", "code", "title", "status", "description"]),
        ])
        if catalogue.hasDerivedWrites, case .object(var problem)? = schemas["Problem"],
            case .object(var properties)? = problem["properties"]
        {
            properties["line"] = number("The line of the invalid row in the body of an import, from 1.")
            properties["column"] = number("The number of the invalid value in the row of CSV, from 1.")
            problem["properties"] = .object(properties)
            schemas["Problem"] = .object(problem)
        }
        if catalogue.isOfRole { schemas["Caller"] = caller }
        if catalogue.hasDerivedWrites { addDerivedWrites(to: &schemas) }
        return schemas
    }

    /// Adds the members of problems and the bodies that exist only if writes follow from the rules of resources.
    private static func addDerivedWrites(to schemas: inout JSONObject) {
        func add(_ name: String, _ schema: JSONValue, to type: String) {
            guard case .object(var object)? = schemas[type], case .object(var properties)? = object["properties"]
            else { return }
            properties[name] = schema
            object["properties"] = .object(properties)
            schemas[type] = .object(object)
        }
        add("pointer", text("The JSON pointer of the member in the body (RFC 6901)."), to: "FieldError")
        add(
            "pointer", text("The JSON pointer of the related row in the body that the problem concerns."), to: "Problem"
        )
        add(
            "relation", text("The relation to the rows that prevent the change, if the caller sees it."), to: "Problem")
        add(
            "request",
            [
                "type": ["string", "integer"],
                "description": "The request of a batch that failed: its identifier, or its index if it has none.",
            ], to: "Problem")
        schemas["BatchRequest"] = object(
            "A request of a batch.",
            [
                "id": [
                    "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
                    "description":
                        "A name, by which later requests refer to the row: `{name}` is the key in a path, and `{\"ref\":\"name\"}` is a related row in a body.",
                ],
                "method": [
                    "type": "string", "description": "The method.", "enum": ["POST", "PATCH", "PUT", "DELETE"],
                ],
                "path": text("The path of the same request without a batch, with the query."),
                "headers": [
                    "type": "object", "description": "Preconditions: `If-Match` and `If-None-Match`.",
                    "additionalProperties": JSONValue.textSchema,
                ],
                "body": [
                    "type": ["object", "array", "null"],
                    "description": "The body of the same request without a batch; null if it has none.",
                ],
            ], required: ["method", "path"])
        schemas["BatchResponse"] = object(
            "The response to a request of a batch.",
            [
                "id": [
                    "type": ["string", "null"], "description": "The identifier of the request; null if it has none.",
                ],
                "status": [
                    "type": "integer", "format": "int32",
                    "description": "The status of the same request without a batch.",
                ],
                "headers": [
                    "type": "object", "description": "The header fields that describe the result, such as `Location`.",
                    "additionalProperties": JSONValue.textSchema,
                ],
                "body": ["description": "The body; null if there is none."],
            ], required: ["id", "status", "headers", "body"])
    }

    private static let caller = object(
        "The identity of the client, and its permissions.",
        [
            "role": text("The role."),
            "roles": [
                "type": "array", "description": "The roles of the token. `Duet-Role` selects one of them.",
                "items": .textSchema,
            ],
            "expires": [
                "type": ["string", "null"], "format": "date-time",
                "description": "The time when the token expires; null without a token.",
            ],
            "claims": [
                "type": "object",
                "description":
                    "The claims that the rules of the role use. A claim that the token does not have is null.",
            ],
        ], required: ["role", "roles", "expires", "claims"])

    private static let status: JSONValue = [
        "type": "integer", "format": "int32", "minimum": 400, "maximum": 599,
        "description": "The status of the response.",
    ]

    private static func object(_ description: String, _ properties: JSONValue, required: [String] = []) -> JSONValue {
        var object = JSONObject(["type": "object", "description": .string(description)])
        if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
        object["properties"] = properties
        return .object(object)
    }

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": .string(description)]
    }

    private static func uri(_ description: String) -> JSONValue {
        ["type": "string", "format": "uri-reference", "description": .string(description)]
    }

    private static func number(_ description: String) -> JSONValue {
        ["type": "integer", "format": "int32", "minimum": 0, "description": .string(description)]
    }
}
