import DuetJSON
import DuetResourceService
import HTTPTypes

/// The routes of the server itself, and their descriptions in the OpenAPI document.
extension ServiceRoutes {
    static let routes: [Route] = [start] + state + documents + problems

    private static let start = Route(
        .get, "/", "The routes; in a browser, both styles side by side", parameters: ["api"], .start,
        RouteContract(
            "getDocumentation", .service, .own("Documentation", "A page.", [("text/html", .textSchema)])))

    private static let state = [
        Route(
            .get, "/health/live", "Responds if the process runs; does not use the database", .liveness,
            RouteContract("getLiveness", .service, health("Live", "live", "The process runs."))),
        Route(
            .get, "/health/ready", "Responds if the database responds", .readiness,
            RouteContract(
                "getReadiness", .service, health("Ready", "ready", "The process and its database respond."),
                problems: [.databaseUnavailable])),
        Route(
            .get, "/metrics", "Metrics in the text format of Prometheus", .metrics,
            RouteContract(
                "getMetrics", .service,
                description: """
                    Metrics of the requests and statements of each style, the connections, the caches and the \
                    process. They are for the operator: a proxy should not forward this path.
                    """,
                .own(
                    "Metrics", "All series, in version 0.0.4 of the text format.", [("text/plain", .textSchema)],
                    example: "duet_statements_total{style=\"rest\"} 7\n", isTagged: false))),
        Route(
            .get, "/debug/requests/{requestID}/statements", "The SQL statements of a request", .statements,
            RouteContract(
                "getStatements", .service,
                description: """
                    For debugging. A server started with `--debug-statements` (`DUET_DEBUG_STATEMENTS=true`) \
                    stores the statements of the last \(StatementHistory.maximumRequests) requests to REST and \
                    GraphQL, without bound values, under the `X-Request-ID` of the response. `Server-Timing` counts the same \
                    statements. A server without this option responds with 404. Do not use the option on a public \
                    server: any client that knows an identifier receives the statements.
                    """,
                .own(
                    "Statements", "The statements.", [("application/json", .schema("Statements"))], isTagged: false),
                problems: [.statementsNotKept, .unknownRequest])),
    ]

    private static func health(_ name: String, _ status: String, _ description: String) -> OpenAPIOperation.Response {
        .own(
            name, description, [("application/json", .schema("Health"))], example: ["status": .string(status)],
            isTagged: false)
    }

    private static let documents = [
        Route(
            .get, "/openapi.yaml", "The OpenAPI document", .openAPI(.yaml),
            RouteContract(
                "getOpenAPIYAML", .service,
                .own("OpenAPIYAML", "This document.", [("application/yaml", .textSchema)]))),
        Route(
            .get, "/openapi.json", "The OpenAPI document as JSON", .openAPI(.json),
            RouteContract(
                "getOpenAPIJSON", .service,
                .own("OpenAPIJSON", "This document.", [("application/json", ["type": "object"])]))),
        Route(
            .get, "/schema.graphql", "The GraphQL schema", .schema,
            RouteContract(
                "getGraphQLSchema", .graphQL,
                .own(
                    "GraphQLSchema", "The schema in the schema definition language.",
                    [("application/graphql", .textSchema)]))),
    ]

    private static let problems = [
        Route(
            .get, "/problems", "The types of problems", .problemTypes,
            RouteContract(
                "listProblemTypes", .problems,
                .own(
                    "ProblemTypes", "All types.",
                    [("application/json", ["type": "array", "items": .schema("ProblemType")])],
                    example: [ServiceError.Code.conflict.document]))),
        Route(
            .get, "/problems/{code}", "One type of problem", .problemType,
            RouteContract(
                "getProblemType", .problems,
                .own(
                    "ProblemType", "The type.", [("application/json", .schema("ProblemType"))],
                    example: ServiceError.Code.conflict.document), problems: [.unknownProblem])),
    ]
}

extension ServiceError.Code {
    /// The kind of error in the format of `/problems`.
    var document: JSONValue {
        [
            "type": .string("/problems/\(rawValue)"), "code": .string(rawValue), "title": .string(title),
            "status": .integer(Int64(status)), "description": .string(explanation),
        ]
    }
}
