import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers of the routes of the server itself: the pages at `/`, health, metrics, statements for debugging, the
/// OpenAPI document, the GraphQL schema, and the problem types.
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

    // MARK: Pages

    private enum StartPage { case routes, comparison }

    /// The negotiation at `/`. Both pages are HTML. A browser lists `text/html` in `Accept` and receives the
    /// comparison. A client that accepts any type, such as curl, receives the routes, because their offer is first. The
    /// type of that offer, `text/plain`, only distinguishes the two offers.
    private static let startPages = MediaTypeNegotiation<StartPage>([
        ("text/plain", .routes), ("text/html", .comparison),
    ])

    /// Returns the page at `/`: the routes or, for a browser, the comparison.
    func start(_ routed: RoutedRequest) throws -> Response {
        if routed.asksForRoutes { return try routesPage(routed) }
        try routed.requireNoQuery()
        guard Self.startPages.preferred(for: routed.request.headers) == .comparison else {
            return try routesPage(routed)
        }
        return try comparison.page(routed)
    }

    /// Returns the page that lists the routes, at `/` and at each collection with `?api`.
    func routesPage(_ routed: RoutedRequest) throws -> Response {
        guard MediaTypeNegotiation<Void>([("text/html", ())]).preferred(for: routed.request.headers) != nil else {
            throw RequestProblem(
                .notAcceptable, "the supported media types are text/html", members: [("allowed", ["text/html"])])
        }
        return try builder.whole(
            documentation.html(at: routed.request.head.authority), mediaType: "text/html; charset=utf-8",
            for: routed.request, cacheControl: "public, no-cache",
            headers: [.contentSecurityPolicy: WebPageRoutes.contentSecurityPolicy])
    }

    // MARK: State

    func liveness(_ routed: RoutedRequest) throws -> Response {
        try json(["status": "live"], routed, cacheControl: "no-store", tag: nil)
    }

    func readiness(_ routed: RoutedRequest) async throws -> Response {
        try routed.requireNoQuery()
        try await service.checkReadiness()
        return try json(["status": "ready"], routed, cacheControl: "no-store", tag: nil)
    }

    func metricsText(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        return try builder.whole(
            ByteBuffer(string: metrics.text()), mediaType: PrometheusMetricsFactory.contentType,
            for: routed.request, cacheControl: "no-store", tag: nil)
    }

    func statements(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        guard let history else {
            throw RequestProblem(
                .statementsNotKept,
                "this server does not store statements; start it with --debug-statements (DUET_DEBUG_STATEMENTS=true)")
        }
        let requestID = routed.parameter("requestID")
        guard let document = history.document(of: requestID) else {
            throw RequestProblem(
                .unknownRequest,
                "the request \(requestID) is not among the last \(StatementHistory.maximumRequests) requests to REST or GraphQL"
            )
        }
        return try json(document, routed, cacheControl: "no-store", tag: nil)
    }

    // MARK: Documents

    func openAPI(_ format: OpenAPIDocument.Format, _ routed: RoutedRequest) async throws -> Response {
        try routed.requireNoQuery()
        let mediaType =
            switch format {
            case .json: "application/json"
            case .yaml: "application/yaml"
            }
        return try builder.stored(
            try await openAPI.compressed(format), mediaType: mediaType, for: routed.request,
            cacheControl: "max-age=300, public")
    }

    /// Returns the GraphQL schema.
    func schema(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        return try builder.whole(
            ByteBuffer(string: sdl), mediaType: "application/graphql; charset=utf-8", for: routed.request,
            cacheControl: "max-age=300, public")
    }

    // MARK: Problems

    func problemTypes(_ routed: RoutedRequest) throws -> Response {
        try json(.array(types.map(\.document)), routed)
    }

    func problemType(_ routed: RoutedRequest) throws -> Response {
        let code = routed.parameter("code")
        guard let type = types.first(where: { $0.rawValue == code }) else {
            throw RequestProblem(.unknownProblem, "there is no problem type \(code); GET /problems lists the types")
        }
        return try json(type.document, routed)
    }

    private var types: [ServiceError.Code] { ServiceError.Code.all(of: service.catalogue) }

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
