import DuetJSON
import DuetResourceService
import Foundation
import HTTPTypes

/// The routes of the server itself, and their descriptions in the OpenAPI document.
extension ServiceRoutes {
    /// Returns the routes of the API. If the server has admin addresses, only those have the metrics and debugging.
    static func routes(_ settings: ServerSettings) -> [Route] {
        let state = settings.adminAddresses.isEmpty ? state : state.filter { $0.audience != .machine }
        return [start] + state + documents + problems
    }

    private static let start = Route(
        .get, "/", "The routes; in a browser, both styles side by side", parameters: ["api"], .start,
        RouteContract(
            "getDocumentation", .service, .own("Documentation", "A page.", [("text/html", .textSchema)])))

    /// The routes that report the state of the server.
    static let state = [
        Route(
            .get, "/health/live", "Responds if the process runs; does not use the database", .liveness,
            RouteContract("getLiveness", .service, health("Live", "live", "The process runs."))),
        Route(
            .get, "/health/ready", "Responds if the database responds", .readiness,
            RouteContract(
                "getReadiness", .service, health("Ready", "ready", "The process and its database respond."),
                problems: [.databaseUnavailable, .tokenKeysUnavailable])),
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

extension ServiceRoutes {
    /// The route of the caller's identity, if the API has roles.
    static let caller = Route(
        .get, "/whoami", "The role of the caller, and the claims that its rules use", .caller,
        RouteContract(
            "getCaller", .service,
            .own(
                "Caller", "The caller.", [("application/json", .schema("Caller"))],
                example: [
                    "role": "customer", "roles": ["customer"], "expires": "2026-11-29T12:00:00Z",
                    "claims": ["customer": 7],
                ], isTagged: false)))
}

extension Caller {
    /// The caller in the format of `/whoami`.
    var document: JSONValue {
        [
            "role": .string(policy.name), "roles": .array(roles.map { .string($0) }),
            "expires": expiresAt.map { .string(Self.time($0)) } ?? .null, "claims": .object(claims),
        ]
    }

    /// Returns a time in the format of RFC 3339, at most the last second of the year 9999.
    /// - Parameter seconds: The seconds since 1970.
    private static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(min(max(0, seconds), 253_402_300_799))).formatted(.iso8601)
    }
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
