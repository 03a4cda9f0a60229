import DuetHTTPSemantics
import DuetHummingbird
import DuetJSON
import DuetJSONWriter
import DuetPrometheusMetrics
import DuetResourceService
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The routes of the server itself: the pages at `/`, health, metrics, statements for debugging, the OpenAPI document,
/// the GraphQL schema, and the problem types.
struct ServiceRoutes: Sendable {
    let service: ResourceService
    let builder: ResponseBuilder
    let documentation: DocumentationPage
    let comparison: WebPageRoutes
    let openAPI: OpenAPIDocument
    let metrics: PrometheusMetricsFactory
    /// The statements of the latest requests; `nil` if the server does not store statements.
    let history: StatementHistory?
    /// The GraphQL schema.
    let sdl: String

    var routes: [Route] { pages + state + documents + problems }

    private var pages: [Route] {
        [
            Route(.get, "/", "The routes; in a browser, both styles side by side", parameters: ["api"]) { routed in
                if routed.asksForRoutes { return try page(routed) }
                try routed.requireNoQuery()
                guard Self.root.preferred(for: routed.request.headers) == .comparison else {
                    return try page(routed)
                }
                return try comparison.page(routed)
            }.negotiatingType().described(
                .own(
                    "getDocumentation", .service, .own("Documentation", "A page.", [("text/html", .textSchema)])))
        ]
    }

    private var state: [Route] {
        [
            Route(.get, "/health/live", "Responds if the process runs; does not use the database") { routed in
                return try json(["status": "live"], routed, cacheControl: "no-store", tag: nil)
            }.stayingOnEventLoop().described(
                .own("getLiveness", .service, Self.health("Live", "live", "The process runs."))),
            Route(.get, "/health/ready", "Responds if the database responds") { routed in
                try routed.requireNoQuery()
                try await service.checkReadiness()
                return try json(["status": "ready"], routed, cacheControl: "no-store", tag: nil)
            }.described(
                .own(
                    "getReadiness", .service, Self.health("Ready", "ready", "The process and its database respond."),
                    problems: [.databaseUnavailable])),
            Route(.get, "/metrics", "Metrics in the text format of Prometheus") { routed in
                try routed.requireNoQuery()
                return try builder.whole(
                    ByteBuffer(string: metrics.text()), mediaType: PrometheusMetricsFactory.contentType,
                    for: routed.request, cacheControl: "no-store", tag: nil)
            }.described(
                .own(
                    "getMetrics", .service,
                    description: """
                        Metrics of the requests and statements of each style, the connections, the caches and the \
                        process. They are for the operator: a proxy should not forward this path.
                        """,
                    .own(
                        "Metrics", "All series, in version 0.0.4 of the text format.", [("text/plain", .textSchema)],
                        example: "duet_statements_total{style=\"rest\"} 7\n", isTagged: false))),
            Route(
                .get, "/debug/requests/{requestID}/statements", "The SQL statements of a request", handler: statements
            ).described(
                .own(
                    "getStatements", .service,
                    description: """
                        For debugging. A server started with `--debug-statements` (`DUET_DEBUG_STATEMENTS=true`) \
                        stores the statements of the last \(StatementHistory.maximumRequests) requests to REST and \
                        GraphQL, without bound values, under the `X-Request-ID` of the response. `Server-Timing` counts the same \
                        statements. A server without this option responds with 404. Do not use the option on a public \
                        server: any client that knows an identifier receives the statements.
                        """,
                    .own(
                        "Statements", "The statements.", [("application/json", .schema("Statements"))],
                        isTagged: false),
                    problems: [.statementsNotKept, .unknownRequest])),
        ]
    }

    private static func health(_ name: String, _ status: String, _ description: String) -> OpenAPIOperation.Response {
        .own(
            name, description, [("application/json", .schema("Health"))], example: ["status": .string(status)],
            isTagged: false)
    }

    private var documents: [Route] {
        [
            Route(.get, "/openapi.yaml", "The OpenAPI document") { routed in
                try await openAPI(.yaml, "application/yaml", routed)
            }.described(
                .own(
                    "getOpenAPIYAML", .service,
                    .own("OpenAPIYAML", "This document.", [("application/yaml", .textSchema)]))),
            Route(.get, "/openapi.json", "The OpenAPI document as JSON") { routed in
                try await openAPI(.json, "application/json", routed)
            }.described(
                .own(
                    "getOpenAPIJSON", .service,
                    .own("OpenAPIJSON", "This document.", [("application/json", ["type": "object"])]))),
            Route(.get, "/schema.graphql", "The GraphQL schema") { routed in
                try routed.requireNoQuery()
                return try builder.whole(
                    ByteBuffer(string: sdl), mediaType: "application/graphql; charset=utf-8", for: routed.request,
                    cacheControl: "max-age=300, public")
            }.described(
                .own(
                    "getGraphQLSchema", .graphQL,
                    .own(
                        "GraphQLSchema", "The schema in the schema definition language.",
                        [("application/graphql", .textSchema)]))),
        ]
    }

    private var problems: [Route] {
        [
            Route(.get, "/problems", "The types of problems") { routed in
                try json(.array(problemTypes.map(\.document)), routed)
            }.described(
                .own(
                    "listProblemTypes", .problems,
                    .own(
                        "ProblemTypes", "All types.",
                        [("application/json", ["type": "array", "items": .schema("ProblemType")])],
                        example: [ProblemType.conflict.document]))),
            Route(.get, "/problems/{code}", "One type of problem") { routed in
                let code = routed.parameter("code")
                guard let type = problemTypes.first(where: { $0.code == code }) else {
                    throw Problem(.unknownProblem, "there is no problem type \(code); GET /problems lists the types")
                }
                return try json(type.document, routed)
            }.described(
                .own(
                    "getProblemType", .problems,
                    .own(
                        "ProblemType", "The type.", [("application/json", .schema("ProblemType"))],
                        example: ProblemType.conflict.document), problems: [.unknownProblem])),
        ]
    }

    private var problemTypes: [ProblemType] { ProblemType.all(of: service.catalogue) }

    private enum RootPage { case routes, comparison }

    /// The negotiation at `/`. Both pages are HTML. A browser lists `text/html` in `Accept` and receives the
    /// comparison. A client that accepts any type, such as curl, receives the routes, because their offer is first. The
    /// type of that offer, `text/plain`, only distinguishes the two offers.
    private static let root = MediaTypeNegotiation<RootPage>([("text/plain", .routes), ("text/html", .comparison)])

    /// Returns the page that lists the routes, at `/` and at each collection with `?api`.
    func page(_ routed: RoutedRequest) throws -> Response {
        guard MediaTypeNegotiation<Void>([("text/html", ())]).preferred(for: routed.request.headers) != nil else {
            throw Problem(
                .notAcceptable, "the supported media types are text/html", members: [("allowed", ["text/html"])])
        }
        return try builder.whole(
            documentation.html(at: routed.request.head.authority), mediaType: "text/html; charset=utf-8",
            for: routed.request, cacheControl: "public, no-cache",
            headers: [.contentSecurityPolicy: WebPageRoutes.contentSecurityPolicy])
    }

    private func statements(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        guard let history else {
            throw Problem(
                .statementsNotKept,
                "this server does not store statements; start it with --debug-statements (DUET_DEBUG_STATEMENTS=true)")
        }
        let requestID = routed.parameter("requestID")
        guard let document = history.document(of: requestID) else {
            throw Problem(
                .unknownRequest,
                "the request \(requestID) is not among the last \(StatementHistory.maximumRequests) requests to REST or GraphQL"
            )
        }
        return try json(document, routed, cacheControl: "no-store", tag: nil)
    }

    private func openAPI(
        _ format: OpenAPIDocument.Format, _ mediaType: String, _ routed: RoutedRequest
    ) async throws -> Response {
        try routed.requireNoQuery()
        return try builder.stored(
            try await openAPI.compressed(format), mediaType: mediaType, for: routed.request,
            cacheControl: "max-age=300, public")
    }

    private func json(
        _ value: JSONValue, _ routed: RoutedRequest, cacheControl: String = "max-age=300, public",
        tag: ResponseBuilder.TagHash? = .content
    ) throws -> Response {
        try routed.requireNoQuery()
        var writer = JSONWriter()
        writer.write(value)
        return try builder.whole(
            writer.buffer, mediaType: "application/json", for: routed.request, cacheControl: cacheControl,
            tag: tag)
    }
}

extension ProblemType {
    /// The type in the format of `/problems`.
    fileprivate var document: JSONValue {
        [
            "type": .string("/problems/\(code)"), "code": .string(code), "title": .string(title),
            "status": .integer(Int64(status.code)), "description": .string(explanation),
        ]
    }
}
